package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel
package import Sentences

/// Why something that is assumed cannot happen.
package enum AssumptionFault: String, CaseIterable, EngineText, Sendable {
    case unknownTransaction
    case alreadyRefunded
    case notRenewing
    case notWaiting
    case unknownName
    case impossible

    package var code: ProblemCode {
        switch self {
        case .unknownTransaction: .assumptionUnknownTransaction
        case .alreadyRefunded: .assumptionRefunded
        case .notRenewing: .assumptionNotRenewing
        case .notWaiting: .assumptionNotWaiting
        case .unknownName: .assumptionUnknownName
        case .impossible: .assumptionImpossible
        }
    }

    package var english: String {
        switch self {
        case .unknownTransaction: "no such transaction is known"
        case .alreadyRefunded: "the transaction is refunded already"
        case .notRenewing: "the purchase does not renew"
        case .notWaiting: "no such claim waits for a ruling"
        case .unknownName: "the policy has no entitlement or credit of that name"
        case .impossible: "the account was merged, or the dates or amounts are impossible"
        }
    }

    fileprivate init(_ rejection: AdminActionRejection) {
        switch rejection {
        case .unknownClaim, .ruling: self = .notWaiting
        case .unknownGift: self = .unknownName
        case .ownedByOther, .unknownGrant, .unknownBlock, .notClosed, .emptyGift, .tooManyUnits,
            .conflict, .tokenTaken, .merged, .unknownRefund, .refundAnswered, .newerDecision,
            .merge, .erasureWithoutKey, .unknownAccount, .erasedBefore, .waitsForErasure,
            .referenceNamesAccount:
            self = .impossible
        }
    }
}

extension LedgerQuestions {
    /// The same questions as if all of this had happened, one after the other, at the instant that
    /// is asked about (spec 1.10, `assume`). Nothing is written, and nothing is kept: what is
    /// assumed is judged in the view that each answer is read from. What cannot happen is thrown by
    /// the question.
    ///
    /// - Parameter environment: that of the transactions that are named.
    package func assuming(
        _ assumptions: [Assumption], at instant: Instant,
        in environment: StoreEnvironment = .production
    ) -> LedgerQuestions {
        guard !assumptions.isEmpty else { return self }
        let assumed = AssumedLedger(
            base: ledger,
            events: AssumedEvents(assumptions, at: instant, in: environment, policy: policy))
        var questions = LedgerQuestions(
            ledger: assumed, policy: policy, waiting: WaitingClaims(),
            pastPolicies: pastPolicies, past: past)
        questions.isAssumed = true
        questions.privacyKey = privacyKey
        return questions
    }
}

/// What is assumed, for any view of a ledger.
struct AssumedEvents {
    let assumptions: [Assumption]
    let instant: Instant
    let environment: StoreEnvironment
    let policy: ActivePolicy

    init(
        _ assumptions: [Assumption], at instant: Instant, in environment: StoreEnvironment,
        policy: ActivePolicy
    ) {
        (self.assumptions, self.instant) = (assumptions, instant)
        (self.environment, self.policy) = (environment, policy)
    }

    /// The view as if all of it had happened.
    func reading(
        _ reader: any LedgerReading
    ) throws(LedgerError) -> Result<AssumedReading, EngineError> {
        let assumed = try AssumedReading(reader)
        // Apple is not asked about what is assumed.
        let commit = EngineTransaction(
            transaction: assumed, policy: policy, now: try assumed.recordingInstant(at: instant),
            mayAskApple: false, mayAskAboutReceipts: false, appStoreQueue: AppStoreQueue(),
            refreshAge: nil, privacyKey: nil, credits: CreditsOfCommit(CreditCache(limit: 0)))
        for (index, assumption) in assumptions.enumerated() {
            let recorder = try AssumptionRecorder(commit, at: instant, in: environment)
            if let fault = try recorder.record(assumption) {
                return .failure(.assumption(fault, number: index + 1))
            }
        }
        assumed.seal()
        return .success(assumed)
    }
}

/// A ledger as it would be if that had happened.
private struct AssumedLedger: ReadableLedger {
    let base: any ReadableLedger
    let events: AssumedEvents

