internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreSimulator

extension MicroBench {
    /// A signed transaction of Apple's shape, chain known already, beside the one P-256
    /// verification that nobody can leave out.
    static func verification(passes: Int) async throws -> Comparison {
        let now = Instant(milliseconds: 1_780_000_000_000)
        let store = StoreSimulator(seed: 1, now: now)
        let verifier = EvidenceVerifier(settings(trusting: store))
        let evidence = (1...2_000).map { store.sign(transaction($0, at: now).payload) }
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: [1, 2, 3])
        let signature = try key.signature(for: digest)
        return try await Comparison(
            "verify a transaction",
            ours: .init(name: "JWS to facts") {
                for bytes in evidence {
                    guard case .accepted = verifier.verify(bytes, at: now) else {
                        throw BenchFailure.refused("a genuine transaction")
                    }
                }
                return evidence.count
            },
            yardstick: .init(name: "one P-256 verification") {
                for _ in evidence where !key.publicKey.isValidSignature(signature, for: digest) {
                    throw BenchFailure.refused("a good signature")
                }
                return evidence.count
            }, passes: passes)
    }

    private static func settings(trusting store: StoreSimulator) -> VerificationSettings {
        var settings = VerificationSettings()
        settings.bundleID = BundleID("com.example.reader")
        settings.appAppleID = 1_234_567_890
        settings.trustedEnvironments = [.production]
        settings.jwsAnchors = [TrustAnchor(root: .certificate(store.root.der))]
        return settings
    }

    private static func transaction(_ number: Int, at now: Instant) -> SimulatedTransaction {
        var transaction = SimulatedTransaction(
            bundleID: "com.example.reader", productID: "com.example.reader.gold.monthly",
            kind: .autoRenewable, transactionID: "\(number)", purchaseDate: now,
            expiresDate: now.advanced(byMilliseconds: 30 * 86_400_000))
        transaction.webOrderLineItemID = "900"
        transaction.subscriptionGroupID = "20000001"
        transaction.price = Price(milliunits: 9_990, currency: "USD")
        transaction.appTransactionID = "700000000000000001"
        transaction.signedDate = now
        return transaction
    }
}
