package import EntitlementModel
internal import EvidenceVerification
package import LedgerModel
internal import PolicyLoading

/// The result of auditing a whole ledger (spec 3.4).
package struct LedgerAudit: Sendable {
    /// The newest entry that was examined: stored elsewhere, it is the anchor of a later audit.
    package let head: LedgerHead
    /// Whether evidence, facts and decisions were checked too.
    package internal(set) var isComplete = false
    /// Entries whose payload was erased: nothing can be said of them but that they are there.
    package internal(set) var erased: Int64 = 0
    /// Of entries that others have to do with, and which are read without the person.
    package internal(set) var restated: Int64 = 0
    /// The erasures that say so.
    package internal(set) var erasures: Int64 = 0
    /// Pieces of evidence that were verified again.
    package internal(set) var evidence: Int64 = 0
    /// Decisions that were made again.
    package internal(set) var decisions: Int64 = 0
    /// Decisions by other versions of the rules than this program's (`ClaimRules.version`), for
    /// each version: they were not made again.
    package internal(set) var decisionsByOtherRules: [Int64: Int64] = [:]
    /// Decisions that could not be made again because they depend on erased entries.
    package internal(set) var decisionsUnknown: Int64 = 0
    /// Accounts and orders whose record in the change feed was compared.
    package internal(set) var outlooks: Int64 = 0
    /// In the ledger's order.
    package internal(set) var problems: [AuditProblem] = []

    /// - Parameter problems: those that prevented further checks.
    package init(head: LedgerHead, problems: [AuditProblem] = []) {
        self.head = head
        self.problems = problems
    }

    /// Those that were found otherwise.
    package mutating func add(_ problems: [LedgerProblem]) {
        self.problems += problems.map(AuditProblem.ledger)
    }
}

/// How a ledger is to be audited.
package struct AuditOptions {
    /// A head that the ledger is known to have had.
    package var anchor: LedgerHead?
    /// Leaves out evidence, facts and decisions.
    package var isQuick = false
    package var progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }

    package init() {}
}

/// Re-checks a ledger, in use or not: what keeps it, the chain and the index; and if nothing is
/// wrong with these but that something was erased, every piece of evidence by the policy of its
/// time, every fact by its evidence, and every decision by the facts before it. Blocks for as long
/// as that takes.
package func auditLedger(
    _ reader: any ReadableLedger, _ options: AuditOptions
) throws(EngineError) -> LedgerAudit {
    let head = try reader.reading { ledger throws(LedgerError) in try ledger.head() }
    let steps = head.sequence.number &* (options.isQuick ? 1 : 2)
    var audit = LedgerAudit(head: head)
    audit.problems = try faults(of: reader, anchor: options.anchor) { checked, _ in
        options.progress(min(checked, steps), steps)
    }
    guard audit.problems.allSatisfy(\.isErasure), !options.isQuick else { return audit }
    // Later entries are left to the next audit: their chain was not checked.
    return try reader.reading { ledger throws(LedgerError) in
        var pass = AuditPass(ledger: ledger, audit: audit) { checked in
            options.progress(head.sequence.number + checked, steps)
        }
        try pass.run()
        pass.sortProblems()
        return pass.audit
    }
}

private func faults(
    of reader: any ReadableLedger, anchor: LedgerHead?,
    progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
) throws(EngineError) -> [AuditProblem] {
    do throws(LedgerError) {
        return try reader.verify(anchor: anchor, progress: progress).map(AuditProblem.ledger)
    } catch {
        // So damaged that the check itself cannot go on.
        guard error.kind == .damaged else { throw .ledger(error) }
        return [.ledger(.file("unreadable"))]
    }
}