    func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try base.read { reader in try body(try events.reading(reader).get()) }
    }

    func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try base.verify(anchor: anchor, progress: progress)
    }

    func close() throws(LedgerError) { try base.close() }
}

/// Makes what is assumed into the records that the real thing would leave.
struct AssumptionRecorder {
    let commit: EngineTransaction
    let instant: Instant
    let environment: StoreEnvironment
    /// Where the first record of it stands: what it makes is named after that.
    private let place: LedgerSequence

    init(
        _ commit: EngineTransaction, at instant: Instant, in environment: StoreEnvironment
    ) throws(LedgerError) {
        (self.commit, self.instant, self.environment) = (commit, instant, environment)
        place = LedgerSequence(try commit.transaction.head().sequence.number + 1)
    }

    private static let actor = "assumption"
    private var name: String { "assumed-\(place)" }
    private var cause: AdminActionCause {
        AdminActionCause(actor: Self.actor, reason: Self.actor)
    }

    /// - Returns: why it cannot happen; nil where it is recorded.
    func record(_ assumption: Assumption) throws(LedgerError) -> AssumptionFault? {
        switch assumption {
        case .renews(let id): try renew(id)
        case .fails(let id, let grace): try fail(id, grace)
        case .isRefunded(let id, let percent): try refund(id, percent: percent)
        case .isApproved(let claim): try approve(claim)
        case .grant(let account, let gift, let until):
            fault(
                in: try commit.grant(
                    GrantRequest(
                        id: GrantID(unchecked: name), account: account, environment: environment,
                        gift: gift, from: instant, until: until, cause: cause)
                ).value)
        case .block(let account, let scope):
            fault(
                in: try commit.block(
                    account, scope: scope, id: BlockID(unchecked: name), cause
                ).value)
        }
    }

    private func fault(in report: AdminActionReport<some Sendable>) -> AssumptionFault? {
        switch report {
        case .done: nil
        case .rejected(let rejection): AssumptionFault(rejection)
        }
    }

    private func approve(_ named: AssumedClaim) throws(LedgerError) -> AssumptionFault? {
        guard let claim = try place(of: named) else { return .notWaiting }
        return fault(
            in: try commit.rule(RulingRequest(verb: .approve, claim: claim, cause: cause)).value)
    }

    /// The newest one of the account that waits.
    private func place(of claim: AssumedClaim) throws(LedgerError) -> LedgerSequence? {
        switch claim {
        case .entry(let place): return place
        case .of(let account, let id):
            let key = TransactionKey(environment, id)
            let (ledger, policy) = (commit.transaction, commit.policy)
            let lineage = try ledger.lineage(of: key)
            let facts = policy.folding(try ledger.facts(forRulingsOn: [key]))
            let account = policy.name(account)
            for record in facts.claimRecords.reversed()
            where record.isWaiting && record.claim.value.account == account {
                guard try ledger.lineage(of: record.claim.value.transaction) == lineage else {
                    continue
                }
                return record.claim.sequence
            }
            return nil
        }
    }

    private func refund(
        _ id: TransactionID, percent: Int64?
    ) throws(LedgerError) -> AssumptionFault? {
        guard let line = try line(of: id), let known = line.newest(TransactionKey(environment, id))
        else { return .unknownTransaction }
        guard known.revocation == nil else { return .alreadyRefunded }
        guard instant >= known.purchaseDate else { return .impossible }
        var refunded = signed(known, at: max(instant, line.lastSigned))
        refunded.revocation =
            known.ownership == .familyShared
            ? Revocation(date: instant, type: .known(.family))
            : Revocation(
                date: instant, reason: 0, type: .known(percent == nil ? .full : .prorated),
                percentage: (percent ?? 100) * 1_000)
        try tell([refunded], [])
        return nil
    }

    private func tell(
        _ transactions: [TransactionSnapshot], _ renewals: [RenewalSnapshot]
    ) throws(LedgerError) {
        var recorder = EvidenceRecorder(commit, calledAt: instant, refusals: RefusalThrottle())
        try recorder.assume(JudgedFacts(transactions: transactions, renewals: renewals))
    }
}

