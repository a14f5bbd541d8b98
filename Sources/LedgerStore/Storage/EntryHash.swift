internal import Crypto
internal import EntitlementModel

/// The chain of hashes over the entries (docs/LEDGER.md).
///
/// A payload stands in it only by its salted digest, so that a person's payloads can be erased
/// and the chain still holds (5-architecture.md).
enum EntryHash {
    /// Stands before the first entry.
    static let genesis = digest(of: Array("usher ledger 1\n".utf8))

    /// SHA-256(salt ‖ payload).
    static func payloadDigest(salt: [UInt8], payload: [UInt8]) -> Digest256 {
        var hash = SHA256()
        hash.update(data: salt)
        hash.update(data: payload)
        return Digest256(hash.finalize())
    }

    /// SHA-256(previous ‖ seq ‖ recordedAt ‖ kind ‖ payload digest), each number in eight bytes,
    /// big-endian.
    static func entry(
        previous: Digest256, sequence: LedgerSequence, recordedAt: Instant, kind: Int64,
        payloadDigest: Digest256
    ) -> Digest256 {
        var hash = SHA256()
        hash.update(previous)
        hash.update(bigEndian: sequence.number)
        hash.update(bigEndian: recordedAt.milliseconds)
        hash.update(bigEndian: kind)
        hash.update(payloadDigest)
        return Digest256(hash.finalize())
    }

    static func digest(of bytes: [UInt8]) -> Digest256 {
        Digest256(SHA256.hash(data: bytes))
    }
}

extension SHA256 {
    fileprivate mutating func update(_ digest: Digest256) {
        digest.withUnsafeBytes { update(bufferPointer: $0) }
    }

    fileprivate mutating func update(bigEndian number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { update(bufferPointer: $0) }
    }
}

extension Digest256 {
    fileprivate init(_ digest: SHA256Digest) {
        guard let value = digest.withUnsafeBytes({ Digest256($0) }) else {
            preconditionFailure("a SHA-256 value has 32 bytes")
        }
        self = value
    }
}
