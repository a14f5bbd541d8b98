/// What a document says in its places. Nil always means: it is something else.
extension JSONDocument {
    package func string(at place: JSONOffset) -> String? {
        let node = nodes[place.index]
        return node.kind == .string ? string(node) : nil
    }

    /// What a string or a name says.
    func string(_ node: JSONNode) -> String {
        if node.isPlain { return String(bytes.span.extracting(node.range)) }
        return String(decoding: node.text(in: bytes.span), as: UTF8.self)
    }

    /// Where the text of a string stands in `bytes`; nil also where it has escapes. For readers
    /// that need no `String`.
    package func plainText(at place: JSONOffset) -> Range<Int>? {
        let node = nodes[place.index]
        return node.kind == .string && node.isPlain ? node.range : nil
    }

    /// Whether it is a string with exactly these bytes.
    package func hasText(_ text: StaticString, at place: JSONOffset) -> Bool {
        let node = nodes[place.index]
        return node.kind == .string && node.hasText(text, in: bytes.span)
    }

    package func number(at place: JSONOffset) -> JSONNumber? {
        let node = nodes[place.index]
        guard node.kind == .number else { return nil }
        return JSONNumber(bytes.span.extracting(node.range))
    }

    /// See `JSONNumber.int64`.
    package func int64(at place: JSONOffset) -> Int64? {
        let node = nodes[place.index]
        guard node.kind == .number else { return nil }
        return Int64(decimal: bytes.span.extracting(node.range))
    }

    /// See `JSONNumber.flooredInt64`.
    package func flooredInt64(at place: JSONOffset) -> Int64? {
        int64(at: place) ?? number(at: place)?.flooredInt64
    }

    package func bool(at place: JSONOffset) -> Bool? {
        switch nodes[place.index].kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    package func isNull(at place: JSONOffset) -> Bool {
        nodes[place.index].kind == .null
    }

    package func isString(at place: JSONOffset) -> Bool {
        nodes[place.index].kind == .string
    }

    package func isObject(at place: JSONOffset) -> Bool {
        nodes[place.index].kind == .object
    }

    package func isArray(at place: JSONOffset) -> Bool {
        nodes[place.index].kind == .array
    }

    /// The value there as a tree of its own.
    package func value(at place: JSONOffset = .root) -> JSONValue {
        let node = nodes[place.index]
        switch node.kind {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .number: return .number(JSONNumber(bytes.span.extracting(node.range)))
        case .string: return .string(string(node))
        case .array: return .array(elements(of: place).map(value))
        case .object:
            return .object(
                members(of: place).map { name, value in
                    JSONMember(string(nodes[name.index]), self.value(at: value))
                })
        }
    }
}
