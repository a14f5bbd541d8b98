internal import EntitlementModel

/// Keys that have no place where they are written.
extension GrammarReader {
    /// Reports such a key; returns the one that was most likely meant.
    mutating func addUnknownKey(
        _ entry: YAMLEntry, _ section: Section, beside entries: [YAMLEntry]
    ) -> String? {
        let keys = section.fields.map(\.key)
        if let id = section.misplaced[entry.key] {
            let isCondition = section.title == "when" || section.title == "unless"
            let places = id == .fieldNotHere ? Help.places(of: entry.key) : nil
            problems.add(
                id, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: places ?? (isCondition ? .oneOf(keys) : nil))
            return nil
        }
        if entry.keyStyle == .plain, addSlip(in: entry.key, at: entry.keySpan) { return nil }
        if let plain = entry.key.inHalfWidth?.filter({ !"'\"".contains($0) }), !plain.isEmpty {
            problems.add(.fullWidthPunctuation, at: entry.keySpan, help: .write(plain))
            return keys.contains(plain) ? plain : nil
        }
        let key = entry.key.lowercased()
        if ["secret", "password", "private_key", "api_key"].contains(where: key.contains) {
            problems.add(.secretInPolicy, at: entry.keySpan, .written(entry.key))
            return nil
        }
        if addLeftKey(entry, section, beside: entries) { return nil }
        let (meant, help) = help(for: entry.key, section, beside: entries)
        if section.title.isEmpty {
            problems.add(.unknownSection, at: entry.keySpan, .written(entry.key), help: help)
        } else {
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: help)
        }
        return meant
    }

    private func help(
        for written: String, _ section: Section, beside entries: [YAMLEntry]
    ) -> (String?, Help?) {
        let free = section.fields.map(\.key).filter { key in !entries.contains { $0.key == key } }
        let deeper = section.fields.first { field in
            if case .section(let inner) = field.shape { inner[written] != nil } else { false }
        }
        if let deeper { return (nil, .writtenLike("\(deeper.key): {\(written): …}")) }
        guard let help = Help.meant(by: written, among: section.fields.map(\.key)) else {
            return (nil, Help.places(of: written) ?? (free.isEmpty ? nil : .oneOf(free)))
        }
        guard case .didYouMean(let near) = help else { return (nil, help) }
        return free.contains(near) ? (near, help) : (nil, nil)
    }

    /// Keys of a section, or a row of a table, that begin as far left as its name: reported once, and
    /// in the place of the section's missing value.
    private mutating func addLeftKey(
        _ entry: YAMLEntry, _ section: Section, beside entries: [YAMLEntry]
    ) -> Bool {
        let before = entries.last { other in
            other.keySpan.start < entry.keySpan.start && section[other.key] != nil
        }
        guard let before, let shape = section[before.key]?.shape else { return false }
        switch shape {
        case .section(let inner):
            guard before.value.isEmpty || section.title.isEmpty, inner[entry.key] != nil else {
                return false
            }
        case .table(_, .section(let row)):
            guard case .map(let values) = entry.value.content, !values.isEmpty,
                values.allSatisfy({ row[$0.key] != nil })
            else { return false }
        default: return false
        }
        let isFirst =
            entries.first { other in
                other.keySpan.start > before.keySpan.start && section[other.key] == nil
            }?.keySpan == entry.keySpan
        guard isFirst else { return true }
        problems.keep(0) { $0.id != .emptyValue || $0.span != before.keySpan }
        problems.add(
            .notIndented, at: entry.keySpan, .written(entry.key), .written(before.key),
            related: [.init(note: .sectionBegan, span: before.keySpan)])
        return true
    }
}

extension Help {
    /// Where a key may be written; nil where that is nowhere, or in so many places that it says
    /// nothing.
    fileprivate static func places(of key: String) -> Help? {
        let places = PolicyGrammar.places(of: key)
        return (1...3).contains(places.count) ? .placedIn(places) : nil
    }
}
