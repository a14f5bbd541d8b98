package import EntitlementModel

/// Compares evidence with known facts: which of its transactions are claimed, and how (spec 1.6).
struct PresentationReading {
    private let presentation: Presentation
    private let recordedAt: Instant
    private let view: FactView
    private let presented: [PresentedPurchase]

    private static let day: Int64 = 86_400_000

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

    /// Claims on units without an owner whose appAccountToken names an account, or which an account
    /// inherits; each once. A blocked account gets nothing this way, nor one that a person took the
    /// unit from.
    func notificationClaims() -> [Claim] {
        let tokens = AccountTokens(view)
        let ownerships = OwnershipIndex(view)
        var claimed: Set<OwnedUnit> = []
        return presented.compactMap { presented in
            let ownership = ownerships.ownership(of: presented.unit)
            guard ownership.owners.isEmpty, !view.needsPersonDecision(presented.purchase) else {
                return nil
            }
            let released = PersonDecisions(ownership, view.facts).released
            let named = tokens.account(
                namedBy: presented.purchase, of: presented.unit, besides: released)
            guard let account = named ?? heir(of: presented, ownerships),
                !released.contains(account), !isStopped(account),
                claimed.insert(presented.unit).inserted
            else { return nil }
            return claim(presented.transaction, account, .notification)
        }
    }

    private func isStopped(_ account: AccountID) -> Bool {
        Blocks(on: account, in: view).stopEverything(at: recordedAt)
    }

    /// The account that a rule of the policy gives the unit to once it is known.
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

    /// Everything that the evidence names, each unit once: of a lineage the newest new purchase,
    /// else the newest of all.
    func claims(for account: AccountID) -> [Claim] {
        let accepted = acceptedTransactions
        var chosen: [OwnedUnit: (presented: PresentedPurchase, isNew: Bool)] = [:]
        for presented in presented {
            let isNew = isNew(presented, accepted)
            if let held = chosen[presented.unit] {
                let isBetter =
                    isNew == held.isNew ? Self.isEarlier(held.presented, presented) : isNew
                guard isBetter else { continue }
            }
            chosen[presented.unit] = (presented, isNew)
        }
        return chosen.values.sorted { Self.isEarlier($0.presented, $1.presented) }.map {
            let moment = presentation.moment ?? ($0.isNew ? .purchase : .listed)
            return claim(
                $0.presented.transaction, claimant(account, of: $0.presented), moment,
                order(of: $0.presented))
        }
    }

    /// The order that was named, where this is what pays it.
    private func order(of presented: PresentedPurchase) -> OrderID? {
        guard let ordered = presentation.orderedTransaction,
            ordered.environment == presented.transaction.environment,
            presented.purchase.isNamed(ordered.transactionID)
        else { return nil }
        return presentation.order
    }

    /// Made by the customer in the last 24 hours and not yet presented by an accepted claim.
    private func isNew(
        _ presented: PresentedPurchase, _ accepted: Set<TransactionKey>
    ) -> Bool {
        let presentedAt = presentation.presentedAt ?? recordedAt
        return presented.isCustomerMade
            && presentedAt.milliseconds(since: presented.purchase.start) < Self.day
            && !presented.purchase.transactionIDs.contains {
                accepted.contains(TransactionKey(presented.transaction.environment, $0))
            }
    }

    private var acceptedTransactions: Set<TransactionKey> {
        var outcomes: [LedgerSequence: ClaimOutcome] = [:]
        for decision in view.facts.decisions {
            outcomes[decision.value.cause] = decision.value.outcome
        }
        let accepted = view.facts.claims.filter { outcomes[$0.sequence] == .accepted }
        return Set(accepted.map(\.value.transaction))
    }

    private static func isEarlier(_ left: PresentedPurchase, _ right: PresentedPurchase) -> Bool {
        if left.purchase.start != right.purchase.start {
            return left.purchase.start < right.purchase.start
        }
        return TransactionID.precedesByLength(
            left.purchase.transactionID, right.purchase.transactionID)
    }

    /// Purchases before a merge up to an instant belong to the account that it was merged into.
    private func claimant(_ account: AccountID, of presented: PresentedPurchase) -> AccountID {
        EffectiveMerges(view.facts.accountMerges).account(
            standingFor: account, boughtAt: view.bought(presented.purchase, presented.unit))
    }

    private func claim(
        _ transaction: TransactionKey, _ account: AccountID, _ moment: ClaimMoment,
        _ order: OrderID? = nil
    ) -> Claim {
        Claim(
            account: account, transaction: transaction, moment: moment, order: order,
            evidence: presentation.evidence)
    }
}

