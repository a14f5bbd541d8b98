internal import EntitlementDerivation
internal import EntitlementModel
internal import FleetComparison
internal import HistoryComparison
internal import LedgerModel
internal import MemoryLedger
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What a record says that it changes is all that is answered differently once it is recorded:
/// over random histories with entries of every kind.
@Suite("What entries change", .timeLimit(.minutes(60)))
struct ChangedAnswersTests {
    private static let histories: UInt64 = 25
    private static let ledgers: UInt64 = 3

    @Test("everything else is answered as before it")
    func changes() async throws {
        var (kinds, changes): (Set<EntryKind>, Int) = ([], 0)
        for seed in 1...Self.histories {
            let playback = Playback(History.random(seed: seed))
            var replay = ChangeReplay(ActivePolicy(playback.policies))
            var entries = playback.facts.entries
            let last = entries.last
            var others = OtherEntries(seed: seed, entries)
            for entry in others.entries(after: last) { entries.append(entry) }
            for entry in entries where try await replay.ledger.appendOnce(entry) {
                let unlisted = try replay.follow()
                #expect(unlisted == [], "history \(seed), \(entry.value)")
            }
            kinds.formUnion(replay.kinds)
            changes += replay.changes
        }
        for seed in 1...Self.ledgers {
            let random = try await RandomLedger(seed: seed &+ 70, on: .memory)
            for _ in 0..<50 { try await random.step() }
            var replay = ChangeReplay(random.engine.policy)
            let entries = try random.engine.ledger.read {
                try $0.entries(after: .zero, limit: 10_000)
            }
            for entry in entries {
                _ = try await replay.ledger.write {
                    try $0.append(entry.value, at: entry.recordedAt)
                }
                let unlisted = try replay.follow()
                #expect(unlisted == [], "ledger \(seed), \(entry.value)")
            }
            kinds.formUnion(replay.kinds)
            changes += replay.changes
            try random.close()
        }
        // `RandomErasureTests` compares what erasures leave.
        let elsewhere: Set<EntryKind> = [.erasure, .restated]
        #expect(Set(EntryKind.allCases).subtracting(kinds) == elsewhere)
        #expect(changes > 1_000)
    }
}

/// A ledger with what is answered from it after each entry.
private struct ChangeReplay {
    let ledger = MemoryLedger()
    private let policy: ActivePolicy
    private(set) var kinds: Set<EntryKind> = []
    /// How many answers were other ones than before.
    private(set) var changes = 0
    private var place = LedgerSequence.zero
    private var named: Set<AccountID> = []
    private var orderIDs: Set<OrderID> = []
    private var waiting: Set<LedgerSequence> = []
    private var answers = Answers()

    private struct Answers {
        var accounts: [AccountID: AccountTimeline] = [:]
        var holdings: [AccountID: [Finding]] = [:]
        var lineages: [LineageKey: Set<Finding>] = [:]
        var kin: [LineageKey: [LineageKey]] = [:]
        var orders: [OrderID: OrderHistory] = [:]
        var waiting: [LedgerSequence: [Finding]] = [:]
    }

    init(_ policy: ActivePolicy) {
        self.policy = policy
    }

    /// - Returns: what is answered differently than before the newest entries, and is not listed.
    mutating func follow() throws -> [String] {
        let policy = policy
        let (new, changed, after) = try ledger.read { reader in
            let new = try reader.entries(after: place, limit: 10_000)
            var (reading, changed) = (ChangeReading(reader), ChangedAnswers())
            for entry in new {
                note(entry)
                changed.formUnion(try reading.changes(by: entry, policy))
            }
            return (new, changed, try answers(reader))
        }
        place = new.last?.sequence ?? place
        defer { answers = after }
        return unlisted(after, changed)
    }

    private mutating func note(_ entry: Recorded<LedgerEntry>) {
        kinds.insert(entry.value.registered.kind)
        switch entry.value {
        case .transaction(let fact):
            let token = fact.snapshot.appAccountToken
            named.formUnion(token.flatMap { AccountID($0.text) }.map { [$0, $0.folded] } ?? [])
        case .order(let order): orderIDs.insert(order.id)
        case .quarantine, .evidenceTicket: waiting.insert(entry.sequence)
        default: break
        }
    }

    private func answers(_ reader: any LedgerReading) throws -> Answers {
        var answers = Answers()
        let folds = policy.history.current.foldsAccounts
        let accounts = try reader.accounts(after: nil, limit: 1_000, folded: folds)
        for account in Set(named.union(accounts).map(policy.name)) {
            answers.accounts[account] = policy.deriver.deriveAccount(
                account, try reader.facts(withDenialsFor: account))
            answers.holdings[account] = policy.deriver.findings(
                aboutHoldingsOf: account, try reader.facts(forAccount: account))
        }
        for cluster in try reader.clusters(after: 0, limit: 1_000) {
            let kin = try reader.lineages(relatedTo: cluster.lineage)
            let findings = policy.deriver.findings(
                aboutLineagesOf: try reader.facts(about: .lineage(cluster.lineage)))
            for lineage in kin {
                answers.kin[lineage] = kin
                answers.lineages[lineage] = Set(findings)
            }
        }
        for id in orderIDs { answers.orders[id] = try reader.order(id) }
        for place in waiting {
            answers.waiting[place] = try reader.feedFindings(
                becauseOf: place, upTo: LedgerSequence(.max), policy)
        }
        return answers
    }

