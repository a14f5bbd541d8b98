internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// What the client has open, and the policy folders that it belongs to: what is open takes the
/// place of what is on the disk.
struct PolicyWorkspace: Sendable {
    /// More than anybody has open.
    static let documentLimit = 1_000

    /// Paths of the client's workspace folders.
    var roots: [String] = []
    private(set) var documents: [String: OpenDocument] = [:]
    /// What is on the disk, by folder; read when it is asked for.
    private var disk: [String: Result<PolicyFolderContents, PolicyFolderError>] = [:]

    /// False where there are too many.
    mutating func open(_ uri: String, version: Int64, text: String) -> Bool {
        guard documents[uri] != nil || documents.count < Self.documentLimit else { return false }
        documents[uri] = OpenDocument(
            uri: uri, path: FileAddress.path(of: uri), version: version,
            text: TextDocument(text), home: nil)
        // What is opened may be what makes a policy of others.
        for uri in documents.keys.sorted() where documents[uri]?.home == nil { findHome(uri) }
        return true
    }

    mutating func close(_ uri: String) -> OpenDocument? {
        let closed = documents.removeValue(forKey: uri)
        if case .folder(let folder)? = closed?.home { disk[folder] = nil }
        return closed
    }

    mutating func change(_ uri: String, version: Int64, _ edit: (inout TextDocument) -> Void) {
        guard documents[uri] != nil else { return }
        documents[uri]?.version = version
        // Taken out, so that an edit does not copy the text.
        var text = documents[uri]?.text ?? TextDocument("")
        documents[uri]?.text = TextDocument("")
        edit(&text)
        let isPolicy = isPolicyText(text.bytes)
        documents[uri]?.text = text
        if documents[uri]?.home == nil, isPolicy {
            findHome(uri)
        }
    }

    /// Forgets what was read from the disk, and looks again where documents belong.
    mutating func forgetDisk() {
        disk = [:]
        for uri in documents.keys.sorted() { findHome(uri) }
    }

    private mutating func findHome(_ uri: String) {
        guard let document = documents[uri] else { return }
        let home = home(of: document)
        documents[uri]?.home = home
    }

    private func home(of document: OpenDocument) -> PolicyHome? {
        guard let path = document.path else {
            return isPolicyText(document.text.bytes) ? .alone(document.uri) : nil
        }
        var open: [String: [UInt8]] = [:]
        for other in documents.values {
            if let path = other.path { open[path] = other.text.bytes }
        }
        let root = roots.filter { path.hasPrefix($0 + "/") }.max { $0.utf8.count < $1.utf8.count }
        guard let folder = policyFolder(of: path, within: root, open: open) else { return nil }
        let name = FileAddress.name(of: path, in: folder)
        // Stories and hidden files are no part of the policy.
        let isOmitted =
            name.hasPrefix("tests/") || name.split(separator: "/").contains { $0.hasPrefix(".") }
        return isOmitted ? nil : .folder(folder)
    }

    // MARK: Folders

    var homes: Set<PolicyHome> { Set(documents.values.compactMap(\.home)) }

    /// The files of a policy: those that are open, and the others as they are on the disk.
    ///
    /// Fails only where the folder cannot be read; what is open is there all the same.
    mutating func texts(
        of home: PolicyHome
    ) -> (texts: [PolicyText], ignored: [String], failures: [Diagnostic]) {
        var texts: [String: [UInt8]] = [:]
        var ignored: [String] = []
        var failures: [Diagnostic] = []
        if case .folder(let folder) = home {
            switch contents(of: folder) {
            case .success(let contents):
                for text in contents.texts { texts[text.path] = text.bytes }
                ignored = contents.ignored
            case .failure(let error): failures = error.diagnostics
            }
        }
        for document in documents.values where document.home == home {
            texts[document.name] = document.text.bytes
        }
        let sorted = texts.map { PolicyText(path: $0.key, bytes: $0.value) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return (sorted, ignored, failures)
    }

    private mutating func contents(
        of folder: String
    ) -> Result<PolicyFolderContents, PolicyFolderError> {
        if let known = disk[folder] { return known }
        let read: Result<PolicyFolderContents, PolicyFolderError>
        do {
            read = .success(try readPolicyFolderContents(folder))
        } catch {
            read = .failure(error)
        }
        disk[folder] = read
        return read
    }

    /// The files of a policy, by name.
    mutating func files(of home: PolicyHome) -> [PolicyFile] {
        let open = Dictionary(
            documents.values.filter { $0.home == home }.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        return texts(of: home).texts.map { text in
            if let document = open[text.path] {
                return PolicyFile(
                    uri: document.uri, name: text.path, document: document.text,
                    version: document.version)
            }
            return PolicyFile(
                uri: home.uri(of: text.path), name: text.path,
                document: TextDocument(bytes: text.bytes), version: nil)
        }
    }
}

extension PolicyHome {
    /// Of a file that is not open.
    func uri(of name: String) -> String {
        switch self {
        case .folder(let folder):
            FileAddress.uri(ofPath: FileAddress.path(of: name, in: folder))
        case .alone(let uri): uri
        }
    }
}

/// Where a document belongs.
enum PolicyHome: Hashable, Sendable {
    /// A policy folder, by its path.
    case folder(String)
    /// A policy file that is in no folder, by its URI.
    case alone(String)
}

/// A document that the client has open.
struct OpenDocument: Sendable {
    /// As the client writes it.
    let uri: String
    /// Nil for a document that is no file.
    let path: String?
    var version: Int64
    var text: TextDocument
    /// Nil for what is no policy file.
    var home: PolicyHome?

    /// Its path in its folder.
    var name: String {
        guard case .folder(let folder)? = home, let path else { return PolicyFile.aloneName }
        return FileAddress.name(of: path, in: folder)
    }
}

/// One file of a policy folder, open or not.
struct PolicyFile: Sendable {
    static let aloneName = "policy.yaml"

    let uri: String
    /// Its path in the folder.
    let name: String
    let document: TextDocument
    /// Nil for a file that is not open.
    let version: Int64?

    /// Whether it is a policy file, rather than a certificate that one names.
    var isYAML: Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }
}

/// The paths that `file:` URIs name, and the other way round.
enum FileAddress {
    /// The absolute path; nil for any other URI, and for files of other machines.
    static func path(of uri: String) -> String? {
        guard uri.lowercased().hasPrefix("file://") else { return nil }
        var rest = uri.dropFirst("file://".count)
        if rest.lowercased().hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
        guard rest.hasPrefix("/") else { return nil }
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let path = decoded(rest[..<end]), !path.utf8.contains(0) else { return nil }
        return normalized(path)
    }

    static func uri(ofPath path: String) -> String {
        var uri = "file://"
        for byte in path.utf8 {
            if isPlain(byte) {
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                uri += "%" + byte.hexadecimal(width: 2, uppercase: true)
            }
        }
        return uri
    }

    /// The path of a file in a folder above it.
    static func name(of path: String, in folder: String) -> String {
        let length = folder == "/" ? 1 : folder.utf8.count + 1
        return String(decoding: path.utf8.dropFirst(length), as: UTF8.self)
    }

    static func path(of name: String, in folder: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-._~".utf8.contains(byte)
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Without `.`, `..` and repeated slashes.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}

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
