internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import LedgerModel
internal import TestSupport
internal import Testing

/// What the ledger finds for an account is all that the account depends on: over random
/// histories, as over all facts at once.
@Suite("Facts of random histories", .timeLimit(.minutes(20)))
struct HistoryFactTests {
    private static let histories: UInt64 = 40

    @Test(
        "an account and an Apple ID derived from what is found are those derived from all",
        arguments: ContractStore.allCases)
    func enoughIsFound(in store: ContractStore) async throws {
        var compared = 0
        for seed in 1...Self.histories {
            let playback = Playback(History.random(seed: seed))
            let folder = try TemporaryFolder()
            let ledger = try store.open(in: folder)
            var kept = FactSet()
            for entry in playback.facts.entries where try await ledger.appendOnce(entry) {
                kept.insert(entry)
            }
            let derived = derive(policies: playback.policies, facts: kept)
            for (account, timeline) in derived.accounts {
                let facts = try ledger.read { try $0.facts(forAccount: account) }
                let alone = deriveAccount(account, policies: playback.policies, facts: facts)
                #expect(alone == timeline, "seed \(seed), \(account)")
                compared += timeline.rights.count
            }
            for (lineage, key) in derived.appleIDOfLineage {
                let facts = try ledger.read { try $0.facts(forLineage: lineage) }
                let alone = deriveAppleID(
                    holding: lineage, policies: playback.policies, facts: facts)
                #expect(alone == derived.appleIDs[key], "seed \(seed), \(lineage)")
            }
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
        for seed in 1...Self.histories {
            let playback = Playback(History.random(seed: seed))
            let folder = try TemporaryFolder()
            let ledger = try store.open(in: folder)
            var facts = FactSet()
            for entry in playback.facts.entries where try await ledger.appendOnce(entry) {
                let before = derive(policies: playback.policies, facts: facts)
                facts.insert(entry)
                guard let lineage = entry.value.statedLineage else { continue }
                let after = derive(policies: playback.policies, facts: facts)
                let touched = try ledger.read { try $0.accountsTouched(byLineages: [lineage]) }
                for (account, timeline) in after.accounts where before.accounts[account] != timeline
                {
                    #expect(touched.contains(account), "seed \(seed), entry \(entry.sequence)")
                    changes += 1
                }
            }
            try ledger.close()
        }
        #expect(changes > Self.histories)
    }
}

extension FactSet {
    /// In the order in which they were recorded.
    var entries: [Recorded<LedgerEntry>] {
        let evidence = LedgerSequence(1)
        var entries: [Recorded<LedgerEntry>] = []
        entries += transactions.map {
            $0.with(.transaction(TransactionFact(snapshot: $0.value, evidence: evidence)))
        }
        entries += renewals.map {
            $0.with(.renewal(RenewalFact(snapshot: $0.value, evidence: evidence)))
        }
        entries += claims.map { $0.with(.claim($0.value)) }
        entries += decisions.map { $0.with(.decision($0.value)) }
        entries += rulings.map { $0.with(.ruling($0.value)) }
        entries += grants.map { $0.with(.grant($0.value)) }
        entries += grantRevocations.map { $0.with(.grantRevocation($0.value)) }
        entries += blocks.map { $0.with(.block($0.value)) }
        entries += blockRemovals.map { $0.with(.blockRemoval($0.value)) }
        entries += accountTokens.map { $0.with(.accountToken($0.value)) }
        entries += accountMerges.map { $0.with(.accountMerge($0.value)) }
        entries += creditSpends.map { $0.with(.creditSpend($0.value)) }
        entries += creditHolds.map { $0.with(.creditHold($0.value)) }
        entries += holdEnds.map { $0.with(.holdEnd($0.value)) }
        entries += spendReversals.map { $0.with(.spendReversal($0.value)) }
        entries += creditThaws.map { $0.with(.creditThaw($0.value)) }
        entries += refundConsents.map { $0.with(.refundConsent($0.value)) }
        return entries.sorted { $0.sequence < $1.sequence }
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

extension Ledger {
    /// Puts the entry where it stood in the history. What is there already is not put there
    /// twice, which is answered: something that concerns nobody takes its place.
    func appendOnce(_ entry: Recorded<LedgerEntry>) async throws -> Bool {
        try await write { transaction in
            var isNew = true
            var next = try transaction.head().sequence.number + 1
            while next <= entry.sequence.number {
                let isThere =
                    switch entry.value {
                    case .transaction(let fact): try transaction.sequence(of: fact.snapshot) != nil
                    case .renewal(let fact): try transaction.sequence(of: fact.snapshot) != nil
                    default: false
                    }
                let isPlace = next == entry.sequence.number && !isThere
                isNew = !isThere
                _ = try transaction.append(
                    isPlace ? entry.value : Sample.block("nobody", id: "b-\(next)"),
                    at: entry.recordedAt)
                next += 1
            }
            return isNew
        }
    }
}
