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
            let fields = keys.filter { $0 != Waiver.key }
            problems.add(
                id, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: isCondition ? .conditionsHere(fields) : nil)
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
        if addOutside(entry, section, beside: entries) { return nil }
        if !section.title.isEmpty, entry.key == PolicyGrammar.timeZoneKey,
            case .text(let zone, _) = entry.value.content
        {
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: .writeAtTop("\(entry.key): \(zone)"))
            return nil
        }
        if isRowOfOwn(entry, section) {
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: .beginsInColumn(3))
            return nil
        }
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
    ) -> (String?, Help) {
        let keys = section.fields.map(\.key)
        guard let near = suggestion(for: written, among: keys, within: written.slips) else {
            let free = keys.filter { key in !entries.contains { $0.key == key } }
            return (nil, written.contains(" ") ? .commentOrOneOf(free) : .oneOfOrRemove(free))
        }
        if entries.contains(where: { $0.key == near }) { return (nil, .alreadyThere(near)) }
        let help = Help.meant(by: written, among: keys) ?? .didYouMean(near)
        if case .didYouMean = help { return (near, help) }
        return (nil, help)
    }

    /// Reports a key that belongs one level deeper or less deep; false for any other.
    private mutating func addOutside(
        _ entry: YAMLEntry, _ section: Section, beside entries: [YAMLEntry]
    ) -> Bool {
        if addLeftKey(entry, section, beside: entries) { return true }
        if section.title.isEmpty { return addRow(entry, section, beside: entries) }
        if section.title == "when" || section.title == "unless" {
            guard ["name", "then", "only", "limits", "max", "unless", "when"].contains(entry.key)
            else {
                return false
            }
            problems.add(
                .unknownKey, at: entry.keySpan, .written(entry.key), .written(section.title),
                help: .writeBeside(section.title))
            return true
        }
        let deeper = ["when", "limits"].first { key in
            if case .section(let inner)? = section[key]?.shape {
                inner[entry.key] != nil
            } else {
                false
            }
        }
        guard let deeper, case .section(let condition)? = section[deeper]?.shape else {
            return false
        }
        let stray = entries.filter { section[$0.key] == nil && condition[$0.key] != nil }
        // One mistake, whatever the number of conditions.
        if stray.first?.keySpan != entry.keySpan { return true }
        let written = stray.map { other in
            if case .text(let text, _) = other.value.content { return "\(other.key): \(text)" }
            return "\(other.key): …"
        }
        problems.add(
            .unknownKey, at: entry.keySpan, .written(entry.key), .written(section.title),
            help: .writtenLike("\(deeper): {\(written.joined(separator: ", "))}"))
        return true
    }

    /// Keys of a section that stand as far left as its name, reported once, and in the place of the
    /// section's missing value.
    private mutating func addLeftKey(
        _ entry: YAMLEntry, _ section: Section, beside entries: [YAMLEntry]
    ) -> Bool {
        let before = entries.last { other in
            other.keySpan.start < entry.keySpan.start && section[other.key] != nil
        }
        guard let before, before.value.isEmpty || section.title.isEmpty,
            case .section(let inner)? = section[before.key]?.shape, inner[entry.key] != nil
        else { return false }
        let strays = entries.filter { other in
            other.keySpan.start > before.keySpan.start && section[other.key] == nil
        }
        guard strays.first?.keySpan == entry.keySpan else { return true }
        problems.keep(0) { $0.id != .emptyValue || $0.span != before.keySpan }
        problems.add(
            .notIndented, at: entry.keySpan, .written(entry.key), .written(before.key),
            related: [.init(note: .sectionBegan, span: before.keySpan)])
        return true
    }

    /// Another row of the same table, which was put inside of this one.
    private func isRowOfOwn(_ entry: YAMLEntry, _ section: Section) -> Bool {
        guard PolicyGrammar.file[section.title] != nil,
            case .map(let values) = entry.value.content, !values.isEmpty
        else { return false }
        return values.allSatisfy { section[$0.key] != nil }
    }

    /// A row of a table that stands as far left as the table's name.
    private mutating func addRow(
        _ entry: YAMLEntry, _ file: Section, beside entries: [YAMLEntry]
    ) -> Bool {
        guard case .map(let values) = entry.value.content, !values.isEmpty else { return false }
        let before = entries.last { $0.keySpan.start < entry.keySpan.start && file[$0.key] != nil }
        guard let before, case .table(_, .section(let row))? = file[before.key]?.shape,
            values.allSatisfy({ row[$0.key] != nil })
        else { return false }
        problems.add(
            .notIndented, at: entry.keySpan, .written(entry.key), .written(before.key),
            related: [.init(note: .sectionBegan, span: before.keySpan)])
        return true
    }

    /// `limits: {max: 4}`, whose `max` is moved to where it belongs, next to `then: share`; or says
    /// how often a purchase may move.
    mutating func withMaxBesideLimits(
        _ entries: [YAMLEntry], _ section: Section
    ) -> [YAMLEntry] {
        guard section["max"] != nil, let index = entries.firstIndex(where: { $0.key == "limits" }),
            case .map(let limits) = entries[index].value.content,
            var max = limits.first(where: { $0.isMax }),
            case .text(let number, _) = max.value.content,
            case .text(let verb, _)? = entries.first(where: { $0.key == "then" })?.value.content,
            !entries.contains(where: { $0.key == "max" })
        else { return entries }
        let isShared = verb == ClaimVerbWord.share.rawValue
        if !isShared, limits.contains(where: { $0.key == "moves" }) { return entries }
        problems.add(
            .unknownKey, at: max.keySpan, .written(max.key), .written("limits"),
            help: isShared
                ? .besideThen("max: \(number)", verb: verb)
                : .writeInPlaceOf("moves: \(number) per 365d", "\(max.key): \(number)"))
        var meant = entries
        let rest = limits.filter { !$0.isMax }
        meant[index].value.content = .map(rest)
        if rest.isEmpty { meant.remove(at: index) }
        max.key = "max"
        return isShared ? meant + [max] : meant
    }

    /// Of a rule that stands in the list of others, that is said, and not everything that follows.
    mutating func foldMisplacedRule(from first: Int) {
        let own = problems.problems[first...]
        let stranger = own.first {
            if case .belongsTo? = $0.help { $0.id == .unknownWord } else { false }
        }
        guard let stranger, own.contains(where: { $0.id == .fieldNotHere }) else { return }
        problems.keep(first) { $0 == stranger || $0.id != .fieldNotHere }
    }
}

extension YAMLEntry {
    /// Whether it is the number of accounts that share a purchase.
    fileprivate var isMax: Bool { key == "max" }
}
