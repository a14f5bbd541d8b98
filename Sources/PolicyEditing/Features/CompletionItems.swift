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
