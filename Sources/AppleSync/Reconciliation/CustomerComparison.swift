internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification

/// What Apple says of a customer, next to what the ledger knows.
///
/// Apple signs the same again with each answer: what differs is told by content, never by the date
/// of the signature.
struct CustomerComparison {
    let customer: CustomerOutline
    /// What is known, with what was found in addition.
    private(set) var facts: FactSet
    private(set) var drift: [DriftItem] = []
    /// What the ledger has to learn.
    private(set) var news: [AnsweredEvidence] = []
    /// To be recorded although nothing follows from it: what is to be quarantined, and the audit
    /// lines of what is refused.
    private(set) var kept: [AnsweredEvidence] = []
    /// What Apple has signed again without a change, where the newer signature is to be kept: what
    /// was signed in between and comes later must not hold (spec 1.2).
    private(set) var repeated: [AnsweredEvidence] = []
    /// The same of renewals that were signed lately: kept only if something follows from it.
    private(set) var renewalsAgain: [(piece: AnsweredEvidence, renewals: [RenewalSnapshot])] = []
    /// Whether anything was found, in this part of the visit or in one before.
    private(set) var hasNews = false
    /// Whether a transaction is among it: then there may be more of them.
    private(set) var hasNewTransactions = false
    private let at: Instant
    private var transactions: [TransactionKey: TransactionSnapshot] = [:]
    private var renewals: [LineageKey: RenewalSnapshot] = [:]
    private var lineages: Set<LineageKey> = []
    /// Transactions of which Apple has said different things.
    private var disputed: Set<TransactionKey> = []
    /// Those that were not known.
    private(set) var newLineages: Set<LineageKey> = []
    private var nextSequence = LedgerSequence(.max / 2)

    init(of customer: CustomerOutline, _ facts: FactSet, at instant: Instant) {
        self.customer = customer
        self.facts = facts
        at = instant
        for fact in facts.transactions {
            lineages.insert(fact.value.lineage)
            hold(fact.value)
        }
        for fact in facts.renewals { hold(fact.value) }
    }

    /// How many pieces are to be written.
    var pieceCount: Int { news.count + kept.count + repeated.count + renewalsAgain.count }

    /// Forgets what is written by now; what is known of it stays.
    mutating func flush() {
        (news, kept, repeated, renewalsAgain, drift) = ([], [], [], [], [])
    }

    /// Compares what a piece says.
    ///
    /// - Parameter isCurrent: whether Apple says it of how things stand, not of how they came.
    /// - Returns: whether it is news.
    mutating func compare(
        _ piece: AnsweredEvidence, _ evidence: VerifiedEvidence, isCurrent: Bool = false
    ) -> Bool {
        var isNews = false
        for snapshot in evidence.transactions {
            guard let cause = cause(of: snapshot) else { continue }
            isNews = true
            hasNewTransactions = true
            if cause == .lineageUnknown, newLineages.insert(snapshot.lineage).inserted {
                add(cause, snapshot.lineage, product: snapshot.productID)
            } else if !newLineages.contains(snapshot.lineage) {
                add(cause, snapshot.lineage, snapshot.transactionID, product: snapshot.productID)
            }
            learn(snapshot)
        }
        for snapshot in evidence.renewals where tellsNews(snapshot) {
            isNews = true
            if lineages.contains(snapshot.lineage) {
                add(.stateUnknown, snapshot.lineage, product: snapshot.productID)
            }
            learn(snapshot)
        }
        if isNews {
            news.append(piece)
            hasNews = true
        } else {
            keepSignature(of: piece, evidence, isCurrent)
        }
        return isNews
    }

    /// Keeps a piece that says nothing new if it is signed so much later than what is known that an
    /// old copy of something else may come in between.
    private mutating func keepSignature(
        of piece: AnsweredEvidence, _ evidence: VerifiedEvidence, _ isCurrent: Bool
    ) {
        let isLater =
            evidence.transactions.contains { snapshot in
                guard let known = transactions[snapshot.key], known.isOutranked(by: snapshot)
                else { return false }
                let age = snapshot.signedDate.milliseconds(since: known.signedDate)
                return isCurrent && age >= RiskRules.signature
                    || disputed.contains(snapshot.key) && age >= RiskRules.day
            }
            || isCurrent
                && evidence.renewals.contains { snapshot in
                    guard let known = renewals[snapshot.lineage], known.isOutranked(by: snapshot)
                    else { return false }
                    return snapshot.signedDate.milliseconds(since: known.signedDate)
                        >= RiskRules.signature
                }
        if isLater {
            repeated.append(piece)
            for snapshot in evidence.transactions { learn(snapshot) }
            for snapshot in evidence.renewals { learn(snapshot) }
        } else if isCurrent, !evidence.renewals.isEmpty {
            renewalsAgain.append((piece, evidence.renewals))
        }
    }