/// Renewals: Apple tells of them when the period ends, or at once where that has passed.
extension AssumptionRecorder {
    private func fail(
        _ id: TransactionID, _ grace: AssumedGrace?
    ) throws(LedgerError) -> AssumptionFault? {
        guard let line = try line(of: id) else { return .unknownTransaction }
        guard let (period, end) = line.renewing(commit.policy) else { return .notRenewing }
        var info = line.info(after: period)
        info.isInBillingRetryPeriod = true
        info.expirationIntent = .billingError
        switch grace {
        case nil: info.gracePeriodExpiresDate = nil
        case .days(let days):
            info.gracePeriodExpiresDate = end.advanced(byMilliseconds: days * 86_400_000)
        case .until(let date): info.gracePeriodExpiresDate = date
        }
        sign(&info, at: max(end, line.lastSigned))
        try tell([], [info])
        return nil
    }

    private func renew(_ id: TransactionID) throws(LedgerError) -> AssumptionFault? {
        guard let line = try line(of: id) else { return .unknownTransaction }
        guard let (period, end) = line.renewing(commit.policy) else { return .notRenewing }
        var info = line.info(after: period)
        // A charge that succeeds late begins a period then, unless grace lasts until then.
        let isLate = info.fails && (info.gracePeriodExpiresDate.map { $0 <= instant } ?? true)
        let start = isLate ? max(end, instant) : end
        var next = signed(period, at: max(start, line.lastSigned))
        next.transactionID = TransactionID(unchecked: "\(period.transactionID.text)~\(place)")
        next.productID = info.autoRenewProductID ?? period.productID
        next.purchaseDate = start
        next.expiresDate = self.end(of: next, after: period, end)
        next.webOrderLineItemID = nil
        next.offer = nil
        next.transactionReason = .known(.renewal)
        next.additionalReason = nil
        next.price = info.renewalPrice ?? period.price
        next.countMonth(after: period, end)
        info.renewed(by: next)
        sign(&info, at: next.signedDate)
        try tell([next], [info])
        return nil
    }

    /// By the catalogue in production, where Apple keeps to it; else as long as the last one.
    private func end(
        of next: TransactionSnapshot, after period: TransactionSnapshot, _ end: Instant
    ) -> Instant {
        let product = commit.policy.history.current.products[next.productID]
        if environment == .production, let length = product?.period {
            return length.end(from: next.purchaseDate)
        }
        return next.purchaseDate.advanced(
            byMilliseconds: end.milliseconds(since: period.purchaseDate))
    }
}

/// What Apple would have signed.
extension AssumptionRecorder {
    /// The digest says which one is older of those signed at one instant.
    private var source: EvidenceSource {
        EvidenceSource(
            form: .jws, trust: .signed, canonicalDigest: EntryHash.digest(of: Array(name.utf8)))
    }

    private func signed(_ known: TransactionSnapshot, at date: Instant) -> TransactionSnapshot {
        var snapshot = known
        let product = commit.policy.history.current.products[known.productID]
        (snapshot.source, snapshot.signedDate) = (source, date)
        snapshot.kind = known.kind ?? product.map { .known($0.kind) }
        if known.ownership == .notStated { snapshot.ownership = .purchased }
        return snapshot
    }

    private func sign(_ info: inout RenewalSnapshot, at date: Instant) {
        (info.source, info.signedDate) = (source, date)
    }

    /// Nil for what is not known.
    private func line(of id: TransactionID) throws(LedgerError) -> AssumedLine? {
        let ledger = commit.transaction
        let named = try ledger.lineage(of: TransactionKey(environment, id))
        let lineage = named ?? LineageKey(environment, id)
        let facts = try ledger.facts(forLineage: lineage)
        let line = AssumedLine(lineage, facts)
        return line.transactions.isEmpty ? nil : line
    }
}

/// One lineage, as the ledger knows it.
private struct AssumedLine {
    let lineage: LineageKey
    let transactions: [TransactionSnapshot]
    let renewals: [RenewalSnapshot]

    init(_ lineage: LineageKey, _ facts: FactSet) {
        self.lineage = lineage
        transactions = facts.transactions.map(\.value).filter { $0.lineage == lineage }
        renewals = facts.renewals.map(\.value).filter { $0.lineage == lineage }
    }

