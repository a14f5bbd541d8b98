package import EntitlementModel
internal import StrictJSON

/// A member of a payload that is missing, left over, or not what it must be.
package struct PayloadError: Error, Equatable {
    package let key: String

    init(_ key: StaticString) {
        self.key = "\(key)"
    }
}

/// Reads payloads, one after the other, in room that it keeps.
///
/// A payload is read as it was written, from its first byte to its last: the members of an object
/// are asked for in the order of their names, each once. One that is not the next is not there,
/// and what nobody asked for is refused, as white space is.
package struct PayloadReader: Sendable {
    private var bytes: [UInt8] = []
    /// Of the next byte.
    private var index = 0
    /// Whether another member of the object that is being read follows.
    private var hasMember = false
    private var texts = RecentTexts()

    package init() {}

    /// The entry that a payload of that kind says.
    package mutating func entry(
        of kind: EntryKind, from bytes: RawSpan
    ) throws(PayloadError) -> LedgerEntry {
        try whole(bytes) { payload throws(PayloadError) in
            try kind.read(from: &payload)
        }
    }

    /// The same of a payload that is a transaction's, without the detour through an entry:
    /// snapshots are large.
    package mutating func transaction(
        from bytes: RawSpan
    ) throws(PayloadError) -> TransactionFact {
        try body("transaction", from: bytes)
    }

    /// The same of a renewal's.
    package mutating func renewal(from bytes: RawSpan) throws(PayloadError) -> RenewalFact {
        try body("renewal", from: bytes)
    }

    /// What is in a payload besides its version, under that name.
    private mutating func body<Body: PayloadObject>(
        _ name: StaticString, from bytes: RawSpan
    ) throws(PayloadError) -> Body {
        try whole(bytes) { payload throws(PayloadError) in try payload.object(name) }
    }

    private mutating func whole<Value>(
        _ bytes: RawSpan, _ read: (inout PayloadReader) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        self.bytes.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
        index = 0
        let value = try readObject("") { payload throws(PayloadError) in
            let value = try read(&payload)
            guard try payload.integer("v") == Payload.version else { throw PayloadError("v") }
            return value
        }
        guard index == self.bytes.count else { throw PayloadError("") }
        return value
    }

    /// What is read from the members of the object here, all of which must be taken.
    private mutating func readObject<Value>(
        _ key: StaticString, _ read: (inout PayloadReader) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        guard step(over: UInt8(ascii: "{")) else { throw PayloadError(key) }
        hasMember = !isNext(UInt8(ascii: "}"))
        let value = try read(&self)
        guard !hasMember, step(over: UInt8(ascii: "}")) else { throw PayloadError(key) }
        return value
    }

    /// Steps to the value of the member of that name, if that is the next one.
    private mutating func take(_ key: StaticString) -> Bool {
        let end = index + key.utf8CodeUnitCount + 3
        guard hasMember, end <= bytes.count, bytes[index] == UInt8(ascii: "\""),
            bytes[end - 2] == UInt8(ascii: "\""), bytes[end - 1] == UInt8(ascii: ":")
        else { return false }
        for offset in 0..<key.utf8CodeUnitCount
        where bytes[index + 1 + offset] != key.utf8Start[offset] { return false }
        index = end
        return true
    }

    /// Steps from a value to the next member.
    private mutating func endMember() {
        hasMember = step(over: UInt8(ascii: ","))
    }

    private func isNext(_ byte: UInt8) -> Bool {
        index < bytes.count && bytes[index] == byte
    }

    private mutating func step(over byte: UInt8) -> Bool {
        guard isNext(byte) else { return false }
        index += 1
        return true
    }

    /// What `read` makes of the member; nil where there is none.
    private mutating func optional<Value>(
        _ key: StaticString, _ read: (inout PayloadReader) -> Value?
    ) throws(PayloadError) -> Value? {
        guard take(key) else { return nil }
        guard let value = read(&self) else { throw PayloadError(key) }
        endMember()
        return value
    }

    private func required<Value>(
        _ key: StaticString, _ value: Value?
    ) throws(PayloadError) -> Value {
        guard let value else { throw PayloadError(key) }
        return value
    }
}

