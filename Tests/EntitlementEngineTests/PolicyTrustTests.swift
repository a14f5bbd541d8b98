internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import Foundation
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

@Suite("What a policy trusts", .timeLimit(.minutes(20)))
struct PolicyTrustTests {
    /// A certificate's outer form around a number.
    private static let noCertificate: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]

    private static func policy(withBrokenRootOf shop: Shop) -> [PolicyText] {
        [
            Shop.policy(trusting: shop.store)[0],
            PolicyText(path: "root.der", bytes: noCertificate),
        ]
    }

    @Test("a root that cannot be read: no engine, and no ledger")
    func unreadableRoot() async throws {
        let shop = try await Shop()
        let folder = try TemporaryFolder()
        let ledger = TestLedger(.file, in: folder)
        let error = await #expect(throws: EngineError.self) {
            try await EntitlementEngine.open(
                EngineOptions(
                    ledger: ledger, policyTexts: Self.policy(withBrokenRootOf: shop),
                    clock: shop.clock))
        }
        guard case .policyRejected(let diagnostics)? = error else {
            Issue.record("not because of the policy: \(String(describing: error))")
            return
        }
        #expect(diagnostics.map(\.id) == [.certificateUnreadable])
        #expect(
            diagnostics.map { $0.message(in: .english) }
                == ["'root.der' looks like a certificate, but cannot be read as one"])
        #expect(!FileManager.default.fileExists(atPath: ledger.path))
    }

    @Test("a root that cannot be read does not come into force, and the one in force goes on")
    func unreadableRootOnReload() async throws {
        let bench = try await ReloadBench()
        let shop = bench.shop
        let before = shop.engine.policy.digest
        try bench.write(bytes: Self.noCertificate, to: "root.der")
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(shop.engine.policy.digest == before)
        #expect(shop.engine.policyProblems.map(\.id) == ["certificate-unreadable"])
        let report = try await shop.engine.activate(Self.policy(withBrokenRootOf: shop))
        guard case .rejected(let diagnostics) = report else {
            Issue.record("it was put into force: \(report)")
            return
        }
        #expect(diagnostics.map(\.id) == [.certificateUnreadable])
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        #expect(try shop.answer("alice", "forever").decision)
        try bench.write(bytes: shop.store.root.der, to: "root.der")
        _ = try await bench.look(forMilliseconds: 3_000)
        #expect(shop.engine.policyProblems.isEmpty)
    }

    @Test("the sandbox, where it is refused: not for its buyer, not inside a notification")
    func refusedSandbox() async throws {
        let shop = try await Shop()
        var texts = Shop.policy(trusting: shop.store)
        texts[0] = PolicyText(
            path: texts[0].path,
            text: texts[0].text.replacing("sandbox: trusted", with: "sandbox: refused"))
        _ = try await shop.engine.activate(texts)
        let bought = try shop.purchase("unlock", .nonConsumable, id: "2") {
            $0.environment = .sandbox
        }
        var notification = SimulatedNotification(
            type: "ONE_TIME_CHARGE", uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
            bundleID: "com.example.shop", appAppleID: 77, signedDate: shop.clock.now())
        notification.environment = .sandbox
        notification.transaction = bought
        for bytes in [bought, shop.store.sign(notification.payload)] {
            let report = try await shop.present(bytes, as: "alice")
            #expect(report.refusalCode == "bind.environment")
        }
        for environment in StoreEnvironment.allCases {
            let answer = try shop.answer("alice", "forever", environment: environment)
            #expect(!answer.decision, "\(environment)")
        }
    }

    /// As an operator does it: inspect prints the key, the policy names it (THREATS.md A32).
    @Test(
        "a denied key signs nothing any more; what was recorded stays, and it can be let in again")
    func deniedKey() async throws {
        let shop = try await Shop()
        let (early, late) = (
            try shop.purchase("unlock", .nonConsumable, id: "2"),
            try shop.purchase("pass", .nonRenewing, id: "3")
        )
        try await shop.present(early, as: "alice")
        let found = inspect(
            late, verifier: shop.engine.policy.verifier, at: shop.clock.now())
        let key = try #require(found.chain.first?.keyFingerprint)
        var denying = Shop.policy(trusting: shop.store)
        denying[0] = PolicyText(
            path: denying[0].path,
            text: denying[0].text.replacing(
                "trust: {", with: "trust: {denied_keys: \(key.hexadecimal), "))
        _ = try await shop.engine.activate(denying)
        #expect(try await shop.present(late, as: "alice").refusalCode == "chain.denied")
        #expect(try await shop.present(early, as: "alice").refusalCode == "chain.denied")
        #expect(try shop.answer("alice", "forever").decision)
        #expect(try !shop.answer("alice", "pass").decision)
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store))
        #expect(try await shop.present(late, as: "alice").judged != nil)
        #expect(try shop.answer("alice", "pass").decision)
    }

    /// It was taken once, and what was sold under it is still owned.
    @Test("a ledger whose policy named such a root opens all the same")
    func recordedBefore() async throws {
        let shop = try await Shop()
        try shop.engine.close()
        let texts = Self.policy(withBrokenRootOf: shop)
        let activation = PolicyActivation(
            digest: try #require(loadPolicy(texts).policy?.digest),
            files: texts.map { .init(path: $0.path, bytes: $0.bytes) })
        try await shop.ledger.append([.policyActivation(activation)], at: shop.clock.now())
        var options = EngineOptions(
            ledger: shop.ledger, policyTexts: Shop.policy(trusting: shop.store),
            clock: shop.clock)
        // Whoever trusted it does not any more.
        options.policyGuard = .warn
        let engine = try await EntitlementEngine.open(options)
        #expect(engine.policy.history.activations.count == 3)
        try engine.close()
    }
}
