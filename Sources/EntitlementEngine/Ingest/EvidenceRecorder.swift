internal import EntitlementDerivation
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// Writes what submissions bring into the ledger: the evidence, the facts in it that are new,
/// the claims that it makes and the decisions on them, in one commit (spec 1.6, 1.8).
///
/// Everything that is known already is omitted, by the natural keys of the facts: presenting
/// the same purchase again, in whatever bytes, adds nothing.
struct EvidenceRecorder {
    let ledger: any LedgerWriting
    let policy: ActivePolicy
    /// When all of it is recorded.
    let now: Instant
    /// The clock's time: refusals are counted by it, so that a clock that is set back stops none.
    private let calledAt: Instant
    let refusals: RefusalThrottle
    private let commit: EngineTransaction
    /// One per submission, in order; views and revisions are added after the commit.
    private(set) var outcomes: [SubmissionReport] = []
    /// Accounts whose timelines this makes stale.
    private(set) var touched: Set<AccountID> = []
    /// Accounts that the current piece of evidence gave something.
    private var newOwners: Set<AccountID> = []

    init(_ commit: EngineTransaction, calledAt: Instant, refusals: RefusalThrottle) {
        self.commit = commit
        ledger = commit.transaction
        policy = commit.policy
        now = commit.now
        self.calledAt = calledAt
        self.refusals = refusals
    }

    mutating func record(
        _ submission: EvidenceSubmission, _ verdict: SubmissionVerdict
    ) throws(LedgerError) {
        switch verdict {
        case .judged(let verdict): try record(submission, verdict)
        case .awaited(let awaited):
            let (submission, _) = try addressed(submission)
            let ticket = try commit.open(awaited, from: submission, calledAt: calledAt)
            outcomes.append(
                ticket.map { .waiting($0.sequence) } ?? .unanswerable(.tooManyWaiting))
        case .unanswerable(let why): outcomes.append(.unanswerable(why))
        }
    }

    mutating func record(
        _ submission: EvidenceSubmission, _ verdict: EvidenceVerdict
    ) throws(LedgerError) {
        switch verdict {
        case .refused(let refusal):
            let recorded = EvidenceRefusal(
                digest: refusal.digest, code: refusal.code.rawValue,
                order: try orderOfAccount(submission))
            if refusals.admits(recorded, at: calledAt) {
                _ = try ledger.append(.refusal(recorded), at: now)
            }
            outcomes.append(.refused(refusal))
        case .quarantined(let evidence):
            let (submission, merged) = try addressed(submission)
            var judged = try quarantine(evidence, from: submission.account)
            judged.orderProblem = try namedOrder(submission, paidBy: [], FactSet()).problem
            judged.mergedInto = merged
            judged.isAppleNotAsked = submission.asksApple
            outcomes.append(.judged(judged))
        case .accepted(let evidence):
            let (submission, merged) = try addressed(submission)
            var judged = try record(evidence, from: submission)
            judged.mergedInto = judged.mergedInto ?? merged
            outcomes.append(.judged(judged))
        }
    }

    /// The order that is named with evidence, if it is the account's.
    private func orderOfAccount(
        _ submission: EvidenceSubmission
    ) throws(LedgerError) -> OrderID? {
        guard let order = submission.order, let account = try addressed(submission).0.account,
            let history = try ledger.order(order),
            try ledger.account(standingFor: policy.name(history.account), policy) == account
        else { return nil }
        return order
    }

    /// Evidence submitted for an account that was merged into another one belongs to that one,
    /// while the merge is in effect (spec 1.6). The second is nil for all others.
    private func addressed(
        _ submission: EvidenceSubmission
    ) throws(LedgerError) -> (EvidenceSubmission, mergedInto: AccountID?) {
        guard let account = submission.account.map(policy.name) else { return (submission, nil) }
        var addressed = submission
        addressed.account = account
        let standing = try ledger.account(standingFor: account, policy)
        guard standing != account else { return (addressed, nil) }
        addressed.account = standing
        return (addressed, standing)
    }

