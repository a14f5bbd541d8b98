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

    /// Whether both are one length in every calendar: `1y` and `12mo`, `1w` and `7d`.
    package func isAsLong(as other: Period) -> Bool {
        if let fixedMilliseconds { return fixedMilliseconds == other.fixedMilliseconds }
        return other.fixedMilliseconds == nil && months == other.months
    }

    /// Of a calendar unit.
    private var months: Int64 { unit == .years ? count * 12 : count }

    /// The instant that lies this length after `instant`, saturating.
    package func end(from instant: Instant) -> Instant {
        if let fixedMilliseconds { return instant.advanced(byMilliseconds: fixedMilliseconds) }
        let day = instant.milliseconds.flooredQuotient(by: Instant.millisecondsPerDay)
        // The first day of all begins before the first instant: 64 bits wrap there and back.
        let timeOfDay = instant.milliseconds &- day &* Instant.millisecondsPerDay
        let date = CivilDate(daysSinceEpoch: day).advanced(byMonths: months)
        let end = Int128(date.daysSinceEpoch) * Int128(Instant.millisecondsPerDay)
        return Instant(milliseconds: Int64(clamping: end + Int128(timeOfDay)))
    }

    /// This length multiplied; never more than ten thousand years, the longest that is read.
    package func times(_ factor: Int64) -> Period {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        let longest = Self.longestMilliseconds / unit.mostMilliseconds
        return Period(overflow ? longest : min(product, longest), unit)
    }
}

/// A day of the proleptic Gregorian calendar in UTC, for calendar steps and for reading and
/// writing instants. No time zone other than UTC exists below the engine.
package struct CivilDate: Hashable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that lies `days` days after 1970-01-01.
    package init(daysSinceEpoch days: Int64) {
        // Counted in 400-year eras that begin on 1 March, so that the leap day comes last.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to this day; negative before it.
    package var daysSinceEpoch: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 28 to 31.
    package static func days(inMonth month: Int64, ofYear year: Int64) -> Int64 {
        switch month {
        case 2:
            let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// This day moved by calendar months; the day is clamped to the month's end
    /// (31 January plus one month is 28 or 29 February: spec 1.4).
    package func advanced(byMonths months: Int64) -> CivilDate {
        let total = year * 12 + (month - 1) + months
        let newYear = total >= 0 ? total / 12 : (total - 11) / 12
        let newMonth = total - newYear * 12 + 1
        let newDay = min(day, CivilDate.days(inMonth: newMonth, ofYear: newYear))
        return CivilDate(year: newYear, month: newMonth, day: newDay)
    }
}
