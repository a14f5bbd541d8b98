internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("Accounts in memory")
struct AccountCacheTests {
    private static let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
    private let cache = AccountCache(head: LedgerSequence(1), limit: 8)

    private func load(_ account: AccountID) {
        let timeline = AccountTimeline(account: account)
        _ = cache.finishLoad(Self.policy.sheet(timeline), begunAt: cache.beginLoad())
    }

    @Test("there are never more than the limit, and what is asked for stays")
    func limit() {
        for number in 0..<100 {
            load(AccountID(unchecked: "a\(number)"))
            #expect(cache.count <= 8)
            // Asked for every time, so it is never the one that goes.
            #expect(number == 0 || cache.sheet(of: "a0") != nil, "after \(number)")
        }
        #expect(cache.sheet(of: "a1") == nil)
        #expect(cache.sheet(of: "a99") != nil)
    }

    @Test("what a commit touched is gone from both generations")
    func publishing() {
        for name in ["a", "b", "c", "d", "e"] { load(AccountID(unchecked: name)) }
        cache.publish(touched: ["a", "e"], head: LedgerSequence(2))
        #expect(
            ["a", "b", "c", "d", "e"].filter { cache.sheet(of: $0) != nil } == ["b", "c", "d"])
        #expect(cache.head == LedgerSequence(2))
    }

    @Test("a load that began before a commit touched its account is not kept")
    func staleLoads() {
        let begun = cache.beginLoad()
        cache.publish(touched: ["a"], head: LedgerSequence(2))
        let stale = Self.policy.sheet(AccountTimeline(account: "a"))
        #expect(cache.finishLoad(stale, begunAt: begun) == nil)
        #expect(cache.sheet(of: "a") == nil)
        let fresh = cache.beginLoad()
        #expect(cache.finishLoad(stale, begunAt: fresh) == LedgerSequence(2))
        let other = cache.beginLoad()
        _ = cache.publishPolicyChange(head: LedgerSequence(3))
        #expect(cache.finishLoad(stale, begunAt: other) == nil)
        #expect(cache.count == 0)
    }
}
