package import EntitlementModel

/// What purchases bring: a consumable once, a subscription for each period that is paid (spec 1.7).
extension Specification {
    /// Every delivery of a credit, to whomever.
    func deliveries(of credit: CreditName) -> [SpecifiedDelivery] {
        purchases.filter { $0.kind?.known == .consumable }.compactMap {
            delivery(of: $0, credit)
        }
            + subscriptions.keys.sorted().flatMap { lineage in
                (subscriptions[lineage]?.periods ?? []).flatMap {
                    deliveries(of: $0, in: .lineage(lineage), credit)
                }
            }
    }

    /// When something is delivered, and when what is left of it lapses.
    package var deliveryInstants: Set<Instant> {
        let credits = Set(policies.activations.flatMap(\.policy.credits.keys))
        return Set(
            credits.flatMap { deliveries(of: $0) }.flatMap {
                [$0.at, $0.refundedAt, $0.pile.until].compactMap(\.self)
            })
    }

    /// How many units of a credit that were delivered have lapsed by an instant, spent or not.
    package func lapsedUnits(of credit: CreditName, at instant: Instant) -> Int64 {
        deliveries(of: credit).filter { $0.pile.until.map { $0 <= instant } ?? false }
            .reduce(0) { $0 + $1.units }
    }

    /// Units times quantity.
    private func delivery(
        of purchase: Purchase, _ credit: CreditName
    ) -> SpecifiedDelivery? {
        guard let (units, terms) = sold(purchase, credit, as: .consumable) else { return nil }
        var until: Instant?
        if case .after(let length) = terms.expires { until = length.end(from: purchase.start) }
        let delivery = SpecifiedDelivery(
            purchases: [purchase], at: purchase.start, until: until,
            units: units * purchase.current.quantity,
            holders: holders(firstOwners[purchase.unit], after: changes(of: purchase.unit)))
        return refunded(delivery, purchase.current.revocation, credit)
    }

    /// One for the period, or one for each part of it that begins while it runs. What a family or an
    /// organisation shares brings nothing to its members.
    private func deliveries(
        of period: PaidPeriod, in unit: OwnedUnit, _ credit: CreditName
    ) -> [SpecifiedDelivery] {
        let bought = period.purchase.current
        guard period.purchase.kind?.known == .autoRenewable,
            ![.familyShared, .assigned].contains(bought.ownership),
            let (units, terms) = sold(period.purchase, credit, as: .autoRenewable)
        else { return [] }
        let offer = bought.offer.map(\.word) ?? OfferWord.none
        let starts = period.parts(terms.every)
        return starts.indices.filter { starts[$0] < period.end }.compactMap { place in
            let start = starts[place]
            let next = place + 1 < starts.count ? starts[place + 1] : period.paidEnd
            let until: Instant? =
                switch terms.expires {
                case .never: nil
                case .period: next
                case .after(let length): length.end(from: start)
                }
            var delivery = SpecifiedDelivery(
                purchases: [period.purchase] + period.additions, at: start, until: until,
                units: terms.underOffer[offer] ?? units,
                holders: holders(of: unit, deliveredAt: start))
            delivery.isFirst = place == 0
            return refunded(delivery, period.revocation, credit)
        }
    }

    /// What one purchase of the kind brings; nil for nothing.
    private func sold(
        _ purchase: Purchase, _ credit: CreditName, as kind: ProductKind
    ) -> (units: Int64, terms: CreditTerms)? {
        guard let product = purchase.sold(under: policies), product.kind == kind else {
            return nil
        }
        return product.grants.compactMap { grant -> (units: Int64, terms: CreditTerms)? in
            guard case .credit(credit, let units, let terms) = grant else { return nil }
            return (units, terms)
        }.first
    }

    private func refunded(
        _ delivery: SpecifiedDelivery, _ revocation: Revocation?, _ credit: CreditName
    ) -> SpecifiedDelivery? {
        guard delivery.units > 0 else { return nil }
        guard let revocation else { return delivery }
        var delivery = delivery
        delivery.onRefund = onRefund(of: credit, at: revocation.date)
        guard delivery.onRefund != .ignore else { return delivery }
        delivery.refundedAt = max(revocation.date, delivery.at)
        delivery.refundedUnits = delivery.units * (revocation.percentage ?? 100_000) / 100_000
        return delivery
    }

