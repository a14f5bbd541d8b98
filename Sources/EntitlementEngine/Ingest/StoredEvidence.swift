internal import EntitlementDerivation
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// One piece of evidence on its way into the ledger. Its bytes are written at most once, and
/// only if something in it is new.
struct StoredEvidence {
    let record: EvidenceRecord
    let ledger: any LedgerWriting
    let now: Instant
    /// The entry that holds the bytes, once written.
    private(set) var sequence: LedgerSequence?
    /// The first new entry, apart from the evidence itself.
    private(set) var firstNewFact: LedgerSequence?

    var hasNewFacts: Bool { firstNewFact != nil }

    init(_ record: EvidenceRecord, ledger: any LedgerWriting, now: Instant) {
        self.record = record
        self.ledger = ledger
        self.now = now
    }

    /// Of what is assumed: no evidence is written, and none is named.
    init(assumedIn ledger: any LedgerWriting, now: Instant) {
        let nothing = EvidenceRecord(
            kind: .notification, digest: EntryHash.digest(of: []), bytes: [], judgedAt: now)
        self.init(nothing, ledger: ledger, now: now)
        sequence = .zero
    }

    mutating func appendNewFacts(
        of evidence: VerifiedEvidence, presentedBy account: AccountID?
    ) throws(LedgerError) {
        try append(evidence.transactions, evidence.renewals)
        if let snapshot = evidence.appTransaction,
            try ledger.sequence(of: snapshot, presentedBy: account) == nil
        {
            let place = try store()
            let fact = AppTransactionFact(snapshot: snapshot, account: account, evidence: place)
            try append(.appTransaction(fact))
        }
        if let head = evidence.notification,
            try ledger.sequence(ofNotification: head.uuid) == nil
        {
            let place = try store()
            try append(.notification(NotificationFact(head, evidence, at: place)))
        }
    }

    mutating func append(
        _ transactions: [TransactionSnapshot], _ renewals: [RenewalSnapshot]
    ) throws(LedgerError) {
        for snapshot in transactions where try ledger.sequence(of: snapshot) == nil {
            let place = try store()
            try append(.transaction(TransactionFact(snapshot: snapshot, evidence: place)))
        }
        for snapshot in renewals where try ledger.sequence(of: snapshot) == nil {
            let place = try store()
            try append(.renewal(RenewalFact(snapshot: snapshot, evidence: place)))
        }
    }

    /// Keeps what must have no effect, once.
    mutating func appendQuarantine(
        _ parts: [QuarantinedPart], presentedBy account: AccountID?
    ) throws(LedgerError) {
        guard !parts.isEmpty, try ledger.sequence(ofEvidence: record.digest) == nil else { return }
        for part in parts {
            let quarantine = Quarantine(
                evidence: try store(), code: part.code.rawValue, transaction: part.transaction,
                account: account)
            try append(.quarantine(quarantine))
        }
    }

    /// The evidence that a claim points to: these bytes if they brought something new, else
    /// those that made the transaction known.
    mutating func sequenceForClaim(
        on transaction: TransactionKey
    ) throws(LedgerError) -> LedgerSequence {
        if let sequence { return sequence }
        if let known = try ledger.evidence(of: transaction) { return known }
        return try store()
    }

    private mutating func append(_ entry: LedgerEntry) throws(LedgerError) {
        let place = try ledger.append(entry, at: now)
        firstNewFact = firstNewFact ?? place
    }

    /// The entry with the bytes, appended unless there is one.
    mutating func store() throws(LedgerError) -> LedgerSequence {
        if let sequence { return sequence }
        if let known = try ledger.sequence(ofEvidence: record.digest),
            case .evidence(let kept)? = try ledger.entry(known)?.value, kept.kind == record.kind
        {
            sequence = known
            return known
        }
        let place = try ledger.append(.evidence(record), at: now)
        sequence = place
        return place
    }
}

extension NotificationFact {
    fileprivate init(
        _ head: NotificationHead, _ evidence: VerifiedEvidence, at place: LedgerSequence
    ) {
        self.init(
            environment: evidence.environment, uuid: head.uuid, type: head.type,
            subtype: head.subtype, signedDate: head.signedDate, evidence: place,
            notice: evidence.notice)
    }
}

/// What became of a report about the store.
package enum StoreReportOutcome: Sendable {
    /// Durable, or known before.
    case done(StoreReportStanding)
    /// The account has reported as often as one may.
    case tooMany
}

/// The state after a report of an account.
package struct StoreReportStanding: Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    /// The invalid products of the newest report.
    package var invalidProducts: [ProductID]
    /// The failed payments of the report that are new.
    package var newPayments: [FailedPayment]
    /// The entry that was written; nil where everything was known.
    package var entry: LedgerSequence?
    package var revision: LedgerSequence
}

extension EntitlementEngine {
    /// How many reports of one account are recorded in any 24 hours.
    package static let storeReportsPerDay = 100

    /// Records what a client found at the store (spec 1.8). What an earlier report of the account
    /// said already is not recorded again.
    package func record(
        _ report: StoreReport
    ) async throws(EngineError) -> StoreReportOutcome {
        try await commit(calledAt: clock.now()) { ledger throws(LedgerError) in
            (try ledger.record(report), [])
        }
    }
}

