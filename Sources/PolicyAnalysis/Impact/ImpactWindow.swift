package import EntitlementModel

/// The stretch of time over which two policies are compared: now and the next days, each of 24
/// hours (spec 2.4).
package struct ImpactWindow: Hashable, Sendable {
    /// How far it looks ahead.
    package static let days = 30

    package let start: Instant
    /// Now, and each of the days; one more than there are days.
    package let instants: [Instant]

    package init(from start: Instant) {
        self.start = start
        instants = (0...Self.days).map {
            start.advanced(byMilliseconds: Int64($0) * 86_400_000)
        }
    }

    /// The last of its instants, which belongs to it.
    package var end: Instant { instants[instants.count - 1] }
}
