package import EntitlementModel

/// Purchases whose token names an account that does not own the unit (spec 1.6): the account learns
/// of them at once, before its device presents them. Tokens and names are those of that time; a
/// token inherited along a line names nobody anew.
///
/// - Parameter account: Nil for those of all accounts; else those that concern this one.
func foreignPurchases(
    concerning account: AccountID?, units: [DerivedUnit], view: FactView
) -> [Finding] {
    var findings: [Finding] = []
    for unit in units where !unit.ownership.changes.isEmpty {
        for purchase in unit.states.purchases.members {
            guard let token = purchase.token(in: view),
                let foreign = ForeignPurchase(purchase, with: token, of: unit, view: view)
            else { continue }
            findings += foreign.findings.filter { account.map($0.accounts.contains) ?? true }
        }
    }
    return findings
}

/// A purchase with its token, if that names an account anew.
private struct ForeignPurchase {
    private let purchase: Purchase
    private let unit: DerivedUnit
    private let token: AppAccountToken
    private let view: FactView
    private let kind: Finding.Kind
    /// The first snapshot with the token.
    private let told: Recorded<TransactionSnapshot>

    init?(
        _ purchase: Purchase, with token: AppAccountToken, of unit: DerivedUnit, view: FactView
    ) {
        guard purchase.ownership(in: view) != .familyShared,
            !view.namesOwners(token, of: unit),
            !view.carriesInheritedToken(purchase, in: unit.lineage),
            let told = purchase.firstTold(in: view, where: { $0.appAccountToken == token }),
            let kind = view.kind(ofForeign: purchase, carrying: token, in: unit.lineage)
        else { return nil }
        self.purchase = purchase
        self.unit = unit
        self.token = token
        self.view = view
        self.told = told
        self.kind = kind
    }

    /// Consecutive ones, if the named account is merged into another meanwhile.
    var findings: [Finding] {
        var findings: [Finding] = []
        var accounts: Set<AccountID> = []
        for (named, stretch) in namings {
            accounts.insert(named)
            let changes = unit.ownership.changes.filter { $0.recordedAt <= stretch.start }
            let owners = changes.last?.value.ownersAfter ?? []
            guard !owners.contains(named) else { return findings }
            guard !owners.isEmpty, !hasHad(named, changes), !isGivenSince(changes) else {
                continue
            }
            let end = Interval.earlier(stretch.end, end(for: accounts))
            guard let interval = Interval(from: stretch.start, to: end) else { continue }
            findings.append(
                Finding(
                    kind: kind, environment: unit.unit.environment, interval: interval,
                    accounts: Set(owners + [named]).sorted(), units: [unit.unit],
                    product: purchase.productID, facts: purchase.sequences(in: view)))
        }
        return findings
    }

    /// The accounts named by the token, from its first record or registration until it names
    /// another.
    private var namings: [(named: AccountID, stretch: Interval)] {
        let later =
            view.facts.accountTokens.filter { $0.value.token == token }.map(\.recordedAt)
            + view.facts.accountMerges.map(\.recordedAt)
        let instants = [told.recordedAt] + Set(later.filter { told.recordedAt < $0 }).sorted()
        var namings: [(named: AccountID, stretch: Interval)] = []
        for instant in instants {
            let named = named(asOf: instant)
            guard named != namings.last?.named else { continue }
            if let last = namings.popLast() {
                let stretch = Interval(uncheckedFrom: last.stretch.start, to: instant)
                namings.append((last.named, stretch))
            }
            guard let named else { continue }
            namings.append((named, Interval(uncheckedFrom: instant, to: nil)))
        }
        return namings
    }

    /// Whether the account has had it since it was bought.
    private func hasHad(
        _ account: AccountID, _ changes: [Recorded<OwnershipDecision>]
    ) -> Bool {
        zip(changes, changes.dropFirst()).contains { change, next in
            change.value.ownersAfter.contains(account) && purchase.start < next.value.from
        }
    }

    /// Whether its owners have it by a decision that was made since it was bought, and knew whom
    /// the token names.
    private func isGivenSince(_ changes: [Recorded<OwnershipDecision>]) -> Bool {
        guard kind == .paidWithoutRight, let last = changes.last else { return false }
        return purchase.start <= last.recordedAt
            && named(asOf: last.recordedAt) != nil
    }

    /// The account that the token named, as known then.
    private func named(asOf instant: Instant) -> AccountID? {
        let personDecisions = PersonDecisions(unit.ownership, view.facts, asOf: instant)
        return AccountTokens(view, asOf: instant).account(
            namedBy: purchase, of: unit.unit, besides: personDecisions.released)
    }

