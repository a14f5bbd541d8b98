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
