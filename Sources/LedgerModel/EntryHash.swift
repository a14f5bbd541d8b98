internal import Crypto
package import EntitlementModel

/// The chain of hashes over the entries (docs/LEDGER.md).
///
/// A payload enters it by its salted digest only, so that a person's payloads can be erased and the
/// chain still holds (docs/LEDGER.md).
package enum EntryHash {
    /// Stands before the first entry.
    package static let genesis = digest(of: Array("usher ledger 1\n".utf8))

    /// SHA-256(salt ‖ payload).
    package static func payloadDigest(salt: [UInt8], payload: [UInt8]) -> Digest256 {
        digest(of: salt + payload)
    }

    /// SHA-256(previous ‖ seq ‖ recordedAt ‖ kind ‖ payload digest), each number in eight bytes,
    /// big-endian.
    package static func entry(
        previous: Digest256, sequence: LedgerSequence, recordedAt: Instant, kind: Int64,
        payloadDigest: Digest256
    ) -> Digest256 {
        var words = InlineArray<11, UInt64>(repeating: 0)
        words.set(previous, at: 0)
        words[4] = UInt64(bitPattern: sequence.number).bigEndian
        words[5] = UInt64(bitPattern: recordedAt.milliseconds).bigEndian
        words[6] = UInt64(bitPattern: kind).bigEndian
        words.set(payloadDigest, at: 7)
        return words.span.withUnsafeBytes(digest(of:))
    }

    package static func digest(of bytes: [UInt8]) -> Digest256 {
        bytes.withUnsafeBytes(digest(of:))
    }

    private static func digest(of bytes: UnsafeRawBufferPointer) -> Digest256 {
        var hash = SHA256()
        // All at once: each part would be a call through several layers.
        hash.update(bufferPointer: bytes)
        return Digest256(hash.finalize())
    }
}

extension InlineArray<11, UInt64> {
    /// Takes the four words of a digest, which stay as they lie.
    fileprivate mutating func set(_ digest: Digest256, at first: Int) {
        digest.withUnsafeBytes { bytes in
            for word in 0..<4 {
                self[first + word] = bytes.loadUnaligned(
                    fromByteOffset: 8 * word, as: UInt64.self)
            }
        }
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

/// What makes two pieces of evidence the same one. Never their bytes: signatures and base64 are
/// malleable (spec 4.0).
extension EvidenceSource {
    /// Form and trust belong to the natural key: a signed snapshot is news after an import of the
    /// same, and a receipt says less than a JWS.
    package var key: String { form.rawValue + " " + trust.rawValue }
}

/// An `appTransactionId` in its environment.
package struct AppTransactionKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let id: AppTransactionID

    package init(environment: StoreEnvironment, id: AppTransactionID) {
        self.environment = environment
        self.id = id
    }

    /// The prefix of the names that find who presented it; no ID contains a blank.
    package var name: [UInt8] {
        Self.anyName + Array("\(environment.rawValue) \(id.text) ".utf8)
    }

    /// The prefix of all such names.
    package static let anyName = Array("presented ".utf8)
}

extension TransactionSnapshot {
    package var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension RenewalSnapshot {
    package var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension TransactionSnapshot {
    /// The name that finds a period by its `webOrderLineItemId`, once for each lineage.
    package var lineItemName: [UInt8]? {
        webOrderLineItemID.map { id in
            Self.lineItemName(id, in: environment) + Array(originalTransactionID.text.utf8)
        }
    }

    /// The prefix of the names of all lineages; no ID contains a blank.
    package static func lineItemName(
        _ id: WebOrderLineItemID, in environment: StoreEnvironment
    ) -> [UInt8] {
        Array("line-item \(environment.rawValue) \(id.text) ".utf8)
    }
}

extension AppTransactionSnapshot {
    /// One account may present it many times, and many accounts may present one.
    package func uniqueName(presentedBy account: AccountID?) -> [UInt8] {
        source.canonicalDigest.bytes + Array(source.key.utf8)
            + (account.map { [0] + Array($0.text.utf8) } ?? [])
    }
}
