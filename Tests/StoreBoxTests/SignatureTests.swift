internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("What the App Store in a box signs with", .timeLimit(.minutes(1)))
struct SignatureTests {
    private static let now = Instant.day(2026, 3, 1)

    /// Keys follow from the seed, signatures do not: what counts is how a root is trusted.
    @Test("the same seed is trusted by its root as a file, by its fingerprint only if it is kept")
    func rootOfASeed() {
        let first = Self.box(seed: 1)
        #expect(Self.box(seed: 1).root.der != first.root.der)
        let file = TrustAnchor.Root.certificate(first.root.der)
        let fingerprint = TrustAnchor.Root.fingerprint(first.root.fingerprint)
        let kept = SimulatedCertificate(pem: first.root.pem)
        #expect(kept?.der == first.root.der)
        #expect(Self.verdict(on: first, by: fingerprint) == "accepted")
        #expect(Self.verdict(on: Self.box(seed: 1), by: file) == "accepted")
        #expect(Self.verdict(on: Self.box(seed: 1), by: fingerprint) == "chain.root")
        #expect(Self.verdict(on: Self.box(seed: 1, root: kept), by: fingerprint) == "accepted")
        #expect(Self.verdict(on: Self.box(seed: 2), by: file) == "chain.root")
    }

    @Test("a reset keeps the root, unless the seed is another one")
    func reset() {
        let box = Self.box(seed: 1)
        let root = box.root.der
        Self.reset(box, #"{"start": "2026-06-01"}"#)
        #expect(box.root.der == root)
        Self.reset(box, #"{"seed": "1"}"#)
        #expect(box.root.der == root)
        Self.reset(box, #"{"seed": "2"}"#)
        #expect(box.root.der != root)
    }

    @Test("what is no certificate is kept as none", arguments: ["", "root", "-----BEGIN"])
    func noCertificate(text: String) {
        #expect(SimulatedCertificate(pem: text) == nil)
    }

    private static func box(
        seed: UInt64, root: SimulatedCertificate? = nil
    ) -> SimulatedAppStore {
        var settings = SimulatedAppStoreSettings()
        settings.seed = seed
        settings.root = root
        settings.start = now
        return SimulatedAppStore(settings)
    }

    private static func reset(_ box: SimulatedAppStore, _ body: String) {
        let answer = box.answer(
            AppStoreRequest(method: "POST", target: "/box/reset", body: Array(body.utf8)))
        #expect(answer.status == 200)
    }

    /// What a service says to a purchase that the box has signed.
    private static func verdict(
        on box: SimulatedAppStore, by root: TrustAnchor.Root
    ) -> String? {
        var trust = VerificationSettings()
        trust.bundleID = BundleID(box.app.bundleID)
        trust.appAppleID = box.app.appleID
        trust.trustedEnvironments = [.production]
        trust.jwsAnchors = [TrustAnchor(root: root)]
        let said = box.answer(
            AppStoreRequest(
                method: "POST", target: "/box/say",
                body: Array(#"{"line": "alice buys gold as G"}"#.utf8)))
        guard let answer = try? parseJSON(said.body),
            let evidence = answer["said"]?.elements?.first?["evidence"]?.elements?.first,
            let jws = evidence["jws"]?.string
        else { return nil }
        let verdict = EvidenceVerifier(trust).verify(Array(jws.utf8), at: box.now)
        if case .accepted = verdict { return "accepted" }
        guard case .refused(let refusal) = verdict else { return nil }
        return refusal.code.rawValue
    }
}
