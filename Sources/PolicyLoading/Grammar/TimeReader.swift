internal import EntitlementModel
internal import Foundation

/// Reading of lengths of time, dates, and bounds on them.
extension GrammarReader {
    /// Reads `90d`: a number with a unit, neither zero nor absurd.
    mutating func length(_ value: ScalarText, allowsCalendar: Bool) -> Period? {
        length(value.text[...], value, allowsCalendar: allowsCalendar)
    }

    private mutating func length(
        _ text: Substring, _ value: ScalarText, allowsCalendar: Bool
    ) -> Period? {
        guard let period = Period(text) else {
            if !text.isEmpty, text.allSatisfy({ $0 == "0" }) {
                problems.add(
                    .zeroLength, at: value.span, .written(String(text)), .written(value.key))
                return nil
            }
            addBadLength(text, value, allowsCalendar: allowsCalendar)
            return nil
        }
        guard allowsCalendar || period.fixedMilliseconds != nil else {
            addBadLength(text, value, allowsCalendar: false)
            return nil
        }
        guard period.count > 0 else {
            problems.add(.zeroLength, at: value.span, .written(String(text)), .written(value.key))
            return nil
        }
        guard period.approximateDays <= PolicyGrammar.longestDays else {
            problems.add(.lengthTooLong, at: value.span, .written(String(text)))
            return nil
        }
        return period
    }

    private mutating func addBadLength(
        _ text: Substring, _ value: ScalarText, allowsCalendar: Bool
    ) {
        func whole(_ length: String) -> String {
            value.text.replacing(text, with: length, maxReplacements: 1)
        }
        let period = Period(text) ?? Period(words: text)
        if !allowsCalendar, let period, period.fixedMilliseconds == nil {
            problems.add(
                .calendarUnit, at: value.span, .written(String(text)), .written(value.key))
            return
        }
        let units = (allowsCalendar ? ["d", "w", "mo", "y"] : ["m", "h", "d"])
            .map { whole("\(text)\($0)") }
        let help: Help? =
            if String(text).isDigits {
                .writeEither(units)
            } else {
                period.map { .write(whole($0.text)) }
            }
        problems.add(
            .badLength, at: value.span, .written(String(text)), .written(value.key), help: help)
    }

    /// Reads a day, or an instant in RFC 3339.
    mutating func date(_ text: String, _ value: ScalarText) -> Instant? {
        guard text.utf8.count >= 10, var instant = Instant(rfc3339: text) else {
            problems.add(.badDate, at: value.span, .written(text), .written(value.key))
            return nil
        }
        if text.utf8.count == 10 {
            dayCount += 1
            instant = timeZone?.beginning(ofDayAt: instant) ?? instant
        }
        guard PolicyGrammar.dates.contains(instant.milliseconds) else {
            problems.add(.dateOutOfRange, at: value.span, .written(text))
            return nil
        }
        return instant
    }

    /// Reads `under 7d`, `at least 7d` or `from 7d to 14d`.
    mutating func age(_ value: ScalarText) -> AgeBound? {
        if let rest = value.text.dropping(prefix: "under ") {
            return length(rest, value, allowsCalendar: false).map { .under($0) }
        }
        if let rest = value.text.dropping(prefix: "at least ") {
            return length(rest, value, allowsCalendar: false).map { .atLeast($0) }
        }
        if let (first, second) = value.text.interval(until: " to ") {
            guard let least = length(first, value, allowsCalendar: false),
                let end = length(second, value, allowsCalendar: false)
            else { return nil }
            if isInterval(least.fixedMilliseconds, end.fixedMilliseconds, value) {
                return .between(least, end)
            }
            return nil
        }
        problems.add(.badAge, at: value.span, .written(value.text), .written(value.key))
        return nil
    }

    /// Reads `under 5`, `at least 5` or `5`.
    mutating func count(_ value: ScalarText) -> CountBound? {
        let forms: [(prefix: String, bound: (Int64) -> CountBound)] = [
            ("under ", CountBound.under), ("at least ", CountBound.atLeast),
            ("", CountBound.exactly),
        ]
        for (prefix, bound) in forms {
            guard let digits = value.text.dropping(prefix: prefix),
                digits.allSatisfy({ ("0"..."9").contains($0) }), digits.first != "0",
                let number = Int64(digits), (1...10_000_000).contains(number)
            else { continue }
            guard case .under(1) = bound(number) else { return bound(number) }
            problems.add(
                .badCount, at: value.span, .written(value.text),
                help: .likeEither(["\(value.key): 1", "\(value.key): under 2"]))
            return nil
        }
        problems.add(.badCount, at: value.span, .written(value.text))
        return nil
    }

