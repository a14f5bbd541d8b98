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
        instants = (0...days).map { start.advanced(byMilliseconds: Int64($0) * Self.day) }
        end = instants[instants.count - 1]
    }

    /// All time from then on, as far as anything is known of it: what the guard of a policy goes by
    /// (spec 2.6). Rights are compared to the end of what is paid; credits on each of the usual days,
    /// each week of 400 days, and where a date of one of the policies comes.
    ///
    /// - Parameter dates: those of the two policies.
    package init(from start: Instant, beyond dates: [Instant]) {
        self.start = start
        let days = Array(0...Self.usualDays) + Array(stride(from: 35, through: 400, by: 7))
        let regular = days.map { start.advanced(byMilliseconds: Int64($0) * Self.day) }
        instants = Set(regular + dates.filter { $0 > start }).sorted()
        end = Instant.writable.upperBound
    }

    private static let day: Int64 = 86_400_000

    /// The last instant that belongs to it.
    package let end: Instant

    package var days: Int { instants.count - 1 }
}
