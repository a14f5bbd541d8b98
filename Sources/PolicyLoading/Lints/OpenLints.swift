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

    /// Nil for a window that is not written in whole days.
    private func days(of window: CheckedValue, _ lines: inout [String: SourceLines]) -> WrittenDays?
    {
        let span = window.span
        guard case .dateBound(.within) = window.content, span.start.line == span.end.line else {
            return nil
        }
        let source =
            lines[span.file]
            ?? SourceLines(texts.first { $0.path == span.file }?.text ?? "")
        lines[span.file] = source
        let scalars = source.line(span.start.line).unicodeScalars
        let length = max(0, span.end.column - span.start.column)
        return WrittenDays(
            String(Substring(scalars.dropFirst(span.start.column - 1).prefix(length))))
    }
}

/// `from DAY until DAY` as it was written, in the days of its file.
private struct WrittenDays {
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
}

extension CivilDate {
    /// As a policy writes it; nil for what is not three numbers.
    fileprivate init?(written text: Substring) {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    /// As a policy writes it.
    fileprivate var text: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}
