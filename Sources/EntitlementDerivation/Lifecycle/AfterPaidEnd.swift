internal import EntitlementModel

/// What follows the end of a period that no refund cut: leeway, grace, billing retry, and why it
/// expired (spec 1.4).
struct AfterPaidEnd {
    /// The period's length in milliseconds.
    let length: Int64
    /// *E* in the specification.
    let end: PeriodEnd
    /// Those that speak of the period, by (signedDate, digest).
    let infos: ArraySlice<InfoOutline>
    let isMonthlyCommitment: Bool
    let leeway: Period

    private static let day: Int64 = 86_400_000

    /// The renewal is in flight: until the leeway is over or an info says that none is. At the
    /// period's end where that was known before.
    var renewingUntil: Instant {
        guard end.cause == .paidEnd else { return end.instant }
        let before = infos.last { $0.signedDate < end.instant }
        if let before, before.saysNoRenewalIsInFlight { return end.instant }
        let allowed = min(
            leeway.end(from: end.instant), end.instant.advanced(byMilliseconds: length / 10))
        let told = infos.first { $0.signedDate >= end.instant && $0.saysNoRenewalIsInFlight }
        return min(allowed, told?.signedDate ?? allowed)
    }

    var graceUntil: Instant {
        guard let newest = infos.lastIndex(where: { $0.graceUntil != nil }),
            let date = infos[newest].graceUntil
        else { return end.instant }
        let givenUp = infos[(newest + 1)...].first { !$0.fails && $0.intent != nil }
        return min(date, givenUp?.signedDate ?? date)
    }

    var billingRetryUntil: Instant {
        guard let lastFailing = infos.lastIndex(where: \.fails) else { return end.instant }
        let days: Int64 = isMonthlyCommitment ? 90 : 60
        let longest = end.instant.advanced(byMilliseconds: days * Self.day)
        guard lastFailing + 1 < infos.endIndex else { return longest }
        return min(longest, max(end.instant, infos[lastFailing + 1].signedDate))
    }

    var expiryReason: ExpiryReason {
        if end.cause == .upgrade { return .upgraded }
        guard let newest = infos.last else { return .unknown }
        return switch newest.intent {
        case .cancelled: .cancelled
        case .billingError: .billingError
        case .priceNotAccepted: .priceNotAccepted
        case .productUnavailable: .productUnavailable
        case .other: .other
        case nil: newest.autoRenew == false ? .cancelled : .unknown
        }
    }
}