    /// Reads `before 2026-01-31`, `from 2026-01-31` or `from 2026-01-31 until 2026-03-01`.
    mutating func dateBound(_ value: ScalarText) -> DateBound? {
        if let rest = value.text.dropping(prefix: "before ") {
            return date(String(rest), value).map { .before($0) }
        }
        if let (first, second) = value.text.interval(until: " until ") {
            guard let start = date(String(first), value), let end = date(String(second), value)
            else { return nil }
            return isInterval(start, end, value) ? .within(start, end) : nil
        }
        if let rest = value.text.dropping(prefix: "from "),
            !rest.contains(" ") || rest.hasSuffix(" until")
        {
            return date(String(rest), value).map { .from($0) }
        }
        problems.add(.badDateBound, at: value.span, .written(value.text), .written(value.key))
        return nil
    }

    /// Reads `before 3.0`, `from 3.0` or `from 2.0 until 3.0`.
    mutating func versionBound(_ value: ScalarText) -> VersionBound? {
        let bound: VersionBound?
        if let (first, second) = value.text.interval(until: " until ") {
            bound = AppVersion(first).flatMap { start in
                AppVersion(second).map { .within(start, $0) }
            }
        } else if let rest = value.text.dropping(prefix: "before ") {
            bound = AppVersion(rest).map { .before($0) }
        } else {
            bound = value.text.dropping(prefix: "from ").flatMap { AppVersion($0) }.map {
                .from($0)
            }
        }
        switch bound {
        case .before(let end)? where AppVersion("0").map { end <= $0 } ?? false,
            .within(_, let end)? where bound?.cuts.first.map { end <= $0 } ?? false:
            problems.add(.emptyInterval, at: value.span, .written(value.text))
            return nil
        case let bound?: return bound
        case nil:
            let meant = AppVersion(value.text).map { ["before \($0.text)", "from \($0.text)"] }
            problems.add(
                .badVersionBound, at: value.span, .written(value.text), .written(value.key),
                help: meant.map { .writeEither($0) })
            return nil
        }
    }

    /// Reads `from 2026-12-05 until 2026-12-07`.
    mutating func window(_ value: ScalarText) -> DateBound? {
        guard let bound = dateBound(value) else { return nil }
        guard case .within = bound else {
            problems.add(.openWithoutEnd, at: value.span, .written(value.text))
            return nil
        }
        return bound
    }

    /// Reads `Asia/Shanghai`.
    mutating func timeZone(_ value: ScalarText) -> String? {
        guard PolicyTimeZone(named: value.text) == nil else { return value.text }
        problems.add(
            .unknownTimeZone, at: value.span, .written(value.text),
            help: PolicyTimeZone.nearest(to: value.text).map(Help.didYouMean))
        return nil
    }

    private mutating func isInterval<Bound: Comparable>(
        _ start: Bound?, _ end: Bound?, _ value: ScalarText
    ) -> Bool {
        guard let start, let end, start < end else {
            problems.add(.emptyInterval, at: value.span, .written(value.text))
            return false
        }
        return true
    }

    /// Reads `3 per 365d`.
    mutating func moves(_ value: ScalarText) -> ClaimLimits.Moves? {
        let parts = value.text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "per",
            let count = PlainReading.wholeNumber(String(parts[0])), (1...1_000).contains(count)
        else {
            problems.add(.badMoves, at: value.span, .written(value.text))
            return nil
        }
        return length(parts[2], value, allowsCalendar: false).map {
            ClaimLimits.Moves(count: Int(count), window: $0)
        }
    }
}

extension PolicyGrammar {
    /// Ten years. Nothing that Apple sells lasts longer; a longer one is a slip of the keyboard
    /// that would give rights for life (THREATS.md F30).
    static let longestDays: Int64 = 3_660
    /// 2008, when the App Store opened, to 2100, in milliseconds (spec 1.2).
    static let dates: ClosedRange<Int64> = 1_199_145_600_000...4_102_444_800_000
}

extension Period {
    /// Days, with 30.5 to a month: for limits only.
    var approximateDays: Int64 {
        switch unit {
        case .months: count * 61 / 2
        case .years: count * 366
        case .milliseconds, .seconds, .minutes, .hours, .days, .weeks:
            (fixedMilliseconds ?? 0) / 86_400_000
        }
    }
}

extension Period {
    /// `7 days`: a number and the name of a unit, or the beginning of one.
    fileprivate init?(words: Substring) {
        let digits = words.prefix { $0.isASCII && $0.isNumber }
        let name = words.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        let units: KeyValuePairs<String, Unit> = [
            "seconds": .seconds, "minutes": .minutes, "hours": .hours, "days": .days,
            "weeks": .weeks, "months": .months, "years": .years,
        ]
        let named = units.filter { $0.key.hasPrefix(name) }
        guard let count = Int64(digits), name.count > 1, named.count == 1 else { return nil }
        self.init(count, named[0].value)
    }
}

extension String {
    /// The two ends of `from A until B`; nil for anything else.
    fileprivate func interval(until word: String) -> (Substring, Substring)? {
        guard let rest = dropping(prefix: "from "), let range = rest.range(of: word) else {
            return nil
        }
        return (rest[..<range.lowerBound], rest[range.upperBound...])
    }

    /// What follows a prefix; nil without it.
    func dropping(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}

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