extension EngineTransaction {
    private static let day: Int64 = 86_400_000

    fileprivate func record(_ report: StoreReport) throws(LedgerError) -> StoreReportOutcome {
        var report = report
        report.account = try standing(for: report.account)
        let (account, environment) = (report.account, report.environment)
        let own = try policy.folding(transaction.facts(forAccount: account)).storeReports
            .filter { $0.value.account == account }
        let known = own.map(\.value).filter { $0.environment == environment }
        let listed = known.last { $0.invalidProducts != nil }?.invalidProducts ?? []
        var standing = StoreReportStanding(
            account: account, environment: environment,
            invalidProducts: report.invalidProducts ?? listed,
            newPayments: report.payments.unknown(to: known), entry: nil,
            revision: try transaction.head().sequence)
        let isListNew = report.invalidProducts.map { $0 != listed } ?? false
        guard isListNew || !standing.newPayments.isEmpty else { return .done(standing) }
        let dayBefore = now.advanced(byMilliseconds: -Self.day)
        guard own.count(where: { $0.recordedAt > dayBefore }) < EntitlementEngine.storeReportsPerDay
        else { return .tooMany }
        if !isListNew { report.invalidProducts = nil }
        report.payments = standing.newPayments
        let recorded = try append(report, as: .storeReport(report))
        standing.entry = recorded.sequence
        standing.revision = recorded.sequence
        return .done(standing)
    }
}

extension [FailedPayment] {
    /// Failed payments that no earlier report has, each once; without an instant, each is new.
    fileprivate func unknown(to known: [StoreReport]) -> [FailedPayment] {
        var told = Set(known.flatMap(\.payments).filter { $0.occurredAt != nil })
        return filter { $0.occurredAt == nil || told.insert($0).inserted }
    }
}

extension EngineTransaction {
    /// The claims of evidence. If no account presents it, the blocks of the accounts concerned are
    /// looked up first: a blocked account gets nothing this way (spec 1.6).
    func claims(
        presentedBy presentation: Presentation, _ facts: inout FactSet
    ) throws(LedgerError) -> [Claim] {
        let claims = policy.deriver.claims(presentedBy: presentation, recordedAt: now, facts)
        guard presentation.account == nil, !claims.isEmpty else {
            return try withoutErased(claims, facts)
        }
        for account in Set(claims.map(\.account)).sorted() {
            facts.merge(
                try transaction.facts(
                    naming: account, of: [.block, .blockRemoval], after: .zero))
        }
        guard !facts.blocks.isEmpty else { return try withoutErased(claims, facts) }
        facts = policy.folding(facts)
        return try withoutErased(
            policy.deriver.claims(presentedBy: presentation, recordedAt: now, facts), facts)
    }

    /// Claims units without an owner whose tokens name the account, as a notification would now,
    /// and again what the account presented while it was closed: facts that were known before the
    /// account could get them.
    ///
    /// - Parameter actor: the person by whose action it can.
    /// - Returns: accounts about which something was written.
    func claimWhatWaits(
        for account: AccountID, by actor: String
    ) throws(LedgerError) -> Set<AccountID> {
        let own = try transaction.facts(forAccount: account)
        var named: [TransactionSnapshot] = []
        for place in own.transactions.indices
        where own.transactions[place].value.appAccountToken != nil {
            named.append(own.transactions[place].value)
        }
        let refused = own.claimRecords.filter {
            $0.decision?.value.outcome == .denied(.accountClosed)
                && policy.name($0.claim.value.account) == account
        }.map {
            Claim(
                account: account, transaction: $0.claim.value.transaction,
                moment: $0.claim.value.moment, isReturn: $0.claim.value.isReturn,
                erasedOwners: $0.claim.value.erasedOwners,
                hasErasedToken: $0.claim.value.hasErasedToken)
        }
        let keys = named.map(\.key) + refused.map(\.transaction)
        guard !keys.isEmpty else { return [] }
        var facts = try transaction.facts(forClaimsOn: keys, by: [account])
        let waiting = Presentation(account: nil, transactions: named, evidence: .zero)
        var touched: Set<AccountID> = []
        let claims = try claims(presentedBy: waiting, &facts).filter { $0.account == account }
        for claim in claims + refused {
            for verdict in policy.deriver.judge(claim, recordedAt: now, facts)
            where verdict.isRecorded {
                touched.formUnion(try record(verdict, in: &facts))
            }
        }
        guard !touched.isEmpty, try transaction.hasOrders() else { return touched }
        var orders = OrderLedger(self)
        try orders.settle(
            policy.deriver.payments(of: keys, facts), claimant: nil, by: actor)
        try orders.deliver(to: touched, by: actor)
        return touched.union(orders.touched)
    }

    private func record(
        _ verdict: JudgedClaim, in facts: inout FactSet
    ) throws(LedgerError) -> Set<AccountID> {
        var claim = verdict.claim
        claim.evidence = try transaction.evidence(of: claim.transaction)
        let cause = try append(claim, as: .claim(claim))
        let decision = verdict.decision(cause: cause.sequence, policy: policy.digest)
        facts.claims.append(cause)
        facts.decisions.append(try append(decision, as: .decision(decision)))
        return Set([claim.account] + decision.ownersBefore + decision.ownersAfter)
    }
}
