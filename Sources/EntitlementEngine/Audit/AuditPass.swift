internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import PolicyLoading

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
        // What was erased may have been what it names.
        if !schedules.insert(entry), audit.erased == 0 {
            report(.scheduleUnfounded(entry.sequence))
        }
        if entry.sequence <= feedPlace { feedPolicy = policies.whole }
    }

    /// Where something was erased, what was told followed from what nobody knows any more.
    private mutating func checkOutlooks() throws(LedgerError) {
        guard audit.erased == 0, let feedPolicy else { return }
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

    /// Nil where there is none, or where it cannot be read.
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

    /// Those that may have judged what was recorded there, the likeliest first: evidence is
    /// verified before the writer's turn, so the policy may have changed in between. None where
    /// one of them was erased.
    func verifiers(
        at sequence: LedgerSequence, recordedAt: Instant
    ) -> [EvidenceVerifier] {
        guard let index = eras.lastIndex(where: { $0.activation < sequence }) else { return [] }
        let isNew = recordedAt.milliseconds(since: eras[index].activatedAt) <= Self.handover
        let possible = eras[(isNew ? max(index - 1, 0) : index)...index].reversed()
        return possible.contains(where: \.isErased) ? [] : possible.compactMap(\.verifier)
    }
}
