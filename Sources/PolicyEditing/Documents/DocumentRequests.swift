internal import PolicyLoading
internal import StrictJSON

/// What requests about a document have in common.
extension LanguageServer {
    func openDocument(_ params: JSONValue) throws(ResponseError) -> OpenDocument {
        guard let uri = params["textDocument"]?["uri"]?.string,
            let document = workspace.documents[uri]
        else { throw ResponseError(.invalidParams, "textDocument is none that is open") }
        return document
    }

    /// A document, and the byte that a position in it names.
    func documentPlace(_ params: JSONValue) throws(ResponseError) -> (OpenDocument, Int) {
        let document = try openDocument(params)
        guard let position = TextPosition(params["position"]) else {
            throw ResponseError(.invalidParams, "position is missing")
        }
        return (document, document.text.offset(of: position, encoding))
    }

    /// The files of the policy that a document belongs to; of any other document, itself.
    ///
    /// What has not changed since it was scanned is not scanned again.
    ///
    /// - Parameter typed: what the document is read as, while something is typed in it.
    mutating func index(of document: OpenDocument, as typed: ScannedFile? = nil) -> PolicyIndex {
        var files: [PolicyFile] = []
        if let home = document.home {
            files = workspace.files(of: home).filter(\.isYAML)
        } else {
            files = [
                PolicyFile(
                    uri: document.uri, name: PolicyFile.aloneName, document: document.text,
                    version: document.version)
            ]
        }
        var entries: [PolicyIndex.Entry] = []
        for file in files {
            if let typed, file.uri == document.uri {
                entries.append(PolicyIndex.Entry(file: file, scan: typed))
            } else if let known = scans[file.uri], known.bytes == file.document.bytes {
                entries.append(PolicyIndex.Entry(file: file, scan: known))
            } else {
                let scan = ScannedFile(file.document)
                scans[file.uri] = scan
                entries.append(PolicyIndex.Entry(file: file, scan: scan))
            }
        }
        if scans.count > 2 * PolicyWorkspace.documentLimit { scans = [:] }
        return PolicyIndex(entries: entries)
    }

    func scan(of document: OpenDocument, in index: PolicyIndex) -> ScannedFile {
        index.entries.first { $0.file.uri == document.uri }?.scan ?? ScannedFile(document.text)
    }
}