    private mutating func unlisted(_ after: Answers, _ changed: ChangedAnswers) -> [String] {
        var found: [String] = []
        let listed = Set(changed.accounts.map(policy.name))
        let owners = Set(changed.deniedOwners.map(policy.name))
        for (account, timeline) in after.accounts {
            let old =
                answers.accounts[account] ?? policy.deriver.deriveAccount(account, FactSet())
            let isSameBesideFindings =
                old.rights == timeline.rights && old.balances == timeline.balances
            if old != timeline { changes += 1 }
            if listed.contains(account) { continue }
            if old != timeline, !(owners.contains(account) && isSameBesideFindings) {
                found.append("account \(account)")
            }
            if answers.holdings[account] ?? [] != after.holdings[account] {
                found.append("holdings of \(account)")
            }
        }
        for (lineage, findings) in after.lineages where answers.lineages[lineage] ?? [] != findings
        {
            changes += 1
            if changed.lineages.isDisjoint(with: after.kin[lineage] ?? []) {
                found.append("findings about \(OwnedUnit.lineage(lineage).text)")
            }
        }
        for (id, order) in after.orders where answers.orders[id] != order {
            changes += 1
            if !changed.orders.contains(id) { found.append("order \(id)") }
        }
        for (place, findings) in after.waiting where answers.waiting[place] ?? [] != findings {
            changes += 1
            if !changed.quarantines.union(changed.tickets).contains(place) {
                found.append("finding about entry \(place)")
            }
        }
        return found
    }
}

/// Entries of the kinds that histories do not have, about what a history has.
private struct OtherEntries {
    private var dice: SplitMix64
    private var accounts: [AccountID] = [AccountID(unchecked: "alice")]
    private var purchases: [TransactionKey] = []
    private var snapshots: [TransactionSnapshot] = []

    init(seed: UInt64, _ entries: [Recorded<LedgerEntry>]) {
        dice = SplitMix64(seed: seed)
        for entry in entries {
            if case .transaction(let fact) = entry.value { snapshots.append(fact.snapshot) }
            if case .claim(let claim) = entry.value { accounts.append(claim.account) }
        }
        purchases =
            snapshots.map(\.key)
            + [TransactionKey(.production, TransactionID(unchecked: "nowhere"))]
    }

    mutating func entries(after last: Recorded<LedgerEntry>?) -> [Recorded<LedgerEntry>] {
        var place = last?.sequence.number ?? 0
        let instant = last?.recordedAt ?? Instant(milliseconds: 0)
        return others(after: place).map { entry in
            place += 1
            return Recorded(sequence: LedgerSequence(place), recordedAt: instant, value: entry)
        }
    }

    private mutating func others(after place: Int64) -> [LedgerEntry] {
        let (account, purchase) = (dice.pick(accounts), dice.pick(purchases))
        guard let digest = Digest256([UInt8](repeating: UInt8(place % 250), count: 32)) else {
            preconditionFailure("a digest has 32 bytes")
        }
        let id = OrderID(unchecked: "6f9619ff-8b86-4011-b42d-00cf4fc964ff")
        let product = snapshots.first?.productID ?? ProductID(unchecked: "gold")
        var ticket = EvidenceTicket(.transaction)
        (ticket.account, ticket.transaction) = (account, purchase.transactionID)
        var entries: [LedgerEntry] = [
            .order(Order(id: id, account: account, product: product, policy: digest, actor: "u")),
            .repeatedOrder(
                RepeatedOrder(order: id, account: account, product: product, key: "k", actor: "u")),
            .orderEvent(
                OrderEvent(
                    order: id, kind: .seen, state: .created, transaction: purchase,
                    differences: [.price], presenter: dice.pick(accounts), actor: "u")),
            .refusal(EvidenceRefusal(digest: digest, code: "evidence.unknown", order: id)),
            .storeReport(
                StoreReport(
                    account: account, invalidProducts: [product],
                    payments: [FailedPayment(product: product, outcome: .failed)], actor: "u")),
            .creditThaw(
                CreditThaw(
                    account: account, environment: purchase.environment, credit: "coins",
                    transaction: purchase, refundedAt: .distantPast, actor: "u", reason: "r")),
            .evidence(
                EvidenceRecord(
                    kind: .notification, digest: digest, bytes: [], judgedAt: .distantPast)),
            .quarantine(
                Quarantine(
                    evidence: LedgerSequence(1), code: "evidence.implausible",
                    transaction: purchase, account: account)),
            .evidenceTicket(ticket),
        ]
        entries.append(
            .ticketClosed(
                TicketClosing(
                    ticket: LedgerSequence(place + Int64(entries.count)), outcome: .givenUp)))
        for type in [RefundRequest.notificationType, "TEST"] {
            entries.append(
                .notification(
                    NotificationFact(
                        environment: .production, uuid: "\(type) \(place)", type: type,
                        subtype: nil, signedDate: .distantPast, evidence: LedgerSequence(1))))
        }
        entries += [
            .refundAnswer(RefundAnswer(request: LedgerSequence(place + 11), outcome: .begun)),
            .policySchedule(
                PolicySchedule(
                    digest: digest, files: [], dueDate: .distantPast, base: digest, actor: "u",
                    reason: "r")),
            .policyScheduleEnd(
                PolicyScheduleEnd(schedule: LedgerSequence(place + 14), outcome: .takenBack)),
            .holdEnd(HoldEnd(hold: LedgerSequence(place), account: account, actor: "u")),
        ]
        if let snapshot = dice.some(of: snapshots).first {
            let app = AppTransactionSnapshot(
                environment: snapshot.environment, bundleID: snapshot.bundleID,
                appTransactionID: snapshot.appTransactionID, signedDate: snapshot.signedDate,
                source: snapshot.source)
            entries.append(
                .appTransaction(
                    AppTransactionFact(
                        snapshot: app, account: account, evidence: LedgerSequence(1))))
        }
        return entries
    }
}
