internal import EntitlementModel

/// What is written in another form than its place asks for.
extension GrammarReader {
    /// Reports a value of another form, unless a slip explains it better.
    mutating func addWrongType(_ node: YAMLNode, _ shape: Shape, key: String) {
        if case .rejected = node.content { return }
        if addSlip(in: node) { return }
        if case .text(let text, .plain) = node.content, addWidth(of: text, at: node.span) { return }
        problems.add(
            .wrongType, at: node.span, .written(key), .form(shape.form),
            .form(node.form),
            help: formHelp(for: node, shape, key: key))
    }

    /// Whether every element of a list of single values is one; reports the first that is not.
    mutating func areSingleValues(_ nodes: [YAMLNode], _ shape: Shape, key: String) -> Bool {
        guard shape.isScalar else { return true }
        let stranger = nodes.first { node in
            switch node.content {
            case .list, .map: true
            case .text, .rejected: false
            }
        }
        guard let stranger else { return true }
        problems.add(
            .wrongType, at: stranger.span, .written(key),
            .form(.listOfValues),
            .form(stranger.formInList),
            help: sample(of: .list(shape), key: key).map(Help.writtenLike))
        return false
    }

    /// What was written in the form that its place asks for, or how such a thing is written.
    private func formHelp(for node: YAMLNode, _ shape: Shape, key: String) -> Help? {
        if let credits = credits(in: node, key: key) { return .writtenLike(credits) }
        if case .text(let text, _) = node.content, let list = shape.listed(text) {
            return .writtenLike("\(key): \(list)")
        }
        if let section = joined(node, shape) { return .write("\(key): \(section)") }
        if case .list(.section(let rule)) = shape, rule["name"] != nil {
            return .dashes(key)
        }
        if let words = shape.fewWords {
            if case .list(let nodes) = node.content, nodes.count == 1,
                case .text(let word, _) = nodes[0].content, words.contains(word)
            {
                return .write("\(key): \(word)")
            }
            return .writeEither(words.map { "\(key): \($0)" })
        }
        return (sample(of: shape, key: key) ?? shape.example.map { "\(key.inMessage): \($0)" })
            .map(Help.writtenLike)
    }

