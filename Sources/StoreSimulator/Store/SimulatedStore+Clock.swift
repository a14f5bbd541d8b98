package import EntitlementModel
internal import StrictJSON

/// What becomes of subscriptions when nobody says anything: the clock alone moves them.
extension SimulatedStore {
    /// When something is due next for a purchase; nil while only somebody's action can change it.
    package func due(_ name: String) -> Instant? {
        guard let purchase = purchases[name], purchase.isAutomatic, !purchase.isFollower,
            let renewal = purchase.renewal, let expires = purchase.transaction.expiresDate,
            purchase.transaction.revocation == nil
        else { return nil }
        if renewal.isInBillingRetryPeriod == true {
            return renewal.gracePeriodExpiresDate ?? purchase.retryEnd
        }
        return renewal.expirationIntent == nil ? expires : nil
    }

    /// Does what is due for a purchase now.
    package mutating func proceed(_ name: String) throws(PlayMistake) {
        let purchase = try purchase(name)
        guard let renewal = purchase.renewal else { return }
        if renewal.isInBillingRetryPeriod == true {
            try befall(name, renewal.gracePeriodExpiresDate == nil ? .expires(nil) : .graceEnds)
        } else if purchase.isEnding {
            try befall(name, .expires(nil))
        } else if renewal.isWaitingForConsent {
            try befall(name, .expires(.price))
        } else if !products.values.contains(where: { $0.id == renewal.autoRenewProductID }) {
            try befall(name, .expires(.product))
        } else if let failure = purchase.terms.failure {
            let grace = purchase.terms.commitment == nil ? failure.graceDays ?? graceDays : nil
            try befall(name, .fails(graceDays: grace))
        } else {
            try befall(name, .renews)
        }
    }
}

extension PlayedPurchase {
    /// Whether no further period follows the running one.
    fileprivate var isEnding: Bool {
        if let commitment = terms.commitment {
            return !commitment.willRenew
                && commitment.number == PurchaseTerms.Commitment.periods
        }
        return renewal?.autoRenewStatus == false
    }

    fileprivate var retryEnd: Instant? {
        let days = terms.commitment == nil ? Self.retryDays : Self.commitmentRetryDays
        return failedAt?.advanced(byMilliseconds: days * 86_400_000)
    }
}

extension SimulatedRenewal {
    /// Whether the price rises at the next renewal and nobody has agreed yet.
    fileprivate var isWaitingForConsent: Bool {
        otherFields.contains { $0.key == "priceIncreaseStatus" && $0.value.int64 == 0 }
    }
}
