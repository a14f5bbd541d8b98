package import EntitlementModel

/// What a refund request comes to (spec 1.12). The words are Apple's, or those of the codes.
package struct SpecifiedRefund: Hashable, Sendable {
    package var account: AccountID?
    /// Nil where no rule of the policy matches.
    package var rule: RuleReference?
    /// Why Apple is told nothing; nil where it may be told.
    package var obstacle: String?
    /// What Apple is told, or would be with the customer's consent; nil where it never is.
    package var told: Told?
    package var notes: Set<String> = []

    package enum Told: Hashable, Sendable {
        case said(
            delivery: String, sample: Bool, preference: String, consumptionPercentage: Int64?)
        /// The first version of the call.
        case numbers(
            consumptionStatus: Int64, deliveryStatus: Int64, refundPreference: Int64, sample: Bool,
            token: String?)
    }
}

/// What Apple asks about refunds, and what it is told (spec 1.12).
extension Specification {
    /// Nil where no purchase with the transaction has effect.
    package func refund(_ request: RefundRequest) -> SpecifiedRefund? {
        guard let purchase = purchase(named: request.transaction) else { return nil }
        let account = account(asking: purchase.unit, at: request.askedAt)
        let rule = refundRule(on: purchase, account, at: request.askedAt)
        var refund = SpecifiedRefund(account: account, rule: rule?.reference)
        let answer = rule?.answer ?? .nothing
        refund.obstacle = obstacle(to: answer, about: purchase, account)
        guard let account, refund.obstacle == nil || refund.obstacle == "no-consent" else {
            return refund
        }
        tell(answer, request, purchase, account, in: &refund)
        return refund
    }

    /// The account that owned the unit then, else the one that owns it; of several the one that
    /// had it first.
    private func account(asking unit: OwnedUnit, at instant: Instant) -> AccountID? {
        let then = owners(of: unit, at: instant)
        let owners = then.isEmpty ? lastOwners(of: unit) : then
        return changes(of: unit).lazy.flatMap(\.value.ownersAfter).first(where: owners.contains)
    }

    private func refundRule(
        on purchase: Purchase, _ account: AccountID?, at instant: Instant
    ) -> RefundRule? {
        let product = policy.products[purchase.current.productID]
        let subject = RuleCase(
            kind: purchase.kind?.known, environment: purchase.lineage.environment,
            ownership: purchase.current.ownership, product: purchase.current.productID,
            account: account, ignoresCase: policy.app.accountToken == .isAccountID,
            group: product?.group, level: product?.level,
            storefront: purchase.current.storefront, purchased: purchase.soldAt, at: instant)
        return policy.refundRules.first {
            $0.when.holds(for: subject) && $0.unless?.holds(for: subject) != true
        }
    }

    private func obstacle(
        to answer: RefundRule.Answer, about purchase: Purchase, _ account: AccountID?
    ) -> String? {
        guard [.production, .sandbox].contains(purchase.lineage.environment) else {
            return "environment"
        }
        switch purchase.current.ownership {
        case .assigned: return "assigned"
        case .familyShared: return "family-shared"
        case .unknown: return "ownership-unknown"
        case .purchased, .notStated: break
        }
        guard let account else { return "no-owner" }
        if answer == .nothing { return "rule-says-nothing" }
        let said = facts.refundConsents.filter { $0.value.account == account }
        let last = said.max { $0.sequence < $1.sequence }
        return last?.value.isGiven == true ? nil : "no-consent"
    }

    private func tell(
        _ answer: RefundRule.Answer, _ request: RefundRequest, _ purchase: Purchase,
        _ account: AccountID, in refund: inout SpecifiedRefund
    ) {
        let used = consumed(purchase, by: account, at: request.askedAt)
        let isDelivered = purchase.sold(under: policies)?.grants.isEmpty == false
        let joined = subscriptions[purchase.lineage]?.periods.flatMap(\.additions) ?? []
        let sample = purchases.contains {
            $0.lineage == purchase.lineage && $0.start < purchase.start && $0.isSample
                && !joined.contains($0)
        }
        if request.isAdvancedCommerce {
            if answer == .prorate { refund.notes.insert("no-share") }
            if used?.isRounded == true { refund.notes.insert("rounded-down") }
            let status = used.map { $0.thousandths == 0 ? 1 : $0.thousandths == 100_000 ? 3 : 2 }
            refund.told = .numbers(
                consumptionStatus: Int64(status ?? 0), deliveryStatus: isDelivered ? 0 : 5,
                refundPreference: answer == .decline ? 2 : 1, sample: sample,
                token: purchase.current.appAccountToken?.text)
            return
        }
        var (preference, percentage) = ("GRANT_FULL", used?.thousandths)
        switch (answer, purchase.kind?.known, percentage) {
        case (.decline, _, _): preference = "DECLINE"
        case (.prorate, .autoRenewable, _):
            (preference, percentage) = ("GRANT_PRORATED", nil)
            refund.notes.insert("counted-by-apple")
        case (.prorate, _, nil): refund.notes.insert("not-measured")
        case (.prorate, _, 0): refund.notes.insert("nothing-used")
        case (.prorate, _, _): preference = "GRANT_PRORATED"
        case (.grant, _, _), (.nothing, _, _): break
        }
        if percentage != nil, used?.isRounded == true { refund.notes.insert("rounded-down") }
        refund.told = .said(
            delivery: isDelivered ? "DELIVERED" : "UNDELIVERED_OTHER", sample: sample,
            preference: preference, consumptionPercentage: percentage)
    }
}

extension Purchase {
    /// An introductory or a free period.
    fileprivate var isSample: Bool {
        current.offer?.type == 1 || current.offer?.discountType == "FREE_TRIAL"
    }
}
