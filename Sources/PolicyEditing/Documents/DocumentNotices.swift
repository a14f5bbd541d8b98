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
