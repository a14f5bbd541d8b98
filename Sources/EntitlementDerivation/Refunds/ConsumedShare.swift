internal import EntitlementModel

/// How much of a purchase was used. Rounded down: what is less than a thousandth of a percent counts
/// as not used, for the customer (spec 1.12).
struct ConsumedShare: Comparable {
    /// 0 to 100,000.
    let milliPercent: Int64
    let isRounded: Bool

    static let whole: Int64 = 100_000

    /// Nil where there is nothing to use.
    init?(_ used: Int64, of all: Int64) {
        guard all > 0 else { return nil }
        let (high, low) = min(max(used, 0), all).multipliedFullWidth(by: Self.whole)
        let (quotient, remainder) = all.dividingFullWidth((high, low))
        milliPercent = quotient
        isRounded = remainder > 0
    }

    /// The part of a stretch of time that has passed.
    init?(of start: Instant, to end: Instant, at instant: Instant) {
        self.init(instant.milliseconds(since: start), of: end.milliseconds(since: start))
    }

    static func < (left: ConsumedShare, right: ConsumedShare) -> Bool {
        left.milliPercent < right.milliPercent
    }
}
