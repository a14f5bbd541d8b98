internal import PolicyLoading
internal import StrictJSON

/// What the client does with its documents.
extension LanguageServer {
    mutating func open(_ params: JSONValue) throws(ResponseError) {
        let document = params["textDocument"]
        guard let uri = document?["uri"]?.string, let text = document?["text"]?.string,
            let version = document?["version"]?.int64
        else { throw ResponseError(.invalidParams, "textDocument is incomplete") }
        guard workspace.open(uri, version: version, text: text) else {
            throw ResponseError(.invalidParams, "too many documents are open")
        }
        touch(workspace.documents[uri]?.home)
    }

    /// Applies the changes in their order; the first that is none ends them.
    mutating func change(_ params: JSONValue) throws(ResponseError) {
        let document = params["textDocument"]
        guard let uri = document?["uri"]?.string, let version = document?["version"]?.int64,
            workspace.documents[uri] != nil
        else { throw ResponseError(.invalidParams, "textDocument is none that is open") }
        var isWhole = true
        let encoding = encoding
        workspace.change(uri, version: version) { text in
            for change in params["contentChanges"]?.elements ?? [] {
                isWhole = isWhole && text.apply(change, encoding)
            }
        }
        touch(workspace.documents[uri]?.home)
        if !isWhole { throw ResponseError(.invalidParams, "a change has no text or range") }
    }

    mutating func close(_ params: JSONValue) throws(ResponseError) {
        guard let uri = params["textDocument"]?["uri"]?.string,
            let closed = workspace.close(uri)
        else { throw ResponseError(.invalidParams, "textDocument is none that is open") }
        touch(closed.home)
    }

    /// Something has changed on the disk.
    mutating func rereadDisk() {
        for home in workspace.homes { touch(home) }
        workspace.forgetDisk()
        for home in workspace.homes { touch(home) }
    }

    /// The policy is to be checked again.
    private mutating func touch(_ home: PolicyHome?) {
        guard let home else { return }
        checks[home] = nil
        unchecked.insert(home)
    }
}

extension TextDocument {
    /// A change as the protocol writes it; false where it is none.
    mutating func apply(_ change: JSONValue, _ encoding: PositionEncoding) -> Bool {
        guard let text = change["text"]?.string else { return false }
        guard let written = change["range"], !written.isNull else {
            self = TextDocument(text)
            return true
        }
        guard let range = TextRange(written) else { return false }
        replace(offsets(of: range, encoding), with: text)
        return true
    }
}

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
