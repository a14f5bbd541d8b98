/// A JSON document that is read once and accessed many times: its bytes, and an index of everything
/// in them.
///
/// As strict as `parseJSON`, and cheaper: nothing is copied out of the bytes before it is accessed.
package struct JSONDocument: Sendable {
    package let bytes: [UInt8]
    /// What its strings with escapes say.
    let unescaped: [UInt8]
    let nodes: [JSONNode]

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        // The most bytes that an index node can address.
        let most = min(limits.bytes, Int(UInt32.max) / 2)
        guard bytes.count <= most else { throw JSONError(.tooLarge, at: most) }
        var scanner = JSONScanner(limits: limits)
        try scanner.readDocument(bytes.span)
        self.bytes = bytes
        unescaped = scanner.unescaped
        nodes = scanner.nodes
    }
}

/// The position of a value in a document: valid in that document only.
package struct JSONOffset: Hashable, Sendable {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    /// The value that is the whole document.
    package static let root = JSONOffset(0)
}

/// Access to arrays and objects.
extension JSONDocument {
    /// The value of the member of that name; nil if there is none, or if this is not an object.
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

    /// The first of the names under which the object has a value that is not null: in one pass over
    /// its members.
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

/// The members of one object: the positions of each name and its value.
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

/// Access to scalars. Nil always means another type.
extension JSONDocument {
    package func string(at place: JSONOffset) -> String? {
        let node = nodes[place.index]
        return node.kind == .string ? string(node) : nil
    }

    /// The text of a string or a name.
    func string(_ node: JSONNode) -> String {
        node.withText(in: bytes.span, unescaped.span) { String($0) }
    }

    /// The range of a string's text in `bytes`; nil also if it has escapes. For readers that need
    /// no `String`.
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

/// One value of a document, or the name of one member, in the index: the range of its text, and the
/// index of the next one.
///
/// Nodes are in the order of the text. An array is followed by its elements, an object by its
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
    /// Whether a string has no backslash: its text is its value. Otherwise the value is in
    /// `unescaped`.
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

/// Documents for people: laid out in lines.
extension JSONValue {
    /// The document with two spaces of indentation; arrays without arrays and objects in them on
    /// one line. It has no line end.
    package var laidOut: String {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: "")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(to bytes: inout [UInt8], indent: String) {
        switch self {
        case .object(let members) where !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                bytes += (index == 0 ? "\n" : ",\n").utf8
                bytes += (indent + "  ").utf8
                bytes.appendJSONString(member.key)
                bytes += ": ".utf8
                member.value.append(to: &bytes, indent: indent + "  ")
            }
            bytes += ("\n" + indent + "}").utf8
        case .array(let elements): append(elements, to: &bytes, indent: indent)
        case .null, .bool, .number, .string, .object: bytes += serialized()
        }
    }

    private func append(_ elements: [JSONValue], to bytes: inout [UInt8], indent: String) {
        let isShort = elements.allSatisfy { $0.elements == nil && $0.members == nil }
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes += (isShort ? ", " : ",").utf8 }
            if !isShort { bytes += ("\n" + indent + "  ").utf8 }
            element.append(to: &bytes, indent: indent + "  ")
        }
        if !isShort { bytes += ("\n" + indent).utf8 }
        bytes.append(UInt8(ascii: "]"))
    }
}

/// Reads one JSON document, strictly as RFC 8259 has it and a little stricter: UTF-8 only, no
/// byte order mark, no name twice in one object, no lone surrogates, all within the limits.
///
/// A tree is easy to destructure and to change. For access only, a `JSONDocument` costs a fraction.
package func parseJSON(
    _ bytes: [UInt8], limits: JSONLimits = .standard
) throws(JSONError) -> JSONValue {
    try JSONDocument(bytes, limits: limits).value()
}

/// Why bytes are not acceptable JSON: a stable code and the place.
package struct JSONError: Error, Hashable, Sendable {
    /// The fault. The raw values are the contract (spec 4.2).
    package enum Code: String, CaseIterable, Hashable, Sendable {
        /// Not UTF-8, a byte order mark, or a lone surrogate.
        case encoding = "input.encoding"
        /// One name twice in one object, compared after unescaping.
        case duplicateKey = "input.duplicate-key"
        /// Not a JSON number, or one beyond the range of a double.
        case number = "input.number"
        /// Beyond one of `JSONLimits`.
        case tooLarge = "input.too-large"
        /// Not JSON.
        case malformed = "input.malformed"
    }

    package let code: Code
    /// Bytes from the start of the input to the fault.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// How much a document may cost before it is refused.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole document.
    package var bytes: Int
    /// Arrays and objects around a value, itself included.
    package var depth: Int
    /// Values of every type; names of members are not counted.
    package var values: Int

    package init(bytes: Int = 2_097_152, depth: Int = 32, values: Int = 100_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// 2 MiB, depth 32, 100,000 values (spec 3.1).
    package static let standard = JSONLimits()
}
