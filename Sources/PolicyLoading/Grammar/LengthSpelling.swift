internal import EntitlementModel

/// Lengths of time as people write them: `7 days`, `1个月`, `P1M`.
enum LengthSpelling {
    /// The lengths that a text may mean, as a policy writes them; none where it is none, several
    /// where the unit is open.
    static func meant(by text: some StringProtocol, allowsCalendar: Bool) -> [String] {
        all(String(text)).filter { $0.unit.fixedMilliseconds != nil || allowsCalendar }
            .map(\.text)
    }

    /// Whether it means months or years, in any spelling.
    static func isCalendar(_ text: some StringProtocol) -> Bool {
        let all = all(String(text))
        return !all.isEmpty && all.allSatisfy { $0.unit.fixedMilliseconds == nil }
    }

    /// About as long, in days; nil for what is neither months nor years.
    static func inDays(_ text: some StringProtocol) -> String? {
        guard let period = all(String(text)).first else { return nil }
        switch period.unit {
        case .months: return "\(period.count * 30)d"
        case .years: return "\(period.count * 365)d"
        default: return nil
        }
    }

    /// `1.5mo`, about as long in days; nil for other texts.
    static func fractionInDays(_ text: some StringProtocol) -> String? {
        let digits = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard digits.contains("."), let count = Double(digits), count > 0, count < 100,
            let unit = units[unit]
        else { return nil }
        switch unit {
        case .months: return "\(Int((count * 30).rounded()))d"
        case .years: return "\(Int((count * 365).rounded()))d"
        default: return nil
        }
    }

    /// `1:30` as hours with minutes, and as minutes with seconds; nil for other texts.
    static func clock(_ text: some StringProtocol) -> [String]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Int64(parts[0]), let second = Int64(parts[1]),
            (0...1_000).contains(first), (0..<60).contains(second), first + second > 0
        else { return nil }
        return ["\(first * 60 + second)m", "\(first * 60 + second)s"]
    }

    /// `48h   how far they may be apart`: a comment that lost its sign; nil for other texts.
    static func beforeComment(_ text: Substring) -> (length: Substring, comment: Substring)? {
        guard let space = text.firstIndex(of: " ") else { return nil }
        let rest = text[space...].drop { $0 == " " }
        guard Period(text[..<space]) != nil, rest.first?.isLetter == true else { return nil }
        return (text[..<space], rest)
    }

    /// `1d12h` and `1.5h` in the one unit that holds them; nil for other texts.
    private static func sum(_ text: String) -> Period? {
        guard text.utf8.count <= 40 else { return nil }
        var total: Int64 = 0
        var rest = text.lowercased()[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            var tenths: Int64 = 0
            if rest.first == ".", let digit = rest.dropFirst().first?.wholeNumberValue {
                tenths = Int64(digit)
                rest = rest.dropFirst(2)
            }
            rest = rest.drop { $0 == " " }
            let name = String(rest.prefix { $0.isLetter })
            guard let count = Int64(digits), count < 100_000,
                let unit = units[name]?.fixedMilliseconds
            else { return nil }
            total += count * unit + tenths * unit / 10
            rest = rest.dropFirst(name.count).drop { $0 == " " }
        }
        for unit in [Period.Unit.days, .hours, .minutes, .seconds] {
            guard let length = unit.fixedMilliseconds, total > 0 else { continue }
            if total % length == 0 { return Period(total / length, unit) }
        }
        return nil
    }

    private static func all(_ written: String) -> [Period] {
        let text = written.inHalfWidth ?? written
        if let period = words[text.lowercased()] { return [period] }
        if let duration = text.dropping(prefix: "P"), let period = isoDuration(duration) {
            return [period]
        }
        var rest = text[...]
        for article in ["a ", "an ", "one "] where text.lowercased().hasPrefix(article) {
            rest = "1" + rest.dropFirst(article.count)
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count > 0 else { return [] }
        let unit = rest.dropFirst(digits.count).drop { " -_".contains($0) }
        // A capital M is neither minutes nor months by any rule.
        if unit == "M" { return [Period(count, .minutes), Period(count, .months)] }
        if let unit = units[unit.lowercased()] { return [Period(count, unit)] }
        return sum(text).map { [$0] } ?? []
    }

    /// What follows the P of ISO 8601.
    private static func isoDuration(_ text: Substring) -> Period? {
        let isTime = text.first == "T"
        let rest = isTime ? text.dropFirst() : text
        guard let unit = rest.last, let count = Int64(rest.dropLast()), count > 0 else {
            return nil
        }
        let units: [Character: Period.Unit] =
            isTime
            ? ["H": .hours, "M": .minutes, "S": .seconds]
            : ["D": .days, "W": .weeks, "M": .months, "Y": .years]
        return units[unit].map { Period(count, $0) }
    }

    private static let words: [String: Period] = [
        "daily": Period(1, .days), "weekly": Period(1, .weeks), "monthly": Period(1, .months),
        "quarterly": Period(3, .months), "yearly": Period(1, .years),
        "annual": Period(1, .years), "annually": Period(1, .years), "day": Period(1, .days),
        "week": Period(1, .weeks), "month": Period(1, .months), "year": Period(1, .years),
    ]

    private static let units: [String: Period.Unit] = {
        let names: [(Period.Unit, String)] = [
            (.milliseconds, "ms msec millisecond milliseconds 毫秒"),
            (.seconds, "s sec secs second seconds 秒 秒钟"),
            (.minutes, "m min mins minute minutes 分 分钟"),
            (.hours, "h hr hrs hour hours 时 小时 个小时"),
            (.days, "d day days 天 日"),
            (.weeks, "w wk wks week weeks 周 星期 礼拜 个星期"),
            (.months, "mo mos mon mth mths month months 月 个月"),
            (.years, "y yr yrs year years 年"),
        ]
        let pairs = names.flatMap { unit, words in
            words.split(separator: " ").map { (String($0), unit) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()
}