    private mutating func quarantine(
        _ evidence: QuarantinedEvidence, from account: AccountID?
    ) throws(LedgerError) -> JudgedSubmission {
        var stored = StoredEvidence(
            EvidenceRecord(
                kind: evidence.kind, digest: evidence.digest, bytes: evidence.bytes,
                judgedAt: evidence.judgedAt),
            ledger: ledger, now: now)
        try stored.appendQuarantine([evidence.part], presentedBy: account)
        if let account, stored.hasNewFacts { touched.insert(account) }
        return JudgedSubmission(
            kind: evidence.kind, transactions: [], quarantined: [evidence.part])
    }

    private mutating func record(
        _ verified: VerifiedEvidence, from submission: EvidenceSubmission
    ) throws(LedgerError) -> JudgedSubmission {
        var evidence = verified
        // Where the policy says what the app itself gives, whoever presents it claims it.
        if submission.account != nil, !policy.history.current.appRules.isEmpty {
            evidence.transactions += [evidence.appPurchase].compactMap(\.self)
        }
        var stored = StoredEvidence(
            EvidenceRecord(
                kind: evidence.kind, digest: evidence.digest, bytes: evidence.bytes,
                judgedAt: evidence.judgedAt),
            ledger: ledger, now: now)
        try stored.appendQuarantine(evidence.implausible, presentedBy: submission.account)
        try stored.appendNewFacts(of: evidence, presentedBy: submission.account)
        let facts = JudgedFacts(evidence)
        let (reports, problem, claimant) = try judge(facts, submission, &stored)
        if stored.hasNewFacts {
            touched.formUnion(try ledger.accountsConcerned(byLineages: facts.lineages))
        }
        var judged = JudgedSubmission(
            kind: evidence.kind, transactions: reports, quarantined: evidence.implausible)
        judged.orderProblem = problem
        if claimant != submission.account { judged.mergedInto = claimant }
        let ticket = try commit.openTicket(about: evidence, from: submission, &stored)
        judged.ticket = ticket?.sequence
        judged.awaitedTicket = submission.asksApple ? ticket?.sequence : nil
        judged.isAppleNotAsked = submission.asksApple && ticket == nil
        return judged
    }

    /// Makes the claims of the evidence, and decides each once.
    private mutating func judge(
        _ evidence: JudgedFacts, _ submission: EvidenceSubmission,
        _ stored: inout StoredEvidence
    ) throws(LedgerError) -> (
        reports: [TransactionReport], problem: OrderNameProblem?, claimant: AccountID?
    ) {
        guard !evidence.transactions.isEmpty else {
            try followPlans(evidence, submission)
            let problem = try namedOrder(submission, paidBy: [], FactSet()).problem
            return ([], problem, submission.account)
        }
        var facts = try ledger.facts(
            forClaimsOn: evidence.transactions.map(\.key),
            by: submission.account.map { [$0] } ?? [])
        newOwners = []
        try appendSuccessions(since: stored.firstNewFact, to: &facts)
        let named = try namedOrder(
            submission, paidBy: evidence.transactions.map(\.key), facts)
        let presentation = Presentation(
            submission, evidence, evidence: stored.sequence ?? .zero, named: named.use)
        let presented = try commit.claims(presentedBy: presentation, &facts)
        var verdicts: [OwnedUnit: JudgedClaim] = [:]
        let reporters = try reporters(evidence, submission, facts, named)
        for claim in presented {
            var claim = claim
            if let reporter = reporters[claim.transaction] {
                (claim.account, claim.order) = (reporter, nil)
                facts.merge(try ledger.facts(forClaimsOn: [], by: [reporter]))
            }
            let judged = policy.deriver.judge(claim, recordedAt: now, facts)
            for verdict in judged { try append(verdict, to: &facts, &stored) }
            guard let unit = judged.first?.unit else { continue }
            verdicts[unit] = judged.first
            // The owners once all of it is recorded, as when it is presented again.
            if let last = judged.last { verdicts[unit]?.ownersAfter = last.ownersAfter }
        }
        for verdict in verdicts.values where verdict.isRecorded {
            newOwners.formUnion(verdict.ownersAfter)
        }
        var submission = submission
        let claimants = Set(presented.map(\.account))
        // All of it may have been bought before a merge up to an instant (spec 1.6).
        if presentation.account != nil, claimants.count == 1 {
            submission.account = claimants.first
        }
        let orders = try settleOrders(evidence, submission, facts, named)
        let holdings = policy.deriver.holdings(of: evidence.transactions.map(\.key), facts)
        var reported: Set<TransactionKey> = []
        let reports = evidence.transactions.filter { reported.insert($0.key).inserted }
            .map { snapshot in
                let holding = holdings[snapshot.key]
                return TransactionReport(
                    snapshot, verdict: holding.flatMap { verdicts[$0.unit] },
                    owners: holding?.owners ?? [], presentedBy: submission.account,
                    order: orders.of[snapshot.key])
            }
        return (reports, orders.problem, submission.account)
    }

