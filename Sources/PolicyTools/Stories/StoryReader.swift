package import EntitlementModel
package import PolicyLoading
internal import Sentences
internal import StoreBox

/// A story file, read: the story where it has no errors, and what is to be said of it.
package struct StoryReport: Sendable {
    package var story: Story?
    package var diagnostics: [Diagnostic]
}

/// Reads a story file as strictly as a policy: everything that is wrong is told at once, with its
/// place (spec 2.3).
///
/// - Parameter policy: under which it is to be played: what it names must be there. Nil where the
///   story describes its own products.
package func readStory(_ text: PolicyText, policy: Policy?) -> StoryReport {
    var problems = ProblemList()
    guard let root = readYAML(text, into: &problems) else {
        if problems.problems.isEmpty {
            problems.add(
                .emptyFile, at: SourceSpan(file: text.path, at: SourceMark(line: 1, column: 1)))
        }
        return StoryReport(story: nil, diagnostics: diagnostics(of: problems.problems, in: [text]))
    }
    var reader = StoryReader(file: text, policy: policy, problems: problems)
    let story = reader.read(root)
    let found = diagnostics(of: reader.problems.problems, in: [text])
    let hasErrors = found.contains { $0.severity == .error }
    return StoryReport(story: hasErrors ? nil : story, diagnostics: found)
}

/// Reads the keys of a file; its steps are read by ``StepReader``.
struct StoryReader {
    static let keys = [
        "usher", "story", "story_zh", "because", "ids", "environment", "renewals", "products",
        "steps",
    ]

    let file: PolicyText
    let policy: Policy?
    var problems: ProblemList

    mutating func read(_ root: YAMLNode) -> Story? {
        guard case .map(let entries) = root.content else {
            problems.add(.notSections, at: root.span)
            return nil
        }
        checkKeys(entries, among: Self.keys, in: "story")
        checkVersion(entries, root)
        let title = require("story", in: entries, root).flatMap { text($0, key: "story") }
        var story = Story(
            file: file.path, title: title ?? "", ids: String(decoding: file.bytes, as: UTF8.self))
        story.chineseTitle = optional("story_zh", in: entries)
        story.because = optional("because", in: entries)
        if let ids = optional("ids", in: entries) { story.ids = "ids " + ids }
        if let word = word("environment", in: entries, StoreEnvironment.allCases.map(\.rawValue)) {
            story.environment = StoreEnvironment(rawValue: word) ?? .production
        }
        story.isAutomatic = word("renewals", in: entries, ["told", "automatic"]) == "automatic"
        if let node = entries.first(where: { $0.key == "products" })?.value {
            story.products = products(node)
        }
        guard let steps = require("steps", in: entries, root) else { return story }
        var reader = StepReader(
            names: StoryNames(policy: policy, words: story.products), problems: problems)
        story.steps = reader.read(steps, in: file)
        problems = reader.problems
        return story
    }

    // MARK: Keys

