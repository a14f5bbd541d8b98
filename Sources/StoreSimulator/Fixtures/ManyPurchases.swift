internal import EntitlementModel
package import StrictJSON

/// Any number of signed purchases for the example app, for load and for faults: each is a
/// consumable of its own, so that what was lost or delivered twice shows in a balance.
package struct ManyPurchases: Sendable {
    private let store: StoreSimulator
    private let accounts: Int
    private let bought = Instant.day(2026, 5, 1)

    /// - Parameters:
    ///   - seed: of the keys; with the same seed the root is that of ``makeFixtures(seed:)``.
    ///   - accounts: how many share them in turn; more than 0.
    package init(seed: UInt64, accounts: Int) {
        precondition(accounts > 0, "somebody has to buy")
        store = StoreSimulator(seed: seed, now: .day(2026, 6, 1))
        self.accounts = accounts
    }

    /// The purchase of that number, in the form that `usher ingest` reads.
    package subscript(number: Int) -> JSONValue {
        let transaction = SimulatedTransaction(
            bundleID: ExampleApp.bundleID, productID: ExampleApp.coins, kind: .consumable,
            transactionID: "\(500_000_000_000_000 + number)",
            purchaseDate: bought.advanced(byMilliseconds: Int64(number)))
        let payload = String(decoding: store.sign(transaction.payload), as: UTF8.self)
        return ["account": .string("buyer-\(number % accounts)"), "payload": .string(payload)]
    }
}