    /// `when: [kind: free, state: active]` or the same with dashes, as a section; nil for others.
    private func joined(_ node: YAMLNode, _ shape: Shape) -> String? {
        guard case .section(let section) = shape, case .list(let nodes) = node.content,
            !nodes.isEmpty
        else { return nil }
        var pairs: [String] = []
        for node in nodes {
            guard case .map(let entries) = node.content else { return nil }
            for entry in entries {
                guard section[entry.key] != nil, let value = entry.value.onOneLine else {
                    return nil
                }
                pairs.append("\(entry.key): \(value)")
            }
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    /// `grants: {coins: 100}` as a list.
    private func credits(in node: YAMLNode, key: String) -> String? {
        guard key == "grants", case .map(let entries) = node.content, let entry = entries.first,
            case .text(let units, _) = entry.value.content, units.isDigits
        else { return nil }
        return "grants: [{credit: \(entry.key.inMessage), units: \(units)}]"
    }

    /// How such a thing is written; nil where the form alone says it.
    private func sample(of shape: Shape, key: String) -> String? {
        if case .section(let section) = shape, let row = Self.rowSamples[section.title],
            key != section.title
        {
            return "\(key.inMessage): \(row)"
        }
        if case .table = shape, let row = Self.rowSamples[key] {
            return "\(key): {\(Self.nameSamples[key] ?? "name"): \(row)}"
        }
        return Self.listSamples[key]
    }

    private static let rowSamples = [
        "products": "{kind: non-consumable, grants: [premium]}",
        "groups": "{levels: [gold, silver]}",
        "entitlements": "{title: Premium}", "credits": "{title: Coins}",
    ]

    private static let nameSamples = [
        "products": "com.example.unlock", "groups": "membership", "entitlements": "premium",
        "credits": "coins",
    ]

    private static let listSamples = [
        "levels": "levels: [gold, silver]", "grants": "grants: [premium]",
        "level": "level: gold", "price": "price: {USD: 9.99}",
        "limits": "limits: {cooldown: 7d}", "when": "when: {kind: auto-renewable}",
        "unless": "unless: {ownership: family-shared}", "then": "then: grant",
        "jws": "jws: [apple-root-ca-g3]",
        "receipt": "receipt: [apple-inc-root]",
    ]

    /// Whether the keys of a row stand next to its name, for want of indentation; reported once.
    mutating func isFlat(_ entries: [YAMLEntry], _ row: Shape) -> Bool {
        guard case .section(let section) = row else { return false }
        var owner: YAMLEntry?
        for entry in entries {
            if section[entry.key] == nil {
                owner = entry.value.isEmpty ? entry : nil
                continue
            }
            if case .map = entry.value.content { continue }
            guard let owner else { continue }
            problems.add(
                .notIndented, at: entry.keySpan, .written(entry.key), .written(owner.key),
                related: [.init(note: .sectionBegan, span: owner.keySpan)])
            return true
        }
        return false
    }

    /// Rules whose keys stand in two items of the list, for a dash that is too many, each as one.
    mutating func withoutStrayDashes(_ nodes: [YAMLNode], _ shape: Shape) -> [YAMLNode] {
        guard case .section(let rule) = shape, rule["name"] != nil else { return nodes }
        var whole: [YAMLNode] = []
        for node in nodes {
            guard case .map(let entries) = node.content, let first = entries.first,
                case .map(let above)? = whole.last?.content,
                case .text(let name, _)? = above.first(where: { $0.key == "name" })?.value.content,
                first.keySpan.start == node.span.start,
                above[0].keySpan.start < first.keySpan.start,
                entries.allSatisfy({ entry in
                    rule[entry.key] != nil && !above.contains { $0.key == entry.key }
                })
            else {
                whole.append(node)
                continue
            }
            problems.add(
                .missingKey, at: first.keySpan, .written("name"), .written(rule.title),
                help: .dashTooMany(first.key, rule: name))
            whole[whole.count - 1].content = .map(above + entries)
        }
        return whole
    }

    /// `[credit: coins, units: 100]`, which YAML takes for two entries of one key each.
    mutating func haveBraces(
        _ nodes: [YAMLNode], _ shape: Shape, at span: SourceSpan, key: String
    ) -> Bool {
        guard case .either(_, let sections) = shape, nodes.count > 1 else { return true }
        let pairs = nodes.compactMap { node -> String? in
            guard case .map(let entries) = node.content, entries.count == 1,
                case .text(let text, _) = entries[0].value.content
            else { return nil }
            return "\(entries[0].key): \(text)"
        }
        let keys = Set(pairs.map { String($0.prefix { $0 != ":" }) })
        guard pairs.count == nodes.count, keys.count == pairs.count,
            sections.contains(where: { section in keys.allSatisfy { section[$0] != nil } })
        else { return true }
        problems.add(
            .missingChoice, at: span, .choice(sections.map { $0.fields[0].key }), .written(key),
            help: .braces("\(key): [{\(pairs.joined(separator: ", "))}]"))
        return false
    }

    /// Bounds of which any is enough, and one of two always holds (spec 2.1).
    mutating func checkBounds(_ values: [CheckedValue], at span: SourceSpan, key: String) {
        for (index, value) in values.enumerated() {
            for other in values[..<index] {
                guard let meant = value.interval(with: other) ?? other.interval(with: value)
                else { continue }
                problems.add(
                    .oppositeBounds, at: span, .written(key), help: .write("\(key): \(meant)"))
                return
            }
        }
    }
}

extension CheckedValue {
    /// The interval between two bounds that together hold always.
    fileprivate func interval(with other: CheckedValue) -> String? {
        switch (content, other.content) {
        case (.dateBound(.from(let start)), .dateBound(.before(let end))) where start <= end:
            DateBound.within(start, end).text
        case (.age(.atLeast(let least)), .age(.under(let end))):
            (least.fixedMilliseconds ?? 0) <= (end.fixedMilliseconds ?? 0)
                ? AgeBound.between(least, end).text : nil
        default: nil
        }
    }
}

extension Shape {
    /// Whether it is read from one text.
    fileprivate var isScalar: Bool {
        switch self {
        case .list, .oneOrMany, .section, .table, .either: false
        default: true
        }
    }

    /// Whether it is a number without a fraction.
    var isWhole: Bool {
        if case .whole = self { true } else { false }
    }

    /// What should have been written.
    fileprivate var form: WrittenForm {
        switch self {
        case .list: .list
        case .section, .table: .section
        case .boolean: .trueOrFalse
        case .whole, .version: .wholeNumber
        case .amount: .amount
        default: .singleValue
        }
    }
}

extension Shape {
    /// The words to choose from, if it is an enumeration.
    fileprivate var fewWords: [String]? {
        switch self {
        case .word(let words): words
        case .boolean: ["true", "false"]
        default: nil
        }
    }

    /// How a value of it is written; nil where the author chooses.
    fileprivate var example: String? {
        switch self {
        case .text: "a text in words"
        case .whole, .version: "1"
        case .length(let allowsCalendar): allowsCalendar ? "1mo" : "7d"
        case .date: "2026-01-31"
        case .age: "under 7d"
        case .dateBound: "before 2026-01-31"
        case .window: "from 2026-12-05 until 2026-12-07"
        case .moves: "3 per 365d"
        case .amount: "9.99"
        case .timeZone: "Asia/Shanghai"
        case .oneOrMany(let inner), .list(let inner): inner.example.map { "[\($0)]" }
        default: nil
        }
    }

    /// Names with commas or spaces between them, as a list; nil where none is asked for.
    fileprivate func listed(_ text: String) -> String? {
        switch self {
        case .list(.name), .list(.either(.name, _)):
            let names = text.split { ", ;>".contains($0) }
            let isPlain = names.allSatisfy { name in
                name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
            }
            return names.isEmpty || !isPlain || text.contains(":")
                ? nil : "[\(names.joined(separator: ", "))]"
        default: return nil
        }
    }
}

extension YAMLNode {
    /// A text or a list of texts as it is written on one line; nil for anything else.
    fileprivate var onOneLine: String? {
        switch content {
        case .text(let text, .plain): text
        case .text(let text, _): text.inYAMLQuotes
        case .list(let nodes):
            nodes.allSatisfy { $0.onOneLine != nil }
                ? "[\(nodes.compactMap(\.onOneLine).joined(separator: ", "))]" : nil
        default: nil
        }
    }

    /// What was written.
    fileprivate var form: WrittenForm {
        switch content {
        case .text: .singleValue
        case .list: .list
        case .map, .rejected: .section
        }
    }

    /// The same of one element.
    fileprivate var formInList: WrittenForm {
        if case .list = content { .listInList } else { .sectionInList }
    }
}
