internal import EntitlementModel

/// Years, months, days and feasts that a name speaks of.
struct NamedDates {
    let years: [Int64]
    /// Those that follow a month: they are no names of what is sold.
    private let datedYears: Set<Int64>
    /// With the word for it, and whether a day is of it.
    private let days: [(word: String, isMeant: (CivilDate) -> Bool)]
    private let feasts: [(word: String, isMeant: (CivilDate) -> Bool)]
    /// Feasts of one day.
    private let exactDays: [(word: String, isMeant: (CivilDate) -> Bool)]
    private let weekends: [(word: String, isMeant: (CivilDate) -> Bool)]
    private let namesWeek: Bool

    init(_ text: String) {
        let text = text.withDigitsOfDays
        let name = text.lowercased()
        years = Self.years(in: name)
        datedYears = Self.datedYears(in: name)
        days = Self.months(text)
        feasts = Self.seasons(name)
        exactDays = WrittenDays.feasts.filter { name.contains($0.name) }.map { feast in
            (feast.name, { $0.month == feast.month && $0.day == feast.day })
        }
        weekends = Self.weekend(NameText(name))
        namesWeek = NameText(name).contains("week") && NamedLengths.all(in: text).isEmpty
    }

    static func years(in text: String) -> [Int64] {
        text.split { !$0.isASCII || !$0.isNumber }.compactMap {
            $0.count == 4 && $0.hasPrefix("20") ? Int64($0) : nil
        }
    }

    /// `1 July 2027`, `2027 年 7 月`.
    private static func datedYears(in name: String) -> Set<Int64> {
        let words = WordsOfName(name).words
        let english = zip(words, words.dropFirst()).compactMap { word, next in
            monthNames.contains(word) && next.count == 4 ? Int64(next) : nil
        }
        guard name.contains("年") else { return Set(english) }
        let chinese = name.matches(of: /(20[0-9]{2}) *年 *[0-9]{1,2} *月/).compactMap {
            Int64($0.1)
        }
        return Set(english + chinese)
    }

    /// What no date is of; of the years that are names of the catalogue, none.
    func missing(in bounds: [WrittenBound], besides catalogue: Set<Int64>) -> String? {
        let open = years.filter { !catalogue.contains($0) || datedYears.contains($0) }
        if !open.isEmpty, !open.contains(where: { year in bounds.contains { $0.isInYear(year) } }) {
            return "\(open[0])"
        }
        // Of each sort one that is met is enough: 'from March to the end of May'.
        for sort in [days, exactDays, feasts, weekends] {
            guard let first = sort.first,
                !sort.contains(where: { named in
                    bounds.contains { $0.hasDay(where: named.isMeant) }
                })
            else { continue }
            return first.word
        }
        return nil
    }

    /// A weekend of a month, a week of a day, and a feast of two months.
    func exceeded(by bound: WrittenBound) -> String? {
        guard bound.key == "at" else { return nil }
        if case .from = bound.kind {
            return weekends.first?.word ?? (namesWeek ? "week" : nil)
        }
        guard case .within = bound.kind else { return nil }
        let length = bound.last.daysSinceEpoch - bound.first.daysSinceEpoch
        // Of what is open for longer that is said.
        guard length <= 92 else { return nil }
        if length > 6, let first = weekends.first { return first.word }
        if namesWeek, !(5...10).contains(length) { return "week" }
        return length > 45 ? feasts.first(where: { $0.word != "summer" })?.word : nil
    }

    static let earlier = [
        "early", "earliest", "founders", "founding", "first year", "old", "long-standing", "loyal",
        "existing", "老用户", "老会员", "早期", "创始",
    ]
    static let newer = [
        "new members", "new customers", "newcomers", "new users", "new buyers", "new subscribers",
        "new players", "新用户", "新会员",
    ]
    static let giving = [
        "is for", "are for", "for who", "for those", "may use", "may keep", "can use", "can keep",
        "keep", "keeps", "get", "gets", "可以", "保留", "专属", "才有", "才能", "才可",
    ]
    static let denying = [
        "no", "not", "never", "nobody", "without", "nothing", "closed", "closes", "ends", "lose*",
        "stops", "不", "无", "停", "没", "取消",
    ]

