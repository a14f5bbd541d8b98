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
        if case .text(let text, _) = node.content, let element = shape.element,
            element.isScalar || element.isEither, text.isListed(withBlanks: !element.isASCII)
        {
            return .write("[\(text)]")
        }
        if case .allOr(let section, _) = shape {
            let exceptions = "\(key): {\(section.fields[0].key): [ads]}"
            return .likeEither(
                ["\(key): all", exceptions] + [Self.listSamples[key]].compactMap(\.self))
        }
        if case .list(.section(let rule)) = shape, rule["name"] != nil {
            return .writtenLike("- name: …")
        }
        if let words = shape.fewWords {
            if case .list(let nodes) = node.content, nodes.count == 1,
                case .text(let word, _) = nodes[0].content, words.contains(word)
            {
                return .write(word)
            }
            return .likeEither(words.map { "\(key): \($0)" })
        }
        return
            (sample(of: shape, key: key) ?? shape.examples.first.map { "\(key.inMessage): \($0)" })
            .map(Help.writtenLike)
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
        "credits": "credits: [{credit: coins, units: 100}]", "every": "every: 1mo",
        "under_offer": "under_offer: {free-trial: 10}",
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

    /// Bounds of which any is enough, and one of two always holds (spec 2.1).
    mutating func checkBounds(_ values: [CheckedValue], at span: SourceSpan, key: String) {
        for (index, value) in values.enumerated() {
            for other in values[..<index] {
                guard let meant = value.interval(with: other) ?? other.interval(with: value)
                else { continue }
                problems.add(
                    .oppositeBounds, at: span, .written(key), help: .writtenLike("\(key): \(meant)")
                )
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
        case (.versionBound(.from(let start)), .versionBound(.before(let end)))
        where start <= end:
            VersionBound.within(start, end).text
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
        case .list, .oneOrMany, .section, .table, .either, .allOr: false
        default: true
        }
    }

    /// Of a list, also of one that `all` may replace.
    fileprivate var element: Shape? {
        switch self {
        case .list(let element), .allOr(_, .list(let element)): element
        default: nil
        }
    }

    /// Whether it is read from a text or a section.
    fileprivate var isEither: Bool { if case .either = self { true } else { false } }

    /// Whether it is a number without a fraction.
    var isWhole: Bool {
        if case .whole = self { true } else { false }
    }

    /// What should have been written.
    fileprivate var form: WrittenForm {
        switch self {
        case .list, .allOr: .list
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
}

extension String {
    /// Whether brackets around it make a list of plain texts.
    fileprivate func isListed(withBlanks: Bool) -> Bool {
        split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
            let text = String(part.drop { $0 == " " })
            return (withBlanks || !text.contains(" "))
                && writtenInPolicy(text, isInBraces: true) == text
        }
    }
}

extension YAMLNode {
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
