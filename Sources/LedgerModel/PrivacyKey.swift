internal import Crypto
package import EntitlementModel

/// By which what was erased is known again: it is in no ledger and in no backup (docs/PRIVACY.md).
package struct PrivacyKey: Sendable {
    package static let length = 32
    private let key: SymmetricKey

    /// Nil unless there are exactly 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// By which an erasure says which key has made it.
    package var mark: Digest256 { digest("key", []) }

    package func digest(of account: AccountID) -> Digest256 {
        digest("account", [account.folded.text])
    }

    package func digest(of transaction: TransactionKey) -> Digest256 {
        digest(
            "transaction", [transaction.environment.rawValue, transaction.transactionID.text])
    }

    package func digest(of lineage: LineageKey) -> Digest256 {
        digest("lineage", [lineage.environment.rawValue, lineage.originalTransactionID.text])
    }

    /// HMAC-SHA256 of the words, each behind a zero byte, which none contains.
    private func digest(_ kind: String, _ words: [String]) -> Digest256 {
        var code = HMAC<SHA256>(key: key)
        for word in [kind] + words { code.update(data: [0] + Array(word.utf8)) }
        return Digest256(hash: code.finalize())
    }
}
