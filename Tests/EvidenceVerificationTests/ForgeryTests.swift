internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// Parts of genuine evidence put together anew, and many of them (THREATS.md A17, A18, A28).
@Suite(.timeLimit(.minutes(20)))
struct ForgeryTests {
    private static let stores = (1...11).map { StoreSimulator(seed: $0, now: TestBench.now) }

    /// Trusts all eleven stores.
    private static let verifier: EvidenceVerifier = {
        var settings = TestBench.apple.settings
        settings.jwsAnchors = stores.map { TrustAnchor(root: .fingerprint($0.root.fingerprint)) }
        return EvidenceVerifier(settings)
    }()

    private static let evidence = stores.map { $0.sign(TestBench.transaction.payload).segments }

    private static func verdict(_ segments: [String]) -> String {
        verifier.verify([UInt8](segments.joined(separator: ".")), at: TestBench.now).summary
    }

    /// The header of one store with payload and signature of another: a hundred and ten pairs,
    /// all chains known and good.
    @Test(arguments: stores.indices)
    func refusesTheHeaderOfAnother(_ index: Int) {
        #expect(Self.verdict(Self.evidence[index]) == "accepted")
        for other in Self.stores.indices where other != index {
            let (mine, theirs) = (Self.evidence[index], Self.evidence[other])
            #expect(Self.verdict([mine[0], theirs[1], theirs[2]]) == "jws.signature")
        }
    }

    /// The genuine leaf exchanged for another that the same intermediate signed.
    @Test(arguments: 1...10)
    func refusesASisterLeaf(_ number: Int) {
        var shape = ChainShape.apple(around: TestBench.now)
        shape.leaf.keyName = "leaf \(number)"
        let sister = StoreSimulator(seed: 1, now: TestBench.now, shape: shape)
        var header = TestBench.apple.store.header
        var chain = header["x5c"]?.elements ?? []
        chain[0] = .string(Base64.standard.encode(sister.leaf.der))
        header["x5c"] = .array(chain)
        let payload = TestBench.transaction.payload.serialized()
        let bench = TestBench.apple
        #expect(
            bench.verdict(bench.store.sign(payloadBytes: payload, header: header))
                == "jws.signature")
        #expect(bench.verdict(sister.sign(payloadBytes: payload, header: header)) == "accepted")
    }

    /// Nothing that was refused leaves anything behind; what was believed does, up to a bound.
    @Test func remembersNothingOfAFlood() {
        var settings = Self.stores[0].trusting(TestBench.apple.settings)
        settings.limits.cachedChains = 2
        let verifier = EvidenceVerifier(settings)
        let stranger = Self.stores[1]
        for number in 0..<200 {
            let payload = TestBench.transaction.with("transactionId", .string("\(number)"))
            let forged = stranger.sign(
                payloadBytes: payload.serialized(), header: Self.stores[0].header)
            #expect(verifier.verify(forged, at: TestBench.now).summary == "jws.signature")
            let foreign = stranger.sign(payload)
            #expect(verifier.verify(foreign, at: TestBench.now).summary == "chain.root")
        }
        #expect(verifier.rememberedChains == 0)
        for number in 0..<5 {
            var header = Self.stores[0].header
            header["kid"] = .string("\(number)")
            let payload = TestBench.transaction.payload.serialized()
            let bytes = Self.stores[0].sign(payloadBytes: payload, header: header)
            #expect(verifier.verify(bytes, at: TestBench.now).summary == "accepted")
        }
        #expect(verifier.rememberedChains == 2)
    }
}

extension StoreSimulator {
    fileprivate func trusting(_ settings: VerificationSettings) -> VerificationSettings {
        var settings = settings
        settings.jwsAnchors = [TrustAnchor(root: .fingerprint(root.fingerprint))]
        return settings
    }
}
