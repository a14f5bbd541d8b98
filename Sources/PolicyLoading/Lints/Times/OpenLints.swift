internal import EntitlementModel

/// What is open to everybody for longer than anybody means, or at another time of day.
extension PolicyBuilder {
    private static let longestWindow: Int64 = 92 * 86_400_000

    mutating func checkOpenWindows() {
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
            if isInDaysOfUTC(windows) {
                let last = windows.elements.last.flatMap { window -> String? in
                    if let days = days(of: window, &lines) { return days.last.text }
                    guard case .dateBound(.within(_, let end)) = window.content else { return nil }
                    return Instant(milliseconds: end.milliseconds - 1).rfc3339
                }
                problems.add(.openInUTC, at: windows.span, .written(name), .plain(last ?? ""))
            }
        }
    }

    /// Instants in UTC whose time of day is the one that the rule's name says of another place.
    mutating func checkInstants() {
        var lines: [String: SourceLines] = [:]
        for list in ["access", "account_switch", "open", "refund_answers"] {
            for rule in ruleSections(list) {
                guard let value = rule.value("name"), let name = value.text,
                    let word = NameText(name).first(of: Self.places),
                    let window = (list == "open" ? rule : rule.value("when")?.section)?.value("at")
                else { continue }
                for bound in window.elements {
                    guard let text = written(bound.span, &lines),
                        let match = text.firstMatch(of: /T([0-9]{2}:[0-9]{2})(:[0-9]{2})?Z/),
                        name.contains(match.1.drop { $0 == "0" })
                    else { continue }
                    problems.add(
                        .instantInUTC, at: bound.span, .written(name), .written(word),
                        .plain(String(match.0.dropFirst())))
                }
            }
        }
    }

    private static let places = [
        "beijing time", "shanghai time", "tokyo time", "london time", "paris time", "berlin time",
        "new york time", "eastern time", "pacific time", "local time", "our time", "北京时间",
        "当地时间", "东京时间", "本地时间",
    ]

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