    /// A claim by an account that the token has named, the instant at which one became owner of the
    /// unit, or a ruling.
    private func end(for accounts: Set<AccountID>) -> Instant? {
        let claim = view.facts.claims.filter {
            accounts.contains($0.value.account)
                && $0.value.transaction.environment == unit.unit.environment
                && purchase.isNamed($0.value.transaction.transactionID)
        }.min { $0.sequence < $1.sequence }
        let change = unit.ownership.changes.first {
            $0.sequence > told.sequence
                && ($0.value.rule == .byHand
                    || !accounts.isDisjoint(with: $0.value.ownersAfter))
        }
        return Interval.earlier(claim?.recordedAt, change?.recordedAt)
    }
}

extension Purchase {
    /// The first snapshot that says so.
    fileprivate func firstTold(
        in view: FactView, where isMeant: (TransactionSnapshot) -> Bool
    ) -> Recorded<TransactionSnapshot>? {
        allSnapshots.map { view.facts.transactions[$0] }.filter { isMeant($0.value) }
            .min { $0.sequence < $1.sequence }
    }
}

extension FactView {
    /// Whether the token can only name owners of the unit; most do, and nothing else has to be
    /// examined.
    fileprivate func namesOwners(_ token: AppAccountToken, of unit: DerivedUnit) -> Bool {
        // An account id names its account until it is registered.
        let most = policy.policy.foldsAccounts ? 0 : 1
        guard facts.accountMerges.isEmpty,
            facts.accountTokens.count(where: { $0.value.token == token }) <= most
        else { return false }
        guard let named = AccountTokens(self).account(named: token, boughtAt: .distantPast) else {
            return true
        }
        return unit.ownership.changes.allSatisfy { $0.value.ownersAfter.contains(named) }
    }

    /// How the token of a purchase names an account anew: by a new purchase that its buyer has paid
    /// for, or by another token than the line carried; nil for neither.
    fileprivate func kind(
        ofForeign purchase: Purchase, carrying token: AppAccountToken, in lineage: LineageKey
    ) -> Finding.Kind? {
        guard let told = purchase.firstTold(in: self, where: { _ in true }),
            let line = self.lineage(lineage),
            let (found, earlier) = purchases(of: line).named(purchase.transactionID)
        else { return nil }
        if told.recordedAt.milliseconds(since: purchase.start) <= 86_400_000,
            found.isCustomerMade(after: earlier, view: self)
        {
            return .paidWithoutRight
        }
        let isFirst = purchases(before: purchase, in: lineage).isEmpty
        let hasChanged = !purchase.isAccountScoped && tokens(carriedBy: purchase).count > 1
        return isFirst && !hasChanged ? nil : .tokenOfAnother
    }
}

/// Active units, and undelivered consumables, without a claim (spec 1.6); never the app itself.
func unclaimedPayments(of units: [DerivedUnit], view: FactView) -> [Finding] {
    let claimed = Set(view.facts.claims.map(\.value.transaction))
    return units.flatMap { unit -> [Finding] in
        guard unit.ownership.changes.isEmpty, !unit.isClaimed(by: claimed),
            unit.firstPurchase.productID != .app
        else { return [] }
        return unit.paidStretches.map { interval in
            Finding(
                kind: .unclaimedPayment, environment: unit.unit.environment,
                interval: interval, units: [unit.unit],
                product: unit.purchase(at: interval.start).productID,
                facts: unit.purchase(at: interval.start).sequences(in: view))
        }
    }
}

extension Deriver {
    /// Payments on the Apple ID of a lineage without a claim at the instant.
    package func paymentsUnclaimed(
        onAppleIDHolding lineage: LineageKey, at instant: Instant, _ facts: FactSet
    ) -> [Finding] {
        let view = FactView(facts, policy: policy)
        let lineages = Set(AppleIDs(view).lineages(withAppleIDOf: lineage))
        let index = UnitIndex(view, ownerships: OwnershipIndex(view)) { lineages.contains($0) }
        return unclaimedPayments(of: index.units, view: view)
            .filter { $0.interval.contains(instant) }.listedOnce()
    }
}

extension DerivedUnit {
    fileprivate func isClaimed(by claimed: Set<TransactionKey>) -> Bool {
        states.purchases.members.contains { purchase in
            purchase.transactionIDs.contains {
                claimed.contains(TransactionKey(unit.environment, $0))
            }
        }
    }

    /// Stretches of `active` without a gap; of a consumable, from its purchase to its refund.
    fileprivate var paidStretches: [Interval] {
        if kind.isKnown(.consumable) {
            let purchase = firstPurchase
            return [Interval(from: purchase.start, to: purchase.revocation?.date)]
                .compactMap(\.self)
        }
        var stretches: [Interval] = []
        for span in states.spans where span.state == .active {
            if let last = stretches.last, last.end == span.interval.start {
                stretches[stretches.count - 1] = Interval(
                    uncheckedFrom: last.start, to: span.interval.end)
            } else {
                stretches.append(span.interval)
            }
        }
        return stretches
    }

    fileprivate func purchase(at instant: Instant) -> Purchase {
        guard let index = states.spanIndex(at: instant) else { return firstPurchase }
        return states.purchases[states.purchaseOfSpan[index]]
    }
}
