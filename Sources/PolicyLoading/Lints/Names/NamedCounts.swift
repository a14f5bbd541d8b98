/// Numbers of things and of times in a name.
enum NamedCounts {
    typealias Count = (count: Int64, word: String)

    /// 'up to six accounts'
    static func things(in text: String) -> [Count] {
        let words = WordsOfName(text).words
        let pairs = zip(words, words.dropFirst()).compactMap { word, next -> Count? in
            guard Self.counted.contains(next), let count = number(word) else { return nil }
            return (count, "\(word) \(next)")
        }
        let ends = zip(words.indices, words).compactMap { index, word -> Count? in
            guard index > 1, words[index - 2] == "up", words[index - 1] == "to",
                let count = number(word)
            else { return nil }
            return (count, "up to \(word)")
        }
        guard text.contains(where: { "人个台位".contains($0) }) else { return pairs + ends }
        let chinese = text.matches(of: /([0-9]+|[一二两三四五六七八九十]) *(人|个账号|个账户|台设备|位家人|位成员)/)
        return pairs + ends
            + chinese.compactMap { match in
                number(String(match.1)).map { ($0, String(match.0)) }
            }
    }

    /// 'three times a year', 'once'
    static func times(in text: String) -> [Count] {
        let words = WordsOfName(text).words
        let single = words.enumerated().compactMap { index, word -> Count? in
            // 'at once', 'once more', 'once it has lapsed'
            let next = index + 1 < words.count ? words[index + 1] : ""
            let counts = ["a", "in", "per", "every", "each", "within", "only", ""].contains(next)
            let before = index > 0 ? words[index - 1] : ""
            guard counts, !["at", "bought", "more", "all"].contains(before) else { return nil }
            return word == "once" ? (1, word) : word == "twice" ? (2, word) : nil
        }
        let pairs = zip(words, words.dropFirst()).compactMap { word, next -> Count? in
            guard ["times", "moves", "switches", "switch", "move"].contains(next),
                let count = word == "a" ? nil : number(word)
            else { return nil }
            return (count, "\(word) \(next)")
        }
        guard text.contains("次") else { return single + pairs }
        let chinese = text.matches(of: /([0-9]+|[一二两三四五六七八九十]) *次/)
        return single + pairs
            + chinese.compactMap { match in
                number(String(match.1)).map { ($0, String(match.0)) }
            }
    }

    private static let counted: Set<String> = [
        "accounts", "people", "persons", "devices", "members", "users", "seats", "relatives",
    ]

    static func number(_ word: String) -> Int64? {
        Int64(word) ?? words[word]
    }

    private static let words: [String: Int64] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10, "twelve": 12, "twenty": 20, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4,
        "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    ]
}
