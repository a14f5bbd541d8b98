package import EntitlementModel

/// The stretch of time over which two policies are compared: now and the next days, each of 24
/// hours (spec 2.4).
package struct ImpactWindow: Hashable, Sendable {
    /// How far it looks ahead unless somebody says otherwise.
    package static let usualDays = 30
    /// How far it can look ahead: a yearly price and a month of grace are within it.
    package static let possibleDays = 1...400

    package let start: Instant
    /// Now, and each of the days; one more than there are days.
    package let instants: [Instant]

    /// - Parameter days: one of `possibleDays`.
    package init(from start: Instant, days: Int = usualDays) {
        precondition(Self.possibleDays.contains(days), "whoever asks has checked the days")
        self.start = start
        instants = (0...days).map {
            start.advanced(byMilliseconds: Int64($0) * 86_400_000)
        }
    }

    /// The last of its instants, which belongs to it.
    package var end: Instant { instants[instants.count - 1] }

    package var days: Int { instants.count - 1 }
}
