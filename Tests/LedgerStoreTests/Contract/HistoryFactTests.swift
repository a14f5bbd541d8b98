internal import EntitlementDerivation
internal import EntitlementModel
internal import FleetComparison
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport
internal import Testing

/// What the ledger finds for an account is all that the account depends on: over random
/// histories, as over all facts at once.
@Suite("Facts of random histories", .timeLimit(.minutes(20)))
struct HistoryFactTests {
    private static let histories: UInt64 = 40
    /// The random ones, and what they found.
    private static var played: [History] {
        (1...histories).map { History.random(seed: $0) }
            + [false, true].map(History.movedPass)
    }

    @Test(
        "an account and an Apple ID derived from what is found are those derived from all",
        arguments: ContractStore.allCases)
    func enoughIsFound(in store: ContractStore) async throws {
        var compared = 0
        for history in Self.played {
            let playback = Playback(history)
            let folder = try TemporaryFolder()
            let ledger = try store.open(in: folder)
            var kept = FactSet()
            for entry in playback.facts.entries where try await ledger.appendOnce(entry) {
                kept.insert(entry)
            }
            let derived = derive(policies: playback.policies, facts: kept)
            for (account, timeline) in derived.accounts {
                // What others were denied is found for findings only.
                let facts = try ledger.read { try $0.facts(forAccount: account) }
                var alone = deriveAccount(account, policies: playback.policies, facts: facts)
                alone.findings = timeline.findings
                #expect(alone == timeline, "seed \(history.seed), \(account)")
                compared += timeline.rights.count
            }
            let differing = try ledger.read {
                try differences(in: $0, from: derived, by: Deriver(policies: playback.policies))
            }
            #expect(differing == [], "seed \(history.seed)")
            try ledger.close()
        }
        #expect(compared > Self.histories)
    }

    @Test(
        "a refund request is evaluated from what is found as from all",
        arguments: ContractStore.allCases)
    func enoughIsFoundForRefunds(in store: ContractStore) async throws {
        var evaluated = 0
        for seed in 1...Self.histories {
            let history = History.random(seed: seed)
            let playback = Playback(history)
            let folder = try TemporaryFolder()
            let ledger = try store.open(in: folder)
            var kept = FactSet()
            for entry in playback.facts.entries where try await ledger.appendOnce(entry) {
                kept.insert(entry)
            }
            let deriver = Deriver(policies: playback.policies)
            for request in history.refundRequests {
                let found = try ledger.read { reader in
                    let facts = try reader.facts(forTransactions: [request.transaction])
                    guard let account = deriver.account(of: request, facts) else {
                        return deriver.evaluate(request, facts)
                    }
                    return deriver.evaluate(request, try reader.facts(forAccount: account))
                }
                #expect(found == deriver.evaluate(request, kept), "seed \(seed)")
                evaluated += found == nil ? 0 : 1
            }
            try ledger.close()
        }
        #expect(evaluated > Self.histories)
    }

    @Test(
        "every account that a fact of Apple's changes is told of it",
        arguments: ContractStore.allCases)
    func everybodyIsTouched(in store: ContractStore) async throws {
        var changes = 0
        for history in Self.played {
            let playback = Playback(history)
            let folder = try TemporaryFolder()
            let ledger = try store.open(in: folder)
            var facts = FactSet()
            for entry in playback.facts.entries where try await ledger.appendOnce(entry) {
                let before = derive(policies: playback.policies, facts: facts)
                facts.insert(entry)
                guard let lineage = entry.value.statedLineage else { continue }
                let after = derive(policies: playback.policies, facts: facts)
                let touched = try ledger.read { try $0.accountsConcerned(byLineages: [lineage]) }
                for (account, timeline) in after.accounts where before.accounts[account] != timeline
                {
                    // A folded name is touched by any recorded spelling.
                    #expect(
                        touched.contains { $0 == account || $0.folded == account },
                        "seed \(history.seed), entry \(entry.sequence)")
                    changes += 1
                }
            }
            try ledger.close()
        }
        #expect(changes > Self.histories)
    }
}

extension LedgerEntry {
    fileprivate var statedLineage: LineageKey? {
        switch self {
        case .transaction(let fact): fact.snapshot.lineage
        case .renewal(let fact): fact.snapshot.lineage
        default: nil
        }
    }
}
