internal import EntitlementModel

/// Reads a file's tree by the grammar: every key and value is either checked or reported.
struct GrammarReader {
    var problems = ProblemList()
    /// Of the file that is being read; nil for UTC.
    var timeZone: PolicyTimeZone?
    /// Dates without a time of day in the file so far.
    var dayCount = 0

    /// A whole file; nil where it is not made of sections.
    mutating func readFile(_ root: YAMLNode) -> CheckedSection? {
        guard case .map(let entries) = root.content else {
            if case .rejected = root.content { return nil }
            if addSlip(in: root) { return nil }
            problems.add(.notSections, at: root.span)
            return nil
        }
        let zone = entries.first { $0.key == PolicyGrammar.timeZoneKey }
        if case .text(let name, _)? = zone?.value.content {
            timeZone = PolicyTimeZone(named: name)
        }
        let own = withoutStrayLists(entries)
        let section = read(
            YAMLNode(content: .map(own), span: root.span), PolicyGrammar.file, key: "")
        let hasBadDate = problems.problems.contains {
            [.badDate, .badDateBound, .oppositeBounds].contains($0.id)
        }
        if let zone, timeZone != nil, dayCount == 0, !hasBadDate {
            problems.add(.unusedTimeZone, at: zone.keySpan)
        }
        return section
    }

    /// The entries without lists under a wrong name, whose rules are read as what they are.
    private mutating func withoutStrayLists(_ entries: [YAMLEntry]) -> [YAMLEntry] {
        entries.filter { entry in
            guard let meant = RuleGrammar.listMeant(by: entry.value, under: entry.key),
                let shape = PolicyGrammar.file[meant]?.shape
            else { return true }
            problems.add(.wrongList, at: entry.keySpan, .written(entry.key), .written(meant))
            _ = read(entry.value, shape, key: meant)
            return false
        }
    }

    /// Reads a value of a shape; `key` is what messages call it.
    mutating func read(_ node: YAMLNode, _ shape: Shape, key: String) -> CheckedValue {
        if node.isEmpty {
            problems.add(.emptyValue, at: node.span, .written(key))
            return CheckedValue(span: node.span, content: .broken)
        }
        let content: CheckedValue.Content? =
            switch shape {
            case .list(let element): list(node, element, key: key)
            case .oneOrMany(let element): oneOrMany(node, element, key: key)
            case .section(let section): read(node, section, key: key).map { .section($0) }
            case .table(let names, let row): table(node, names, row, key: key)
            case .either(let text, let sections): either(node, text, sections, key: key)
            case .allOr(let section, let other): allOr(node, section, other, key: key)
            default: scalar(node, shape, key: key)
            }
        return CheckedValue(span: node.span, content: content ?? .broken)
    }

    // MARK: Sections

    private mutating func read(
        _ node: YAMLNode, _ section: Section, key: String
    ) -> CheckedSection? {
        guard case .map(let entries) = node.content else {
            addWrongType(node, .section(section), key: key)
            return nil
        }
        var fields: [String: CheckedField] = [:]
        for entry in withoutFractions(entries, isWhole: { section[$0]?.shape.isWhole ?? false }) {
            guard let field = section[entry.key] else {
                // What was meant is there, and broken: nothing that lacks it is reported again.
                if let meant = addUnknownKey(entry, section, beside: entries),
                    fields[meant] == nil
                {
                    fields[meant] = CheckedField(
                        keySpan: entry.keySpan,
                        value: CheckedValue(span: entry.value.span, content: .broken))
                }
                continue
            }
            fields[field.key] = CheckedField(
                keySpan: entry.keySpan, value: read(entry, field))
        }
        let strangers = entries.map(\.key).filter { section[$0] == nil }
        for field in section.fields where field.isRequired && fields[field.key] == nil {
            // A slip in the key has been reported.
            if strangers.contains(where: { field.isMeant(by: $0) }) { continue }
            problems.add(
                .missingKey, at: entries.first?.keySpan ?? node.span, .written(field.key),
                .written(section.title), help: field.shape.missingHelp(field.key))
        }
        return CheckedSection(span: node.span, fields: fields)
    }

    private mutating func read(_ entry: YAMLEntry, _ field: Field) -> CheckedValue {
        if case .text(let word, _) = entry.value.content, field.former.contains(word) {
            return CheckedValue(span: entry.value.span, content: .text(word))
        }
        return read(entry, field.shape)
    }

    private mutating func read(_ entry: YAMLEntry, _ shape: Shape) -> CheckedValue {
        guard entry.value.isEmpty else { return read(entry.value, shape, key: entry.key) }
        problems.add(
            .emptyValue, at: entry.keySpan, .written(entry.key),
            help: Self.spaced(entry).map(Help.write))
        return CheckedValue(span: entry.keySpan, content: .broken)
    }

