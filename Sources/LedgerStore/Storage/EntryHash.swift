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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(88)
        bytes.append(contentsOf: previous.bytes)
        bytes.append(bigEndian: UInt64(bitPattern: sequence.number))
        bytes.append(bigEndian: UInt64(bitPattern: recordedAt.milliseconds))
        bytes.append(bigEndian: UInt64(bitPattern: kind))
        bytes.append(contentsOf: payloadDigest.bytes)
        return digest(of: bytes)
    }

    static func digest(of bytes: [UInt8]) -> Digest256 {
        Digest256(SHA256.hash(data: bytes))
    }
}

extension Digest256 {
    fileprivate init(_ digest: SHA256Digest) {
        guard let value = Digest256(Array(digest)) else {
            preconditionFailure("a SHA-256 value has 32 bytes")
        }
        self = value
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}