    /// Whose the payments are that the presenter has no order for, by what clients have reported.
    private func reporters(
        _ evidence: JudgedFacts, _ submission: EvidenceSubmission, _ facts: FactSet,
        _ named: NamedOrder
    ) throws(LedgerError) -> [TransactionKey: AccountID] {
        guard let account = submission.account, try ledger.hasOrders() else { return [:] }
        return try OrderLedger(commit).reporters(
            of: policy.deriver.payments(of: evidence.transactions.map(\.key), facts),
            presentedBy: account, named: named.use?.payment)
    }

    /// Gives a lineage that continues an older one to that one's owners, as soon as both are known
    /// (spec 1.4).
    private mutating func appendSuccessions(
        since place: LedgerSequence?, to facts: inout FactSet
    ) throws(LedgerError) {
        guard let place else { return }
        for decision in policy.deriver.successions(firstKnownSince: place, recordedAt: now, facts) {
            let sequence = try ledger.append(.decision(decision), at: now)
            facts.decisions.append(
                Recorded(sequence: sequence, recordedAt: now, value: decision))
            touched.formUnion(decision.ownersBefore + decision.ownersAfter)
            newOwners.formUnion(decision.ownersAfter)
        }
    }

    /// Finds the orders that the transactions pay, and follows those that are paid.
    ///
    /// - Returns: the order of each transaction that has one, as far as the caller may know it.
    private mutating func settleOrders(
        _ evidence: JudgedFacts, _ submission: EvidenceSubmission, _ facts: FactSet,
        _ named: NamedOrder
    ) throws(LedgerError) -> (of: [TransactionKey: OrderID], problem: OrderNameProblem?) {
        guard try ledger.hasOrders() else { return ([:], named.problem) }
        let payments = policy.deriver.payments(of: evidence.transactions.map(\.key), facts)
        var orders = OrderLedger(commit)
        try orders.settle(payments, claimant: submission.account, named: named.use)
        try orders.deliver(to: newOwners)
        try orders.followPlans(of: evidence.lineages, facts)
        var problem = named.problem
        if problem == .payment, let id = named.id, let account = submission.account,
            try orders.isThere(id, by: payments, for: account)
        {
            problem = nil
        }
        touched.formUnion(orders.touched)
        var found: [TransactionKey: OrderID] = [:]
        for payment in payments {
            guard let paid = try orders.order(paidBy: payment) else { continue }
            let owner = try commit.orders.owner(of: paid)
            // Only the account of an order can report for it.
            guard submission.account == nil || submission.account == owner else { continue }
            for key in payment.keys { found[key] = paid.id }
        }
        return (found, problem)
    }

    /// Renewal infos alone say what becomes of plans.
    private mutating func followPlans(
        _ evidence: JudgedFacts, _ submission: EvidenceSubmission
    ) throws(LedgerError) {
        guard !evidence.renewals.isEmpty, try ledger.hasOrders() else { return }
        var facts = FactSet()
        for lineage in evidence.lineages { facts.merge(try ledger.facts(forLineage: lineage)) }
        var orders = OrderLedger(commit)
        try orders.followPlans(of: evidence.lineages, facts)
        touched.formUnion(orders.touched)
    }

