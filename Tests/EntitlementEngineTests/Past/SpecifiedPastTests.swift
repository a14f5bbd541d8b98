internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification
internal import FleetComparison
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What was known at an entry is what the specification says of the facts up to there, and no
/// others. `RANDOM_LEDGERS` says how many histories.
@Suite("What was known, and the specification", .timeLimit(.minutes(240)))
struct SpecifiedPastTests {
    private static let cuts = 3

    @Test("rights, balances and everything derived", arguments: TestLedger.Store.allCases)
    func histories(in store: TestLedger.Store) async throws {
        var compared = 0
        // Each ledger in a database is a database of its own.
        let count = store == .memory || store == .file ? max(16, RandomLedgerTests.count * 3) : 4
        for seed in 1...UInt64(count) {
            let playback = Playback(History.random(seed: seed))
            let folder = try TemporaryFolder()
            let ledger = try TestLedger(store, in: folder).open()
            let kept = try await ledger.appendOnce(playback.facts.entries)
            var dice = SplitMix64(seed: seed)
            for _ in 0..<Self.cuts where !kept.isEmpty {
                let last = dice.pick(kept)
                var facts = FactSet()
                for entry in kept where entry.sequence <= last.sequence { facts.insert(entry) }
                let policies = playback.policies.first(
                    playback.policies.activations.count { $0.activatedAt <= last.recordedAt })
                compared += try ledger.read { view in
                    try compare(
                        PastReading(view, through: last.sequence), facts, policies,
                        at: last.recordedAt, seed)
                }
            }
            try ledger.close()
        }
        #expect(compared > 400)
    }

    /// - Returns: how many answers were compared.
    private func compare(
        _ past: PastReading, _ facts: FactSet, _ policies: PolicyHistory, at recordedAt: Instant,
        _ seed: UInt64
    ) throws -> Int {
        let deriver = Deriver(policies: policies)
        let all = derive(policies: policies, facts: facts)
        let differing = try differences(in: past, from: all, by: deriver)
        let head = try past.head().sequence
        #expect(differing == [], "history \(seed), as of \(head)")
        let specification = Specification(policies: policies, facts: facts)
        var compared = 0
        for account in all.accounts.keys.sorted() {
            let timeline = deriver.deriveAccount(account, try past.facts(about: account))
            for days in [-40, -1, 0, 3, 40] as [Int64] {
                let instant = recordedAt.advanced(byMilliseconds: days * 86_400_000)
                for environment in [StoreEnvironment.production, .sandbox] {
                    for name in policies.current.entitlements.keys {
                        let key = RightKey(environment, name)
                        let span = timeline.right(key).span(at: instant)
                        let right = specification.right(of: account, key: key, at: instant)
                        #expect(
                            span.isGranted == right.isGranted
                                && (!right.isGranted || span.state == right.state),
                            "history \(seed), \(account), \(name) at \(instant)")
                        compared += 1
                    }
                    for name in policies.current.credits.keys {
                        let key = CreditKey(environment, name)
                        #expect(
                            timeline.balances[key]?.balance(at: instant) ?? 0
                                == specification.balance(of: account, key: key, at: instant),
                            "history \(seed), \(account), \(name) at \(instant)")
                        compared += 1
                    }
                }
            }
        }
        return compared
    }
}