/// Something in a ledger that an honest service would not have written (spec 3.4).
package enum AuditProblem: EngineText, Hashable, Sendable {
    /// In the file, the chain or the index.
    case ledger(LedgerProblem)
    /// The text of a policy cannot be read as one.
    case policyUnreadable(LedgerSequence)
    /// The text of a policy is not the one that its digest names.
    case policyDiffers(LedgerSequence)
    /// The policy of its time refuses the evidence, with a code of spec 4.2.
    case evidenceRefused(LedgerSequence, code: String)
    /// The evidence is genuine, and of another kind or time than was recorded.
    case evidenceDiffers(LedgerSequence)
    /// The evidence that a fact or a claim names does not say it.
    case factUnfounded(LedgerSequence)
    /// The facts and the policy before it lead to something else (spec 1.6).
    case decisionDiffers(LedgerSequence)
    /// A scheduled policy has another digest than its text, or its end does not follow from it.
    case scheduleUnfounded(LedgerSequence)
    /// The change feed's record of an account or an order does not follow from the entries it has
    /// published.
    case outlookDiffers(String)

    /// Stable.
    package var code: String {
        switch self {
        case .ledger(let problem): problem.code
        case .policyUnreadable: "policy-unreadable"
        case .policyDiffers: "policy-differs"
        case .evidenceRefused: "evidence-refused"
        case .evidenceDiffers: "evidence-differs"
        case .factUnfounded: "fact-unfounded"
        case .decisionDiffers: "decision-differs"
        case .scheduleUnfounded: "schedule-unfounded"
        case .outlookDiffers: "outlook-differs"
        }
    }

    /// Whether something was erased, so that all that does not depend on it can be checked.
    var isErasure: Bool {
        if case .ledger(let problem) = self { problem.isErasure } else { false }
    }

    /// The entry concerned, if it is about one.
    package var sequence: LedgerSequence? {
        switch self {
        case .ledger(let problem): problem.sequence
        case .policyUnreadable(let sequence), .policyDiffers(let sequence),
            .evidenceRefused(let sequence, _), .evidenceDiffers(let sequence),
            .factUnfounded(let sequence), .decisionDiffers(let sequence),
            .scheduleUnfounded(let sequence):
            sequence
        case .outlookDiffers: nil
        }
    }

    package func facts(in language: Language) -> [String] {
        switch self {
        case .ledger(let problem): problem.facts(in: language)
        case .policyUnreadable(let sequence), .policyDiffers(let sequence),
            .evidenceDiffers(let sequence), .factUnfounded(let sequence),
            .decisionDiffers(let sequence), .scheduleUnfounded(let sequence):
            ["\(sequence)"]
        case .evidenceRefused(let sequence, let code): ["\(sequence)", code]
        case .outlookDiffers(let name): [name]
        }
    }

    package var english: String {
        switch self {
        case .ledger(let problem): problem.template(in: .english)
        case .policyUnreadable: "the policy in entry {0} cannot be read"
        case .policyDiffers: "the policy in entry {0} does not match its digest"
        case .evidenceRefused: "the policy of its time refuses the evidence in entry {0} [{1}]"
        case .evidenceDiffers:
            "the kind or time of the evidence in entry {0} does not match the record"
        case .factUnfounded: "entry {0} does not match its evidence"
        case .decisionDiffers: "entry {0} does not follow from the facts and the policy before it"
        case .scheduleUnfounded: "entry {0} does not follow from what was scheduled before it"
        case .outlookDiffers:
            "what the change feed has told of '{0}' does not follow from the entries"
        }
    }

    package var substitute: (any LocalizedText)? {
        if case .ledger(let problem) = self { return problem }
        return nil
    }
}

/// Goes through a ledger from its first entry on, as its writer did, and compares.
struct AuditPass {
    /// Entries that are read at once.
    private static let batch = 512
    /// More are not collected: the first one counts.
    private static let maximumProblems = 100

    private let ledger: any LedgerReading
    private let progress: (_ checked: Int64) -> Void
    private(set) var audit: LedgerAudit
    private var policies = PolicyReplay()
    private var evidence = EvidenceRecheck()
    private var decisions = DecisionRecheck()
    private var schedules = PolicySchedules()
    /// Erased ones that put policies into force.
    private var erasedPolicies: Set<LedgerSequence> = []
    private var last = LedgerSequence.zero
    /// How far the change feed is, and the policies by then.
    private var feedPlace = LedgerSequence.zero
    private var feedPolicy: ActivePolicy?

    init(
        ledger: any LedgerReading, audit: LedgerAudit,
        progress: @escaping (_ checked: Int64) -> Void
    ) {
        self.ledger = ledger
        self.audit = audit
        self.progress = progress
    }

    mutating func run() throws(LedgerError) {
        feedPlace = try ledger.feedPlace().place
        erasedPolicies = Set(try ledger.erasedPolicyActivations())
        let end = LedgerSequence(audit.head.sequence.number + 1)
        while last < audit.head.sequence {
            let next = try ledger.entries(after: last, limit: Self.batch)
            for entry in next where entry.sequence <= audit.head.sequence { try check(entry) }
            let isEnd = next.last.map { $0.sequence >= audit.head.sequence } ?? true
            if isEnd { skip(before: end) }
            progress(min(last.number, audit.head.sequence.number))
        }
        report(try decisions.finish(at: audit.head.sequence, in: ledger))
        try checkOutlooks()
        finish()
    }

