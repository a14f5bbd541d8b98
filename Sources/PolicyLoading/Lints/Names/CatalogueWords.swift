internal import EntitlementModel

/// Products by the words of their ids that are neither lengths nor anything else in the folder.
struct NamedProducts {
    private var ids: [String: [ProductID]] = [:]

    init(_ policy: Policy) {
        let bundle = policy.app.bundleID.text
        for id in policy.products.keys.sorted() {
            let own = id.text.hasPrefix(bundle) ? String(id.text.dropFirst(bundle.count)) : id.text
            for word in Set(WordsOfName(own).words)
            where word.count > 3 && !Self.common.contains(word) && Int64(word) == nil {
                ids[word, default: []].append(id)
            }
        }
        // What very many products are called says little.
        ids = ids.filter { $0.value.count <= 50 }
    }

    func products(of word: String) -> [ProductID]? {
        ids[word] ?? (word.hasSuffix("s") ? ids[String(word.dropLast())] : ids[word + "s"])
    }

    private static let common: Set<String> = [
        "week", "weekly", "month", "monthly", "year", "yearly", "annual", "quarter", "quarterly",
        "daily", "trial", "basic", "full", "plan", "plus", "lite", "free", "premium", "member",
        "members", "membership", "subscription", "first", "early", "family", "team", "single",
        "extra", "special", "bonus", "account", "access", "product", "reader", "purchase",
        "lifetime", "forever", "once", "time", "days", "product", "standard", "unlimited", "sale",
        "with", "from", "only", "test", "sandbox", "offer", "code", "upgrade", "renew", "small",
        "large", "medium", "starter", "second", "third", "half", "double", "people", "user",
        "apple", "support", "refund", "grace", "price", "card", "com", "what", "that", "this",
    ]
}

/// What rights or groups are called, to find those that a name speaks of.
struct NamedTitles {
    /// By the first word of a phrase, with the words of the phrase.
    private var english: [String: [(words: [String], name: String)]] = [:]
    private var chinese: [(title: String, name: String)] = []

    init(_ all: [(name: String, english: String?, chinese: String?)]) {
        for (name, title, other) in all.sorted(by: { $0.name < $1.name }) {
            for words in Set([name, title ?? ""].map { WordsOfName($0).words }) {
                guard let first = words.first, words.joined().count > 3 else { continue }
                english[first, default: []].append((words, name))
            }
            if let other { chinese.append((other, name)) }
        }
    }

    /// In the order of their names.
    func named(in text: NameText) -> [String] {
        let found = text.words.indices.flatMap { index in
            (english[text.words[index]] ?? []).filter { phrase, _ in
                text.words[index...].starts(with: phrase)
            }.map(\.name)
        }
        let others = text.isASCII ? [] : chinese.filter { text.contains($0.title) }.map(\.name)
        return Set(found + others).sorted()
    }
}