/// Single values. Nil always means: it is something else.
extension PayloadReader {
    private mutating func readInteger() -> Int64? {
        let isNegative = step(over: UInt8(ascii: "-"))
        let start = index
        var value: Int64 = 0
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, overflows) = tens.subtractingReportingOverflow(Int64(digit))
            if isTooLarge || overflows { return nil }
            value = next
            index += 1
        }
        guard index > start, bytes[start] != UInt8(ascii: "0") || index == start + 1 else {
            return nil
        }
        // Counted downwards: the smallest number has no positive counterpart.
        if isNegative { return value == 0 ? nil : value }
        return value == .min ? nil : -value
    }

    private mutating func readFlag() -> Bool? {
        if step(over: "true") { return true }
        return step(over: "false") ? false : nil
    }

    private mutating func step(over word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount
        where bytes[index + offset] != word.utf8Start[offset] { return false }
        index = end
        return true
    }

    private mutating func readText() -> String? {
        guard let plain = plainText() else { return readEscapedText() }
        index = plain.end + 1
        if plain.isASCII { return texts.text(at: plain.start..<plain.end, in: bytes) }
        return String(validating: bytes[plain.start..<plain.end], as: UTF8.self)
    }

    /// Where the text is that ends at the next quote; nil if it holds anything that stands for
    /// something else.
    private func plainText() -> (start: Int, end: Int, isASCII: Bool)? {
        guard isNext(UInt8(ascii: "\"")) else { return nil }
        let bytes = bytes.span
        var (end, all) = (index + 1, 0 as UInt8)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\\") else { return nil }
            all |= bytes[end]
            end += 1
        }
        return end < bytes.count ? (index + 1, end, all < 0x80) : nil
    }

    /// A string with escapes is a document of its own, and has only those that it needs.
    private mutating func readEscapedText() -> String? {
        var end = index + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard isNext(UInt8(ascii: "\"")), end < bytes.count else { return nil }
        let written = Array(bytes[index...end])
        guard let document = try? JSONDocument(written, limits: Payload.limits),
            let text = document.string(at: .root)
        else { return nil }
        var again: [UInt8] = []
        again.appendJSONString(text)
        guard again == written else { return nil }
        index = end + 1
        return text
    }

    private mutating func readIdentifier<ID: Identifier>() -> ID? {
        readText().flatMap { ID($0) }
    }

    private mutating func readDigest() -> Digest256? {
        let end = index + 65
        guard end < bytes.count, bytes[index] == UInt8(ascii: "\""),
            bytes[end] == UInt8(ascii: "\""),
            let digest = Digest256(hexadecimal: bytes.span.extracting(index + 1..<end))
        else { return nil }
        index = end + 1
        return digest
    }
}

extension PayloadReader {
    mutating func optionalText(_ key: StaticString) throws(PayloadError) -> String? {
        try optional(key) { $0.readText() }
    }

    mutating func text(_ key: StaticString) throws(PayloadError) -> String {
        try required(key, try optionalText(key))
    }

    mutating func optionalInteger(_ key: StaticString) throws(PayloadError) -> Int64? {
        try optional(key) { $0.readInteger() }
    }

    mutating func integer(_ key: StaticString) throws(PayloadError) -> Int64 {
        try required(key, try optionalInteger(key))
    }

    mutating func optionalFlag(_ key: StaticString) throws(PayloadError) -> Bool? {
        try optional(key) { $0.readFlag() }
    }

    mutating func flag(_ key: StaticString) throws(PayloadError) -> Bool {
        try required(key, try optionalFlag(key))
    }

    mutating func optionalInstant(_ key: StaticString) throws(PayloadError) -> Instant? {
        try optionalInteger(key).map(Instant.init(milliseconds:))
    }

    mutating func instant(_ key: StaticString) throws(PayloadError) -> Instant {
        Instant(milliseconds: try integer(key))
    }

    mutating func optionalSequence(_ key: StaticString) throws(PayloadError) -> LedgerSequence? {
        try optionalInteger(key).map { LedgerSequence($0) }
    }

