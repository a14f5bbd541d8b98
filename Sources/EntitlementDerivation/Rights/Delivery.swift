internal import EntitlementModel

/// What one consumable delivers, in the balance of whoever has it (spec 1.7).
struct Delivery {
    let transaction: TransactionKey
    let units: Int64
    let start: Instant
    /// When it was refunded, and how many units that takes; nil also where that takes nothing.
    let refund: (at: Instant, units: Int64)?
    /// Sorted.
    let facts: [LedgerSequence]

    /// `holders` follow one another, each until the next one's instant: the delivery is made to
    /// the first, and what the refund has left of it goes from one to the next.
    func entries(
        for account: AccountID, holders: [DeliveryHolder]
    ) -> [CreditTimeline.Entry] {
        var entries: [CreditTimeline.Entry] = []
        for (index, holder) in holders.enumerated() where holder.account == account {
            let next = index + 1 < holders.count ? holders[index + 1] : nil
            entries.append(
                index == 0
                    ? entry(units, .delivery, at: start, holder.decision)
                    : entry(left(at: holder.from), holder.cause, at: holder.from, holder.decision))
            if let refund, holder.from <= refund.at, next.map({ refund.at < $0.from }) ?? true {
                entries.append(entry(-refund.units, .clawBack, at: refund.at, holder.decision))
            }
            if let next {
                entries.append(
                    entry(-left(at: next.from), next.cause, at: next.from, next.decision))
            }
        }
        return entries
    }

    private func left(at instant: Instant) -> Int64 {
        guard let refund, refund.at < instant else { return units }
        return units - refund.units
    }

    private func entry(
        _ units: Int64, _ cause: CreditTimeline.Entry.Cause, at instant: Instant,
        _ decision: LedgerSequence
    ) -> CreditTimeline.Entry {
        CreditTimeline.Entry(
            occurredAt: max(instant, start), units: units, cause: cause,
            transaction: transaction,
            facts: facts.ascendingWithoutRepetition(adding: decision))
    }
}