    /// Whether a name says behind a word for a side of a date that something is denied, and not
    /// before it.
    static func isDenied(behind side: String?, in name: NameText) -> Bool {
        guard let side, name.hasAny(lacking, after: side) else { return false }
        return !name.hasAny(denying + lacking, before: side)
    }

    private static let lacking = [
        "have no", "has no", "have none", "has none", "get no", "gets no", "get nothing",
        "gets nothing", "lose*", "do not", "does not", "may not", "cannot",
        "没有", "不能", "不享", "无",
    ]

    /// The words of a name for what is before and for what is after a date.
    static func sides(of text: String) -> (before: String?, since: String?) {
        let words = WordsOfName(text).words
        func has(_ sides: Set<String>) -> String? {
            for (index, word) in words.enumerated() where sides.contains(word) {
                let next = words[(index + 1)...].first { $0 != "the" } ?? ""
                let isTime = next.hasPrefix("20") && next.count == 4 || monthNames.contains(next)
                if isTime || ["summer", "winter", "spring", "autumn"].contains(next) {
                    return word
                }
            }
            return nil
        }
        var (before, since) = (has(["before", "until", "till"]), has(["since", "from", "after"]))
        guard text.contains("20") else { return (before, since) }
        if since == nil, text.contains(/20[0-9]{2} (or|and) (later|after)/) { since = "or later" }
        if before == nil, text.contains(/20[0-9]{2} (or|and) (earlier|before)/) {
            before = "or earlier"
        }
        if text.contains("年"),
            let match = text.firstMatch(of: /20[0-9]{2} *年.{0,10}?(之?前|以前|之?后|以后|起)/)
        {
            let side = String(match.1)
            if side.hasSuffix("前") { before = side } else { since = side }
        }
        return (before, since)
    }

    /// The days of a text in the form of a policy.
    static func days(in text: String) -> [CivilDate] {
        text.split { !$0.isASCII || !($0.isNumber || $0 == "-") }.compactMap { date in
            let parts = date.split(separator: "-")
            guard parts.map(\.count) == [4, 2, 2], let year = Int64(parts[0]),
                let month = Int64(parts[1]), let day = Int64(parts[2])
            else { return nil }
            return CivilDate(year: year, month: month, day: day)
        }
    }

    private typealias Named = (word: String, isMeant: (CivilDate) -> Bool)

    // MARK: Months

    private static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    private static func months(_ text: String) -> [Named] {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        var found: [Named] = []
        for (index, word) in words.enumerated() {
            guard let month = month(word) else { continue }
            let next = index + 1 < words.count ? words[index + 1] : ""
            let before = index > 0 ? words[index - 1] : ""
            // 'May' and 'March' are verbs, too.
            if ["may", "march", "mar"].contains(word.lowercased()) {
                let dated = word.first?.isUppercase == true && (index > 0 || day(next) != nil)
                guard
                    dated || day(next) != nil || day(before) != nil
                        || (index > 0 && Int64(next) != nil)
                else { continue }
            }
            let days = [day(next), day(before)].compactMap { $0 }
            guard let day = days.first, days.count == 1 else {
                found.append((word, { $0.month == month }))
                continue
            }
            let isRange =
                words.count > 3 && text.contains(/[0-9](st|nd|rd|th)? *(-|–|to|and|until) */)
            found.append(
                ("\(word) \(day)", { $0.month == month && (isRange || $0.day == day) }))
        }
        return found + chinese(text)
    }

    private static func month(_ word: String) -> Int64? {
        let word = word.lowercased()
        let index = monthNames.firstIndex { $0 == word || (word.count == 3 && $0.hasPrefix(word)) }
        return index.map { Int64($0 + 1) }
    }

