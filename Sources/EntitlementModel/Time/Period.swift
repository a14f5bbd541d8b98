/// A length of time as a policy writes it: `30m`, `7d`, `1mo`, `1y` (spec 1.4).
///
/// Fixed units are exact numbers of milliseconds. Months and years are calendar steps in UTC,
/// clamped to the month's end.
package struct Period: Hashable, Sendable {
    package enum Unit: String, CaseIterable, Sendable {
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"
        case hours = "h"
        case days = "d"
        case weeks = "w"
        case months = "mo"
        case years = "y"

        /// Milliseconds of one unit; nil for calendar units, whose length varies.
        package var fixedMilliseconds: Int64? {
            switch self {
            case .milliseconds: 1
            case .seconds: 1_000
            case .minutes: 60_000
            case .hours: 3_600_000
            case .days: 86_400_000
            case .weeks: 604_800_000
            case .months, .years: nil
            }
        }

        /// Of one unit, where it is longest.
        fileprivate var mostMilliseconds: Int64 {
            fixedMilliseconds ?? (self == .months ? 2_678_400_000 : 31_622_400_000)
        }
    }

    /// Ten thousand years.
    private static let longestMilliseconds: Int64 = 316_224_000_000_000

    package let count: Int64
    package let unit: Unit

    package init(_ count: Int64, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// Reads `90d`: digits without sign or leading zeros, then a unit. Nil for anything else and
    /// for lengths above ten thousand years.
    package init?(_ text: some StringProtocol) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty, digits.count <= 15, digits.count == 1 || digits.first != 48,
            let count = Int64(String(decoding: digits, as: UTF8.self)),
            let unit = Unit(rawValue: String(text.dropFirst(digits.count))),
            count <= Self.longestMilliseconds / unit.mostMilliseconds
        else { return nil }
        self.init(count, unit)
    }

    /// `90d`, as it is read.
    package var text: String { "\(count)\(unit.rawValue)" }

    /// The exact length; nil for calendar units.
    package var fixedMilliseconds: Int64? { unit.fixedMilliseconds.map { $0 * count } }

    /// The instant that lies this length after `instant`, saturating.
    package func end(from instant: Instant) -> Instant {
        if let fixedMilliseconds { return instant.advanced(byMilliseconds: fixedMilliseconds) }
        let months = unit == .years ? count * 12 : count
        let day = instant.milliseconds.flooredQuotient(by: Instant.millisecondsPerDay)
        // The first day of all begins before the first instant: 64 bits wrap there and back.
        let timeOfDay = instant.milliseconds &- day &* Instant.millisecondsPerDay
        let date = CivilDate(daysSinceEpoch: day).advanced(byMonths: months)
        let end = Int128(date.daysSinceEpoch) * Int128(Instant.millisecondsPerDay)
        return Instant(milliseconds: Int64(clamping: end + Int128(timeOfDay)))
    }

    /// This length so many times; never more than ten thousand years, the longest that is read.
    package func times(_ factor: Int64) -> Period {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        let longest = Self.longestMilliseconds / unit.mostMilliseconds
        return Period(overflow ? longest : min(product, longest), unit)
    }
}
