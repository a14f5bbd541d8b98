internal import EntitlementModel
internal import PolicyLoading
internal import StrictJSON

/// Completion: what the grammar and the names of the policy allow where one types.
extension LanguageServer {
    mutating func complete(_ params: JSONValue) throws(ResponseError) -> JSONValue {
        let (document, offset) = try documentPlace(params)
        let items: [CompletionItem]
        var range = offset..<offset
        if let cursor = TypedPlace(at: offset, in: document.text) {
            range = cursor.range
            items =
                CompletionSource(
                    cursor: cursor, index: index(of: document, as: cursor.scan), uri: document.uri,
                    language: language, today: options.now(),
                    hasColon: document.text.hasColon(at: range.upperBound)
                ).items
        } else {
            items = []
        }
        let typed = document.text.text(range.lowerBound..<max(range.lowerBound, offset))
        let near = items.count > CompletionItem.limit ? items.filter { $0.resembles(typed) } : items
        let shown = near.prefix(CompletionItem.limit)
        let edited = document.text.range(range, encoding)
        return [
            "isIncomplete": .bool(items.count > CompletionItem.limit),
            "items": .array(
                shown.enumerated().map { number, item in
                    item.json(replacing: edited, typed: typed, at: number, client)
                }),
        ]
    }
}

/// One proposal.
struct CompletionItem: Hashable, Sendable {
    /// More are not sent at once.
    static let limit = 500

    /// The protocol's numbers.
    enum Kind: Int64, Sendable {
        case property = 10
        case value = 12
        case word = 20
        case name = 18
    }

    var label: String
    var kind: Kind
    /// What is written.
    var text: String
    var detail: String?
    var documentation: String?

    func resembles(_ typed: String) -> Bool {
        let typed = typed.trimming { $0 == "\"" || $0 == "'" }.lowercased()
        return typed.isEmpty || label.lowercased().contains(typed)
    }

    func json(
        replacing range: TextRange, typed: String, at number: Int, _ client: ClientAbilities
    ) -> JSONValue {
        let digits = String(number)
        // A text in quotes is looked for with the quote that was typed.
        let quote = typed.first.map { $0 == "\"" || $0 == "'" ? String($0) : "" } ?? ""
        var value: JSONValue = [
            "label": .string(label), "kind": .integer(kind.rawValue),
            "filterText": .string(quote + label),
            "sortText": .string(String(repeating: "0", count: 4 - digits.count) + digits),
            "textEdit": ["range": range.json, "newText": .string(text)],
        ]
        if let detail { value["detail"] = .string(detail) }
        if let documentation {
            value["documentation"] = client.markup(documentation, client.completesMarkdown)
        }
        return value
    }
}

extension TextDocument {
    /// Whether a key ends here.
    func hasColon(at offset: Int) -> Bool {
        bytes[offset...].first { $0 != 0x20 } == 0x3A
    }
}

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

/// What could be written at a place of a text. What is being typed is hardly ever YAML, so a word
/// is put there, the line is ended behind it, and the reader of policies is asked where that word
/// is; the lines below are left out where nothing can be read with them.
struct TypedPlace: Sendable {
    enum Place: Sendable {
        /// A key or a value: the beginning of a line, or of an element.
        case node
        /// A key in braces.
        case flowKey
        /// What follows a key.
        case value
    }

    let place: Place
    /// Of what contains it.
    let path: [PolicyStep]
    /// What is being typed, with the rest of the word behind it.
    let range: Range<Int>
    let isInBraces: Bool
    /// The text with the word in it.
    let scan: ScannedFile

    private static let word = "usher-is-typed-here"

    /// Nil where nothing can be: in a comment, behind a value, or below a mistake.
    init?(at offset: Int, in document: TextDocument) {
        let line = document.line(document.lineNumber(at: offset))
        let offset = min(offset, line.upperBound)
        let typed = TypedLine(document.bytes[line.lowerBound..<offset])
        guard !typed.isComment else { return nil }
        range = typed.start..<Self.end(of: typed.start, offset, document.bytes[..<line.upperBound])
        isInBraces = !typed.brackets.isEmpty
        let closing = typed.brackets.reversed().map { $0 == "{" ? "}" : "]" }.joined()
        let isKey = typed.brackets.last.map { $0 == "{" } ?? true
        let forms =
            typed.followsKey
            ? [Self.word + closing]
            : (isKey ? [Self.word + ": x" + closing] : [])
                + [Self.word + closing]
        for form in forms {
            for rest in [document.bytes[line.upperBound...], []] {
                let scan = ScannedFile(
                    bytes: Array(document.bytes[..<typed.start]) + Array(form.utf8) + Array(rest))
                guard let token = scan.tokens.first(where: { $0.text == Self.word }) else {
                    continue
                }
                self.scan = scan
                path = token.role == .key ? token.path.dropLast() : token.path
                place = typed.followsKey ? .value : isInBraces && isKey ? .flowKey : .node
                return
            }
        }
        return nil
    }

    private static func end(of start: Int, _ offset: Int, _ line: ArraySlice<UInt8>) -> Int {
        if start < offset, let quote = line[start...].first, quote == 0x22 || quote == 0x27 {
            return line[offset...].firstIndex(of: quote).map { $0 + 1 } ?? line.endIndex
        }
        return line[offset...].firstIndex { " ,[]{}:#\r".utf8.contains($0) } ?? line.endIndex
    }
}

/// A line up to where it is being typed.
private struct TypedLine {
    /// Where that begins which is being typed.
    var start: Int
    /// The brackets that are open.
    var brackets: [Character] = []
    /// Whether a key and its colon are before it.
    var followsKey = false
    var isComment = false

    init(_ line: ArraySlice<UInt8>) {
        start = line.startIndex
        var quote: UInt8?
        var previous = UInt8(ascii: " ")
        for index in line.indices {
            let byte = line[index]
            defer { previous = byte }
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "#") where previous == 0x20: isComment = true
            case 0x22, 0x27: if " [{,".utf8.contains(previous) { quote = byte }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets.append(byte == UInt8(ascii: "[") ? "[" : "{")
                begin(behind: index, followsKey: false)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = brackets.popLast()
            case UInt8(ascii: ",") where !brackets.isEmpty: begin(behind: index, followsKey: false)
            case 0x20 where previous == UInt8(ascii: ":"): begin(behind: index, followsKey: true)
            case 0x20 where previous == UInt8(ascii: "-") && !followsKey && brackets.isEmpty:
                begin(behind: index, followsKey: false)
            case 0x20 where start == index: start = index + 1
            default: break
            }
        }
    }

    private mutating func begin(behind index: Int, followsKey: Bool) {
        start = index + 1
        self.followsKey = followsKey
    }
}
