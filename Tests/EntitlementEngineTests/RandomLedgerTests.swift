internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification
internal import Foundation
internal import LedgerModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What an engine decided over random histories, beside what it must have decided.
/// `RANDOM_LEDGERS` says how many ledgers.
@Suite("Random ledgers", .timeLimit(.minutes(240)))
struct RandomLedgerTests {
    static let count = Int(ProcessInfo.processInfo.environment["RANDOM_LEDGERS"] ?? "") ?? 6
    private static let steps = 72

    @Test(
        "are sound, and hold what the specification decides", arguments: TestLedger.Store.allCases)
    func ledgers(in store: TestLedger.Store) async throws {
        var (claims, rulings, merges) = (0, 0, 0)
        for seed in 1...UInt64(Self.count) {
            let random = try await RandomLedger(seed: seed, on: store)
            for _ in 0..<Self.steps { try await random.step() }
            let judged = try LedgerReplay(of: random)
            #expect(judged.disagreements == [], "seed \(seed)")
            (claims, rulings) = (claims + judged.claims, rulings + judged.rulings)
            merges += judged.merges
            try random.close()
            let audit = try random.ledger.audit()
            #expect(audit.problems == [], "seed \(seed)")
            #expect(audit.isComplete && audit.decisions > 0, "seed \(seed)")
        }
        #expect(min(claims, rulings, merges) >= Self.count, "something of everything happens")
    }
}

/// The entries of a ledger, each beside what the specification makes of those before it.
struct LedgerReplay {
    private(set) var disagreements: [String] = []
    private(set) var claims = 0
    private(set) var rulings = 0
    private(set) var merges = 0
    private var facts = FactSet()
    private var orders: [OrderID: OrderHistory] = [:]
    private var policies: PolicyHistory?
    /// With the pseudonyms of those who were erased.
    private var people = RandomLedger.owners
    /// Then it cannot be told by what earlier claims were judged.
    private var hasErasures = false

    init(of random: RandomLedger) throws {
        let reader = try random.ledger.openForReading()
        defer { try? reader.close() }
        let entries = try reader.read { try $0.entries(after: .zero, limit: 10_000) }
        for case .restated(let restated) in entries.map(\.value) {
            people.formUnion(restated.pseudonyms)
        }
        hasErasures = entries.contains(where: \.value.isErasure)
        for (index, entry) in entries.enumerated() {
            let next = index + 1 < entries.count ? entries[index + 1].value : nil
            read(entry, before: next)
            facts.insert(entry)
        }
        guard let policies else { return }
        let specification = Specification(policies: policies, facts: facts)
        try compareOwners(specification, random)
        try compareCredits(specification, random)
        try compareFindings(derive(policies: policies, facts: facts).findings, random)
    }

    /// The list that is kept in step with the ledger is what follows from all of it at once.
    private mutating func compareFindings(_ all: [Finding], _ random: RandomLedger) throws {
        let now = random.engine.now()
        var page = try random.engine.findings(of: nil, after: nil, at: now, limit: 100_000)
        try waitUntil("the list is as new as the ledger") {
            page = try random.engine.findings(of: nil, after: nil, at: now, limit: 100_000)
            return page.isComplete && page.revision >= random.engine.revision
        }
        let standing = Set(all.filter { $0.interval.contains(now) })
        // What is to be said of payments and their orders follows from no facts of derivation.
        // Only the key says that whose account it was is erased.
        let listed = page.findings.filter {
            $0.kind != .orderMismatch && $0.kind != .orderPresentedByOther
        }.map { finding in
            var finding = finding
            if finding.kind == .payerErased { finding.kind = .unclaimedPayment }
            return finding
        }
        if Set(listed) != standing {
            let missing = standing.subtracting(listed)
            let surplus = Set(listed).subtracting(standing)
            disagreements.append("findings: missing \(missing), surplus \(surplus)")
        }
        let differing = orders.values.filter { order in
            guard order.payment != nil else {
                return order.events.contains {
                    $0.value.kind == .seen && !$0.value.differences.isEmpty
                }
            }
            return order.recordedState != .refunded && !order.differences.isEmpty
        }
        let mismatches = page.findings.filter { $0.kind == .orderMismatch }
        if Set(mismatches.flatMap(\.facts)).isDisjoint(with: differing.map(\.order.sequence))
            != differing.isEmpty || mismatches.count != differing.count
        {
            disagreements.append("orders that differ: \(differing.count), told \(mismatches)")
        }
        if listed.count != standing.count {
            disagreements.append("a finding is there twice")
        }
    }

