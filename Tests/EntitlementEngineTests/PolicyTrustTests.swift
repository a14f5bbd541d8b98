internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerStore
internal import PolicyLoading
internal import StoreSimulator
internal import Testing

@Suite("What a policy trusts")
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
        let path = shop.folder + "/another"
        let error = await #expect(throws: EngineError.self) {
            try await EntitlementEngine.open(
                EngineOptions(
                    ledgerPath: path, policyTexts: Self.policy(withBrokenRootOf: shop),
                    clock: shop.clock))
        }
        guard case .policyRefused(let diagnostics)? = error else {
            Issue.record("not because of the policy: \(String(describing: error))")
            return
        }
        #expect(diagnostics.map(\.id) == [.certificateUnreadable])
        #expect(
            diagnostics.map { $0.message(in: .english) }
                == ["'root.der' looks like a certificate, but cannot be read as one"])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a root that cannot be read does not come into force, and the one in force goes on")
    func unreadableRootOnReload() async throws {
        let bench = try await ReloadBench()
        let shop = bench.shop
        let before = shop.engine.policy.digest
        try bench.write(bytes: Self.noCertificate, to: "root.der")
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(shop.engine.policy.digest == before)
        #expect(shop.engine.policyTroubles.map(\.id) == ["certificate-unreadable"])
        let report = try await shop.engine.activate(Self.policy(withBrokenRootOf: shop))
        guard case .refused(let diagnostics) = report else {
            Issue.record("it was put into force: \(report)")
            return
        }
        #expect(diagnostics.map(\.id) == [.certificateUnreadable])
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        #expect(try shop.answer("alice", "forever").decision)
        try bench.write(bytes: shop.store.root.der, to: "root.der")
        _ = try await bench.look(forMilliseconds: 3_000)
        #expect(shop.engine.policyTroubles.isEmpty)
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
        let ledger = try Ledger.open(path: shop.ledgerPath, makeSalt: EngineOptions.randomSalt)
        let now = shop.clock.now()
        _ = try await ledger.write { try $0.append(.policyActivation(activation), at: now) }
        try ledger.close()
        let engine = try await EntitlementEngine.open(
            EngineOptions(
                ledgerPath: shop.ledgerPath, policyTexts: Shop.policy(trusting: shop.store),
                clock: shop.clock))
        #expect(engine.policy.history.activations.count == 3)
        try engine.close()
    }
}
