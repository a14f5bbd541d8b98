internal import EntitlementModel
internal import PolicyLoading

/// What may be written at a cursor.
struct CompletionSource {
    let cursor: TypedPlace
    let index: PolicyIndex
    /// Of the file that is being typed.
    let uri: String
    let language: Language
    let today: Instant
    /// Whether a colon follows already.
    let hasColon: Bool

    var items: [CompletionItem] {
        guard let place = PolicyPlace(at: cursor.path) else { return [] }
        let keys = cursor.place == .value ? [] : keyItems(place)
        let values = cursor.place == .flowKey || hasColon ? [] : valueItems(place, at: cursor.path)
        return keys + values + (cursor.place == .value ? listItems : [])
    }

    // MARK: Keys

    private func keyItems(_ place: PolicyPlace) -> [CompletionItem] {
        let known = place.keys.map { key in
            CompletionItem(
                label: key.name, kind: .property, text: key.name + ending(key.form),
                detail: key.isRequired ? EditingPhrase.required.text(language) : nil,
                documentation: key.meaning(in: language))
        }
        let names = place.knownTableNames.map {
            CompletionItem(label: $0, kind: .property, text: $0 + ending(.value))
        }
        let written = Set(
            cursor.scan.keys(of: cursor.path)
                .filter { $0.range.lowerBound != cursor.range.lowerBound }.map(\.text))
        return (known + names).filter { !written.contains($0.label) }
    }

    private func ending(_ form: PolicyKey.Form) -> String {
        if hasColon { return "" }
        return form == .value || cursor.isInBraces ? ": " : ":"
    }

    // MARK: Values

    private func valueItems(_ place: PolicyPlace, at path: [PolicyStep]) -> [CompletionItem] {
        let words = place.words.map { word in
            CompletionItem(
                label: word, kind: .word, text: written(word, isWord: true),
                detail: place.meaning(ofWord: word, in: language))
        }
        let samples = place.samples(today: today).map {
            CompletionItem(label: $0, kind: .value, text: $0)
        }
        guard let kind = place.names, !place.isDefinition else { return words + samples }
        return words + nameItems(kind, path) + samples
    }

    /// A word of the grammar is no number or date, even if it looks like one.
    private func written(_ text: String, isWord: Bool = false) -> String {
        if isWord, ["true", "false"].contains(text) || text.allSatisfy(\.isNumber) { return text }
        return writtenInPolicy(text, isInBraces: cursor.isInBraces)
    }

    private func nameItems(_ kind: PolicyNameKind, _ path: [PolicyStep]) -> [CompletionItem] {
        let groups = kind == .level ? cursor.scan.groups(beside: path) : []
        let names = index.names(of: kind).filter { name in
            let isTyped =
                name.entry.file.uri == uri
                && name.use.token.range.lowerBound == cursor.range.lowerBound
            guard !isTyped else { return false }
            guard kind == .level, !groups.isEmpty else { return true }
            return index.definitions(of: name.use, groups: groups).contains {
                $0.use.token.text == name.name
            }
        }
        let items = names.map { name, _, _ in
            CompletionItem(
                label: name, kind: .name, text: written(name),
                detail: kind.section.flatMap { title(of: name, in: $0) })
        }
        return items + (kind == .product ? patterns(of: names.map(\.name)) : [])
    }

    private func title(of name: String, in section: String) -> String? {
        let path: [PolicyStep] = [.key(section), .key(name)]
        let titles = ["title", "title_zh"].map { index.texts(path + [.key($0)]).first }
        return language == .chinese ? titles[1] ?? titles[0] : titles[0]
    }

    /// `com.example.reader.*`: what several products begin with.
    private func patterns(of names: [String]) -> [CompletionItem] {
        var counts: [String: Int] = [:]
        for name in names {
            let parts = name.split(separator: ".")
            for length in 1..<max(2, parts.count) where length < parts.count {
                counts[parts[..<length].joined(separator: "."), default: 0] += 1
            }
        }
        return counts.filter { $0.value > 1 }.keys.sorted().map { prefix in
            CompletionItem(
                label: prefix + ".*", kind: .name, text: written(prefix + ".*"),
                detail: EditingPhrase.productCount.text(language, "\(counts[prefix] ?? 0)"))
        }
    }

    /// Where a list is written behind its key, an element in brackets.
    private var listItems: [CompletionItem] {
        let path = cursor.path + [.element(0)]
        guard let here = PolicyPlace(at: cursor.path), here.isList,
            let place = PolicyPlace(at: path)
        else { return [] }
        return valueItems(place, at: path).map { item in
            var item = item
            item.text = "[\(item.text)]"
            return item
        }
    }
}
