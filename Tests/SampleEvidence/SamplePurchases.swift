internal import EntitlementModel
internal import StoreBox
internal import StrictJSON

/// Any number of signed purchases for the example app, for load and for faults: each is a
/// consumable of its own, so that what was lost or delivered twice shows in a balance.
struct SamplePurchases {
    private let bought = Instant.day(2026, 5, 1)
    /// The root is that of `fixtures/evidence`: its keys follow from the same seed.
    private let store = StoreSimulator(seed: 2_026, now: .day(2026, 6, 1))
    /// How many share them in turn.
    let accounts: Int

    /// The purchase of that number, in the form that `usher ingest` reads.
    subscript(number: Int) -> JSONValue {
        let transaction = SimulatedTransaction(
            bundleID: ExampleApp.bundleID, productID: ExampleApp.coins, kind: .consumable,
            transactionID: "\(500_000_000_000_000 + number)",
            purchaseDate: bought.advanced(byMilliseconds: Int64(number)))
        let payload = String(decoding: store.sign(transaction.payload), as: UTF8.self)
        return ["account": .string("buyer-\(number % accounts)"), "payload": .string(payload)]
    }
}