extension FactView {
    /// When what the purchase is part of was bought: of a line, its first purchase.
    func bought(_ purchase: Purchase, _ unit: OwnedUnit) -> Instant {
        guard case .lineage(let key) = unit else { return purchase.start }
        let line = purchases(before: purchase, in: key)
        return line.map(\.start).min() ?? purchase.start
    }
}

extension Purchase {
    /// transactionReason `PURCHASE`; where no form says, one that does not adjoin an earlier
    /// period of its lineage; never the app itself (spec 1.6, 1.13).
    func isCustomerMade(after earlier: Purchase?, view: FactView) -> Bool {
        // Apple says of the app when it was bought, and not whether anything was paid.
        if productID == .app { return false }
        if let reason = reason(in: view) { return reason == .known(.purchase) }
        guard let expires = earlier?.expires else { return true }
        return start < expires
    }

    /// All that name it, the smallest first.
    var transactionIDs: [TransactionID] { [transactionID] + otherTransactionIDs }
}

/// Submitted evidence, as far as it decides what is claimed (spec 1.6).
package struct Presentation: Sendable {
    /// Nil for a notification, and for evidence without an account.
    package var account: AccountID?
    /// The caller's statement; nil to infer it.
    package var moment: ClaimMoment?
    /// When it was submitted, if Apple had to be asked first; nil for now.
    package var presentedAt: Instant?
    /// The order's transaction, where an order came with the evidence and has one.
    package var orderedTransaction: TransactionKey?
    package var order: OrderID?
    package var transactions: [TransactionSnapshot]
    /// The ledger entry that holds the evidence.
    package var evidence: LedgerSequence

    package init(
        account: AccountID?, moment: ClaimMoment? = nil,
        orderedTransaction: TransactionKey? = nil, order: OrderID? = nil,
        transactions: [TransactionSnapshot], evidence: LedgerSequence
    ) {
        self.account = account
        self.moment = moment
        self.orderedTransaction = orderedTransaction
        self.order = order
        self.transactions = transactions
        self.evidence = evidence
    }
}

/// The claims that evidence makes. `facts` include the snapshots that came with it; what they
/// do not know, or has no effect, is not claimed.
package func claims(
    presentedBy presentation: Presentation, recordedAt: Instant, policies: PolicyHistory,
    facts: FactSet
) -> [Claim] {
    Deriver(policies: policies).claims(
        presentedBy: presentation, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `claims(presentedBy:recordedAt:policies:facts:)`.
    package func claims(
        presentedBy presentation: Presentation, recordedAt: Instant, _ facts: FactSet
    ) -> [Claim] {
        let reading = PresentationReading(
            presentation, recordedAt: recordedAt, view: FactView(facts, policy: policy))
        guard let account = presentation.account.map(policy.policy.name) else {
            return reading.notificationClaims()
        }
        return reading.claims(for: account)
    }
}

/// Which account an `appAccountToken` names: by registration (orders register theirs), or, where
/// the policy says so, by being the account id itself (spec 1.6).
struct AccountTokens {
    private let view: FactView
    private let merges: EffectiveMerges
    /// Later records are ignored.
    private let instant: Instant?

    init(_ view: FactView, asOf instant: Instant? = nil) {
        self.view = view
        self.instant = instant
        merges = EffectiveMerges(view.facts.accountMerges, asOf: instant)
    }

    /// The account that a purchase's token names.
    func account(
        namedBy purchase: Purchase, of unit: OwnedUnit, besides released: Set<AccountID>
    ) -> AccountID? {
        purchase.token(in: view).flatMap {
            account(named: $0, boughtAt: view.bought(purchase, unit), besides: released)
        }
    }

    /// The account of a token; if that was merged into another one, that one, for purchases of that
    /// time.
    ///
    /// - Parameter released: accounts that it does not name.
    func account(
        named token: AppAccountToken, boughtAt: Instant, besides released: Set<AccountID> = []
    ) -> AccountID? {
        guard let first = firstAccount(named: token) else { return nil }
        let standing = merges.account(standingFor: first, boughtAt: boughtAt)
        return released.isDisjoint(with: [first, standing]) ? standing : nil
    }

    /// The newest registration holds. As an account id the token is that account's folded name,
    /// under which it is kept.
    private func firstAccount(named token: AppAccountToken) -> AccountID? {
        let registered = view.facts.accountTokens
            .filter { $0.value.token == token && $0.isKnown(at: instant) }
            .max { $0.sequence < $1.sequence }
        if let registered { return registered.value.account }
        return view.policy.policy.foldsAccounts ? AccountID(token.text) : nil
    }
}
