internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Evidence of every form and environment, put to a policy that trusts one of them
/// (THREATS.md C14, D5).
@Suite(.timeLimit(.minutes(20)))
struct EnvironmentTests {
    private static let receipts = ReceiptSimulator(now: TestBench.now)

    /// What Apple calls the environments, and the name that a receipt has for them.
    private static let names: [(environment: StoreEnvironment, receipt: [String])] = [
        (.production, ["Production", "ProductionVPP"]), (.sandbox, ["ProductionSandbox"]),
        (.xcode, ["Xcode"]), (.localTesting, ["LocalTesting"]),
    ]

    private static func verifier(trusting environment: StoreEnvironment) -> EvidenceVerifier {
        TestBench { settings, _ in
            settings.trustedEnvironments = [environment]
            settings.receiptAnchors = [
                TrustAnchor(root: .fingerprint(receipts.root.fingerprint))
            ]
        }.verifier
    }

    /// One piece of evidence of each form, all of one environment.
    private static func evidence(
        of environment: StoreEnvironment, receiptNames: [String]
    ) -> [(form: String, bytes: [UInt8])] {
        let store = TestBench.apple.store
        var (renewal, app) = (TestBench.renewal, TestBench.appTransaction)
        renewal.environment = environment
        app.environment = environment
        let transaction = TestBench.transaction.with { $0.environment = environment }
        var (bare, full) = (TestBench.notification, TestBench.notification)
        bare.environment = environment
        full.environment = environment
        full.transaction = store.sign(transaction.payload)
        full.renewal = store.sign(renewal.payload)
        let signed = [
            ("transaction", transaction.payload), ("renewal info", renewal.payload),
            ("app transaction", app.payload), ("notification", bare.payload),
            ("notification with parts", full.payload),
        ].map { (form: $0.0, bytes: store.sign($0.1)) }
        return signed
            + receiptNames.map { name in
                var receipt = SimulatedReceipt(
                    bundleID: TestBench.bundle, createdAt: TestBench.now, purchases: [])
                receipt.environmentName = name
                return (form: "receipt of \(name)", bytes: receipts.sign(receipt))
            }
    }

    @Test(arguments: [StoreEnvironment.production, .sandbox])
    func takesTheTrustedOneOnly(_ trusted: StoreEnvironment) {
        let verifier = Self.verifier(trusting: trusted)
        for (environment, receiptNames) in Self.names {
            let expected = environment == trusted ? "accepted" : "bind.environment"
            for (form, bytes) in Self.evidence(of: environment, receiptNames: receiptNames) {
                let verdict = verifier.verify(bytes, at: TestBench.now).summary
                #expect(verdict == expected, "\(form) of \(environment)")
            }
        }
    }

    /// A part of another environment inside what is trusted, and the other way round.
    @Test(arguments: [
        (StoreEnvironment.production, StoreEnvironment.sandbox), (.sandbox, .production),
    ])
    func judgesTheParts(_ outer: StoreEnvironment, _ inner: StoreEnvironment) {
        let store = TestBench.apple.store
        let part = TestBench.transaction.with { $0.environment = inner }
        var notification = TestBench.notification
        notification.environment = outer
        notification.transaction = store.sign(part.payload)
        let bytes = store.sign(notification.payload)
        for trusted in [outer, inner] {
            let verdict = Self.verifier(trusting: trusted).verify(bytes, at: TestBench.now)
            #expect(verdict.summary == "bind.environment", "where \(trusted) is trusted")
        }
    }
}
