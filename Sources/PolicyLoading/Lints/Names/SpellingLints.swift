internal import EntitlementModel

/// Ids that are one slip away from what the rest of the folder writes.
extension PolicyBuilder {
    mutating func checkSpelling(_ products: [LintedProduct], _ policy: Policy) {
        let misplaced = checkPrefixes(products, policy)
        checkWords(products.filter { !misplaced.contains($0.product.id) }, policy)
        checkOwnTitles()
    }

    // MARK: The beginning of a product id

    /// An id that begins as the others do but for a slip: `com.exmaple.reader.gold`.
    private mutating func checkPrefixes(
        _ products: [LintedProduct], _ policy: Policy
    ) -> Set<ProductID> {
        let bundle = policy.app.bundleID.text
        guard let prefix = commonPrefix(products, bundle) else { return [] }
        let parts = prefix.split(separator: ".").count
        var found: Set<ProductID> = []
        for product in products where !product.name.hasPrefix(prefix + ".") {
            let own = product.name.split(separator: ".").prefix(parts).joined(separator: ".")
            guard own != prefix, SpellingIndex.edits(own, prefix, within: 2) else { continue }
            found.insert(product.product.id)
            let rest = product.name.dropFirst(own.count)
            problems.add(
                .misspeltID, at: product.row.nameSpan, .written(own), .written(product.name),
                .written(prefix), help: .didYouMean(prefix + rest))
        }
        return found
    }

    /// The bundle id where products begin with it; else what most of three or more begin with.
    private func commonPrefix(_ products: [LintedProduct], _ bundle: String) -> String? {
        if products.contains(where: { $0.name.hasPrefix(bundle + ".") }) { return bundle }
        var counts: [String: Int] = [:]
        for product in products {
            let parts = product.name.split(separator: ".")
            guard parts.count > 3 else { continue }
            counts[parts.prefix(3).joined(separator: "."), default: 0] += 1
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most.flatMap { $0.value > 1 && $0.value * 2 > products.count ? $0.key : nil }
    }

    // MARK: Words of a product id and of its title

    private mutating func checkWords(_ products: [LintedProduct], _ policy: Policy) {
        let index = SpellingIndex(vocabulary(policy))
        let bundle = policy.app.bundleID.text
        var uses: [String: Int] = [:]
        let ids = products.map { product in
            let name = product.name
            let own = name.hasPrefix(bundle) ? String(name.dropFirst(bundle.count)) : name
            return WordsOfName(own).words
        }
        for words in ids { for word in Set(words) { uses[word, default: 0] += 1 } }
        for (product, words) in zip(products, ids) {
            if let word = words.first(where: { uses[$0] == 1 && index.meant(by: $0) != nil }),
                let meant = index.meant(by: word)
            {
                problems.add(
                    .misspeltID, at: product.row.nameSpan, .written(word), .written(product.name),
                    .written(meant),
                    help: .didYouMean(product.name.replacingLast(word, meant)))
                continue
            }
            if checkOwnLevel(product, words) { continue }
            checkTitle(of: product, words)
        }
    }

    /// `rubi`, where the level is ruby and the id has no other word for it.
    private mutating func checkOwnLevel(_ product: LintedProduct, _ words: [String]) -> Bool {
        guard let level = product.product.level?.text.lowercased(), level.count > 2,
            !words.joined().contains(level.filter { $0.isLetter || $0.isNumber }),
            let word = words.first(where: { word in
                word.count > 2 && word.first == level.first && !level.hasPrefix(word)
                    && (level.count > 3 || word.sorted() == level.sorted())
                    && !word.hasPrefix(level) && SpellingIndex.edits(word, level, within: 1)
            })
        else { return false }
        problems.add(
            .misspeltID, at: product.row.nameSpan, .written(word), .written(product.name),
            .written(level), help: .didYouMean(product.name.replacingLast(word, level)))
        return true
    }

    /// A title that misspells a word of its own id: `Glod, monthly`.
    private mutating func checkTitle(of product: LintedProduct, _ words: [String]) {
        guard let value = product.section.value("title"), let title = value.text else { return }
        let index = SpellingIndex(Set(words))
        addTitle(value, title, index, known: words)
    }

    private mutating func addTitle(
        _ value: CheckedValue, _ title: String, _ index: SpellingIndex, known: [String]
    ) {
        let own = WordsOfName(title).words
        guard let word = own.first(where: { index.meant(by: $0) != nil }),
            let meant = index.meant(by: word), !own.contains(meant)
        else { return }
        problems.add(
            .misspeltID, at: value.span, .written(word), .written(title), .written(meant))
    }

    /// What products are called after: levels, groups, rights and credits, and their lengths.
    private func vocabulary(_ policy: Policy) -> Set<String> {
        let names =
            policy.groups.flatMap { [$0.key.text] + $0.value.levels.map(\.text) }
            + policy.entitlements.keys.map(\.text) + policy.credits.keys.map(\.text)
            + policy.credits.values.map(\.title.english)
        let words = names.flatMap { WordsOfName($0).words }
        return Set(words + ["monthly", "yearly", "weekly", "annual", "quarterly", "lifetime"])
    }

    // MARK: Ids of rights, credits and groups

    private mutating func checkOwnTitles() {
        for table in ["entitlements", "credits", "groups"] {
            for row in draft.tables[table] ?? [] {
                guard let value = row.value.section?.value("title"), let title = value.text else {
                    continue
                }
                let words = WordsOfName(row.name).words
                addTitle(value, title, SpellingIndex(Set(words)), known: words)
            }
        }
    }
}

/// Words, to find the one that is a slip away from another: a letter too many, too few, another, or
/// two that are swapped.
struct SpellingIndex {
    private let words: Set<String>
    /// The words by what is left of them without a letter.
    private var shorter: [String: [String]] = [:]

