internal import EntitlementModel

/// Windows whose last day is left out: `until` names the first day that is outside.
extension PolicyBuilder {
    mutating func checkLastDays() {
        var lines: [String: SourceLines] = [:]
        for list in ["access", "account_switch", "open", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let name = rule.value("name")?.text else { continue }
                let windows = list == "open" ? rule : rule.value("when")?.section
                for window in windows?.value("at")?.elements ?? [] {
                    guard let days = days(of: window, &lines), days.leavesOutDay(of: name) else {
                        continue
                    }
                    problems.add(
                        .lastDayLeftOut, at: window.span, .written(name),
                        .plain(days.end.text), .plain(days.last.text),
                        help: .wholeDays("at: \(days.withNext)"))
                }
            }
        }
    }

    /// Nil for a window that is not written in whole days.
    func days(of window: CheckedValue, _ lines: inout [String: SourceLines]) -> WrittenDays? {
        guard case .dateBound(.within) = window.content else { return nil }
        return written(window.span, &lines).flatMap(WrittenDays.init)
    }

    /// The text of a value on one line.
    func written(_ span: SourceSpan, _ lines: inout [String: SourceLines]) -> String? {
        guard span.start.line == span.end.line else { return nil }
        let source =
            lines[span.file]
            ?? SourceLines(texts.first { $0.path == span.file }?.text ?? "")
        lines[span.file] = source
        let scalars = source.line(span.start.line).unicodeScalars
        let length = max(0, span.end.column - span.start.column)
        return String(Substring(scalars.dropFirst(span.start.column - 1).prefix(length)))
    }
}

/// `from DAY until DAY` as it was written, in the days of its file.
struct WrittenDays {
    let first: CivilDate
    /// The first day that is outside.
    let end: CivilDate

    init?(_ text: String) {
        let pattern =
            /from +([0-9]{4}-[0-9]{2}-[0-9]{2}) +until +([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9T])/
        guard let match = text.firstMatch(of: pattern),
            let first = CivilDate(written: match.1), let end = CivilDate(written: match.2)
        else { return nil }
        (self.first, self.end) = (first, end)
    }

    var last: CivilDate { CivilDate(daysSinceEpoch: end.daysSinceEpoch - 1) }

    /// The same with the day that `until` names.
    var withNext: String {
        let next = CivilDate(daysSinceEpoch: end.daysSinceEpoch + 1)
        return "from \(first.text) until \(next.text)"
    }

    /// The same with the end in the earliest year in which it is after the beginning; nil where
    /// that is still a long time.
    var yearsBefore: String? {
        let sooner = (first.year...end.year).lazy.map { year in
            CivilDate(year: year, month: end.month, day: end.day)
        }.first { $0.daysSinceEpoch > first.daysSinceEpoch }
        guard let sooner, sooner != end, sooner.daysSinceEpoch - first.daysSinceEpoch <= 92 else {
            return nil
        }
        return "from \(first.text) until \(sooner.text)"
    }

    private var count: Int64 { end.daysSinceEpoch - first.daysSinceEpoch }

    /// Whether a name says that the day belongs to the window at which it ends.
    func leavesOutDay(of name: String) -> Bool {
        let name = name.lowercased().withDigitsOfDays
        // What a name says of its end itself is not a day of it.
        let endings = ["until", "before", "till", "之前", "以前", "前夕"]
        let midnights = ["midnight", "00:00", " 0:00", "零点", "0 点", "0点"]
        guard count < 31, !(endings + midnights).contains(where: name.contains) else {
            return false
        }
        return isWeekend(name) || isWeekday(name) || isNumbered(name) || isFeast(name)
    }

    /// A weekend that ends when its Sunday begins.
    private func isWeekend(_ name: String) -> Bool {
        ["weekend", "周末", "週末"].contains(where: name.contains) && end.weekday == 0 && count < 7
    }

    private func isWeekday(_ name: String) -> Bool {
        guard count < 7 else { return false }
        let (english, chinese) = Self.weekdays[end.weekday]
        return words(name).contains { $0 == english || $0 == english + "s" }
            || chinese.contains(where: name.contains)
    }

    /// `5 and 6 December`, `24 to 26`: both ends are among the numbers of a name.
    private func isNumbered(_ name: String) -> Bool {
        let numbers = name.split { !$0.isNumber }.compactMap { Int64($0) }
        let ordinals = words(name).compactMap { word in
            ["st", "nd", "rd", "th"].contains(String(word.suffix(2)))
                ? Int64(word.dropLast(2)) : nil
        }
        let all = Set(numbers + ordinals)
        guard all.contains(end.day), end.day != first.day else { return false }
        let month = Self.months[Int(end.month) - 1]
        return all.contains(first.day)
            || (count == 1 && words(name).contains { $0 == month || $0 == month.prefix(3) })
    }

    private func isFeast(_ name: String) -> Bool {
        Self.feasts.contains { feast, month, day in
            name.contains(feast) && end.month == month && end.day == day
        }
    }

    private func words(_ name: String) -> [String] {
        name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// From Sunday on.
    private static let weekdays: [(String, [String])] = [
        ("sunday", ["周日", "星期日", "星期天", "周天"]), ("monday", ["周一", "星期一"]),
        ("tuesday", ["周二", "星期二"]), ("wednesday", ["周三", "星期三"]),
        ("thursday", ["周四", "星期四"]), ("friday", ["周五", "星期五"]),
        ("saturday", ["周六", "星期六"]),
    ]

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    static let feasts: [(name: String, month: Int64, day: Int64)] = [
        ("christmas eve", 12, 24), ("christmas day", 12, 25), ("boxing day", 12, 26),
        ("new year's eve", 12, 31), ("new year's day", 1, 1), ("halloween", 10, 31),
        ("valentine", 2, 14), ("圣诞节", 12, 25), ("元旦", 1, 1), ("情人节", 2, 14),
        ("双十一", 11, 11), ("双11", 11, 11), ("双十二", 12, 12),
    ]
}

extension CivilDate {
    /// As a policy writes it; nil for what is not three numbers.
    fileprivate init?(written text: Substring) {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// As a policy writes it.
    var text: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// 0 for a Sunday.
    var weekday: Int {
        let day = (daysSinceEpoch + 4) % 7
        return Int(day < 0 ? day + 7 : day)
    }
}
