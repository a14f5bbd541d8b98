internal import EntitlementModel

/// What is written in another form than its place asks for.
extension GrammarReader {
    /// Reports a value of another form, unless a slip explains it better.
    mutating func addWrongType(_ node: YAMLNode, _ shape: Shape, key: String) {
        if case .rejected = node.content { return }
        if addSlip(in: node) { return }
        problems.add(
            .wrongType, at: node.span, .written(key), .words(shape.described),
            .words(node.described), help: sample(of: shape, key: key).map(Help.writtenLike))
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
            .words(Words("a list of single values", "由单个值组成的列表")),
            .words(stranger.describedInList),
            help: sample(of: .list(shape), key: key).map(Help.writtenLike))
        return false
    }

    /// How such a thing is written; nil where the form alone says it.
    private func sample(of shape: Shape, key: String) -> String? {
        if case .section(let section) = shape, let row = Self.rowSamples[section.title],
            key != section.title
        {
            return "\(printable(key)): \(row)"
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
        "level": "level: gold", "jws": "jws: [apple-root-ca-g3]",
        "receipt": "receipt: [apple-inc-root]",
    ]

    /// Whether the keys of a row stand beside its name, for want of indentation; reported once.
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
    fileprivate var described: Words {
        switch self {
        case .list: Words("a list", "一个列表")
        case .section, .table: Words("a section with keys", "一组键和值")
        case .boolean: Words("true or false", "true 或 false")
        case .whole, .version: Words("a whole number", "一个整数")
        case .amount: Words("an amount", "一个金额")
        default: Words("a single value", "单个值")
        }
    }
}

extension YAMLNode {
    /// What was written, for "expected a list, found …".
    fileprivate var described: Words {
        switch content {
        case .text: Words("a single value", "单个值")
        case .list: Words("a list", "一个列表")
        case .map, .rejected: Words("a section with keys", "一组键和值")
        }
    }

    /// The same of one element.
    fileprivate var describedInList: Words {
        if case .list = content { return Words("a list within the list", "列表中的列表") }
        return Words("a section with keys in the list", "列表中的一组键和值")
    }
}