    private static func day(_ word: String) -> Int64? {
        let digits = word.prefix { $0.isNumber }
        guard ["", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)),
            let day = Int64(digits), (1...31).contains(day)
        else { return nil }
        return day
    }

    private static func chinese(_ text: String) -> [Named] {
        guard text.contains("月") else { return [] }
        return text.matches(of: /([0-9]{1,2}|十[一二]|[一二三四五六七八九十]) *月(?:([0-9]{1,2}) *[日号])?/)
            .compactMap { match -> Named? in
                let numbers = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
                let written = String(match.1)
                let month = Int64(written) ?? numbers.firstIndex(of: written).map { Int64($0 + 1) }
                guard let month, (1...12).contains(month) else { return nil }
                let day = match.2.flatMap { Int64($0) }
                return (String(match.0), { $0.month == month && (day == nil || $0.day == day) })
            }
    }

    // MARK: Seasons and feasts

    private static func seasons(_ name: String) -> [Named] {
        let text = NameText(name)
        return all.compactMap { words, first, last in
            text.first(of: words).map { word in
                (
                    word,
                    { day in
                        let own = day.month * 100 + day.day
                        return first <= last
                            ? (first...last).contains(own) : own >= first || own <= last
                    }
                )
            }
        } + summer(text)
    }

    /// Of either hemisphere.
    private static func summer(_ text: NameText) -> [Named] {
        text.first(of: ["summer"]).map { word in
            [(word, { [5, 6, 7, 8, 9, 12, 1, 2].contains($0.month) })]
        } ?? []
    }

    private static func weekend(_ text: NameText) -> [Named] {
        text.first(of: ["weekend", "周末", "週末"]).map { word in
            [(word, { [0, 6].contains($0.weekday) })]
        } ?? []
    }

    /// With the first and the last day, as month and day; wide enough for both hemispheres.
    private static let all: [([String], Int64, Int64)] = [
        (["christmas", "xmas", "圣诞"], 1210, 106),
        (["new year", "new year's", "new year's eve", "元旦", "跨年"], 1220, 115),
        (["black friday", "黑色星期五", "黑五"], 1115, 1210), (["cyber monday"], 1120, 1210),
        (["halloween", "万圣"], 1015, 1105), (["valentine*", "情人节"], 201, 220),
        (["easter", "复活节"], 315, 505), (["thanksgiving", "感恩节"], 1005, 1205),
        (["spring festival", "lunar new year", "chinese new year", "春节", "新春"], 110, 305),
        (["national day", "golden week", "国庆"], 915, 1015), (["mid-autumn", "中秋"], 901, 1015),
        (["双十一", "双11", "singles day", "singles' day"], 1020, 1115),
        (["双十二", "双12"], 1201, 1215), (["618大促", "618 大促", "618活动"], 525, 625),
        (["暑期", "暑假", "夏季"], 601, 915), (["寒假", "冬季"], 1115, 315),
        (["back to school", "开学"], 715, 1005),
    ]
}

extension String {
    /// `12月5日` for `十二月五日`; other numerals stay.
    var withDigitsOfDays: String {
        guard contains(where: { "月日号".contains($0) }) else { return self }
        return replacing(/([一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])(?= *[月日号])/) { match in
            "\(Self.number(match.output.1))"
        }
    }

    private static func number(_ numeral: Substring) -> Int {
        let parts = numeral.split(separator: "十", omittingEmptySubsequences: false).map { part in
            part.first.flatMap { "一二三四五六七八九".firstIndex(of: $0) }
                .map { "一二三四五六七八九".distance(from: "一二三四五六七八九".startIndex, to: $0) + 1 }
        }
        return parts.count == 1 ? parts[0] ?? 0 : (parts[0] ?? 1) * 10 + (parts[1] ?? 0)
    }
}
