internal import PolicyLoading

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
