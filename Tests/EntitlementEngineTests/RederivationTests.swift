internal import EntitlementModel
internal import HistoryComparison
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("Accounts derived again after a policy change", .timeLimit(.minutes(20)))
struct RederivationTests {
    private static let names = (0..<300).map { AccountID(unchecked: "a\($0)") }

    /// A shop with one buyer among many names that were asked about.
    private static func askedShop() async throws -> Shop {
        let shop = try await Shop()
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "a7")
        for name in names { _ = try shop.engine.account(name) }
        return shop
    }

    private static func activate(_ leeway: String, in shop: Shop) async throws {
        let before = shop.engine.policy.digest
        _ = try await shop.engine.activate(Shop.policy(trusting: shop.store, leeway: leeway))
        try #require(shop.engine.policy.digest != before)
    }

    @Test("all that was in memory is there again, by the new policy, and nobody has asked")
    func everybody() async throws {
        let shop = try await Self.askedShop()
        try await Self.activate("2h", in: shop)
        await shop.engine.rederivation.finished()
        #expect(
            shop.engine.rederivationProgress
                == RederivationProgress(accounts: Self.names.count, left: 0))
        let digest = shop.engine.policy.digest
        for name in Self.names {
            #expect(shop.engine.cachedAccount(name)?.packed.policy == digest, "\(name.text)")
        }
        #expect(try shop.answer("a7", "forever").decision)
        try shop.engine.close()
    }

    @Test("a change on top of a change leaves nobody out")
    func twice() async throws {
        let shop = try await Self.askedShop()
        for leeway in ["2h", "3h", "4h", "5h"] { try await Self.activate(leeway, in: shop) }
        await shop.engine.rederivation.finished()
        let digest = shop.engine.policy.digest
        for name in Self.names {
            #expect(shop.engine.cachedAccount(name)?.packed.policy == digest, "\(name.text)")
        }
        #expect(shop.engine.rederivationProgress.left == 0)
        try shop.engine.close()
    }

    @Test("what another change has overtaken is taken up again")
    func overtaken() async {
        let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
        var packedAccounts = PackedAccountTables()
        for name in Self.names {
            packedAccounts.keep(policy.packed(AccountTimeline(account: name)))
        }
        let calls = Mutex((refusals: 3, broughtBack: [AccountID]()))
        let rederivation = Rederivation(workers: 2)
        rederivation.begin(DroppedAccounts(recent: packedAccounts, earlier: PackedAccountTables()))
        { run, _ in
            calls.withLock { calls in
                calls.refusals -= 1
                if calls.refusals < 0 { calls.broughtBack += run.accounts }
                return calls.refusals < 0
            }
        }
        await rederivation.finished()
        #expect(calls.withLock { $0.broughtBack.sorted() } == Self.names.sorted())
        #expect(rederivation.progress == RederivationProgress(accounts: 300, left: 0))
    }

    @Test("once it has been stopped nothing is brought back")
    func stopping() async {
        let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
        var packedAccounts = PackedAccountTables()
        for name in Self.names {
            packedAccounts.keep(policy.packed(AccountTimeline(account: name)))
        }
        let calls = Mutex(0)
        let rederivation = Rederivation(workers: 2)
        rederivation.stop()
        rederivation.begin(DroppedAccounts(recent: packedAccounts, earlier: PackedAccountTables()))
        { _, _ in
            calls.withLock { $0 += 1 }
            return true
        }
        await rederivation.finished()
        #expect(calls.withLock { $0 } == 0)
        #expect(rederivation.progress == RederivationProgress(accounts: 300, left: 300))
    }

    @Test("closing in the middle ends it")
    func closing() async throws {
        let shop = try await Self.askedShop()
        try await Self.activate("2h", in: shop)
        try shop.engine.close()
        await shop.engine.rederivation.finished()
    }

    @Test("what a commit touches while it is derived is not kept, the rest is, in its place")
    func stale() {
        let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
        let cache = AccountCache(head: LedgerSequence(1), limit: 8)
        let packedAccounts = ["a", "b", "c"].map { policy.packed(AccountTimeline(account: $0)) }
        let begun = cache.beginLoad()
        cache.publish(touched: ["b"], head: LedgerSequence(2))
        #expect(cache.finishLoad(packedAccounts, begunAt: begun, asRecent: false))
        #expect(cache.missing(["a", "b", "c"]) == ["b"])
        let second = cache.beginLoad()
        let dropped = cache.publishPolicyChange(head: LedgerSequence(3))
        #expect(!cache.finishLoad(packedAccounts, begunAt: second, asRecent: true))
        #expect(cache.missing(["a", "b", "c"]) == ["a", "b", "c"])
        #expect(dropped.runs().map { Set($0.accounts) } == [["a", "c"], []])
        #expect(dropped.runs().map(\.wereRecent) == [false, true])
    }

    @Test("there are never more in memory than the limit")
    func limit() {
        let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
        let cache = AccountCache(head: LedgerSequence(1), limit: 8)
        for isRecent in [false, true] {
            let packedAccounts = Self.names.prefix(20).map {
                policy.packed(AccountTimeline(account: $0))
            }
            #expect(
                cache.finishLoad(packedAccounts, begunAt: cache.beginLoad(), asRecent: isRecent))
            #expect(cache.count <= 8)
        }
    }
}
