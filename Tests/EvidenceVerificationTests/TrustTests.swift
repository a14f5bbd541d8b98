internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import SwiftASN1
internal import Testing
internal import X509

/// Which root a chain may end in, and what the cache of chains may not change.
@Suite(.timeLimit(.minutes(20)))
struct TrustTests {
    private static func verifier(
        _ anchors: [TrustAnchor], change: (inout VerificationSettings) -> Void = { _ in }
    ) -> EvidenceVerifier {
        var settings = TestBench.apple.settings
        settings.jwsAnchors = anchors
        change(&settings)
        return EvidenceVerifier(settings)
    }

    private static let store = TestBench.apple.store
    private static let stranger = StoreSimulator(seed: 2, now: TestBench.now)
    private static let byFingerprint = TrustAnchor(root: .fingerprint(store.root.fingerprint))
    private static let byCertificate = TrustAnchor(root: .certificate(store.root.der))

    private static func judge(
        _ bytes: [UInt8], by verifier: EvidenceVerifier, at now: Instant = TestBench.now
    ) -> String {
        verifier.verify(bytes, at: now).summary
    }

    private static func transaction(by signer: StoreSimulator) -> [UInt8] {
        signer.sign(TestBench.transaction.payload)
    }

    /// A transaction of the trusted store whose header brings other certificates.
    private static func transaction(bringing chain: [SimulatedCertificate]) -> [UInt8] {
        let chain = chain.map { JSONValue.string(Base64.standard.encode($0.der)) }
        return store.sign(
            payloadBytes: TestBench.transaction.payload.serialized(),
            header: ["alg": "ES256", "x5c": .array(chain)])
    }

    @Test func takesAFingerprintOrACertificate() {
        let bytes = Self.transaction(by: Self.store)
        #expect(Self.judge(bytes, by: Self.verifier([Self.byFingerprint])) == "accepted")
        #expect(Self.judge(bytes, by: Self.verifier([Self.byCertificate])) == "accepted")
        #expect(Self.judge(bytes, by: Self.verifier([])) == "chain.root")
    }

    /// A namesake: the same names, the same markers, its own keys (THREATS.md B1, B2).
    @Test func refusesANamesake() {
        let bytes = Self.transaction(by: Self.stranger)
        #expect(Self.judge(bytes, by: Self.verifier([Self.byFingerprint])) == "chain.root")
        #expect(Self.judge(bytes, by: Self.verifier([Self.byCertificate])) == "chain.root")
    }

    /// The trusted root comes along but signed nothing (THREATS.md B3).
    @Test func refusesABorrowedRoot() {
        let chain = [Self.stranger.leaf, Self.stranger.intermediate, Self.store.root]
            .map { JSONValue.string(Base64.standard.encode($0.der)) }
        let bytes = Self.stranger.sign(
            payloadBytes: TestBench.transaction.payload.serialized(),
            header: ["alg": "ES256", "x5c": .array(chain)])
        #expect(Self.judge(bytes, by: Self.verifier([Self.byFingerprint])) == "chain.signature")
        #expect(Self.judge(bytes, by: Self.verifier([Self.byCertificate])) == "chain.signature")
    }

    /// An issuer's name that is not the root's, though the root signed it.
    @Test func refusesAnotherNameUnderAFingerprint() {
        var shape = ChainShape.apple(around: TestBench.now)
        shape.intermediate.issuerName = "Somebody Else"
        let store = StoreSimulator(seed: 1, now: TestBench.now, shape: shape)
        let anchor = TrustAnchor(root: .fingerprint(store.root.fingerprint))
        let bytes = Self.transaction(by: store)
        #expect(Self.judge(bytes, by: Self.verifier([anchor])) == "chain.constraint")
    }

    /// With the root given as a certificate, what comes along in its place does not matter; with
    /// a fingerprint it does (spec 4.0).
    @Test func looksAtTheThirdCertificateOnlyForAFingerprint() {
        let bytes = Self.transaction(
            bringing: [Self.store.leaf, Self.store.intermediate, Self.stranger.root])
        #expect(Self.judge(bytes, by: Self.verifier([Self.byCertificate])) == "accepted")
        #expect(Self.judge(bytes, by: Self.verifier([Self.byFingerprint])) == "chain.root")
    }