    /// What became of the order that was named with evidence.
    private struct NamedOrder {
        var use: (order: OrderID, payment: TransactionKey)?
        var problem: OrderNameProblem?
        /// Nil for one that is unknown, or another account's.
        var id: OrderID?
    }

    /// - Parameter transactions: those in the evidence that have an effect.
    private func namedOrder(
        _ submission: EvidenceSubmission, paidBy transactions: [TransactionKey],
        _ facts: FactSet
    ) throws(LedgerError) -> NamedOrder {
        guard let name = submission.order else { return NamedOrder() }
        // UUIDs are compared without case.
        let id = name.token.map { OrderID($0) } ?? name
        guard let order = try ledger.order(id) else { return NamedOrder(problem: .unknown) }
        guard let account = submission.account,
            try commit.orders.owner(of: order)
                == commit.standing(for: account, at: order.order.recordedAt)
        else {
            return NamedOrder(problem: .owner)
        }
        let payments = policy.deriver.payments(of: transactions, facts)
        guard let payment = try OrderLedger(commit).payment(of: order, among: payments) else {
            return NamedOrder(problem: .payment, id: id)
        }
        return NamedOrder(use: (id, payment), id: id)
    }

    /// Appends a claim and its decision, unless they say nothing new.
    private mutating func append(
        _ verdict: JudgedClaim, to facts: inout FactSet, _ stored: inout StoredEvidence
    ) throws(LedgerError) {
        guard verdict.isRecorded else { return }
        var claim = verdict.claim
        claim.evidence = try stored.sequenceForClaim(on: claim.transaction)
        let cause = try ledger.append(.claim(claim), at: now)
        let decision = verdict.decision(cause: cause, policy: policy.digest)
        let place = try ledger.append(.decision(decision), at: now)
        facts.claims.append(Recorded(sequence: cause, recordedAt: now, value: claim))
        facts.decisions.append(Recorded(sequence: place, recordedAt: now, value: decision))
        touched.insert(claim.account)
        touched.formUnion(decision.ownersBefore)
        touched.formUnion(decision.ownersAfter)
    }
}

/// What is judged of evidence once its facts are recorded.
struct JudgedFacts {
    var transactions: [TransactionSnapshot]
    var renewals: [RenewalSnapshot]
    var isNotification = true

    /// The lineages that it speaks of.
    var lineages: [LineageKey] {
        Set(transactions.map(\.lineage) + renewals.map(\.lineage)).sorted()
    }
}

extension JudgedFacts {
    fileprivate init(_ evidence: VerifiedEvidence) {
        self.init(
            transactions: evidence.transactions, renewals: evidence.renewals,
            isNotification: evidence.kind == .notification)
    }
}

extension EvidenceRecorder {
    /// Records what a notification would tell, without evidence: only what is assumed has none.
    mutating func assume(_ facts: JudgedFacts) throws(LedgerError) {
        var stored = StoredEvidence(assumedIn: ledger, now: now)
        try stored.append(facts.transactions, facts.renewals)
        _ = try judge(facts, EvidenceSubmission(payload: []), &stored)
    }
}

extension Presentation {
    /// - Parameters:
    ///   - evidence: the ledger entry that holds the bytes.
    ///   - named: the order that was named with it, and what pays it.
    fileprivate init(
        _ submission: EvidenceSubmission, _ verified: JudgedFacts, evidence: LedgerSequence,
        named: (order: OrderID, payment: TransactionKey)?
    ) {
        self.init(
            account: verified.isNotification ? nil : submission.account,
            moment: submission.moment, orderedTransaction: named?.payment, order: named?.order,
            transactions: verified.transactions, evidence: evidence)
        presentedAt = submission.presentedAt
    }
}
