internal import EntitlementModel

/// A state and, where it is `expired`, the reason.
struct ReasonedState: Hashable, Sendable {
    var state: EntitlementState
    var reason: ExpiryReason?
}

extension PaidPeriod {
    /// The table of spec 1.4: the state at an instant at or after this period's purchaseDate and
    /// before the next one's.
    func state(at instant: Instant, leeway: Period) -> ReasonedState {
        if instant < end { return ReasonedState(state: .active) }
        if let revocation, revocation.date <= instant { return ReasonedState(state: .revoked) }
        if let until = renewingUntil(leeway: leeway), instant < until {
            return ReasonedState(state: .renewing)
        }
        if let until = graceUntil, instant < until { return ReasonedState(state: .grace) }
        if let until = retryUntil, instant < until {
            return ReasonedState(state: .billingRetry)
        }
        return ReasonedState(state: .expired, reason: expiryReason)
    }

    /// The leeway after the end, while nothing speaks against a renewal.
    func renewingUntil(leeway: Period) -> Instant? {
        guard cut == nil,
            infos.last(where: { $0.signedDate < end })?.rulesOutRenewal(after: self) != true
        else { return nil }
        let tenth = expires.milliseconds(since: start) / 10
        let full = min(leeway.end(from: end), end.advanced(byMilliseconds: tenth))
        let contrary = infos.first { $0.signedDate >= end && $0.rulesOutRenewal(after: self) }
        return min(full, contrary?.signedDate ?? full)
    }

    /// The grace date of the newest info that has one, unless a later one gives up.
    var graceUntil: Instant? {
        guard let index = infos.lastIndex(where: { $0.gracePeriodExpiresDate != nil }),
            let date = infos[index].gracePeriodExpiresDate
        else { return nil }
        let givenUp = infos[(index + 1)...].first { !$0.fails && $0.expirationIntent != nil }
        return min(date, givenUp?.signedDate ?? date)
    }

    /// 60 days (90 for a monthly commitment), or until Apple stops failing.
    var retryUntil: Instant? {
        guard let index = infos.lastIndex(where: \.fails) else { return nil }
        let days: Int64 = purchase.current.billingPlanType == "MONTHLY" ? 90 : 60
        let full = end.advanced(byMilliseconds: days * 86_400_000)
        guard let next = infos[(index + 1)...].first else { return full }
        return min(full, max(end, next.signedDate))
    }

    private var expiryReason: ExpiryReason {
        if cut == .upgrade || cut == .succession { return .upgraded }
        switch infos.last?.expirationIntent {
        case .cancelled: return .cancelled
        case .billingError: return .billingError
        case .priceNotAccepted: return .priceNotAccepted
        case .productUnavailable: return .productUnavailable
        case .other: return .other
        case nil: break
        }
        return infos.last?.autoRenew(after: self) == false ? .cancelled : .unknown
    }
}

extension RenewalSnapshot {
    /// What an info says of the renewal at the end of a period. In a commitment the months renew,
    /// and at its end counts whether another commitment follows.
    func autoRenew(after period: PaidPeriod) -> Bool? {
        guard let follows = commitment?.autoRenewStatus else { return autoRenewStatus }
        let month = period.purchase.current
        var isLast: Bool?
        if let number = month.commitmentPeriod, let count = month.commitmentPeriods {
            isLast = number >= count
        }
        if isLast != true, let end = commitment?.renewalDate ?? month.commitmentExpiresDate {
            isLast = end <= period.paidEnd
        }
        switch isLast {
        case nil: return autoRenewStatus
        case false?: return true
        case true?: return follows
        }
    }

    /// Auto-renew is off, Apple could not charge, or Apple says why it ended.
    fileprivate func rulesOutRenewal(after period: PaidPeriod) -> Bool {
        autoRenew(after: period) == false || fails || expirationIntent != nil
    }
}
