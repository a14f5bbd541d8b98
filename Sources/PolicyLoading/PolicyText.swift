internal import Crypto
package import EntitlementModel

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

/// Names a policy's text: SHA-256 over path, length and bytes of each file, by path
/// (spec 2.6). Lengths are eight bytes, most significant first, so that no two folders agree by
/// shifting bytes from one file to the next.
package func policyDigest(_ texts: [PolicyText]) -> Digest256 {
    var hash = SHA256()
    for text in texts.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
        for part in [Array(text.path.utf8), text.bytes] {
            withUnsafeBytes(of: UInt64(part.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
    }
    return Digest256(hash: hash.finalize())
}
