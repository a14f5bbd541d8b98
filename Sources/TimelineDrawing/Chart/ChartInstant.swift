internal import EntitlementModel

extension Instant {
    /// For people, in UTC and no longer than it must be: `2026-02-10`, `2026-02-10 14:05`,
    /// `2026-02-10 14:05:09`.
    var brief: String {
        let text = rfc3339
        let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
        if time == "00:00:00" { return String(date) }
        return date + " " + (time.hasSuffix(":00") ? time.prefix(5) : time)
    }
}

extension Interval {
    /// Whether it begins somewhere: `distantPast` stands for "since ever".
    var hasBeginning: Bool { start != .distantPast }
}
