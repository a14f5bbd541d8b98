internal import EntitlementModel

/// What follows the end of a period that no refund cut: leeway, grace, billing retry, and why it
/// expired (spec 1.4). `end` is *E* there, `infos` are those that speak of the period.
struct AfterPaidEnd {
    let period: Purchase
    let end: PeriodEnd
    /// By (signedDate, digest).
    let infos: [Recorded<RenewalSnapshot>]
    let isMonthlyCommitment: Bool
    let leeway: Period

    private static let day: Int64 = 86_400_000

    /// The renewal is in flight: until the leeway is over or an info says that none is. At the
    /// period's end where that was known before.
    var renewingUntil: Instant {
        guard end.cause == .paidEnd else { return end.instant }
        let before = infos.last { $0.value.signedDate < end.instant }
        if let before, before.value.saysNoRenewalIsInFlight { return end.instant }
        let allowed = min(
            leeway.end(from: end.instant),
            end.instant.advanced(byMilliseconds: period.length / 10))
        let told = infos.first {
            $0.value.signedDate >= end.instant && $0.value.saysNoRenewalIsInFlight
        }
        return min(allowed, told?.value.signedDate ?? allowed)
    }

    var graceUntil: Instant {
        guard let newest = infos.lastIndex(where: { $0.value.gracePeriodExpiresDate != nil }),
            let date = infos[newest].value.gracePeriodExpiresDate
        else { return end.instant }
        let givenUp = infos[(newest + 1)...].first {
            !$0.value.fails && $0.value.expirationIntent != nil
        }
        return min(date, givenUp?.value.signedDate ?? date)
    }

    var billingRetryUntil: Instant {
        guard let lastFailing = infos.lastIndex(where: { $0.value.fails }) else {
            return end.instant
        }
        let days: Int64 = isMonthlyCommitment ? 90 : 60
        let longest = end.instant.advanced(byMilliseconds: days * Self.day)
        guard lastFailing + 1 < infos.count else { return longest }
        return min(longest, max(end.instant, infos[lastFailing + 1].value.signedDate))
    }

    var expiryReason: ExpiryReason {
        if end.cause == .upgrade { return .upgraded }
        guard let newest = infos.last?.value else { return .unknown }
        return switch newest.expirationIntent {
        case .cancelled: .cancelled
        case .billingError: .billingError
        case .priceNotAccepted: .priceNotAccepted
        case .productUnavailable: .productUnavailable
        case .other: .other
        case nil: newest.autoRenewStatus == false ? .cancelled : .unknown
        }
    }
}
