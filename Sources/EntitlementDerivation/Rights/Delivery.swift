internal import EntitlementModel

/// The delivery of one consumable, in the balance of whoever has it (spec 1.7).
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
    let start: Instant
    /// Nil also where that takes nothing.
    let refund: Refund?
    /// Sorted.
    let facts: [LedgerSequence]

    private var lot: CreditLot.Name {
        CreditLot.Name(id: .purchase(transaction), start: start, end: nil)
    }

    /// `holders` follow one another, each until the next one's instant: the delivery is made to
    /// the first, and what the refund has left of it goes from one to the next. To the account
    /// that has a gift for it, it comes no later than the gift did.
    func events(
        for account: AccountID, holders: [DeliveryHolder], replacing gift: Replaced?
    ) -> [CreditEvent] {
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
                facts: facts))
    }
}
