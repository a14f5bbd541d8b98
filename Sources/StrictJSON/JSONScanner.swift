/// Reads a document once, from the first byte to the last, and indexes it: grammar, limits and
/// refusals in one place.
///
/// The bytes are an argument of every step and no part of the scanner: it cannot outlive them.
struct JSONScanner {
    let limits: JSONLimits
    var index = 0
    var nodes: [JSONNode] = []
    /// The values of strings with escapes, one after the other.
    var unescaped: [UInt8] = []
    private var valueCount = 0

    init(limits: JSONLimits) {
        self.limits = limits
    }

    /// Leaves the document's nodes in `nodes`.
    mutating func readDocument(_ bytes: Span<UInt8>) throws(JSONError) {
        nodes.reserveCapacity(bytes.count / Self.bytesPerNode)
        try readValue(in: bytes, depth: 0)
        skipWhitespace(in: bytes)
        guard index == bytes.count else { throw unexpected(in: bytes) }
    }

    /// The usual size of a name or a value, in payloads of Apple and of the ledger.
    private static let bytesPerNode = 12

    private mutating func readValue(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        skipWhitespace(in: bytes)
        guard index < bytes.count else { throw unexpected(in: bytes) }
        valueCount += 1
        guard valueCount <= limits.values else { throw JSONError(.tooLarge, at: index) }
        switch bytes[index] {
        case UInt8(ascii: "\""): try readString(in: bytes)
        case UInt8(ascii: "{"): try readObject(in: bytes, depth: depth + 1)
        case UInt8(ascii: "["): try readArray(in: bytes, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber(in: bytes)
        case UInt8(ascii: "t"): try read("true", as: .yes, in: bytes)
        case UInt8(ascii: "f"): try read("false", as: .no, in: bytes)
        case UInt8(ascii: "n"): try read("null", as: .null, in: bytes)
        default: throw unexpected(in: bytes)
        }
    }

    private mutating func readObject(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        let object = nodes.count
        try open(.object, in: bytes, depth: depth)
        defer { close(object) }
        if take(UInt8(ascii: "}"), in: bytes) { return }
        var names = UniqueNames(behind: object)
        repeat {
            skipWhitespace(in: bytes)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw unexpected(in: bytes)
            }
            let (name, start) = (nodes.count, index)
            try readString(in: bytes)
            guard names.insert(name, among: nodes, in: bytes, unescaped.span) else {
                throw JSONError(.duplicateKey, at: start)
            }
            guard take(UInt8(ascii: ":"), in: bytes) else { throw unexpected(in: bytes) }
            try readValue(in: bytes, depth: depth)
            nodes[name].next = UInt32(truncatingIfNeeded: nodes.count)
        } while take(UInt8(ascii: ","), in: bytes)
        guard take(UInt8(ascii: "}"), in: bytes) else { throw unexpected(in: bytes) }
    }

    private mutating func readArray(in bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        let array = nodes.count
        try open(.array, in: bytes, depth: depth)
        defer { close(array) }
        if take(UInt8(ascii: "]"), in: bytes) { return }
        repeat {
            try readValue(in: bytes, depth: depth)
        } while take(UInt8(ascii: ","), in: bytes)
        guard take(UInt8(ascii: "]"), in: bytes) else { throw unexpected(in: bytes) }
    }

    /// Steps over an opening bracket.
    private mutating func open(
        _ kind: JSONNode.Kind, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONError) {
        guard depth <= limits.depth else { throw JSONError(.tooLarge, at: index) }
        append(kind, from: index, to: index)
        index += 1
    }

    private mutating func close(_ node: Int) {
        nodes[node].end = UInt32(truncatingIfNeeded: index)
        nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
    }

    /// Adds a node without content.
    mutating func append(
        _ kind: JSONNode.Kind, from start: Int, to end: Int, isPlain: Bool = true
    ) {
        nodes.append(
            JSONNode(kind, from: start, to: end, next: nodes.count + 1, isPlain: isPlain))
    }

