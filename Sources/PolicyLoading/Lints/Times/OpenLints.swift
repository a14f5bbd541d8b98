internal import EntitlementModel

/// What is open to everybody for longer than anybody means, or at another time of day.
extension PolicyBuilder {
    private static let longestWindow: Int64 = 92 * 86_400_000

    /// - Parameter said: the rules of which more is said.
    mutating func checkOpenWindows(besides said: Set<String>) {
        var lines: [String: SourceLines] = [:]
        for rule in ruleSections("open") {
            guard let name = rule.value("name")?.text, let windows = rule.value("at") else {
                continue
            }
            for window in windows.elements {
                guard case .dateBound(.within(let start, let end)) = window.content else {
                    continue
                }
                let length = end.milliseconds - start.milliseconds
                guard length > Self.longestWindow else { continue }
                problems.add(
                    .openForLong, at: window.span, .written(name), .number(length / 86_400_000),
                    help: days(of: window, &lines)?.yearsBefore.map {
                        .writeOrWaive("at: \($0)")
                    })
            }
            if isInDaysOfUTC(windows), !said.contains(name) {
                let last = windows.elements.last.flatMap { window -> String? in
                    if let days = days(of: window, &lines) { return days.last.text }
                    guard case .dateBound(.within(_, let end)) = window.content else { return nil }
                    return Instant(milliseconds: end.milliseconds - 1).rfc3339
                }
                problems.add(.openInUTC, at: windows.span, .written(name), .plain(last ?? ""))
            }
        }
    }

