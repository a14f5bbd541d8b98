package import EntitlementModel

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
}

extension TransactionSnapshot {
    package var key: TransactionKey { TransactionKey(environment, transactionID) }
    package var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    package var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension RenewalSnapshot {
    package var lineage: LineageKey { LineageKey(environment, originalTransactionID) }
    package var appTransactionKey: AppTransactionKey? {
        appTransactionID.map { AppTransactionKey(environment: environment, id: $0) }
    }
}

extension AppTransactionSnapshot {
    /// One account may present it many times, and many accounts may present one.
    package func uniqueName(presentedBy account: AccountID?) -> [UInt8] {
        source.canonicalDigest.bytes + Array(source.key.utf8)
            + (account.map { [0] + Array($0.text.utf8) } ?? [])
    }
}