    /// Later than anything that Apple has signed.
    var lastSigned: Instant {
        let dates = transactions.map(\.signedDate) + renewals.map(\.signedDate)
        return (dates.max() ?? .distantPast).advanced(byMilliseconds: 1)
    }

    /// The newest snapshot; one of a JWS before others, which say less.
    func newest(_ key: TransactionKey) -> TransactionSnapshot? {
        let known = transactions.filter { $0.key == key }
        let signed = known.filter { $0.source.form == .jws }
        let newest = (signed.isEmpty ? known : signed).max { $0.signedDate < $1.signedDate }
        guard var snapshot = newest else { return nil }
        // Receipts tell of refunds too.
        snapshot.revocation =
            snapshot.revocation ?? known.max { $0.signedDate < $1.signedDate }?.revocation
        return snapshot
    }

    /// The last period with its end, where another one may follow.
    func renewing(_ policy: ActivePolicy) -> (period: TransactionSnapshot, end: Instant)? {
        let keys = Set(transactions.map(\.key))
        let periods = keys.compactMap(newest).filter { $0.expiresDate != nil && !$0.isUpgraded }
        let last = periods.max {
            ($0.purchaseDate, $0.expiresDate ?? $0.purchaseDate)
                < ($1.purchaseDate, $1.expiresDate ?? $1.purchaseDate)
        }
        guard let last, let end = last.expiresDate, last.revocation == nil else { return nil }
        let kind =
            last.kind?.known ?? policy.history.current.products[last.productID]?.kind
        guard kind == .autoRenewable, willRenew(after: last) else { return nil }
        return (last, end)
    }

    private func willRenew(after period: TransactionSnapshot) -> Bool {
        guard let info = newestInfo(of: period) else { return true }
        if let number = period.commitmentPeriod, let count = period.commitmentPeriods,
            let follows = info.commitment?.autoRenewStatus
        {
            return number < count || follows
        }
        return info.autoRenewStatus != false && (info.expirationIntent == nil || info.fails)
    }

    /// Infos before a period do not speak of it.
    private func newestInfo(of period: TransactionSnapshot) -> RenewalSnapshot? {
        let signed = transactions.filter { $0.key == period.key }.map(\.signedDate)
        let since = min(period.purchaseDate, signed.min() ?? period.purchaseDate)
        return renewals.filter { $0.signedDate >= since }.max { $0.signedDate < $1.signedDate }
    }

    /// The newest one about the period, or one that says no more than that it renews.
    func info(after period: TransactionSnapshot) -> RenewalSnapshot {
        if let known = newestInfo(of: period) { return known }
        var info = RenewalSnapshot(
            environment: lineage.environment,
            originalTransactionID: lineage.originalTransactionID,
            signedDate: period.signedDate, source: period.source)
        (info.productID, info.autoRenewProductID) = (period.productID, period.productID)
        info.autoRenewStatus = true
        info.renewalDate = period.expiresDate
        info.appTransactionID = period.appTransactionID
        info.appAccountToken = period.appAccountToken
        return info
    }
}

extension RenewalSnapshot {
    fileprivate mutating func renewed(by next: TransactionSnapshot) {
        (productID, autoRenewProductID) = (next.productID, next.productID)
        autoRenewStatus = true
        expirationIntent = nil
        isInBillingRetryPeriod = nil
        gracePeriodExpiresDate = nil
        renewalDate = next.expiresDate
        offer = nil
        if commitment != nil { commitment?.renewalDate = next.commitmentExpiresDate }
    }
}

extension TransactionSnapshot {
    /// The next month of a commitment, or the first one of another: it ends so much later as the
    /// month begins.
    fileprivate mutating func countMonth(after period: TransactionSnapshot, _ end: Instant) {
        guard let number = period.commitmentPeriod, let count = period.commitmentPeriods else {
            return
        }
        if number < count {
            commitmentPeriod = number + 1
            commitmentExpiresDate = period.commitmentExpiresDate?.advanced(
                byMilliseconds: max(0, purchaseDate.milliseconds(since: end)))
            if number + 1 == count { expiresDate = commitmentExpiresDate ?? expiresDate }
        } else {
            commitmentPeriod = 1
            commitmentExpiresDate = Period(count, .months).end(from: purchaseDate)
        }
    }
}
