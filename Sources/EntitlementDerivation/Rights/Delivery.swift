internal import EntitlementModel

/// One delivery of units of a credit, in the balance of whoever has it (spec 1.7).
struct Delivery {
    /// What a refund takes.
    struct Refund {
        /// The smallest `revocationDate` that Apple signed of it.
        let refundedAt: Instant
        /// All of them.
        let dates: Set<Instant>
        /// When it takes: not before the delivery.
        let at: Instant
        let units: Int64
        /// Not `ignore`.
        let mode: CreditDefinition.OnRefund
    }

    /// A gift whose place it takes, in the balance of an account.
    struct Replaced {
        let given: Instant
        let endedAt: Instant
        /// Of the gift and of its end.
        let facts: [LedgerSequence]
    }

    let transaction: TransactionKey
    let units: Int64
    let date: DeliveryDate
    /// They follow one another, each until the next one's instant. What has lapsed moves no more.
    let holders: [DeliveryHolder]
    /// Nil also where that takes nothing.
    let refund: Refund?
    /// Sorted.
    let facts: [LedgerSequence]

    init(
        transaction: TransactionKey, units: Int64, date: DeliveryDate, holders: [DeliveryHolder],
        refund: Refund?, facts: [LedgerSequence]
    ) {
        self.transaction = transaction
        self.units = units
        self.date = date
        let reached = holders.dropFirst().prefix { holder in
            date.lapse.map { max(holder.from, date.at) < $0 } ?? true
        }
        self.holders = Array(holders.prefix(1) + reached)
        self.refund = refund
        self.facts = facts
    }

    private var start: Instant { date.at }

    private var lot: CreditLot.Name {
        CreditLot.Name(
            id: .purchase(transaction, at: date.at), start: date.at, end: date.lapse)
    }

    /// The delivery is made to the first holder, and what the refund has left of it goes from one
    /// to the next. To the account that has a gift for it, it comes no later than the gift did.
    func events(for account: AccountID, replacing gift: Replaced?) -> [CreditEvent] {
        let since = gift.flatMap { gift in
            holders.lastIndex { $0.account == account && $0.from <= gift.endedAt }
        }
        var events: [CreditEvent] = []
        for (index, holder) in holders.enumerated() where holder.account == account {
            let next = index + 1 < holders.count ? holders[index + 1] : nil
            let instant = index == 0 ? start : max(holder.from, start)
            let replaced = index == since ? gift : nil
            events.append(
                event(
                    .gift, .give(lot, units: index == 0 ? units : left(at: holder.from)),
                    index == 0 ? .delivery : holder.cause,
                    at: min(instant, replaced?.given ?? instant),
                    [holder.decision] + (replaced?.facts ?? [])))
            if let refund, holder.from <= refund.at, next.map({ refund.at < $0.from }) ?? true {
                events.append(
                    event(
                        .clawBack,
                        .clawBack(lot, units: refund.units, isFloored: refund.mode == .floor),
                        .clawBack, at: refund.at, [holder.decision]))
            }
            if let next {
                let effect = CreditEvent.Effect.moveOut(lot.id, units: left(at: next.from))
                events.append(
                    event(
                        .action, effect, next.cause, at: max(next.from, start), [next.decision]))
            }
        }
        if let lapse = date.lapse, !events.isEmpty {
            events.append(event(.expiry, .end(lot.id), .expiry, at: lapse, []))
        }
        return events
    }

    /// A refund takes its part, also where `floor` had less to take it from.
    private func left(at instant: Instant) -> Int64 {
        guard let refund, refund.at < instant else { return units }
        return units - refund.units
    }