    mutating func sequence(_ key: StaticString) throws(PayloadError) -> LedgerSequence {
        LedgerSequence(try integer(key))
    }

    mutating func optionalDigest(_ key: StaticString) throws(PayloadError) -> Digest256? {
        try optional(key) { $0.readDigest() }
    }

    mutating func digest(_ key: StaticString) throws(PayloadError) -> Digest256 {
        try required(key, try optionalDigest(key))
    }

    mutating func optionalToken(_ key: StaticString) throws(PayloadError) -> AppAccountToken? {
        try optional(key) { $0.readText().flatMap { AppAccountToken($0) } }
    }

    mutating func optionalIdentifier<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID? {
        try optional(key) { $0.readIdentifier() }
    }

    mutating func identifier<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> ID {
        try required(key, try optionalIdentifier(key))
    }

    mutating func identifiers<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> [ID] {
        try array(key) { elements throws(PayloadError) in
            try elements.required(key, elements.readIdentifier())
        }
    }

    mutating func optionalIdentifiers<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadError) -> [ID]? {
        let start = index
        guard take(key) else { return nil }
        index = start
        return try identifiers(key)
    }

    mutating func optionalWord<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word? {
        try optional(key) { $0.readText().flatMap(Word.init(rawValue:)) }
    }

    mutating func word<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Word {
        try required(key, try optionalWord(key))
    }

    mutating func words<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> [Word] {
        try array(key) { elements throws(PayloadError) in
            try elements.required(key, elements.readText().flatMap(Word.init(rawValue:)))
        }
    }

    /// A known word, or a text under `unknown`.
    mutating func optionalStated<Word: RawRepresentable<String>>(
        _ key: StaticString, as type: Word.Type = Word.self
    ) throws(PayloadError) -> Stated<Word>? {
        guard take(key) else { return nil }
        defer { endMember() }
        if isNext(UInt8(ascii: "{")) { return .unknown(try readUnknownText(key)) }
        return .known(try required(key, readText().flatMap(Word.init(rawValue:))))
    }

    mutating func ownership(_ key: StaticString) throws(PayloadError) -> Ownership {
        guard take(key) else { throw PayloadError(key) }
        defer { endMember() }
        if isNext(UInt8(ascii: "{")) { return .unknown(try readUnknownText(key)) }
        switch readText() {
        case "purchased": return .purchased
        case "family-shared": return .familyShared
        case "assigned": return .assigned
        case "not-stated": return .notStated
        default: throw PayloadError(key)
        }
    }

    /// The text in `{"unknown":"…"}`.
    private mutating func readUnknownText(_ key: StaticString) throws(PayloadError) -> String {
        try readObject(key) { stated throws(PayloadError) in try stated.text("unknown") }
    }

    mutating func optionalObject<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        guard take(key) else { return nil }
        let value = try readObject(key, Value.init(from:))
        endMember()
        return value
    }

    mutating func object<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        guard take(key) else { throw PayloadError(key) }
        let value = try readObject(key, Value.init(from:))
        endMember()
        return value
    }

    mutating func objects<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> [Value] {
        try array(key) { elements throws(PayloadError) in
            try elements.readObject(key, Value.init(from:))
        }
    }

    mutating func optionalObjects<Value: PayloadObject>(
        _ key: StaticString, as type: Value.Type = Value.self
    ) throws(PayloadError) -> [Value]? {
        let start = index
        guard take(key) else { return nil }
        index = start
        return try objects(key)
    }

    private mutating func array<Element>(
        _ key: StaticString, _ read: (inout PayloadReader) throws(PayloadError) -> Element
    ) throws(PayloadError) -> [Element] {
        guard take(key), step(over: UInt8(ascii: "[")) else { throw PayloadError(key) }
        var elements: [Element] = []
        if !isNext(UInt8(ascii: "]")) {
            repeat { elements.append(try read(&self)) } while step(over: UInt8(ascii: ","))
        }
        guard step(over: UInt8(ascii: "]")) else { throw PayloadError(key) }
        endMember()
        return elements
    }
}
