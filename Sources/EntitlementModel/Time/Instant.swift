/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Apple states every date in this unit; whatever is coarser or finer is converted at the edge.
package struct Instant: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    @inlinable
    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The smallest instant there is: "since ever".
    package static let distantPast = Instant(milliseconds: .min)

    /// The years 0 to 9999 in UTC, which RFC 3339 can write: nothing from outside is another one.
    package static let writable = Range(
        uncheckedBounds: (
            Instant(milliseconds: -62_167_219_200_000), Instant(milliseconds: 253_402_300_800_000)
        ))

    /// This instant moved by a number of milliseconds, saturating instead of overflowing.
    @inlinable
    package func advanced(byMilliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        if overflow { return Instant(milliseconds: delta < 0 ? .min : .max) }
        return Instant(milliseconds: sum)
    }

    /// Milliseconds from `earlier` to this instant, saturating.
    @inlinable
    package func milliseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        if overflow { return milliseconds < earlier.milliseconds ? .min : .max }
        return difference
    }
}

/// A stretch of time, half-open: `start` belongs to it, `end` does not; no `end` is for ever.
package struct Interval: Hashable, Sendable {
    package let start: Instant
    package let end: Instant?

    /// Nil where nothing lies between the two.
    @inlinable
    package init?(from start: Instant, to end: Instant?) {
        if let end, end <= start { return nil }
        self.start = start
        self.end = end
    }

    /// All of time.
    package static let always = Interval(uncheckedFrom: .distantPast, to: nil)

    /// For a caller that has already established `start < end`.
    @inlinable
    package init(uncheckedFrom start: Instant, to end: Instant?) {
        self.start = start
        self.end = end
    }

    @inlinable
    package func contains(_ instant: Instant) -> Bool {
        guard start <= instant else { return false }
        guard let end else { return true }
        return instant < end
    }

    @inlinable
    package func intersection(_ other: Interval) -> Interval? {
        Interval(from: max(start, other.start), to: Interval.earlier(end, other.end))
    }

    /// The earlier of two ends, where no end is later than any.
    @inlinable
    package static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
        guard let left else { return right }
        guard let right else { return left }
        return min(left, right)
    }

    /// Whether `left` ends after `right`, where no end is later than any.
    @inlinable
    package static func endsLater(_ left: Instant?, than right: Instant?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left > right
    }
}