    /// `causes` are the decision, and what else is behind it.
    private func event(
        _ rank: CreditEvent.Rank, _ effect: CreditEvent.Effect,
        _ cause: CreditTimeline.Entry.Cause, at instant: Instant, _ causes: [LedgerSequence]
    ) -> CreditEvent {
        let facts = (facts + causes).ascendingWithoutRepetition()
        return CreditEvent(
            rank: rank, order: rank == .action ? Array(causes.prefix(1)) : facts, effect: effect,
            entry: CreditTimeline.Entry(
                occurredAt: instant, units: 0, cause: cause, transaction: transaction,
                period: date.period, facts: facts))
    }
}

/// When a purchase delivers units, and when they lapse (spec 1.7).
struct DeliveryDate {
    let at: Instant
    /// Nil where they never do.
    let lapse: Instant?
    /// Of a subscription, what is paid for and they are delivered for.
    var period: Interval?
    /// Whether it is the first of the purchase.
    var isFirst = true

    /// Of a consumable its purchase; of a period its parts that begin before it ends.
    static func all(
        of purchase: Purchase, of unit: DerivedUnit, _ terms: CreditTerms
    ) -> [DeliveryDate] {
        guard unit.kind.isKnown(.autoRenewable) else {
            return [
                DeliveryDate(
                    at: purchase.start, lapse: terms.lapse(from: purchase.start, to: nil))
            ]
        }
        guard let index = unit.states.purchases.firstIndex(where: { $0 === purchase }) else {
            return []
        }
        let end = unit.states.periodEnds[index]
        var dates: [DeliveryDate] = []
        for part in terms.parts(from: purchase.start, to: purchase.expires ?? purchase.start) {
            guard part.start < end.instant else { break }
            let partEnd = part.end ?? end.paidEnd
            dates.append(
                DeliveryDate(
                    at: part.start, lapse: terms.lapse(from: part.start, to: partEnd),
                    period: Interval(uncheckedFrom: part.start, to: partEnd),
                    isFirst: dates.isEmpty))
        }
        return dates
    }
}

extension CreditTerms {
    /// When what was delivered for a period lapses.
    fileprivate func lapse(from start: Instant, to end: Instant?) -> Instant? {
        switch expires {
        case .never: nil
        case .period: end
        case .after(let length): length.end(from: start)
        }
    }

    /// The parts of a period; the last one goes on to the paid end. Apple's calendar may end a
    /// period some time after ours: what is left then is no part.
    fileprivate func parts(from start: Instant, to expires: Instant) -> [Interval] {
        var (parts, begin, count): ([Interval], Instant, Int64) = ([], start, 1)
        while let every {
            let next = every.times(count).end(from: start)
            let length = every.times(count + 1).end(from: start).milliseconds(since: next)
            let least = min(86_400_000, length / 3)
            guard next > begin, expires.milliseconds(since: next) >= least else { break }
            parts.append(Interval(uncheckedFrom: begin, to: next))
            (begin, count) = (next, count + 1)
        }
        return parts + [Interval(uncheckedFrom: begin, to: nil)]
    }
}

extension Purchase {
    /// Whether a period delivers to whoever has the subscription: not what a family or an
    /// organisation shares with its members.
    func isDeliveredByPeriod(in view: FactView) -> Bool {
        guard kind?.isKnown(.autoRenewable) == true else { return false }
        switch ownership(in: view) {
        case .purchased, .notStated, .unknown: return true
        case .familyShared, .assigned: return false
        }
    }

    /// The units of one delivery: a period of several seats is one period.
    func units(
        _ units: Int64, _ terms: CreditTerms, of kind: ProductKind, in view: FactView
    ) -> Int64 {
        kind == .autoRenewable
            ? terms.underOffer[OfferWord(offer(in: view))] ?? units
            : units.multipliedSaturating(by: quantity(in: view))
    }

    /// Whether the transaction is a part of it; a unit that is one purchase may have got another
    /// name since.
    func isPaid(by transaction: TransactionKey, as unit: OwnedUnit) -> Bool {
        if case .purchase = unit { return true }
        return members.contains { $0.isNamed(transaction.transactionID) }
    }
}