    /// Passes the entries that are not there to be read: the chain has been checked, so they were
    /// erased.
    private mutating func skip(before next: LedgerSequence) {
        while last.number + 1 < next.number {
            last = LedgerSequence(last.number + 1)
            audit.erased += 1
            decisions.skip(last)
            if erasedPolicies.contains(last) { policies.lose(at: last) }
        }
    }

    private mutating func check(_ entry: Recorded<LedgerEntry>) throws(LedgerError) {
        skip(before: entry.sequence)
        last = entry.sequence
        report(try decisions.settle(before: entry, in: ledger))
        switch entry.value {
        case .policyActivation(let activation):
            report(policies.activate(entry.with(activation)))
        case .evidence(let record):
            report(evidence.verify(entry.with(record), under: policies))
        default:
            report(try evidence.compare(entry, in: ledger, under: policies))
        }
        report(decisions.compare(entry, under: policies.whole))
        switch entry.value {
        case .erasure: audit.erasures += 1
        // One that was erased later says nothing any more.
        case .restated: audit.restated += 1
        default: break
        }
        // The missing one may have been erased.
        if !schedules.insert(entry), audit.erased == 0 {
            report(.scheduleUnfounded(entry.sequence))
        }
        if entry.sequence <= feedPlace { feedPolicy = policies.whole }
    }

    /// If something was erased without an erasure, earlier changes may have followed from it.
    private mutating func checkOutlooks() throws(LedgerError) {
        guard !audit.problems.contains(where: \.isErasure), let feedPolicy else { return }
        var outlooks = try OutlookRecheck(ledger, feedPolicy)
        for name in try outlooks.differing(atMost: Self.maximumProblems) {
            report(.outlookDiffers(name))
        }
        audit.outlooks = outlooks.count
    }

    /// In the ledger's order: those of the chain came first.
    mutating func sortProblems() {
        let numbered = audit.problems.enumerated().sorted { left, right in
            let places = (left.element.sequence ?? .zero, right.element.sequence ?? .zero)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }
        audit.problems = numbered.map(\.element)
    }

    private mutating func report(_ problem: AuditProblem?) {
        guard let problem, audit.problems.count < Self.maximumProblems else { return }
        audit.problems.append(problem)
    }

    private mutating func finish() {
        audit.isComplete = true
        audit.evidence = evidence.count
        audit.decisions = decisions.count
        audit.decisionsByOtherRules = decisions.otherRules
        audit.decisionsUnknown = decisions.unknown
    }
}

/// The policies as a ledger puts them into force, entry by entry.
struct PolicyReplay {
    private struct Era {
        let activation: LedgerSequence
        let activatedAt: Instant
        /// Nil where the policy cannot be read.
        let verifier: EvidenceVerifier?
        var isErased = false
    }

    /// Milliseconds for which a submission may be under way while a policy comes into force.
    private static let handover: Int64 = 60_000

    /// Nil if there is none, or if it is unreadable.
    private(set) var current: ActivePolicy?
    private var eras: [Era] = []

    /// The same, with every policy before it; nil once one of them was erased.
    var whole: ActivePolicy? { eras.contains(where: \.isErased) ? nil : current }

    /// One came into force of which nothing is left.
    mutating func lose(at place: LedgerSequence) {
        current = nil
        eras.append(
            Era(activation: place, activatedAt: .distantPast, verifier: nil, isErased: true))
    }

    mutating func activate(_ entry: Recorded<PolicyActivation>) -> AuditProblem? {
        let texts = entry.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        let policy = loadOldPolicy(texts)
        current = policy.map { policy in
            guard var history = current?.history else {
                return ActivePolicy(
                    PolicyHistory(.init(policy: policy, activatedAt: entry.recordedAt)))
            }
            history.activate(policy, at: entry.recordedAt)
            return ActivePolicy(history)
        }
        eras.append(
            Era(
                activation: entry.sequence, activatedAt: entry.recordedAt,
                verifier: current?.verifier))
        guard let policy else { return .policyUnreadable(entry.sequence) }
        return policy.digest == entry.value.digest ? nil : .policyDiffers(entry.sequence)
    }

    /// The verifiers that may have been used for it, the likeliest first: evidence is verified
    /// before the writer's turn, so the policy may have changed in between. None if one of them was
    /// erased.
    func verifiers(
        at sequence: LedgerSequence, recordedAt: Instant
    ) -> [EvidenceVerifier] {
        guard let index = eras.lastIndex(where: { $0.activation < sequence }) else { return [] }
        let isNew = recordedAt.milliseconds(since: eras[index].activatedAt) <= Self.handover
        let possible = eras[(isNew ? max(index - 1, 0) : index)...index].reversed()
        return possible.contains(where: \.isErased) ? [] : possible.compactMap(\.verifier)
    }
}
