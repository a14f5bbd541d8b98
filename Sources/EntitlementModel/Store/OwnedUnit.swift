/// All transactions with one `originalTransactionId` in one environment.
package struct LineageKey: Hashable, Comparable, Sendable {
    package let environment: StoreEnvironment
    package let originalTransactionID: TransactionID

    package init(_ environment: StoreEnvironment, _ originalTransactionID: TransactionID) {
        self.environment = environment
        self.originalTransactionID = originalTransactionID
    }

    package static func < (left: LineageKey, right: LineageKey) -> Bool {
        if left.environment != right.environment {
            return left.environment.rawValue < right.environment.rawValue
        }
        return TransactionID.precedesByLength(
            left.originalTransactionID, right.originalTransactionID)
    }
}

/// One transaction's key.
package struct TransactionKey: Hashable, Sendable {
    package let environment: StoreEnvironment
    package let transactionID: TransactionID

    package init(_ environment: StoreEnvironment, _ transactionID: TransactionID) {
        self.environment = environment
        self.transactionID = transactionID
    }
}

/// What an account can own: a lineage, or a single purchase of an account-scoped kind, named by
/// the smallest transaction id of its set (spec 1.1, 1.2).
package enum OwnedUnit: Hashable, Sendable {
    case lineage(LineageKey)
    case purchase(TransactionKey)

    package var environment: StoreEnvironment {
        switch self {
        case .lineage(let key): key.environment
        case .purchase(let key): key.environment
        }
    }
}

/// The five kinds of product that Apple sells or has sold.
package enum ProductKind: String, CaseIterable, Hashable, ModelText, Sendable {
    case consumable
    case nonConsumable = "non-consumable"
    case autoRenewable = "auto-renewable"
    case nonRenewing = "non-renewing"
    /// The Newsstand free subscription. No JWS says it; receipts do (1707 = 4).
    case free

    /// An owned unit: a single purchase of an account-scoped kind, a whole lineage of the others
    /// (spec 1.1, "unit").
    @inlinable
    package var isAccountScoped: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable, .free: false
        }
    }

    package var english: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .autoRenewable: "auto-renewable"
        case .nonRenewing: "non-renewing"
        case .free: "free subscription"
        }
    }
}

/// A value of an enumeration that Apple extends without notice: a known case, or the original text.
package enum Stated<Known: Hashable & Sendable>: Hashable, Sendable {
    case known(Known)
    case unknown(String)

    @inlinable
    package var known: Known? {
        guard case .known(let value) = self else { return nil }
        return value
    }
}
