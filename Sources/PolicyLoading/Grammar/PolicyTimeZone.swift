internal import EntitlementModel
internal import Foundation

/// The time zone that the dates of one policy file are written in (spec 2.1).
struct PolicyTimeZone: Sendable {
    private let calendar: Calendar

    /// - Parameter name: of the IANA database; nil for any other, abbreviations among them: `CST`
    ///   is three zones.
    init?(named name: String) {
        guard Self.names.contains(name), let zone = TimeZone(identifier: name) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The name that was probably meant.
    static func nearest(to name: String) -> String? {
        suggestion(for: name, among: names.sorted())
    }

    /// When the day begins that begins at `midnight` in UTC. Where clocks are put forward at
    /// midnight, a day begins later than that.
    func beginning(ofDayAt midnight: Instant) -> Instant? {
        let parts = midnight.rfc3339.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3,
            let noon = calendar.date(
                from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12))
        else { return nil }
        let seconds = calendar.startOfDay(for: noon).timeIntervalSince1970
        return Instant(milliseconds: Int64(seconds) * 1_000)
    }

    static let all = names.sorted()

    private static let names = Set(TimeZone.knownTimeZoneIdentifiers).union(["UTC"])
}
