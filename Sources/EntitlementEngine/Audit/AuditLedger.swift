package import EntitlementModel
package import LedgerModel

/// What a whole ledger was found to be (spec 3.4).
package struct LedgerAudit: Sendable {
    /// The newest entry that was looked at: kept somewhere else, it is the anchor of a later audit.
    package let head: LedgerHead
    /// Whether evidence, facts and decisions were looked at too.
    package internal(set) var isComplete = false
    /// Entries whose payload was erased: nothing can be said of them but that they are there.
    package internal(set) var erased: Int64 = 0
    /// Pieces of evidence that were verified again.
    package internal(set) var evidence: Int64 = 0
    /// Decisions that were made again.
    package internal(set) var decisions: Int64 = 0
    /// Decisions by other versions of the rules than this program's (`ClaimRules.version`), for
    /// each version: they were not made again.
    package internal(set) var decisionsByOtherRules: [Int64: Int64] = [:]
    /// Decisions that could not be made again because they depend on erased entries.
    package internal(set) var decisionsUnknown: Int64 = 0
    /// Accounts and orders of which it was compared what the change feed has told.
    package internal(set) var outlooks: Int64 = 0
    /// In the ledger's order.
    package internal(set) var problems: [AuditProblem] = []

    /// - Parameter problems: that kept it from being looked at further.
    package init(head: LedgerHead, problems: [AuditProblem] = []) {
        self.head = head
        self.problems = problems
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
    // Entries that came meanwhile are left to the next audit: their chain has not been checked.
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
package enum AuditProblem: Hashable, LocalizedText, Sendable {
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
    /// A scheduled policy has another digest than its text, or what ended does not follow from what
    /// was scheduled.
    case scheduleUnfounded(LedgerSequence)
    /// What the change feed has told of an account or an order, or will tell by time alone, does
    /// not follow from the entries that it has told.
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

    /// Where it is, if it is at one entry.
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
}
