internal import PolicyLoading

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