    private mutating func read(_ entry: Recorded<LedgerEntry>, before next: LedgerEntry?) {
        switch entry.value {
        case .policyActivation(let activation): activate(activation, at: entry.recordedAt)
        case .claim(let claim): judge(claim, entry, before: next)
        case .ruling(let ruling): rule(ruling, entry, before: next)
        case .accountMerge: merges += 1
        case .order(let order): orders[order.id] = OrderHistory(order: entry.with(order))
        case .orderEvent(let event): orders[event.order]?.events.append(entry.with(event))
        default: break
        }
    }

    private mutating func activate(_ activation: PolicyActivation, at instant: Instant) {
        let texts = activation.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        guard let policy = loadPolicy(texts).policy else {
            disagreements.append("a policy that cannot be read")
            return
        }
        if policies == nil {
            policies = PolicyHistory(.init(policy: policy, activatedAt: instant))
        } else {
            policies?.activate(policy, at: instant)
        }
    }

    /// Claims that a merge presents for the other account were decided before.
    private mutating func judge(
        _ claim: Claim, _ entry: Recorded<LedgerEntry>, before next: LedgerEntry?
    ) {
        guard let policies, case .decision(let decision)? = next, !decision.isOfMerge,
            !hasErasures
        else { return }
        claims += 1
        let judgement = Specification(policies: policies, facts: facts)
            .judgement(of: claim, recordedAt: entry.recordedAt)
        let isSame =
            judgement?.outcome == decision.outcome
            && judgement?.ownersAfter == decision.ownersAfter && judgement?.isRecorded == true
        if !isSame { disagreements.append("the claim in \(entry.sequence)") }
    }

    private mutating func rule(
        _ ruling: Ruling, _ entry: Recorded<LedgerEntry>, before next: LedgerEntry?
    ) {
        guard let policies, case .decision(let decision)? = next, !hasErasures else { return }
        rulings += 1
        let specification = Specification(policies: policies, facts: facts)
        let key = TransactionKey(decision.unit.environment, decision.transactionID)
        let specified = specification.unit(of: key).map { specification.ruling(ruling, on: $0) }
        guard case .decided(let owners, _)? = specified, owners == Set(decision.ownersAfter) else {
            disagreements.append("the ruling in \(entry.sequence)")
            return
        }
    }
}

extension LedgerReplay {
    /// Whoever owns a unit, and nobody else: no policy here shares.
    private mutating func compareOwners(
        _ specification: Specification, _ random: RandomLedger
    ) throws {
        var owners: [OwnedUnit: Set<AccountID>] = [:]
        for account in people {
            for unit in try timeline(of: account, random).units {
                let held = unit.owners.filter { $0.interval.end == nil }.map(\.account)
                owners[unit.unit] = Set(held)
            }
        }
        for unit in specification.units {
            let specified = specification.lastOwners(of: unit)
            if specified.count > 1 { disagreements.append("several own \(unit)") }
            if specified != owners[unit] ?? [] { disagreements.append("the owners of \(unit)") }
        }
    }

    /// Whatever came of a purchase is with its owner, and nothing of it anywhere else; what went
    /// from one to the other comes to nothing (spec 1.7, 1.11).
    private mutating func compareCredits(
        _ specification: Specification, _ random: RandomLedger
    ) throws {
        var entries: [TransactionKey: [CreditTimeline.Entry]] = [:]
        // Two spellings of one account have one balance.
        for account in Set(people.map(specification.name)) {
            for (key, credit) in try timeline(of: account, random).balances {
                for entry in credit.entries {
                    if let transaction = entry.transaction {
                        entries[transaction, default: []].append(entry)
                    }
                }
                let instant = Instant(milliseconds: 4_000_000_000_000)
                let balance = specification.balance(of: account, key: key, at: instant)
                if balance != credit.balance(at: instant) {
                    disagreements.append("\(key.credit) of \(account)")
                }
            }
        }
        for (transaction, entries) in entries {
            let unit = specification.unit(of: transaction)
            let isOwned = unit.map { !specification.lastOwners(of: $0).isEmpty } ?? false
            if !(isOwned ? entries.movesComeToNothing : entries.units == 0) {
                disagreements.append("what was moved of \(transaction.transactionID)")
            }
        }
    }

    private func timeline(
        of account: AccountID, _ random: RandomLedger
    ) throws -> AccountTimeline {
        try random.engine.questions.derive(
            account, at: .distantPast, in: nil, through: nil
        ).timeline
    }
}

extension OwnershipDecision {
    fileprivate var isOfMerge: Bool { rule.name == "the accounts were merged" }
}

extension [CreditTimeline.Entry] {
    fileprivate var units: Int64 { reduce(0) { $0 + $1.units } }

    /// What is refunded while a ruling has left the purchase to nobody is taken from nobody: it is
    /// not there any more for the next owner.
    fileprivate var movesComeToNothing: Bool {
        let moved = filter { $0.cause == .merge || $0.cause == .ruling }.units
        let isTakenFromNobody = units == 0 && !contains { $0.cause == .clawBack }
        return moved == 0 || isTakenFromNobody
    }
}