    init(_ words: Set<String>) {
        self.words = words.filter { Self.isLong($0) }
        for word in self.words {
            for part in Self.withoutOne(word) { shorter[part, default: []].append(word) }
        }
    }

    /// The only word that is one slip away; nil for a word that is one of them, or its plural.
    func meant(by word: String) -> String? {
        guard Self.isLong(word), !words.contains(word) else { return nil }
        let parts = Self.withoutOne(word)
        let near =
            Set(parts.filter(words.contains) + (shorter[word] ?? []))
            .union(parts.flatMap { shorter[$0] ?? [] })
            .filter { Self.edits(word, $0, within: 1) && !Self.isForm($0, of: word) }
        return near.count == 1 ? near.first : nil
    }

    private static func isLong(_ word: String) -> Bool {
        word.utf8.count > 3 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private static func withoutOne(_ word: String) -> Set<String> {
        Set(
            word.indices.map { index in
                var shorter = word
                shorter.remove(at: index)
                return shorter
            })
    }

    /// A plural, or another form of a word.
    private static func isForm(_ left: String, of right: String) -> Bool {
        guard british(left) != british(right) else { return true }
        let (long, short) = left.count > right.count ? (left, right) : (right, left)
        // Words that differ in their first letter are two words: gold and bold.
        guard left.first == right.first || left.prefix(2) == String(right.prefix(2).reversed())
        else { return true }
        if long.count == short.count { return long.count < 5 && Set(long) != Set(short) }
        return long.hasPrefix(short) && ["s", "y", "e", "r", "d", "n"].contains(long.suffix(1))
    }

    /// Words that are written in two ways alike: colour, theatre, organise, licence.
    private static func british(_ word: String) -> String {
        let plain = word.replacing("our", with: "or").replacing("is", with: "iz")
            .replacing("nce", with: "nse")
        return plain.hasSuffix("tre") ? String(plain.dropLast(2)) + "er" : plain
    }

    static func edits(_ left: String, _ right: String, within limit: Int) -> Bool {
        suggestion(for: left, among: [right], within: limit) != nil
    }
}

extension String {
    /// With the last occurrence of a part exchanged.
    fileprivate func replacingLast(_ part: String, _ replacement: String) -> String {
        guard let place = lowercased().ranges(of: part).last, lowercased().count == count else {
            return self
        }
        let start = distanceFromStart(place.lowerBound)
        return prefix(start) + replacement + dropFirst(start + part.count)
    }

    private func distanceFromStart(_ index: Index) -> Int {
        lowercased().distance(from: lowercased().startIndex, to: index)
    }
}