    /// Chains whose certificates stand in the wrong place (THREATS.md B7, B20, B24).
    @Test func refusesCertificatesInTheWrongPlace() {
        let (leaf, intermediate, root) = (
            Self.store.leaf, Self.store.intermediate, Self.store.root
        )
        let chains = [
            [leaf, leaf, leaf], [root, root, root], [intermediate, leaf, root],
            [leaf, root, root], [root, intermediate, leaf], [leaf, leaf, root],
        ]
        for chain in chains {
            let verdict = Self.judge(
                Self.transaction(bringing: chain), by: Self.verifier([Self.byFingerprint]))
            #expect(["chain.root", "chain.constraint"].contains(verdict))
        }
    }

    @Test func refusesALeafThatIsTrustedAsARoot() {
        let anchor = TrustAnchor(root: .fingerprint(Self.store.leaf.fingerprint))
        let bytes = Self.transaction(
            bringing: [Self.store.leaf, Self.store.intermediate, Self.store.leaf])
        #expect(Self.judge(bytes, by: Self.verifier([anchor])) == "chain.constraint")
    }

    @Test func keepsARootToItsEnvironments() {
        var anchor = Self.byCertificate
        anchor.environments = [.sandbox]
        let verifier = Self.verifier([anchor])
        let sandbox = TestBench.transaction.with { $0.environment = .sandbox }
        #expect(Self.judge(Self.store.sign(sandbox.payload), by: verifier) == "accepted")
        // The chain is remembered now, and still not good for production.
        #expect(Self.judge(Self.transaction(by: Self.store), by: verifier) == "chain.root")
    }

    @Test func tellsAnchorsThatCannotBeRead() {
        let root = Self.store.root.der
        #expect(TrustAnchor.Root.certificate(root).isReadable)
        #expect(TrustAnchor.appleRootCAG3.root.isReadable)
        for length in 0..<root.count {
            #expect(!TrustAnchor.Root.certificate(Array(root.prefix(length))).isReadable)
        }
        #expect(!TrustAnchor.Root.certificate(root + [0]).isReadable)
    }

    @Test func refusesADeniedKey() throws {
        let certificate = try SubjectPublicKey.digest(of: Self.store.leaf.der)
        let verifier = Self.verifier([Self.byCertificate]) { $0.deniedKeys = [certificate] }
        #expect(Self.judge(Self.transaction(by: Self.store), by: verifier) == "chain.denied")
    }

    /// Signing times around now (THREATS.md A30, A31).
    @Test(
        arguments: [
            (300_000, "accepted"), (300_001, "chain.time"), (86_400_000, "chain.time"),
        ] as [(Int64, String)])
    func refusesTheFuture(_ ahead: Int64, _ expected: String) {
        let transaction = TestBench.transaction.with {
            $0.signedDate = TestBench.now.advanced(byMilliseconds: ahead)
        }
        #expect(TestBench.apple.verdict(Self.store.sign(transaction.payload)) == expected)
    }

    @Test(arguments: [0, -1, Int64.min, Int64.max, 1_780_000_000, 253_402_300_800_000])
    func refusesAbsurdSigningTimes(_ milliseconds: Int64) {
        let payload = TestBench.transaction.with("signedDate", .integer(milliseconds))
        #expect(TestBench.apple.verdict(Self.store.sign(payload)) == "chain.time")
    }

    @Test func refusesWhatWasSignedTooLongAgo() {
        let verifier = Self.verifier([Self.byCertificate]) {
            $0.maximumSignedAge = Period(1, .days)
        }
        let signed = TestBench.transaction.signedDate
        let bytes = Self.transaction(by: Self.store)
        let last = signed.advanced(byMilliseconds: 86_400_000)
        #expect(Self.judge(bytes, by: verifier, at: last) == "accepted")
        let late = last.advanced(byMilliseconds: 1)
        #expect(Self.judge(bytes, by: verifier, at: late) == "chain.time")
    }

    /// A chain that is remembered does not make another signature, time or header good
    /// (THREATS.md A29).
    @Test func remembersChainsWithoutWideningTrust() {
        let verifier = Self.verifier([Self.byFingerprint])
        let good = Self.transaction(by: Self.store)
        #expect(Self.judge(good, by: verifier) == "accepted")
        #expect(Self.judge(good, by: verifier) == "accepted")
        let forged = Self.stranger.sign(
            payloadBytes: TestBench.transaction.payload.serialized(), header: Self.store.header)
        #expect(Self.judge(forged, by: verifier) == "jws.signature")
        let early = TestBench.transaction.with("signedDate", .integer(1_600_000_000_000))
        #expect(Self.judge(Self.store.sign(early), by: verifier) == "chain.time")
        #expect(Self.judge(Self.transaction(by: Self.stranger), by: verifier) == "chain.root")
    }

