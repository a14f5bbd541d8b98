/// A client's unsigned report on the store: product IDs that the store does not know, and failed
/// payments (spec 1.8).
package struct StoreReport: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// The ids that the store called invalid: all of them, sorted, each once. Nil where the client
    /// says nothing about ids; empty where all were valid.
    package var invalidProducts: [ProductID]?
    package var payments: [FailedPayment]
    package var actor: String

    package init(
        account: AccountID, environment: StoreEnvironment = .production,
        invalidProducts: [ProductID]? = nil, payments: [FailedPayment] = [], actor: String
    ) {
        self.account = account
        self.environment = environment
        self.invalidProducts = invalidProducts.map { Set($0).sorted() }
        self.payments = payments
        self.actor = actor
    }

    /// How many product ids one report may list.
    package static let mostProducts = 1_000
    /// The payments of one report at most.
    package static let mostPayments = 20
}

/// A payment that the customer or the store ended.
package struct FailedPayment: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        case cancelled
        case failed
    }

    package var product: ProductID
    package var outcome: Outcome
    /// StoreKit's code of a failure, as the client gave it.
    package var storeCode: String?
    /// By the client's clock. The same payment with the same instant is recorded once.
    package var occurredAt: Instant?

    package init(
        product: ProductID, outcome: Outcome, storeCode: String? = nil, occurredAt: Instant? = nil
    ) {
        self.product = product
        self.outcome = outcome
        self.storeCode = storeCode
        self.occurredAt = occurredAt
    }
}

extension StoreReport: AccountFact {}