    private mutating func checkKeys(
        _ entries: [YAMLEntry], among known: [String], in title: String
    ) {
        for entry in entries where !known.contains(entry.key) {
            let near = suggestion(for: entry.key, among: known)
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(title),
                help: near.map(Help.didYouMean) ?? .oneOf(known))
        }
    }

    private mutating func checkVersion(_ entries: [YAMLEntry], _ root: YAMLNode) {
        guard let entry = entries.first(where: { $0.key == "usher" }) else {
            problems.add(.missingVersion, at: entries.first?.keySpan ?? root.span)
            return
        }
        guard case .text(let version, _) = entry.value.content, version != "1" else { return }
        problems.add(.unknownVersion, at: entry.value.span, .written(version))
    }

    private mutating func require(
        _ key: String, in entries: [YAMLEntry], _ root: YAMLNode
    ) -> YAMLNode? {
        if let entry = entries.first(where: { $0.key == key }) {
            guard entry.value.isEmpty else { return entry.value }
            problems.add(.emptyValue, at: entry.keySpan, .written(key))
            return nil
        }
        let strangers = entries.map(\.key).filter { !Self.keys.contains($0) }
        if strangers.contains(where: { suggestion(for: $0, among: [key]) != nil }) { return nil }
        problems.add(
            .missingKey, at: entries.first?.keySpan ?? root.span, .written(key), .written("story"))
        return nil
    }

    private mutating func text(_ node: YAMLNode, key: String) -> String? {
        if case .text(let text, _) = node.content { return text }
        problems.add(
            .wrongType, at: node.span, .written(key), .form(.singleValue), .form(.section))
        return nil
    }

    private mutating func optional(_ key: String, in entries: [YAMLEntry]) -> String? {
        guard let entry = entries.first(where: { $0.key == key }) else { return nil }
        guard !entry.value.isEmpty else {
            problems.add(.emptyValue, at: entry.keySpan, .written(key))
            return nil
        }
        return text(entry.value, key: key)
    }

    private mutating func word(
        _ key: String, in entries: [YAMLEntry], _ words: [String]
    ) -> String? {
        guard let value = optional(key, in: entries) else { return nil }
        guard !words.contains(value) else { return value }
        let span = entries.first { $0.key == key }?.value.span
        problems.add(
            .unknownWord, at: span, .written(value), .written(key),
            help: suggestion(for: value, among: words).map(Help.didYouMean) ?? .oneOf(words))
        return nil
    }

    // MARK: Products

    private mutating func products(_ node: YAMLNode) -> [String: StoryProduct] {
        guard case .map(let entries) = node.content else {
            problems.add(
                .wrongType, at: node.span, .written("products"), .form(.section),
                .form(.singleValue), help: .writtenLike("products: {gold: gold.monthly}"))
            return [:]
        }
        var products: [String: StoryProduct] = [:]
        for entry in entries { products[entry.key] = product(entry) }
        return products
    }

    private mutating func product(_ entry: YAMLEntry) -> StoryProduct? {
        if case .map(let keys) = entry.value.content {
            return described(keys, entry).map { .described($0) }
        }
        guard let word = text(entry.value, key: entry.key) else { return nil }
        guard let policy else {
            problems.add(
                .missingKey, at: entry.value.span, .written("kind"), .written(entry.key))
            return nil
        }
        if let product = policy.product(named: word) { return .inPolicy(product.id) }
        problems.add(
            .unknownProduct, at: entry.value.span, .written(word),
            help: policy.help(forProduct: word, among: policy.products.keys.map(\.text)))
        return nil
    }

    private mutating func described(_ keys: [YAMLEntry], _ entry: YAMLEntry) -> PlayProduct? {
        checkKeys(keys, among: ["id", "kind", "group", "period", "price"], in: entry.key)
        let known = problems.problems.count
        guard let kindWord = word("kind", in: keys, ProductKind.allCases.map(\.rawValue)),
            let kind = ProductKind(rawValue: kindWord)
        else {
            if problems.problems.count == known {
                problems.add(
                    .missingKey, at: entry.keySpan, .written("kind"), .written(entry.key))
            }
            return nil
        }
        let period = optional("period", in: keys)
        var product = PlayProduct(
            id: optional("id", in: keys) ?? entry.key, kind: kind,
            group: optional("group", in: keys),
            period: period.flatMap { Period($0) }.flatMap { $0.count > 0 ? $0 : nil })
        if let period, product.period == nil {
            problems.add(.badLength, at: entry.keySpan, .written(period), .written("period"))
        }
        if let text = optional("price", in: keys) {
            product.price = Price(play: text)
            let span = keys.first { $0.key == "price" }?.value.span
            if product.price == nil {
                problems.add(
                    .badAmount, at: span, .written(text), .written("price"),
                    help: .writtenLike("price: 9.99 USD"))
            }
        }
        guard kind == .autoRenewable else { return product }
        for (key, isThere) in [("group", product.group != nil), ("period", period != nil)]
        where !isThere {
            problems.add(.missingForKind, at: entry.keySpan, .written(kindWord), .written(key))
        }
        return product
    }
}
