internal import EntitlementModel

/// Days as people write them: `2026/1/31`, `31 January 2026`, `2026年1月31日`.
enum DateSpelling {
    /// The days that a text may mean, as a policy writes them; two where day and month could be
    /// either.
    static func meant(by text: some StringProtocol) -> [String] {
        let text = String(text).inHalfWidth ?? String(text)
        var separated = ""
        for character in text.lowercased() {
            separated.append("年月日号./-_, ".contains(character) ? " " : character)
        }
        let words = separated.split(separator: " ").map(String.init)
        if words.count == 1, words[0].isDigits, words[0].count == 8 {
            let year = words[0].prefix(4)
            return days([(String(year), words[0].dropFirst(4).prefix(2), words[0].suffix(2))])
        }
        guard words.count == 3 else { return [] }
        if let month = words.firstIndex(where: { monthNumber($0) != nil }) {
            return named(words, month: month)
        }
        guard words.allSatisfy(\.isDigits) else { return [] }
        if words[0].count == 4 {
            let right = days([(words[0], words[1][...], words[2][...])])
            // `2026-13-01`: the day before the month.
            return right.isEmpty ? days([(words[0], words[2][...], words[1][...])]) : right
        }
        guard words[2].count == 4 || (words[2].count == 2 && !text.contains("-")) else { return [] }
        let year = words[2].count == 2 ? "20" + words[2] : words[2]
        return days([
            (year, words[1][...], words[0][...]), (year, words[0][...], words[1][...]),
        ])
    }

    /// The first day of a month and the month's last one, of a text that says a day which that
    /// month does not have; nil for all others.
    static func monthWithout(dayOf text: some StringProtocol) -> (year: String, month: String)? {
        let parts = String(text).split { "./-".contains($0) }.map { String($0) }
        guard parts.count == 3, parts.allSatisfy(\.isDigits) else { return nil }
        let isYearFirst = parts[0].count == 4
        guard isYearFirst || parts[2].count == 4, (1...2).contains(parts[1].count) else {
            return nil
        }
        let day = isYearFirst ? parts[2] : parts[0]
        guard let number = Int(day), (29...31).contains(number) else { return nil }
        return (isYearFirst ? parts[0] : parts[2], padded(parts[1][...]))
    }

    private static func named(_ words: [String], month: Int) -> [String] {
        guard let number = monthNumber(words[month]) else { return [] }
        let others = words.indices.filter { $0 != month }.map { words[$0] }
        let years = others.filter { $0.count == 4 && $0.isDigits }
        let rest = others.filter { $0.count < 4 }.map { $0.prefix(while: \.isNumber) }
        guard let year = years.first, let day = rest.first else { return [] }
        return days([(year, "\(number)", day)])
    }

    private static func monthNumber(_ word: String) -> Int? {
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august",
            "september", "october", "november", "december",
        ]
        guard word.count >= 3 else { return nil }
        return names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// Those that are days of a calendar, each once.
    private static func days(_ parts: [(String, Substring, Substring)]) -> [String] {
        var days: [String] = []
        for (year, month, day) in parts {
            guard (1...2).contains(month.count), (1...2).contains(day.count) else { continue }
            let text = "\(year)-\(padded(month))-\(padded(day))"
            if Instant(rfc3339: text) != nil, !days.contains(text) { days.append(text) }
        }
        return days
    }

    private static func padded(_ number: Substring) -> String {
        number.count == 1 ? "0\(number)" : "\(number)"
    }
}

/// A text with a date in it, and the day that it is.
package struct MeantDay: Hashable, Sendable {
    /// `before 2026-04-03`.
    let written: String
    /// `2026-04-03`.
    let day: String

    /// Such as `2026-04-03 (3 April 2026)`.
    func shown(in language: Language) -> String {
        let parts = day.split(separator: "-").map(String.init)
        let months = CheckPhrase.months.text(language).split(separator: " ").map(String.init)
        guard parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1),
            let number = Int(parts[2])
        else { return written }
        return CheckPhrase.dayOfMonth.text(
            language, written, months[month - 1], "\(number)", parts[0])
    }
}
