internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import _CryptoExtras

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

    /// A transaction that the simulated App Store signs, beside a signature of swift-crypto's, which
    /// is random.
    static func signing(passes: Int) async throws -> Comparison {
        let now = Instant(milliseconds: 1_780_000_000_000)
        let store = StoreSimulator(seed: 1, now: now)
        let payloads = (1...2_000).map { transaction($0, at: now) }
        let key = P256.Signing.PrivateKey()
        let digest = SHA256.hash(data: [1, 2, 3])
        return try await Comparison(
            "sign a transaction",
            ours: .init(name: "payload to JWS, by the seed") {
                for payload in payloads where store.sign(payload.payload).isEmpty {
                    throw BenchFailure.refused("a payload")
                }
                return payloads.count
            },
            yardstick: .init(name: "one P-256 signature") {
                for _ in payloads where try key.signature(for: digest).rawRepresentation.isEmpty {
                    throw BenchFailure.refused("a digest")
                }
                return payloads.count
            }, passes: passes)
    }

    /// A receipt of a thousand purchases, chain known already, beside the one RSA verification
    /// and the hash of its payload.
    static func receipt(passes: Int) async throws -> Comparison {
        let now = Instant(milliseconds: 1_780_000_000_000)
        let signer = ReceiptSimulator(now: now)
        let der = signer.sign(thousandPurchases(at: now))
        var settings = settings(trusting: StoreSimulator(seed: 1, now: now))
        settings.receiptAnchors = [TrustAnchor(root: .certificate(signer.root.der))]
        let verifier = EvidenceVerifier(settings)
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signature = try key.signature(
            for: SHA256.hash(data: der), padding: .insecurePKCS1v1_5)
        return try await Comparison(
            "receipt of 1,000 entries",
            ours: .init(name: "receipt to facts") {
                for _ in 0..<20 {
                    guard case .accepted = verifier.verify(der, at: now) else {
                        throw BenchFailure.refused("a genuine receipt")
                    }
                }
                return 20
            },
            yardstick: .init(name: "its hash and one RSA verification") {
                for _ in 0..<2_000
                where !key.publicKey.isValidSignature(
                    signature, for: SHA256.hash(data: der), padding: .insecurePKCS1v1_5)
                {
                    throw BenchFailure.refused("a good signature")
                }
                return 2_000
            }, passes: passes)
    }

    private static func thousandPurchases(at now: Instant) -> SimulatedReceipt {
        let purchases = (0..<1_000).map { number in
            var purchase = SimulatedReceiptPurchase(
                productID: "com.example.reader.gold.monthly", transactionID: "\(100_000 + number)",
                typeNumber: 3, purchaseDate: now,
                expiresDate: now.advanced(byMilliseconds: 30 * 86_400_000))
            purchase.originalTransactionID = "100000"
            return purchase
        }
        return SimulatedReceipt(
            bundleID: "com.example.reader", createdAt: now, purchases: purchases)
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
