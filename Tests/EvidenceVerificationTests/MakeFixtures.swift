internal import EntitlementModel
internal import StoreBox
internal import StrictJSON

/// Signs the fixtures of `fixtures/evidence`: in production and in sandbox one account for each
/// kind of product, all in the year 2026; and one receipt as Xcode makes them.
func makeFixtures(seed: UInt64) -> FixtureSet {
    let store = StoreSimulator(seed: seed, now: .day(2026, 6, 1))
    let receipts = ReceiptSimulator(now: .day(2026, 6, 1))
    let xcode = ReceiptSimulator(xcodeAt: .day(2026, 6, 1))
    let fixtures = [StoreEnvironment.production, .sandbox].flatMap { environment in
        FixtureWriter(store: store, receipts: receipts, environment: environment).fixtures
    }
    let local = FixtureWriter(store: store, receipts: xcode, environment: .xcode)
    return FixtureSet(
        seed: seed, root: store.root, receiptRoot: receipts.root, xcodeCertificate: xcode.root,
        fixtures: fixtures + [local.xcodeReceipt])
}

/// Signs the purchases of one environment. Ids differ between the environments in their first
/// digit, as Apple's do.
private struct FixtureWriter {
    let store: StoreSimulator
    let receipts: ReceiptSimulator
    let environment: StoreEnvironment

    var fixtures: [Fixture] {
        subscription + lapse + notifications + ownings + coins + archives + [appTransaction]
            + deviceReceipts
    }

    private func fixture(
        _ name: String, _ kind: EvidenceKind, of account: String, _ what: String,
        _ payload: JSONValue
    ) -> Fixture {
        let file = kind == .notification ? name + ".json" : name + ".jws"
        let jws = store.sign(payload)
        let body: JSONValue = ["signedPayload": .string(String(decoding: jws, as: UTF8.self))]
        return Fixture(
            path: "\(environment.rawValue)/\(file)", kind: kind, environment: environment,
            account: account, what: what,
            bytes: kind == .notification ? body.serialized() : jws)
    }

    private func id(_ number: Int) -> String {
        (environment == .production ? "4" : "2") + "0000000000\(number)"
    }

    private func transaction(
        _ product: String, _ kind: ProductKind?, id number: Int, bought: Instant,
        of appleID: Int
    ) -> SimulatedTransaction {
        var transaction = SimulatedTransaction(
            bundleID: ExampleApp.bundleID, productID: product, kind: kind,
            transactionID: id(number), purchaseDate: bought)
        transaction.environment = environment
        transaction.appTransactionID = "7" + id(appleID)
        return transaction
    }

    /// Three months, bought on 15 January.
    private func period(_ month: Int64) -> SimulatedTransaction {
        var period = transaction(
            ExampleApp.monthly, .autoRenewable, id: 1_000 + Int(month),
            bought: .day(2026, month, 15), of: 1)
        period.originalTransactionID = id(1_001)
        period.originalPurchaseDate = .day(2026, 1, 15)
        period.webOrderLineItemID = id(5_000 + Int(month))
        period.subscriptionGroupID = "20000001"
        period.expiresDate = .day(2026, month + 1, 15)
        period.price = Price(milliunits: 9_990, currency: "USD")
        period.reason = month == 1 ? .purchase : .renewal
        return period
    }

    private func renewal(signed: Instant, renews: Instant) -> SimulatedRenewal {
        var renewal = SimulatedRenewal(
            originalTransactionID: id(1_001), productID: ExampleApp.monthly,
            renewalDate: renews, signedDate: signed)
        renewal.environment = environment
        renewal.renewalPrice = Price(milliunits: 9_990, currency: "USD")
        renewal.appTransactionID = "7" + id(1)
        return renewal
    }

    private var subscription: [Fixture] {
        [
            fixture(
                "auto-renewable-1-purchase", .transaction, of: "alice",
                "gold, bought on 15 January for a month", period(1).payload),
            fixture(
                "auto-renewable-2-renewal", .transaction, of: "alice",
                "gold, renewed until 15 March", period(2).payload),
            fixture(
                "auto-renewable-3-renewal-info", .renewalInfo, of: "alice",
                "gold will renew on 15 March",
                renewal(signed: period(2).signedDate, renews: .day(2026, 3, 15)).payload),
            fixture(
                "auto-renewable-4-renewal", .transaction, of: "alice",
                "gold, renewed until 15 April", period(3).payload),
        ]
    }

    /// The card fails in April: sixteen days of grace, then nothing more comes.
    private var lapse: [Fixture] {
        var grace = renewal(signed: .day(2026, 4, 15), renews: .day(2026, 4, 15))
        grace.isInBillingRetryPeriod = true
        grace.gracePeriodExpiresDate = .day(2026, 5, 1)
        var expiry = renewal(signed: .day(2026, 6, 14), renews: .day(2026, 4, 15))
        expiry.isInBillingRetryPeriod = false
        expiry.expirationIntent = .billingError
        return [
            fixture(
                "auto-renewable-5-grace", .renewalInfo, of: "alice",
                "the card failed: grace until 1 May", grace.payload),
            fixture(
                "auto-renewable-6-expiry", .renewalInfo, of: "alice",
                "the card never worked again: expired", expiry.payload),
        ]
    }

    private func notification(
        _ type: String, _ subtype: String?, number: Int64, signed: Instant
    ) -> SimulatedNotification {
        let digit = environment == .production ? "4" : "2"
        var notification = SimulatedNotification(
            type: type, subtype: subtype,
            uuid: "\(digit)0000000-0000-4000-8000-00000000000\(number)",
            bundleID: ExampleApp.bundleID,
            appAppleID: environment == .production ? ExampleApp.appleID : nil,
            signedDate: signed)
        notification.environment = environment
        return notification
    }

