internal import EntitlementModel
internal import LedgerStore

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
    private var entries: Int64 = 0

    init(
        ledger: any LedgerReading, audit: LedgerAudit,
        progress: @escaping (_ checked: Int64) -> Void
    ) {
        self.ledger = ledger
        self.audit = audit
        self.progress = progress
    }

    mutating func run() throws(LedgerStoreError) {
        var last = LedgerSequence.zero
        while last < audit.head.sequence {
            let next = try ledger.entries(after: last, limit: Self.batch)
            for entry in next where entry.sequence <= audit.head.sequence { try check(entry) }
            last = next.last?.sequence ?? audit.head.sequence
            progress(min(last.number, audit.head.sequence.number))
        }
        report(decisions.missing(atEndOf: audit.head.sequence))
        finish()
    }

    private mutating func check(_ entry: Recorded<LedgerEntry>) throws(LedgerStoreError) {
        entries += 1
        switch entry.value {
        case .policyActivation(let activation):
            report(policies.activate(entry.with(activation)))
        case .evidence(let record):
            report(evidence.verify(entry.with(record), under: policies))
        default:
            report(try evidence.compare(entry, in: ledger, under: policies))
        }
        report(try decisions.compare(entry, in: ledger, under: policies.current))
    }

    private mutating func report(_ problem: AuditProblem?) {
        guard let problem, audit.problems.count < Self.maximumProblems else { return }
        audit.problems.append(problem)
    }

    private mutating func finish() {
        audit.isComplete = true
        audit.evidence = evidence.count
        audit.decisions = decisions.count
        audit.erased = audit.head.sequence.number - entries
        guard audit.erased > 0 else { return }
        // What was decided may have followed from what is no longer there.
        audit.decisions = 0
        audit.problems.removeAll { problem in
            if case .decisionDiffers = problem { true } else { false }
        }
    }
}
