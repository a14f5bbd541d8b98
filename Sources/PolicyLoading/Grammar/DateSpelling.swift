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
        if words[0].count == 4 { return days([(words[0], words[1][...], words[2][...])]) }
        guard words[2].count == 4 else { return [] }
        return days([
            (words[2], words[1][...], words[0][...]), (words[2], words[0][...], words[1][...]),
        ])
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
