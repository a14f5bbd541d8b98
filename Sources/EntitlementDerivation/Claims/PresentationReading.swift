internal import EntitlementModel

/// Evidence compared with what is known: which of its transactions are claimed, and how (spec 1.6).
struct PresentationReading {
    private let presentation: Presentation
    private let recordedAt: Instant
    private let view: FactView
    private let presented: [PresentedPurchase]

    private static let recent: Int64 = 86_400_000

    /// A purchase that the evidence names, by the first of its transactions there.
    private struct PresentedPurchase {
        let transaction: TransactionKey
        let unit: OwnedUnit
        let purchase: Purchase
        let isCustomerMade: Bool
    }

    init(_ presentation: Presentation, recordedAt: Instant, view: FactView) {
        self.presentation = presentation
        self.recordedAt = recordedAt
        self.view = view
        var seen: Set<TransactionKey> = []
        presented = presentation.transactions.compactMap { snapshot in
            let key = snapshot.key
            guard let lineage = view.lineage(of: key) else { return nil }
            guard
                let (purchase, earlier) = view.purchases(of: lineage).named(key.transactionID),
                seen.insert(TransactionKey(key.environment, purchase.transactionID)).inserted
            else { return nil }
            return PresentedPurchase(
                transaction: key, unit: view.unit(of: purchase, in: lineage.key),
                purchase: purchase,
                isCustomerMade: purchase.isCustomerMade(after: earlier, view: view))
        }
    }

    /// Units that nobody owns and whose appAccountToken names an account, or which an account
    /// inherits; each once.
    func notificationClaims() -> [Claim] {
        let tokens = AccountTokens(view)
        let ownerships = OwnershipIndex(view)
        var claimed: Set<OwnedUnit> = []
        return presented.compactMap { presented in
            let token = presented.purchase.token(in: view)
            guard ownerships.ownership(of: presented.unit).owners.isEmpty,
                let account = token.flatMap({ tokens.account(named: $0) })
                    ?? heir(of: presented, ownerships),
                claimed.insert(presented.unit).inserted
            else { return nil }
            return claim(presented.transaction, account, .notification)
        }
    }

    /// The account that gets the unit by a rule of the policy as soon as anybody tells of it.
    private func heir(
        of presented: PresentedPurchase, _ ownerships: OwnershipIndex
    ) -> AccountID? {
        guard view.policy.policy.claimRules.contains(where: { $0.verb == .inherit }),
            let heir = view.heir(of: presented.unit, ownerships)
        else { return nil }
        let evaluation = ClaimEvaluation(
            claim(presented.transaction, heir, .notification), recordedAt: recordedAt, view: view)
        return evaluation?.inherits == true ? heir : nil
    }

    func transactionClaims(for account: AccountID) -> [Claim] {
        presented.map { presented in
            claim(presented.transaction, account, presentation.moment ?? moment(of: presented))
        }
    }

    /// The order's transaction alone; else what was just bought, and then what can be restored.
    func receiptClaims(for account: AccountID) -> [Claim] {
        if let ordered = presentation.orderedTransaction {
            return orderedClaims(of: ordered, for: account)
        }
        let bought = newPurchases
        let boughtUnits = Set(bought.map(\.unit))
        let restored = newestOfEachLineage.filter { !boughtUnits.contains($0.unit) }
        switch presentation.moment {
        case nil:
            return bought.map { claim($0.transaction, account, .purchase) }
                + restored.map { claim($0.transaction, account, .restore) }
        case .purchase: return bought.map { claim($0.transaction, account, .purchase) }
        case .restore, .support, .notification:
            return restored.map {
                claim($0.transaction, account, presentation.moment ?? .restore)
            }
        }
    }

    private func orderedClaims(of ordered: TransactionKey, for account: AccountID) -> [Claim] {
        let found = presented.first {
            $0.transaction.environment == ordered.environment
                && $0.purchase.isNamed(ordered.transactionID)
        }
        guard let found else { return [] }
        return [claim(ordered, account, presentation.moment ?? moment(of: found))]
    }

    private func moment(of presented: PresentedPurchase) -> ClaimMoment {
        if presented.purchase.kind?.known?.isAccountScoped == true { return .purchase }
        return presented.isCustomerMade && isRecent(presented.purchase) ? .purchase : .restore
    }

    private func isRecent(_ purchase: Purchase) -> Bool {
        let presentedAt = presentation.presentedAt ?? recordedAt
        return presentedAt.milliseconds(since: purchase.start) < Self.recent
    }

    /// Made by the customer in the last 24 hours and not yet presented by an accepted claim.
    private var newPurchases: [PresentedPurchase] {
        let accepted = acceptedTransactions
        return presented.filter { presented in
            presented.isCustomerMade && isRecent(presented.purchase)
                && !presented.purchase.transactionIDs.contains {
                    accepted.contains(TransactionKey(presented.transaction.environment, $0))
                }
        }.sorted(by: Self.isEarlier)
    }

    private var acceptedTransactions: Set<TransactionKey> {
        var outcomes: [LedgerSequence: ClaimOutcome] = [:]
        for decision in view.facts.decisions {
            outcomes[decision.value.cause] = decision.value.outcome
        }
        let accepted = view.facts.claims.filter { outcomes[$0.sequence] == .accepted }
        return Set(accepted.map(\.value.transaction))
    }

    /// For each Apple-ID-scoped lineage in the evidence, its newest transaction there.
    private var newestOfEachLineage: [PresentedPurchase] {
        var newest: [OwnedUnit: PresentedPurchase] = [:]
        for presented in presented {
            guard case .lineage = presented.unit else { continue }
            if let held = newest[presented.unit], !Self.isEarlier(held, presented) { continue }
            newest[presented.unit] = presented
        }
        return newest.values.sorted { OwnedUnit.precedes($0.unit, $1.unit) }
    }

    private static func isEarlier(_ left: PresentedPurchase, _ right: PresentedPurchase) -> Bool {
        if left.purchase.start != right.purchase.start {
            return left.purchase.start < right.purchase.start
        }
        return TransactionID.precedesByLength(
            left.purchase.transactionID, right.purchase.transactionID)
    }

    private func claim(
        _ transaction: TransactionKey, _ account: AccountID, _ moment: ClaimMoment
    ) -> Claim {
        Claim(
            account: account, transaction: transaction, moment: moment,
            order: presentation.order, evidence: presentation.evidence)
    }
}

extension Purchase {
    /// transactionReason `PURCHASE`; where no form says, one that does not adjoin an earlier
    /// period of its lineage (spec 1.6).
    func isCustomerMade(after earlier: Purchase?, view: FactView) -> Bool {
        if let reason = reason(in: view) { return reason == .known(.purchase) }
        guard let expires = earlier?.expires else { return true }
        return start < expires
    }

    /// All that name it, the smallest first.
    var transactionIDs: [TransactionID] { [transactionID] + otherTransactionIDs }
}