    /// `USD:5.99` with the space that it lacks; nil for other keys.
    static func spaced(_ entry: YAMLEntry) -> String? {
        let parts = entry.key.split(separator: ":", omittingEmptySubsequences: false)
        guard entry.value.isEmpty, entry.keyStyle == .plain, parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty })
        else { return nil }
        return "\(parts[0]): \(parts[1])"
    }

    private mutating func either(
        _ node: YAMLNode, _ text: Shape, _ sections: [Section], key: String
    ) -> CheckedValue.Content? {
        guard case .map(let entries) = node.content else { return scalar(node, text, key: key) }
        let keys = Set(entries.map(\.key))
        if let section = sections.first(where: { keys.contains($0.fields[0].key) }) {
            return read(node, section, key: key).map { .section($0) }
        }
        let choices = sections.map { $0.fields[0].key }
        let misspelt = entries.first { suggestion(for: $0.key, among: choices) != nil }
        if let misspelt {
            problems.add(
                .unknownKey, at: misspelt.keySpan, .written(misspelt.key), .written(key),
                help: .meant(by: misspelt.key, among: choices))
        } else {
            problems.add(
                .missingChoice, at: entries.first?.keySpan ?? node.span, .choice(choices),
                .written(key))
        }
        return nil
    }

    private mutating func allOr(
        _ node: YAMLNode, _ section: Section, _ other: Shape, key: String
    ) -> CheckedValue.Content? {
        let exception = section.fields[0].key
        func isException(_ node: YAMLNode) -> Bool {
            guard case .map(let entries) = node.content else { return false }
            return entries.contains { suggestion(for: $0.key, among: [exception]) != nil }
        }
        switch node.content {
        case .text("all", _): return .text("all")
        case .text(let text, _) where text.lowercased() == "all":
            problems.add(
                .unknownWord, at: node.span, .written(text), .written(key), help: .write("all"))
            return nil
        case .map where isException(node): return read(node, section, key: key).map { .section($0) }
        case .list(let nodes):
            guard let nested = nodes.first(where: isException) else { break }
            problems.add(.allWithOthers, at: nested.span, .written(exception))
            return nil
        case .text, .map, .rejected:
            addWrongType(node, .allOr(section, other), key: key)
            return nil
        }
        return read(node, other, key: key).content
    }

    // MARK: Lists and tables

    private mutating func list(
        _ node: YAMLNode, _ shape: Shape, key: String
    ) -> CheckedValue.Content? {
        guard case .list(let nodes) = node.content else {
            addWrongType(node, .list(shape), key: key)
            return nil
        }
        guard areSingleValues(nodes, shape, key: key) else { return nil }
        return .list(nodes.map { read($0, shape, key: key) })
    }

    private mutating func oneOrMany(
        _ node: YAMLNode, _ shape: Shape, key: String
    ) -> CheckedValue.Content? {
        guard case .list(let nodes) = node.content else {
            let value = read(node, shape, key: key)
            return value.isBroken ? nil : .list([value])
        }
        guard !nodes.isEmpty else {
            let help = key == "all_except" ? Help.writtenLike("grants: all") : nil
            problems.add(.emptyList, at: node.span, .written(key), help: help)
            return nil
        }
        guard areSingleValues(nodes, shape, key: key) else { return nil }
        reportRepeats(nodes, key: key)
        let values = nodes.map { read($0, shape, key: key) }
        checkBounds(values, at: node.span, key: key)
        return values.contains(where: \.isBroken) ? nil : .list(values)
    }

    /// Reports texts that stand twice in one list.
    mutating func reportRepeats(_ nodes: [YAMLNode], key: String) {
        var seen: [String: SourceSpan] = [:]
        for node in nodes {
            guard case .text(let text, _) = node.content, !text.isEmpty else { continue }
            if let first = seen[text] {
                problems.add(
                    .repeatedValue, at: node.span, .written(text), .written(key),
                    related: [.init(note: .firstWritten, span: first)])
            } else {
                seen[text] = node.span
            }
        }
    }

    private mutating func table(
        _ node: YAMLNode, _ names: NameClass, _ shape: Shape, key: String
    ) -> CheckedValue.Content? {
        guard case .map(let entries) = node.content else {
            addWrongType(node, .table(of: names, shape), key: key)
            return nil
        }
        if isFlat(entries, shape) { return nil }
        var isWhole = true
        var rows: [CheckedRow] = []
        for entry in withoutFractions(entries, isWhole: { _ in false })
        where isName(entry, names, key: key) {
            let value = read(entry, shape)
            // A key of a row where its name should be: which row it is, nobody knows.
            if value.isBroken, case .section(let section) = shape, section[entry.key] != nil {
                isWhole = false
            }
            rows.append(
                CheckedRow(name: entry.key, nameSpan: entry.keySpan, value: value))
        }
        return isWhole ? .table(rows) : nil
    }
}

extension GrammarReader {
    /// Reports a slip of the keyboard that made one text of what was meant as key and value.
    mutating func addSlip(in node: YAMLNode) -> Bool {
        guard case .text(let text, .plain) = node.content else { return false }
        return addSlip(in: text, at: node.span)
    }

    /// Reports full-width characters in what can have none.
    mutating func addWidth(of text: String, at span: SourceSpan) -> Bool {
        guard let plain = text.inHalfWidth else { return false }
        problems.add(.fullWidthPunctuation, at: span, help: .write(plain))
        return true
    }

    mutating func addSlip(in text: String, at span: SourceSpan) -> Bool {
        if text.contains(where: { "：，“”".contains($0) }) {
            problems.add(.fullWidthPunctuation, at: span)
            return true
        }
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, PolicyGrammar.keys.contains(String(parts[0])) {
            problems.add(.missingSpace, at: span, .written(text))
            return true
        }
        return false
    }
}

extension Field {
    /// Whether an unknown key is this one with a slip: misspelt, or grown together with its value.
    fileprivate func isMeant(by written: String) -> Bool {
        let parts = written.split(maxSplits: 1) { $0 == ":" || $0 == "：" }
        let word = String(parts.first ?? "")
        return suggestion(for: word, among: [key], within: word.slips) != nil
    }
}

extension Shape {
    /// What to write where a key is missing: the values, if they can be counted.
    fileprivate func missingHelp(_ key: String) -> Help? {
        guard case .word(let words) = self else { return nil }
        return .likeEither(words.map { "\(key): \($0)" })
    }
}
