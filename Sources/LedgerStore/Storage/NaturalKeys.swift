internal import EntitlementModel

/// What makes two pieces of evidence the same one. Never their bytes: signatures and base64 are
/// malleable (spec 4.0).
extension EvidenceSource {
    /// Form and trust belong to the natural key: a signed snapshot is news after an import of the
    /// same, and a receipt says less than a JWS.
    var key: String { form.rawValue + " " + trust.rawValue }
}

/// An `appTransactionId` in its environment.
struct AppTransactionKey: Hashable {
    let environment: StoreEnvironment
    let id: AppTransactionID
}

extension TransactionSnapshot {
    var key: TransactionKey { TransactionKey(environment, transactionID) }
    var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension RenewalSnapshot {
    var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension AppTransactionSnapshot {
    /// One account may present it many times, and many accounts may present one.
    func uniqueName(presentedBy account: AccountID?) -> [UInt8] {
        source.canonicalDigest.bytes + Array(source.key.utf8)
            + (account.map { [0] + Array($0.text.utf8) } ?? [])
    }
}