    /// What is in UTC where the rule's name says that it is the time of another place: days of a
    /// file without a `time_zone`, and instants with the time of day that the name has.
    ///
    /// - Returns: the rules of `open` of which it is said.
    mutating func checkInstants() -> Set<String> {
        var lines: [String: SourceLines] = [:]
        var said: Set<String> = []
        for list in ["access", "account_switch", "open", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let name = value.text,
                    let (word, place) = Self.place(in: NameText(name)),
                    let window = (list == "open" ? rule : rule.value("when")?.section)?.value("at")
                else { continue }
                let zone = zone(of: window, besides: place.zone)
                for bound in window.elements {
                    guard let text = written(bound.span, &lines),
                        let wrong = WrittenTime(text, hasDays: zone != nil),
                        wrong.isSaid(in: name)
                    else { continue }
                    problems.add(
                        .instantInUTC, at: bound.span, .written(name), .written(word),
                        .plain(wrong.text), .plain(wrong.isDay ? zone ?? "UTC" : "UTC"),
                        help: wrong.isDay
                            ? place.zone.map { Self.help(zone: $0, besides: zone) } : nil)
                    said.insert(name)
                }
            }
        }
        return said
    }

    /// `Paris time`, and `midnight in Paris`.
    private static func place(in name: NameText) -> (word: String, Place)? {
        let tellsTime = name.hasAny(["midnight", "noon", "o'clock", "零点", "午夜", "中午"])
        for place in places {
            let cities = tellsTime ? place.words.compactMap(city) : []
            if let word = name.first(of: place.words + cities) { return (word, place) }
        }
        guard tellsTime else { return nil }
        return PolicyTimeZone.all.lazy.compactMap { zone -> (String, Place)? in
            guard let city = zone.split(separator: "/").last, zone.contains("/") else { return nil }
            let word = "in " + city.lowercased().replacing("_", with: " ")
            return name.contains(word) ? (word, ([word], zone)) : nil
        }.first
    }

    private static func help(zone: String, besides written: String?) -> Help {
        let line = "\(PolicyGrammar.timeZoneKey): \(zone)"
        guard let written, written != "UTC" else { return .writeAtTop(line) }
        return .writeInPlaceOf(line, "\(PolicyGrammar.timeZoneKey): \(written)")
    }

    private static func city(_ phrase: String) -> String? {
        phrase.hasSuffix(" time") ? "in " + phrase.dropLast(5) : nil
    }

    private typealias Place = (words: [String], zone: String?)

    private static let places: [Place] = [
        (
            [
                "beijing time", "shanghai time", "china time", "chinese time",
                "china standard time",
                "北京时间", "中国时间",
            ], "Asia/Shanghai"
        ), (["tokyo time", "japan time", "japanese time", "东京时间", "日本时间"], "Asia/Tokyo"),
        (["seoul time", "korean time", "首尔时间", "韩国时间"], "Asia/Seoul"),
        (["singapore time", "新加坡时间"], "Asia/Singapore"),
        (["hong kong time", "香港时间"], "Asia/Hong_Kong"),
        (["paris time", "french time"], "Europe/Paris"),
        (["berlin time", "german time", "central european time"], "Europe/Berlin"),
        (["sydney time"], "Australia/Sydney"),
        (["new york time", "eastern time"], "America/New_York"),
        (["pacific time", "california time", "los angeles time"], "America/Los_Angeles"),
        // Its own time of summer.
        (["london time", "uk time"], "Europe/London"),
        (["local time", "our time", "当地时间", "本地时间"], nil),
    ]

    /// The time zone of a file whose days begin at another hour than those of a zone.
    private func zone(of window: CheckedValue, besides zone: String?) -> String? {
        if isInDaysOfUTC(window) { return "UTC" }
        guard let zone = zone.flatMap(PolicyTimeZone.init(named:)),
            let text = texts.first(where: { $0.path == window.span.file })?.text
        else { return nil }
        let key = PolicyGrammar.timeZoneKey + ":"
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(key) }
        guard let named = line?.dropFirst(key.count).split(separator: " ").first else { return nil }
        let name = named.filter { !"\"'".contains($0) }
        let day = Instant(milliseconds: 1_800_000_000_000)
        guard let own = PolicyTimeZone(named: name),
            own.beginning(ofDayAt: day) != zone.beginning(ofDayAt: day)
        else { return nil }
        return name
    }

    /// Whether days are written, in a file that does not say where they are.
    private func isInDaysOfUTC(_ windows: CheckedValue) -> Bool {
        guard let text = texts.first(where: { $0.path == windows.span.file })?.text else {
            return false
        }
        let lines = SourceLines(text)
        let written = (windows.span.start.line...windows.span.end.line).map(lines.line)
        let hasDay = written.contains { $0.contains(/[0-9]{4}-[0-9]{2}-[0-9]{2}(?!T)/) }
        let key = PolicyGrammar.timeZoneKey + ":"
        return hasDay && !text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(key) }
    }
}

/// A day or a time of day that is meant in UTC.
private struct WrittenTime {
    /// As it is written, without its day where it is a time of day.
    let text: String
    let isDay: Bool
    /// Of the day; nil for a day.
    private let hour: Int?

    /// Nil for what is in another time.
    init?(_ text: String, hasDays: Bool) {
        if let match = text.firstMatch(of: /T([0-9]{2}):[0-9]{2}(:[0-9]{2})?Z/) {
            (self.text, hour, isDay) = (String(match.0.dropFirst()), Int(match.1), false)
        } else if hasDays, let match = text.firstMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}(?!T)/) {
            (self.text, hour, isDay) = (String(match.0), nil, true)
        } else {
            return nil
        }
    }

    /// Whether a name has this time of day; a day is the whole of it.
    func isSaid(in name: String) -> Bool {
        guard let hour else { return true }
        let half = hour % 12 == 0 ? 12 : hour % 12
        let suffix = hour < 12 ? "am" : "pm"
        let forms = [
            "\(hour):", "\(hour) 时", "\(hour)时", "\(hour) 点", "\(hour)点", "\(half)\(suffix)",
            "\(half) \(suffix)",
        ]
        let name = name.lowercased()
        return forms.contains { form in
            name.ranges(of: form).contains { range in
                range.lowerBound == name.startIndex
                    || !name[name.index(before: range.lowerBound)].isNumber
            }
        }
    }
}
