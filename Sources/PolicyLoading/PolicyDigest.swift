internal import Crypto
package import EntitlementModel

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
    guard let digest = Digest256(hash.finalize()) else {
        preconditionFailure("SHA-256 gives 32 bytes")
    }
    return digest
}
