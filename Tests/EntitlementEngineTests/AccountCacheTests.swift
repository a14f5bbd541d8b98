internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("Accounts in memory", .timeLimit(.minutes(20)))
struct AccountCacheTests {
    private static let policy = ActivePolicy(Playback(History.random(seed: 1)).policies)
    private let cache = AccountCache(head: LedgerSequence(1), limit: 8)

    private func load(_ account: AccountID) {
        let timeline = AccountTimeline(account: account)
        _ = cache.finishLoad(Self.policy.packed(timeline), begunAt: cache.beginLoad())
    }

    @Test("there are never more than the limit, and what is asked for stays")
    func limit() {
        for number in 0..<100 {
            load(AccountID(unchecked: "a\(number)"))
            #expect(cache.count <= 8)
            // Asked for every time, so it is never the one that goes.
            #expect(number == 0 || cache.packed(of: "a0") != nil, "after \(number)")
        }
        #expect(cache.packed(of: "a1") == nil)
        #expect(cache.packed(of: "a99") != nil)
    }

    @Test("several are found together, as of one revision, or none of them")
    func several() {
        for name in ["a", "b", "c", "d", "e"] { load(AccountID(unchecked: name)) }
        // The first four are of the older generation.
        for names in [["e"], ["e", "e"], ["a", "e", "b"], ["e", "b", "a", "b"]] {
            let (places, bytes) = Self.written(names)
            let found = cache.packedAccounts(named: places, in: bytes.span)
            #expect(found?.packedAccounts.map(\.account.text) == names)
            #expect(found?.revision == LedgerSequence(1))
        }
        for names in [["e", "f"], ["f"], ["a", ""]] {
            let (places, bytes) = Self.written(names)
            #expect(cache.packedAccounts(named: places, in: bytes.span) == nil, "\(names)")
        }
    }

    @Test("what is fetched ahead is neither loaded nor made younger")
    func fetching() {
        for name in ["a", "b", "c", "d", "e"] { load(AccountID(unchecked: name)) }
        let (places, bytes) = Self.written(["a", "e", "f", ""])
        for _ in 0..<9 { cache.fetch(named: places, in: bytes.span) }
        #expect(cache.count == 5)
        // So the first four go with the next change of generations.
        for name in ["g", "h", "i"] { load(AccountID(unchecked: name)) }
        #expect(cache.count == 4)
        #expect(cache.packed(of: "a") == nil)
        #expect(cache.packed(of: "e") != nil)
    }

    /// Names one behind the other, and where each is.
    private static func written(_ names: [String]) -> (places: [Range<Int>], bytes: [UInt8]) {
        var (places, bytes): ([Range<Int>], [UInt8]) = ([], [])
        for name in names {
            places.append(bytes.count..<bytes.count + name.utf8.count)
            bytes += name.utf8
        }
        return (places, bytes)
    }

    @Test("what a commit touched is gone from both generations")
    func publishing() {
        for name in ["a", "b", "c", "d", "e"] { load(AccountID(unchecked: name)) }
        cache.publish(touched: ["a", "e"], head: LedgerSequence(2))
        #expect(
            ["a", "b", "c", "d", "e"].filter { cache.packed(of: $0) != nil } == ["b", "c", "d"])
        #expect(cache.head == LedgerSequence(2))
    }

    @Test("a load that began before a commit touched its account is not kept")
    func staleLoads() {
        let begun = cache.beginLoad()
        cache.publish(touched: ["a"], head: LedgerSequence(2))
        let stale = Self.policy.packed(AccountTimeline(account: "a"))
        #expect(cache.finishLoad(stale, begunAt: begun) == nil)
        #expect(cache.packed(of: "a") == nil)
        let fresh = cache.beginLoad()
        #expect(cache.finishLoad(stale, begunAt: fresh) == LedgerSequence(2))
        let other = cache.beginLoad()
        _ = cache.publishPolicyChange(head: LedgerSequence(3))
        #expect(cache.finishLoad(stale, begunAt: other) == nil)
        #expect(cache.count == 0)
    }
}