    /// Xcode's single self-signed certificate: only as an anchor that is good for nothing else.
    @Test func takesOneCertificateForLocalTestingOnly() {
        let chain: JSONValue = [.string(Base64.standard.encode(Self.store.leaf.der))]
        let header: JSONValue = ["alg": "ES256", "x5c": chain]
        func bytes(_ environment: StoreEnvironment) -> [UInt8] {
            let transaction = TestBench.transaction.with { $0.environment = environment }
            return Self.store.sign(
                payloadBytes: transaction.payload.serialized(), header: header)
        }
        func verifier(_ environments: Set<StoreEnvironment>?) -> EvidenceVerifier {
            let anchor = TrustAnchor(
                root: .certificate(Self.store.leaf.der), environments: environments)
            return Self.verifier([anchor]) {
                $0.trustedEnvironments = Set(StoreEnvironment.allCases)
            }
        }
        let mixed = Self.verifier([
            TrustAnchor(root: .certificate(Self.store.leaf.der)),
            TrustAnchor(root: .certificate(Self.stranger.leaf.der), environments: [.xcode]),
        ]) { $0.trustedEnvironments = Set(StoreEnvironment.allCases) }
        #expect(Self.judge(bytes(.xcode), by: mixed) == "chain.root")
        #expect(Self.judge(bytes(.xcode), by: verifier([.xcode])) == "accepted")
        #expect(Self.judge(bytes(.production), by: verifier([.xcode])) == "chain.root")
        #expect(Self.judge(bytes(.xcode), by: verifier([.production, .xcode])) == "jws.x5c")
        #expect(Self.judge(bytes(.xcode), by: verifier(nil)) == "jws.x5c")
    }
}

extension TrustTests {
    /// Xcode's certificate ends too.
    @Test func keepsToTheValidityOfOneCertificate() {
        var shape = ChainShape.apple(around: TestBench.now)
        shape.leaf.valid.to = TestBench.transaction.signedDate.advanced(byMilliseconds: -1_000)
        let store = StoreSimulator(seed: 1, now: TestBench.now, shape: shape)
        let transaction = TestBench.transaction.with { $0.environment = .xcode }
        let bytes = store.sign(
            payloadBytes: transaction.payload.serialized(),
            header: ["alg": "ES256", "x5c": [.string(Base64.standard.encode(store.leaf.der))]])
        let anchor = TrustAnchor(root: .certificate(store.leaf.der), environments: [.xcode])
        let verifier = Self.verifier([anchor]) { $0.trustedEnvironments = [.xcode] }
        #expect(Self.judge(bytes, by: verifier) == "chain.time")
    }

    /// Swift takes the Kelvin sign for a K; an app id is its bytes (THREATS.md D7).
    @Test func comparesAppsAsBytes() {
        let verifier = Self.verifier([Self.byCertificate]) {
            $0.bundleID = BundleID("com.example.Kite")
        }
        for (bundle, expected) in [
            ("com.example.Kite", "accepted"), ("com.example.\u{212A}ite", "bind.bundle"),
        ] {
            let bytes = Self.store.sign(TestBench.transaction.with("bundleId", .string(bundle)))
            #expect(Self.judge(bytes, by: verifier) == expected)
        }
    }

    /// Where every app is taken, as for inspection, a notification still carries its own only.
    @Test func holdsTheInnerPartsToTheOuterApp() {
        let verifier = Self.verifier([Self.byCertificate]) { $0.allowsAnyBundle = true }
        var notification = TestBench.apple.fullNotification()
        #expect(Self.judge(Self.store.sign(notification.payload), by: verifier) == "accepted")
        notification.transaction = Self.store.sign(
            TestBench.transaction.with("bundleId", "com.example.other"))
        #expect(Self.judge(Self.store.sign(notification.payload), by: verifier) == "bind.bundle")
    }
}

/// The hash that a list of denied keys has for a certificate.
private enum SubjectPublicKey {
    static func digest(of der: [UInt8]) throws -> Digest256 {
        let key = try Certificate(derEncoded: der).publicKey
        var serializer = DER.Serializer()
        try serializer.serialize(key)
        return try #require(Digest256(SHA256.hash(data: serializer.serializedBytes)))
    }
}