    private mutating func read(
        _ word: StaticString, as kind: JSONNode.Kind, in bytes: Span<UInt8>
    ) throws(JSONError) {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == word.utf8Start[offset] else {
                throw unexpected(in: bytes)
            }
            index += 1
        }
        append(kind, from: start, to: index)
    }

    /// Steps over white space and, if it follows, over that byte.
    private mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    /// The error for a byte between tokens: another encoding, or a fault of grammar.
    private func unexpected(in bytes: Span<UInt8>) -> JSONError {
        let isForeign = index < bytes.count && (bytes[index] == 0 || bytes[index] >= 0x80)
        return JSONError(isForeign ? .encoding : .malformed, at: index)
    }
}

/// The names of one object so far.
///
/// As long as each is greater than the one before, none is there twice: that is all that the
/// objects of canonical documents cost. Others are scanned while their names are few, and found by
/// their hash once they are many, so that a hostile object costs no more than an honest one.
struct UniqueNames {
    private static let scanned = 8

    private let first: Int
    private var count = 0
    private var last: Int?
    private var isAscending = true
    /// By hash, which no sender can foretell. Its size is a power of two, and half of it is empty.
    private var slots: [Slot] = []

    /// A name, and what of its hash settles nearly always that another one differs.
    private struct Slot {
        static let empty = Slot(hash: 0, name: 0)

        let hash: UInt32
        /// Its node. A name is never the first node of a document.
        let name: UInt32
    }

    /// - Parameter object: The node of the object. Its first name is the next one.
    init(behind object: Int) {
        first = object + 1
    }

    /// False if the name is there already. It is the newest node; all names before it have been
    /// inserted.
    mutating func insert(
        _ name: Int, among nodes: [JSONNode], in bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        defer { (last, count) = (name, count + 1) }
        guard let last else { return true }
        if isAscending {
            if nodes[last].precedes(nodes[name], in: bytes, unescaped) { return true }
            isAscending = false
        }
        guard count >= Self.scanned else { return !isAmongScanned(name, nodes, bytes, unescaped) }
        if slots.isEmpty { noteScanned(before: name, nodes, bytes, unescaped) }
        if 2 * count >= slots.count { makeRoom() }
        let hash = UInt32(truncatingIfNeeded: nodes[name].hash(in: bytes, unescaped))
        var index = Int(hash) & (slots.count - 1)
        while slots[index].name != 0 {
            let other = slots[index]
            if other.hash == hash,
                nodes[Int(other.name)].hasSameText(as: nodes[name], in: bytes, unescaped)
            {
                return false
            }
            index = (index + 1) & (slots.count - 1)
        }
        slots[index] = Slot(hash: hash, name: UInt32(truncatingIfNeeded: name))
        return true
    }

    private func isAmongScanned(
        _ name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        var other = first
        while other < name {
            if nodes[name].hasSameText(as: nodes[other], in: bytes, unescaped) { return true }
            other = Int(nodes[other].next)
        }
        return false
    }

    /// Enters the names before this one, all of which differ.
    private mutating func noteScanned(
        before name: Int, _ nodes: [JSONNode], _ bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) {
        while slots.count < 4 * count {
            slots += Array(repeating: .empty, count: max(slots.count, 64))
        }
        var other = first
        while other < name {
            let hash = UInt32(truncatingIfNeeded: nodes[other].hash(in: bytes, unescaped))
            enter(Slot(hash: hash, name: UInt32(truncatingIfNeeded: other)))
            other = Int(nodes[other].next)
        }
    }

    /// Makes the table four times as large; no text is read for it.
    private mutating func makeRoom() {
        let entered = slots
        slots = Array(repeating: .empty, count: 4 * entered.count)
        for slot in entered where slot.name != 0 { enter(slot) }
    }

    /// Inserts a name that is not there.
    private mutating func enter(_ slot: Slot) {
        var index = Int(slot.hash) & (slots.count - 1)
        while slots[index].name != 0 { index = (index + 1) & (slots.count - 1) }
        slots[index] = slot
    }
}