    /// Keeps the infos that were signed again lately and from which something follows by now.
    mutating func keepRenewals(where isOfUse: ([RenewalSnapshot], CustomerComparison) -> Bool) {
        let candidates = renewalsAgain
        renewalsAgain = []
        for (piece, renewals) in candidates where isOfUse(renewals, self) {
            repeated.append(piece)
            for snapshot in renewals { learn(snapshot) }
        }
    }

    mutating func keep(_ piece: AnsweredEvidence) {
        kept.append(piece)
    }

    mutating func add(_ item: DriftItem) {
        drift.append(item)
    }

    mutating func add(
        _ cause: DriftCause, _ lineage: LineageKey, _ transaction: TransactionID? = nil,
        product: ProductID? = nil, status: Int64? = nil
    ) {
        drift.append(
            DriftItem(
                cause, in: lineage.environment, appleID: customer.key,
                lineage: lineage.originalTransactionID, transaction: transaction,
                product: product, status: status))
    }

    /// Writes into each difference whom it concerns.
    mutating func name(_ owners: (Set<LineageKey>) -> [AccountID]) {
        for index in drift.indices where drift[index].accounts.isEmpty {
            guard let lineage = drift[index].lineage else { continue }
            let own = owners([LineageKey(drift[index].environment, lineage)])
            // Whoever owns what else there is on the Apple ID.
            drift[index].accounts =
                own.isEmpty ? owners(Set(customer.lineages.map(\.key))) : own
        }
    }

    private mutating func learn(_ snapshot: TransactionSnapshot) {
        hold(snapshot)
        facts.transactions.append(
            Recorded(sequence: takeSequence(), recordedAt: at, value: snapshot))
    }

    private mutating func learn(_ snapshot: RenewalSnapshot) {
        hold(snapshot)
        facts.renewals.append(
            Recorded(sequence: takeSequence(), recordedAt: at, value: snapshot))
    }

    private mutating func hold(_ snapshot: TransactionSnapshot) {
        if let known = transactions[snapshot.key] {
            if !known.says(sameAs: snapshot) { disputed.insert(snapshot.key) }
            guard known.isOutranked(by: snapshot) else { return }
        }
        transactions[snapshot.key] = snapshot
    }

    private mutating func hold(_ snapshot: RenewalSnapshot) {
        if let known = renewals[snapshot.lineage], !known.isOutranked(by: snapshot) { return }
        renewals[snapshot.lineage] = snapshot
    }

    private mutating func takeSequence() -> LedgerSequence {
        nextSequence = LedgerSequence(nextSequence.number + 1)
        return nextSequence
    }
}

extension CustomerComparison {
    /// Why the snapshot is news; nil where it is none.
    private func cause(of snapshot: TransactionSnapshot) -> DriftCause? {
        guard let known = transactions[snapshot.key] else {
            guard lineages.contains(snapshot.lineage) else { return .lineageUnknown }
            return snapshot.isOfSubscription ? .renewalUnknown : .transactionUnknown
        }
        guard known.isOutranked(by: snapshot), !snapshot.says(sameAs: known) else { return nil }
        // What other forms call a cancellation may have been an upgrade.
        guard known.source.form == .jws || !snapshot.isUpgraded else { return .detailUnknown }
        if snapshot.revocation == known.revocation { return .detailUnknown }
        return snapshot.revocation == nil ? .reversalUnknown : .refundUnknown
    }

    private func tellsNews(_ snapshot: RenewalSnapshot) -> Bool {
        guard let known = renewals[snapshot.lineage] else { return true }
        return known.isOutranked(by: snapshot) && !snapshot.says(sameAs: known)
    }
}

extension TransactionSnapshot {
    /// Whether Apple says the same again.
    fileprivate func says(sameAs other: TransactionSnapshot) -> Bool {
        guard source.form == other.source.form, source.trust == other.source.trust else {
            return false
        }
        var own = self
        own.signedDate = other.signedDate
        own.source = other.source
        return own == other
    }
}

extension RenewalSnapshot {
    fileprivate func says(sameAs other: RenewalSnapshot) -> Bool {
        guard source.form == other.source.form, source.trust == other.source.trust else {
            return false
        }
        var own = self
        own.signedDate = other.signedDate
        own.source = other.source
        return own == other
    }

    fileprivate func isOutranked(by other: RenewalSnapshot) -> Bool {
        let isImported = source.trust == .imported
        if isImported != (other.source.trust == .imported) { return isImported }
        if signedDate != other.signedDate { return signedDate < other.signedDate }
        return source.canonicalDigest < other.source.canonicalDigest
    }
}
