internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// Impact runs over real ledgers, held against deriving every account by both policies at every
/// instant of the window.
@Suite("The impact of a policy on a ledger", .timeLimit(.minutes(60)))
struct ImpactTests {
    private static let ledgers: UInt64 = 6

    @Test("is what brute force finds", arguments: TestLedger.Store.allCases)
    func bruteForce(in store: TestLedger.Store) async throws {
        var (losing, gaining) = (0 as Int64, 0 as Int64)
        for seed in 1...Self.ledgers {
            let random = try await RandomLedger(seed: seed, on: store)
            for _ in 0..<72 { try await random.step() }
            for change in PolicyChange.all {
                let new = try #require(loadPolicy(try change.texts(on: random.engine)).policy)
                let now = random.engine.now()
                var options = ImpactOptions()
                options.accountsAtOnce = 1
                let found = try #require(
                    try random.engine.questions.impact(of: new, at: now, options))
                options.shortestSearch = 0
                let ofAll = try random.engine.questions.impact(of: new, at: now, options)
                #expect(ofAll?.losing == found.losing && ofAll?.gaining == found.gaining)
                #expect(ofAll?.groups.map(\.json) == found.groups.map(\.json))
                let expected = try WholeLedger(random.engine, new, at: now)
                #expect(found.losing == expected.losing, "seed \(seed), \(change)")
                #expect(found.gaining == expected.gaining, "seed \(seed), \(change)")
                #expect(
                    WholeLedger.days(of: found) == expected.days, "seed \(seed), \(change)")
                for group in found.groups {
                    #expect(group.examples.count == min(5, Int(group.accounts)))
                }
                losing += found.losing
                gaining += found.gaining
                try Self.interrupt(random, new, at: now, found)
            }
            try random.close()
        }
        #expect(min(losing, gaining) > 5, "\(losing) \(gaining)")
    }

    /// Ended after each account in turn and gone on with, it finds the same.
    private static func interrupt(
        _ random: RandomLedger, _ new: Policy, at now: Instant, _ whole: PolicyImpactAnswer
    ) throws {
        var checkpoint: ImpactCheckpoint?
        for _ in 0..<30 {
            let kept = Shared(checkpoint)
            var options = ImpactOptions { progress in
                guard let next = progress.checkpoint else { return true }
                let before = kept.value
                kept.change { $0 = next }
                return before?.counted == next.counted
            }
            options.accountsAtOnce = 1
            options.workers = 1
            options.checkpoint = checkpoint
            // What it began at stays.
            let later = now.advanced(byMilliseconds: checkpoint == nil ? 0 : 60_000)
            let impact = try random.engine.questions.impact(of: new, at: later, options)
            if let impact {
                #expect(impact.json == whole.json)
                return
            }
            checkpoint = kept.value
        }
        Issue.record("an interrupted run comes to an end")
    }
}

/// Every account of a ledger, derived by both policies.
private struct WholeLedger {
    private(set) var losing: Int64 = 0
    private(set) var gaining: Int64 = 0
    /// By change and right, how many accounts at each instant.
    private(set) var days: [String: [Int64]] = [:]

    init(_ engine: EntitlementEngine, _ new: Policy, at now: Instant) throws {
        let before = engine.policy.history
        var after = before
        if new.digest != before.current.digest { after.activate(new, at: now) }
        let window = ImpactWindow(from: now)
        let folds = before.current.foldsAccounts && new.foldsAccounts
        let (accounts, reader) = (RandomLedger.owners, engine.ledger)
        let names = Set(accounts.map { folds ? $0.folded : $0 })
        for account in names {
            let facts = try reader.read { try $0.facts(forAccount: account) }
            let old = deriveAccount(account, policies: before, facts: facts)
            let new = deriveAccount(account, policies: after, facts: facts)
            if count("loses", having: old, lacking: new, window) { losing += 1 }
            if count("gains", having: new, lacking: old, window) { gaining += 1 }
        }
    }

    private mutating func count(
        _ change: String, having: AccountTimeline, lacking: AccountTimeline, _ window: ImpactWindow
    ) -> Bool {
        var isAny = false
        for key in having.rights.keys {
            let (has, lacks) = (having.right(key), lacking.right(key))
            let boundaries = (has.spans + lacks.spans).map(\.interval.start)
                .filter { window.start <= $0 && $0 <= window.end }
            let differs = { (instant: Instant) in
                has.span(at: instant).isGranted && !lacks.span(at: instant).isGranted
            }
            guard (window.instants + boundaries).contains(where: differs) else { continue }
            isAny = true
            add(
                window.instants.map { differs($0) ? 1 : 0 },
                "\(change) \(key.environment.rawValue) \(key.entitlement.text)")
        }
        for key in Set(having.balances.keys).union(lacking.balances.keys) {
            let counts = window.instants.map { instant -> Int64 in
                let difference =
                    (having.balances[key]?.balance(at: instant) ?? 0)
                    - (lacking.balances[key]?.balance(at: instant) ?? 0)
                return difference > 0 ? 1 : 0
            }
            guard counts.contains(1) else { continue }
            isAny = true
            add(counts, "\(change) \(key.environment.rawValue) \(key.credit.text)")
        }
        return isAny
    }

    private mutating func add(_ counts: [Int64], _ name: String) {
        let sums = days[name] ?? [Int64](repeating: 0, count: counts.count)
        days[name] = zip(sums, counts).map { $0 + $1 }
    }

    /// The same of what an impact run found.
    static func days(of impact: PolicyImpactAnswer) -> [String: [Int64]] {
        var days: [String: [Int64]] = [:]
        for group in impact.groups {
            let right = group.entitlement?.text ?? group.credit?.text ?? ""
            let name = "\(group.change.rawValue) \(group.environment.rawValue) \(right)"
            let sums = days[name] ?? [Int64](repeating: 0, count: group.byDay.count)
            days[name] = zip(sums, group.byDay).map { $0 + $1 }
        }
        return days
    }
}
