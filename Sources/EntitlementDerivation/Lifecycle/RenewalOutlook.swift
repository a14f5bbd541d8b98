internal import EntitlementModel

extension FactView {
    /// What is known of the renewal of a subscription in one of its states, by what Apple had
    /// said before an instant. Nil for what is over.
    func outlook(
        of lineage: LineageKey, in span: StateSpan, before end: Instant?
    ) -> RenewalOutlook? {
        guard span.state.isRunning else { return nil }
        let newest = renewals(of: lineage).last { info in
            end.map { info.signedDate < $0 } ?? true
        }
        guard span.willRenew != false else { return RenewalOutlook(willRenew: false) }
        // Of a charge that has failed, nobody knows when it will be tried again.
        let hasFailed = span.state == .grace || span.state == .billingRetry
        return RenewalOutlook(
            willRenew: span.willRenew, at: hasFailed ? nil : span.paidUntil,
            product: newest?.autoRenewProductID ?? span.productID, price: newest?.renewalPrice,
            offer: newest?.offer)
    }
}
