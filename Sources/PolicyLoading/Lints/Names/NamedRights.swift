internal import EntitlementModel

/// The rights of a policy by what titles call them.
struct NamedRights {
    struct Named {
        let name: EntitlementName
        let word: String
    }

    /// By the first word of a phrase.
    private var english: [String: [(words: [String], name: EntitlementName)]] = [:]
    /// By the first character.
    private var chinese: [Character: [(title: String, name: EntitlementName)]] = [:]
    private let own: [(name: EntitlementName, words: [String])]

    init(_ policy: Policy) {
        own = policy.entitlements.keys.sorted().map { ($0, WordsOfName($0.text).words) }
        for (name, title) in policy.entitlements.sorted(by: { $0.key < $1.key }) {
            let isNoAds = Self.adFree.contains(WordsOfName(name.text).words.joined(separator: " "))
            let phrases = [name.text, title.english] + (isNoAds ? Self.adFree : [])
            for words in Set(phrases.map { WordsOfName($0).words }) {
                guard let first = words.first, words.joined().count > 3,
                    words.count > 1 || !Self.common.contains(first)
                else { continue }
                english[first, default: []].append((words, name))
            }
            if let title = title.chinese, title.count > 1, let first = title.first {
                chinese[first, default: []].append((title, name))
            }
        }
    }

    func named(in text: String) -> [Named] {
        let words = WordsOfName(text).words
        var found: [Named] = []
        for index in words.indices {
            let before = words[..<index].suffix(2)
            guard !before.contains(where: Self.deniers.contains) else { continue }
            for (phrase, name) in english[words[index]] ?? []
            where words[index...].starts(with: phrase) {
                found.append(Named(name: name, word: phrase.joined(separator: " ")))
            }
        }
        found += chinese(in: text)
        // A part of a longer name is not meant.
        return found.filter { part in
            !found.contains { $0.word.count > part.word.count && $0.word.contains(part.word) }
        }
    }

    private func chinese(in text: String) -> [Named] {
        text.indices.flatMap { index in
            (chinese[text[index]] ?? []).compactMap { title, name in
                let before = text[..<index].suffix(2)
                guard text[index...].hasPrefix(title),
                    !before.contains(where: { "不无非没除".contains($0) })
                else { return nil }
                return Named(name: name, word: title)
            }
        }
    }

    /// The right that a text names by the one word in which it differs from a given one, which the
    /// text does not name: of `maps-spain` and `maps-portugal`.
    func sibling(of given: EntitlementName, in text: String) -> Named? {
        guard let words = own.first(where: { $0.name == given })?.words, words.count > 1 else {
            return nil
        }
        let said = NameText(text)
        let found = own.compactMap { name, other -> Named? in
            let differing = zip(words, other).filter { $0.0 != $0.1 }
            guard words.count == other.count, differing.count == 1,
                let (mine, theirs) = differing.first,
                theirs.count > 2, said.contains(theirs), !said.contains(mine)
            else { return nil }
            return Named(name: name, word: theirs)
        }
        return found.count == 1 ? found[0] : nil
    }

    private static let deniers: Set<String> = [
        "no", "not", "without", "excluding", "except", "non", "minus", "from", "before", "than",
    ]

    private static let adFree = [
        "no ads", "noads", "ad free", "adfree", "without ads", "remove ads",
    ]

    /// Lengths, and what anything may be called.
    private static let common: Set<String> = [
        "daily", "weekly", "monthly", "yearly", "annual", "week", "month", "year", "basic", "full",
        "access", "premium", "plus", "free", "member", "membership", "subscription", "content",
        "standard", "library", "trial", "lifetime", "unlimited", "special", "extra", "bonus",
        "vip", "everything", "reading", "support", "core", "main", "base", "unlock",
    ]
}
