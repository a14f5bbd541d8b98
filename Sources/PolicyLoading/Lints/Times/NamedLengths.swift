package import EntitlementModel

/// Lengths of time that a text speaks of: `a courtesy of two weeks`, `宽限 7 天`.
package enum NamedLengths {
    /// In the order of the text, each in the unit in which it is written.
    package static func all(in text: String) -> [Period] {
        let words = WordsOfName(text.replacing("-", with: " ")).words
        var lengths: [Period] = []
        for (word, next) in zip(words, words.dropFirst()) {
            if let count = Int64(word) ?? numbers[word], (1...400).contains(count),
                let unit = units[next]
            {
                lengths.append(Period(count, unit))
            }
        }
        // 'a courtesy week'
        for (word, (between, unit)) in zip(words, zip(words.dropFirst(), words.dropFirst(2)))
        where word == "a" && units[between] == nil && singular.contains(unit) {
            if let unit = units[unit] { lengths.append(Period(1, unit)) }
        }
        return lengths + chinese(text)
    }

    /// The same length in days, where it has that many.
    package static func days(_ length: Period) -> Int64? {
        switch length.unit {
        case .months: length.count * 30
        case .years: length.count * 365
        default: length.fixedMilliseconds.map { $0 / 86_400_000 }
        }
    }

    private static let numbers: [String: Int64] = [
        "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
        "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
        "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
        "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50,
        "sixty": 60, "ninety": 90, "hundred": 100,
    ]

    private static let singular: Set<String> = ["day", "week", "month", "year"]

    private static let units: [String: Period.Unit] = [
        "hour": .hours, "hours": .hours, "day": .days, "days": .days, "week": .weeks,
        "weeks": .weeks, "month": .months, "months": .months, "year": .years, "years": .years,
    ]

    private static func chinese(_ text: String) -> [Period] {
        // Most texts are read in vain, and there are thousands of titles.
        guard text.contains(where: { "时天周期月年".contains($0) }) else { return [] }
        let every = [
            ("每年", Period(1, .years)), ("每月", Period(1, .months)), ("每周", Period(1, .weeks)),
        ]
        var lengths = every.filter { text.contains($0.0) }.map(\.1)
        var rest = text[...]
        while let start = rest.firstIndex(where: isNumeral) {
            let number = rest[start...].prefix(while: isNumeral)
            rest = rest[number.endIndex...]
            // '12月' is a month of the year, and '2026年' a year.
            let next = rest.drop { $0 == " " }
            let isCounted = next.first == "个"
            let unit = (isCounted ? next.dropFirst() : next).drop { $0 == " " }
            guard let count = Int64(number) ?? chineseNumber(number), count < 400,
                let named = chineseUnits.first(where: { unit.hasPrefix($0.key) })?.value,
                isCounted || (named != .months && named != .years)
            else { continue }
            lengths.append(Period(count, named))
        }
        return lengths
    }

    private static func isNumeral(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || "一二两三四五六七八九十".contains(character)
    }

    private static let chineseUnits: [String: Period.Unit] = [
        "小时": .hours, "天": .days, "周": .weeks, "星期": .weeks, "月": .months, "年": .years,
    ]

    /// 1 to 99.
    private static func chineseNumber(_ text: Substring) -> Int64? {
        let digits: [Character: Int64] = [
            "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
            "九": 9,
        ]
        let parts = text.split(separator: "十", omittingEmptySubsequences: false)
        func digit(_ part: Substring) -> Int64? {
            part.count == 1 ? part.first.flatMap { digits[$0] } : nil
        }
        switch parts.count {
        case 1: return digit(text)
        case 2:
            let tens = parts[0].isEmpty ? 1 : digit(parts[0])
            let ones = parts[1].isEmpty ? 0 : digit(parts[1])
            guard let tens, let ones else { return nil }
            return tens * 10 + ones
        default: return nil
        }
    }
}
