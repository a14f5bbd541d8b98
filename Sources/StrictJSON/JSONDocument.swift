/// A JSON document that was read once and is looked into many times: its bytes, and an index of
/// everything in them.
///
/// Read as strictly as `parseJSON` reads, for less: nothing is copied out of the bytes before
/// somebody asks for it.
package struct JSONDocument: Sendable {
    package let bytes: [UInt8]
    /// What its strings with escapes say.
    let unescaped: [UInt8]
    let nodes: [JSONNode]

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        // What a node can say of a place; more is never allowed.
        let most = min(limits.bytes, Int(UInt32.max) / 2)
        guard bytes.count <= most else { throw JSONError(.tooLarge, at: most) }
        var scanner = JSONScanner(limits: limits)
        try scanner.readDocument(bytes.span)
        self.bytes = bytes
        unescaped = scanner.unescaped
        nodes = scanner.nodes
    }
}

/// Where one value stands in a document: valid in the document that it comes from.
package struct JSONOffset: Hashable, Sendable {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    /// The value that is the whole document.
    package static let root = JSONOffset(0)
}

/// What is inside the arrays and objects of a document.
extension JSONDocument {
    /// The value of the member of that name; nil if there is none, or if this is no object.
    package func member(_ name: StaticString, of object: JSONOffset) -> JSONOffset? {
        let node = nodes[object.index]
        guard node.kind == .object else { return nil }
        let (bytes, unescaped) = (bytes.span, unescaped.span)
        var member = object.index + 1
        while member < node.next {
            if nodes[member].hasText(name, in: bytes, unescaped) { return JSONOffset(member + 1) }
            member = Int(nodes[member].next)
        }
        return nil
    }

    /// The first of the names that a member of the object has whose value is not null: all that it
    /// has are looked at once.
    package func firstStated(of names: [StaticString], in object: JSONOffset) -> StaticString? {
        var first = names.count
        for (name, value) in members(of: object) where !isNull(at: value) {
            let node = nodes[name.index]
            let found = names[..<first].firstIndex {
                node.hasText($0, in: bytes.span, unescaped.span)
            }
            if let found { first = found }
        }
        return first < names.count ? names[first] : nil
    }

    /// In the order of the text; none if this is no object.
    package func members(of object: JSONOffset) -> JSONMembers {
        let node = nodes[object.index]
        let end = node.kind == .object ? Int(node.next) : 0
        return JSONMembers(nodes: nodes, node: object.index + 1, end: end)
    }

    /// In the order of the text; none if this is no array.
    package func elements(of array: JSONOffset) -> JSONElements {
        let node = nodes[array.index]
        let end = node.kind == .array ? Int(node.next) : 0
        return JSONElements(nodes: nodes, node: array.index + 1, end: end)
    }
}

/// The members of one object: where each name stands, and where its value does.
package struct JSONMembers: Sequence, IteratorProtocol {
    fileprivate let nodes: [JSONNode]
    fileprivate var node: Int
    fileprivate let end: Int

    package mutating func next() -> (name: JSONOffset, value: JSONOffset)? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return (JSONOffset(node), JSONOffset(node + 1))
    }
}

/// The places of the elements of one array.
package struct JSONElements: Sequence, IteratorProtocol {
    fileprivate let nodes: [JSONNode]
    fileprivate var node: Int
    fileprivate let end: Int

    package mutating func next() -> JSONOffset? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return JSONOffset(node)
    }
}

/// What a document says in its places. Nil always means: it is something else.
extension JSONDocument {
    package func string(at place: JSONOffset) -> String? {
        let node = nodes[place.index]
        return node.kind == .string ? string(node) : nil
    }

    /// What a string or a name says.
    func string(_ node: JSONNode) -> String {
        node.withText(in: bytes.span, unescaped.span) { String($0) }
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
        return node.kind == .string && node.hasText(text, in: bytes.span, unescaped.span)
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
        case .null, .number, .string, .array, .object: nil
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

/// One value of a document, or the name of one member, as the index holds it: where its text
/// stands, and where the next one is.
///
/// Nodes stand in the order of the text. An array is followed by its elements, an object by its
/// members, each a name and its value.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case null
        case yes
        case no
        case number
        case string
        case array
        case object
    }

    let kind: Kind
    /// Whether a string has no backslash: its text is what it says. Else all of it is in what was
    /// unescaped.
    let isPlain: Bool
    /// The first byte of the text; of a string, the one behind the quote.
    let start: UInt32
    /// The byte behind the text; of a string, the closing quote.
    var end: UInt32
    /// The node behind this one and all that belongs to it: a name has its value.
    var next: UInt32

    init(_ kind: Kind, from start: Int, to end: Int, next: Int, isPlain: Bool = true) {
        self.kind = kind
        self.isPlain = isPlain
        // The size of a document is checked before it is read.
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
    }

    var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
}
