internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON

/// A simulated App Store, and a verifier that trusts its root.
struct TestBench {
    static let now = Instant(milliseconds: 1_780_000_000_000)
    static let bundle = "com.example.reader"
    static let appleID: Int64 = 1_234_567_890
    /// Apple's shape; made once, because making it costs three signatures.
    static let apple = TestBench()

    let store: StoreSimulator
    let settings: VerificationSettings
    let verifier: EvidenceVerifier

    init(
        seed: UInt64 = 1, shape: ChainShape = .apple(around: TestBench.now),
        configure: (inout VerificationSettings, StoreSimulator) -> Void = { _, _ in }
    ) {
        store = StoreSimulator(seed: seed, now: Self.now, shape: shape)
        var settings = VerificationSettings()
        settings.bundleID = BundleID(Self.bundle)
        settings.appAppleID = Self.appleID
        settings.trustedEnvironments = [.production, .sandbox]
        settings.jwsAnchors = [TrustAnchor(root: .certificate(store.root.der))]
        settings.receiptAnchors = settings.jwsAnchors
        configure(&settings, store)
        self.settings = settings
        verifier = EvidenceVerifier(settings)
    }

    /// A bench whose chain differs from Apple's in what `change` does.
    static func changing(_ change: (inout ChainShape) -> Void) -> TestBench {
        var shape = ChainShape.apple(around: now)
        change(&shape)
        return TestBench(shape: shape)
    }

    func verdict(_ bytes: [UInt8], at now: Instant = TestBench.now) -> String {
        verifier.verify(bytes, at: now).summary
    }

    /// The verdict on a plain transaction under this bench's chain.
    func verdictOnTransaction() -> String {
        verdict(store.sign(Self.transaction.payload))
    }

    /// A month of the example's subscription, bought a day ago.
    static var transaction: SimulatedTransaction {
        let bought = now.advanced(byMilliseconds: -86_400_000)
        var transaction = SimulatedTransaction(
            bundleID: bundle, productID: "com.example.reader.gold.monthly",
            kind: .autoRenewable, transactionID: "100", purchaseDate: bought,
            expiresDate: bought.advanced(byMilliseconds: 30 * 86_400_000))
        transaction.webOrderLineItemID = "900"
        transaction.subscriptionGroupID = "20000001"
        transaction.price = Price(milliunits: 9_990, currency: "USD")
        transaction.appTransactionID = "700000000000000001"
        return transaction
    }

    static var renewal: SimulatedRenewal {
        SimulatedRenewal(
            originalTransactionID: "100", productID: "com.example.reader.gold.monthly",
            renewalDate: transaction.expiresDate, signedDate: transaction.signedDate)
    }

    static var appTransaction: SimulatedAppTransaction {
        SimulatedAppTransaction(
            bundleID: bundle, appAppleID: appleID, appTransactionID: "700000000000000001",
            originalPurchaseDate: transaction.purchaseDate, signedDate: transaction.signedDate)
    }

    static var notification: SimulatedNotification {
        SimulatedNotification(
            type: "SUBSCRIBED", subtype: "INITIAL_BUY",
            uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20", bundleID: bundle,
            appAppleID: appleID, signedDate: transaction.signedDate)
    }

    /// A notification with a transaction and a renewal info inside.
    func fullNotification() -> SimulatedNotification {
        var notification = Self.notification
        notification.transaction = store.sign(Self.transaction.payload)
        notification.renewal = store.sign(Self.renewal.payload)
        notification.status = 1
        return notification
    }
}

extension SimulatedTransaction {
    /// The same with one thing changed.
    func with(_ change: (inout SimulatedTransaction) -> Void) -> SimulatedTransaction {
        var copy = self
        change(&copy)
        return copy
    }

    /// The payload with one member replaced, or removed with nil.
    func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        var payload = payload
        payload[name] = value
        return payload
    }
}

extension [UInt8] {
    /// The three segments of a compact JWS as text.
    var segments: [String] {
        split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    init(_ text: String) {
        self.init(text.utf8)
    }
}