    private var notifications: [Fixture] {
        var bought = notification(
            "SUBSCRIBED", "INITIAL_BUY", number: 1, signed: period(1).signedDate)
        bought.status = 1
        bought.transaction = store.sign(period(1).payload)
        bought.renewal = store.sign(
            renewal(signed: period(1).signedDate, renews: .day(2026, 2, 15)).payload)
        let test = notification("TEST", nil, number: 2, signed: .day(2026, 1, 1))
        return [
            fixture(
                "notification-subscribed", .notification, of: "alice",
                "the purchase of 15 January as Apple tells the server", bought.payload),
            fixture(
                "notification-test", .notification, of: "nobody",
                "the answer to a request for a test", test.payload),
        ]
    }

    /// What one has once and for all.
    private var ownings: [Fixture] {
        let hd = transaction(
            ExampleApp.forever, .nonConsumable, id: 2_001, bought: .day(2026, 2, 1), of: 2)
        let weekly = transaction(
            ExampleApp.weekly, nil, id: 3_001, bought: .day(2026, 2, 2), of: 3)
        var refunded = hd
        refunded.revocation = Revocation(
            date: .day(2026, 2, 20), reason: 1, type: .known(.full), percentage: 100_000)
        refunded.signedDate = .day(2026, 2, 20)
        return [
            fixture(
                "non-consumable-1-purchase", .transaction, of: "bruno",
                "no advertisements, for ever",
                hd.payload),
            fixture(
                "non-consumable-2-refund", .transaction, of: "bruno",
                "the same purchase, refunded on 20 February", refunded.payload),
            fixture(
                "free-1-subscription", .transaction, of: "emma",
                "the weekly, free: a transaction without a type", weekly.payload),
        ]
    }

    private var coins: [Fixture] {
        var first = transaction(
            ExampleApp.coins, .consumable, id: 4_001, bought: .day(2026, 3, 1), of: 4)
        first.price = Price(milliunits: 990, currency: "USD")
        var second = transaction(
            ExampleApp.coins, .consumable, id: 4_002, bought: .day(2026, 3, 2), of: 4)
        second.quantity = 3
        second.price = Price(milliunits: 2_970, currency: "USD")
        return [
            fixture(
                "consumable-1-purchase", .transaction, of: "chloe", "a hundred coins",
                first.payload),
            fixture(
                "consumable-2-purchase", .transaction, of: "chloe",
                "three times a hundred coins", second.payload),
        ]
    }

    private var archives: [Fixture] {
        let first = transaction(
            ExampleApp.archive, .nonRenewing, id: 6_001, bought: .day(2026, 3, 1), of: 5)
        let second = transaction(
            ExampleApp.archive, .nonRenewing, id: 6_002, bought: .day(2026, 5, 1), of: 5)
        return [
            fixture(
                "non-renewing-1-purchase", .transaction, of: "dmitri",
                "the archive of 2025 for a year, from 1 March", first.payload),
            fixture(
                "non-renewing-2-purchase", .transaction, of: "dmitri",
                "another year of it, bought on 1 May while the first runs", second.payload),
        ]
    }

    private var environmentName: String {
        environment == .sandbox ? "ProductionSandbox" : environment.signedName
    }

    /// What the device of the subscriber has in its receipt on 20 March.
    private var receipt: SimulatedReceipt {
        var receipt = SimulatedReceipt(
            bundleID: ExampleApp.bundleID, environmentName: environmentName,
            createdAt: .day(2026, 3, 20), purchases: (1...3).map(receiptPurchase))
        receipt.purchases.append(
            SimulatedReceiptPurchase(
                productID: ExampleApp.weekly, transactionID: id(3_002), typeNumber: 4,
                purchaseDate: .day(2026, 2, 3)))
        return receipt
    }

    /// Signed in both ways.
    private var deviceReceipts: [Fixture] {
        var old = ReceiptShape()
        old.hash = .sha1
        let text = Base64.standard.encode(receipts.sign(receipt, as: old))
        return [
            receiptFixture("receipt-sha256.der", receipts.sign(receipt)),
            receiptFixture("receipt-sha1.base64", Array(text.utf8)),
        ]
    }

    var xcodeReceipt: Fixture {
        let bytes = receipts.sign(receipt, as: .xcode)
        return receiptFixture("receipt.base64", Array(Base64.standard.encode(bytes).utf8))
    }

    private func receiptPurchase(_ month: Int64) -> SimulatedReceiptPurchase {
        let period = period(month)
        var purchase = SimulatedReceiptPurchase(
            productID: period.productID, transactionID: period.transactionID, typeNumber: 3,
            purchaseDate: period.purchaseDate, expiresDate: period.expiresDate)
        purchase.originalTransactionID = period.originalTransactionID
        purchase.originalPurchaseDate = period.originalPurchaseDate
        purchase.webOrderLineItemID = period.webOrderLineItemID.flatMap { Int64($0) } ?? 0
        return purchase
    }

    private func receiptFixture(_ name: String, _ bytes: [UInt8]) -> Fixture {
        Fixture(
            path: "\(environment.rawValue)/\(name)", kind: .receipt, environment: environment,
            account: "alice", what: "gold until 15 April and the weekly, from one device",
            bytes: bytes)
    }

    private var appTransaction: Fixture {
        var app = SimulatedAppTransaction(
            bundleID: ExampleApp.bundleID,
            appAppleID: environment == .production ? ExampleApp.appleID : nil,
            appTransactionID: "7" + id(1), originalPurchaseDate: .day(2026, 1, 10),
            signedDate: .day(2026, 1, 15))
        app.environment = environment
        return fixture(
            "app-transaction", .appTransaction, of: "alice",
            "the Apple ID of the device that gold was bought on", app.payload)
    }
}
