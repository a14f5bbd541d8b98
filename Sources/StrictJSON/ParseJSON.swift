/// Reads one JSON document, strictly as RFC 8259 has it and a little stricter: UTF-8 only, no
/// byte order mark, no name twice in one object, no lone surrogates, all within the limits.
package func parseJSON(
    _ bytes: [UInt8], limits: JSONLimits = .standard
) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
    var parser = JSONParser(bytes: bytes, limits: limits)
    return try parser.readDocument()
}

/// A reader that stands at one byte of a document.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var index = 0
    private var valueCount = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func readDocument() throws(JSONError) -> JSONValue {
        let value = try readValue(depth: 0)
        skipWhitespace()
        guard index == bytes.count else { throw unexpected() }
        return value
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        skipWhitespace()
        guard index < bytes.count else { throw unexpected() }
        valueCount += 1
        guard valueCount <= limits.values else { throw JSONError(.tooLarge, at: index) }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
        case UInt8(ascii: "["): return try readArray(depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try readNumber())
        case UInt8(ascii: "t"): return try read("true", as: .bool(true))
        case UInt8(ascii: "f"): return try read("false", as: .bool(false))
        case UInt8(ascii: "n"): return try read("null", as: .null)
        default: throw unexpected()
        }
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONValue {
        try enter(depth)
        var members: [JSONMember] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        var keys = UniqueKeys()
        repeat {
            skipWhitespace()
            let start = index
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw unexpected()
            }
            let key = try readString()
            guard keys.insert(key, among: members) else {
                throw JSONError(.duplicateKey, at: start)
            }
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            members.append(JSONMember(key, try readValue(depth: depth)))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw unexpected() }
        return .object(members)
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> JSONValue {
        try enter(depth)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try readValue(depth: depth))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw unexpected() }
        return .array(elements)
    }

    /// Steps over an opening bracket.
    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth <= limits.depth else { throw JSONError(.tooLarge, at: index) }
        index += 1
    }

    private mutating func read(
        _ word: StaticString, as value: JSONValue
    ) throws(JSONError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == word.utf8Start[offset] else {
                throw unexpected()
            }
            index += 1
        }
        return value
    }

    /// Steps over white space and, if it follows, over that byte.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    /// What a byte between tokens means: another encoding, or a fault of grammar.
    private func unexpected() -> JSONError {
        let isForeign = index < bytes.count && (bytes[index] == 0 || bytes[index] >= 0x80)
        return JSONError(isForeign ? .encoding : .malformed, at: index)
    }
}

/// The names of one object so far: a scan while they are few, a set once they are many, so that
/// a hostile object costs no more than an honest one.
private struct UniqueKeys {
    private static let scanned = 32
    private var set: Set<[UInt8]> = []

    /// False if the name is there already.
    mutating func insert(_ key: String, among members: [JSONMember]) -> Bool {
        if members.count < Self.scanned { return !members.contains { $0.hasKey(key) } }
        if set.isEmpty { set.formUnion(members.map { Array($0.key.utf8) }) }
        return set.insert(Array(key.utf8)).inserted
    }
}
