/// One file of a policy folder, as it was read.
package struct PolicyText: Hashable, Sendable {
    /// Relative to the policy folder, with forward slashes.
    package var path: String
    /// Exactly as stored; whether they are text is for the loader to say.
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// For people to look at: what is not UTF-8 is shown as replacement characters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether it is a policy file, rather than a certificate that one names.
    var isYAML: Bool {
        let path = path.lowercased()
        return path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    }
}
