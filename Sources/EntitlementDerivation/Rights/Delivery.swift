internal import EntitlementModel

/// What one consumable delivers, in the balance of whoever has it (spec 1.7).
struct Delivery {
    /// What a refund takes.
    struct Refund {
        /// `revocationDate`, as Apple signed it.
        let refundedAt: Instant
        /// When it takes: not before the delivery.
        let at: Instant
        let units: Int64
        /// Not `ignore`.
        let mode: CreditDefinition.OnRefund
    }

    let transaction: TransactionKey
    let units: Int64
    let start: Instant
    /// Nil also where that takes nothing.
    let refund: Refund?
    /// Sorted.
    let facts: [LedgerSequence]

    private var lot: CreditLot.ID { .purchase(transaction) }

    /// `holders` follow one another, each until the next one's instant: the delivery is made to
    /// the first, and what the refund has left of it goes from one to the next.
    func events(for account: AccountID, holders: [DeliveryHolder]) -> [CreditEvent] {
        var events: [CreditEvent] = []
        for (index, holder) in holders.enumerated() where holder.account == account {
            let next = index + 1 < holders.count ? holders[index + 1] : nil
            events.append(
                index == 0
                    ? gift(units, .delivery, at: start, holder)
                    : gift(left(at: holder.from), holder.cause, at: holder.from, holder))
            if let refund, holder.from <= refund.at, next.map({ refund.at < $0.from }) ?? true {
                events.append(
                    event(
                        .taking,
                        .clawBack(lot, units: refund.units, isFloored: refund.mode == .floor),
                        .clawBack, at: refund.at, holder.decision))
            }
            if let next {
                let effect = CreditEvent.Effect.moveOut(lot, units: left(at: next.from))
                events.append(event(.action, effect, next.cause, at: next.from, next.decision))
            }
        }
        return events
    }

    private func left(at instant: Instant) -> Int64 {
        guard let refund, refund.at < instant else { return units }
        return units - refund.units
    }

    private func gift(
        _ units: Int64, _ cause: CreditTimeline.Entry.Cause, at instant: Instant,
        _ holder: DeliveryHolder
    ) -> CreditEvent {
        event(.gift, .give(lot, end: nil, units: units), cause, at: instant, holder.decision)
    }

    private func event(
        _ rank: CreditEvent.Rank, _ effect: CreditEvent.Effect,
        _ cause: CreditTimeline.Entry.Cause, at instant: Instant, _ decision: LedgerSequence
    ) -> CreditEvent {
        let facts = facts.ascendingWithoutRepetition(adding: decision)
        return CreditEvent(
            rank: rank, order: rank == .action ? [decision] : facts, effect: effect,
            entry: CreditTimeline.Entry(
                occurredAt: max(instant, start), units: 0, cause: cause,
                transaction: transaction, facts: facts))
    }
}
