/// Reads one JSON document, strictly as RFC 8259 has it and a little stricter: UTF-8 only, no
/// byte order mark, no name twice in one object, no lone surrogates, all within the limits.
///
/// A tree is easy to take apart and to change. Who only looks into a document reads a
/// `JSONDocument`, which costs a fraction.
package func parseJSON(
    _ bytes: [UInt8], limits: JSONLimits = .standard
) throws(JSONError) -> JSONValue {
    try JSONDocument(bytes, limits: limits).value()
}

/// Why bytes are not acceptable JSON: a stable code and the place.
package struct JSONError: Error, Hashable, Sendable {
    /// What is wrong. The raw values are the contract (spec 4.2).
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
    /// Bytes from the start of the input to what is wrong.
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

/// The names of one object so far.
///
/// As long as each is greater than the one before, none is there twice: that is all that the
/// objects of canonical documents cost. Others are scanned while their names are few, and kept
/// in a set once they are many, so that a hostile object costs no more than an honest one.
struct UniqueNames {
    private static let scanned = 32

    private let first: Int
    private var count = 0
    private var last: Int?
    private var isAscending = true
    private var set: Set<[UInt8]> = []

    /// - Parameter object: The node of the object. Its first name is the next one.
    init(behind object: Int) {
        first = object + 1
    }

    /// False if the name is there already. It is the newest node; all names before it have been
    /// inserted.
    mutating func insert(
        _ name: Int, among nodes: [JSONNode], of bytes: Span<UInt8>
    ) -> Bool {
        defer { (last, count) = (name, count + 1) }
        guard let last else { return true }
        if isAscending {
            if nodes[last].isPlain, nodes[name].isPlain,
                bytes.extracting(nodes[last].range).precedes(bytes.extracting(nodes[name].range))
            {
                return true
            }
            isAscending = false
        }
        return count < Self.scanned
            ? !isAmongScanned(name, nodes, bytes)
            : isNewInSet(name, nodes, bytes)
    }

    private func isAmongScanned(_ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>) -> Bool {
        var other = first
        while other < name {
            if nodes[name].hasSameText(as: nodes[other], in: bytes) { return true }
            other = Int(nodes[other].next)
        }
        return false
    }

    private mutating func isNewInSet(
        _ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>
    ) -> Bool {
        var other = first
        while set.count < count, other < name {
            set.insert(nodes[other].text(in: bytes))
            other = Int(nodes[other].next)
        }
        return set.insert(nodes[name].text(in: bytes)).inserted
    }
}