    /// Who owned a subscription at the instant of a delivery, of several the one that had it first,
    /// and who stands in its place since.
    private func holders(
        of unit: OwnedUnit, deliveredAt instant: Instant
    ) -> [SpecifiedDelivery.Holder] {
        // Somebody had it before who was erased.
        if let first = changes(of: unit).first, first.value.from > instant { return [] }
        let owners = owners(of: unit, at: instant)
        let first = changes(of: unit).flatMap(\.value.ownersAfter).first(where: owners.contains)
        let later = changes(of: unit).filter { $0.value.from > instant }
        return [(first, Instant.distantPast, LedgerSequence.zero)] + followers(of: first, later)
    }

    private func holders(
        _ first: AccountID?, after changes: [Recorded<OwnershipDecision>]
    ) -> [SpecifiedDelivery.Holder] {
        guard let first else { return [] }
        return [(first, Instant.distantPast, LedgerSequence.zero)]
            + followers(of: first, Array(changes.dropFirst()))
    }

    /// Who stands in the place of an account: each merge of two accounts and each ruling puts one in
    /// the place of the other. After a release nobody does, until somebody owns the unit again.
    private func followers(
        of first: AccountID?, _ changes: [Recorded<OwnershipDecision>]
    ) -> [SpecifiedDelivery.Holder] {
        var (holders, last): ([SpecifiedDelivery.Holder], AccountID?) = ([], first)
        // Who had it before each of the changes.
        var history: [AccountID?] = []
        for decision in changes {
            let (before, after) = (decision.value.ownersBefore, decision.value.ownersAfter)
            let came = Set(after).subtracting(before).min() ?? after.first
            history.append(last)
            // What an undone decision has moved comes back, and all else stays.
            if let undone = undone(by: decision, in: changes), undone < history.count - 1 {
                guard history[undone] != last else { continue }
                holders.append((history[undone], decision.value.from, decision.sequence))
                last = history[undone]
                continue
            }
            if let holder = last {
                let left = Set(before).subtracting(after)
                guard decision.value.rule.movesDeliveries, left.contains(holder) else { continue }
            } else if came == nil {
                continue
            }
            holders.append((came, decision.value.from, decision.sequence))
            last = came
        }
        return holders
    }
}

/// What a purchase brings at an instant, and what its refund takes.
struct SpecifiedDelivery {
    typealias Holder = (account: AccountID?, since: Instant, by: LedgerSequence)

    /// The one that names it, and what was added to its period.
    let purchases: [Purchase]
    let at: Instant
    let pile: CreditPile
    let units: Int64
    /// Who has it, each since then; what has lapsed stays where it is.
    let holders: [Holder]
    /// Whether it is the first of its purchase.
    var isFirst = true
    var onRefund = CreditDefinition.OnRefund.debt
    var refundedAt: Instant?
    var refundedUnits: Int64 = 0

    init(
        purchases: [Purchase], at instant: Instant, until: Instant?, units: Int64,
        holders: [Holder]
    ) {
        self.purchases = purchases
        at = instant
        pile = CreditPile(
            name: purchases[0].name.text, kind: purchases[0].lineage.environment.rawValue,
            since: instant, until: until)
        self.units = units
        var standing: [Holder] = []
        for holder in holders {
            if !standing.isEmpty, let until, max(holder.since, instant) >= until { break }
            standing.append(holder)
        }
        self.holders = standing
    }

    func isPaid(by transaction: TransactionKey) -> Bool {
        purchases.contains { $0.transactions.contains(transaction) }
    }
}

extension PaidPeriod {
    /// When its parts begin; one alone where there are none. Of the last one a third, or a day, must
    /// be left of what Apple signed.
    fileprivate func parts(_ every: Period?) -> [Instant] {
        guard let every else { return [start] }
        func begin(_ number: Int64) -> Instant {
            Period(every.count * number, every.unit).end(from: start)
        }
        var starts = [start]
        for number in Int64(1)... {
            let length = begin(number + 1).milliseconds(since: begin(number))
            let left = expires.milliseconds(since: begin(number))
            guard left >= 86_400_000 || 3 * left >= length && left > 0 else { return starts }
            starts.append(begin(number))
        }
        return starts
    }
}

extension RuleReference {
    /// Whether what was delivered goes where the purchase goes: by a merge, or by a ruling.
    fileprivate var movesDeliveries: Bool {
        name == "the accounts were merged" || name == "ruled by hand"
    }
}
