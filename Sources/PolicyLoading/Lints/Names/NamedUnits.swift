internal import EntitlementModel

/// What a title says of the units of a credit: `100 coins`.
struct UnitsInTitle {
    let credit: CreditName
    /// Any of which, or all together, may be meant.
    let numbers: [Int64]
    let phrase: String
}

/// The credits of a policy by what titles call them.
struct NamedUnits {
    private struct Named {
        let credit: CreditName
        /// In English, as words.
        let phrases: Set<[String]>
        let chinese: String?
    }

    private let names: [Named]

    init(_ policy: Policy) {
        names = policy.credits.sorted { $0.key < $1.key }.map { credit, definition in
            let full = [credit.text, definition.title.english].map { WordsOfName($0).words }
            return Named(
                credit: credit,
                phrases: Set(
                    (full + full.compactMap { $0.last.map { [$0] } }).filter { !$0.isEmpty }),
                chinese: definition.title.chinese)
        }
    }

    func said(in title: String) -> [UnitsInTitle] {
        guard !names.isEmpty else { return [] }
        let plain = title.replacing(",", with: "").replacing("，", with: "")
        let words = WordsOfName(plain).words
        let numbers = words.indices.compactMap { index in
            NamedCounts.number(words[index]).map { (index: index, number: $0) }
        }
        let isChinese = plain.hasChinese
        guard !numbers.isEmpty || isChinese else { return [] }
        let found = names.compactMap { name in
            english(words, numbers, name) ?? (isChinese ? chinese(plain, name) : nil)
        }
        guard found.count == 1, let only = found.first else { return found }
        // `100 + 20 coins`
        let all = plain.split { !$0.isASCII || !$0.isNumber }.compactMap { Int64($0) }
        return [
            UnitsInTitle(
                credit: only.credit, numbers: only.numbers + all.filter { $0 != only.numbers[0] },
                phrase: only.phrase)
        ]
    }

    private func english(
        _ words: [String], _ numbers: [(index: Int, number: Int64)], _ name: Named
    ) -> UnitsInTitle? {
        for (index, number) in numbers {
            for phrase in name.phrases {
                var rest = words[(index + 1)...]
                // '10 bags of fertilizer', not '10 days of'
                if rest.dropFirst().first == "of", let noun = rest.first, !Self.times.contains(noun)
                {
                    rest = rest.dropFirst(2)
                }
                let own = rest.prefix(phrase.count)
                guard own.count == phrase.count, zip(own, phrase).allSatisfy(isForm) else {
                    continue
                }
                return UnitsInTitle(
                    credit: name.credit, numbers: [number],
                    phrase: ([words[index]] + own).joined(separator: " "))
            }
        }
        return nil
    }

    private static let times: Set<String> = [
        "hours", "days", "weeks", "months", "years", "hour", "day", "week", "month", "year",
    ]

    /// Whether two words are the same but for the plural.
    private func isForm(_ left: String, _ right: String) -> Bool {
        left == right || left + "s" == right || right + "s" == left
    }

    private func chinese(_ title: String, _ named: Named) -> UnitsInTitle? {
        guard let name = named.chinese, title.contains(name) else { return nil }
        for match in title.matches(of: /([0-9]+) *[个枚点颗]? */)
        where title[match.range.upperBound...].hasPrefix(name) {
            guard let number = Int64(match.1) else { continue }
            return UnitsInTitle(
                credit: named.credit, numbers: [number], phrase: "\(match.1) \(name)")
        }
        return nil
    }
}
