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
/// Reads a payload in the order in which it was written: the members of an object are read in the
/// order of their names, each once. A member that is not the next one is missing; unknown members
/// and white space are errors.
package struct PayloadReader: Sendable {
    private var bytes: [UInt8] = []
    /// Of the next byte.
    private var index = 0
    /// Whether another member of the object that is being read follows.
    private var hasMember = false
    private var texts = RecentTexts()
    /// Nil where it does not matter who is named.
    var names: PayloadNames?

    package init() {}

    /// The entry that a payload of that kind says.
    package mutating func entry(
        of kind: EntryKind, from bytes: RawSpan
    ) throws(PayloadError) -> LedgerEntry {
        try whole(bytes) { payload throws(PayloadError) in
            try kind.read(from: &payload)
        }
    }

    /// The same for a transaction's payload, without an entry: snapshots are large.
    package mutating func transaction(
        from bytes: RawSpan
    ) throws(PayloadError) -> TransactionFact {
        try body("transaction", from: bytes)
    }

    /// The same for a renewal's payload.
    package mutating func renewal(from bytes: RawSpan) throws(PayloadError) -> RenewalFact {
        try body("renewal", from: bytes)
    }

    /// The member of that name, which a payload has besides its version.
    private mutating func body<Body: PayloadObject>(
        _ name: StaticString, from bytes: RawSpan
    ) throws(PayloadError) -> Body {
        try whole(bytes) { payload throws(PayloadError) in try payload.member(name) }
    }

    private mutating func whole<Value>(
        _ bytes: RawSpan, _ read: (inout PayloadReader) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        self.bytes.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
        index = 0
        guard beginObject() else { throw PayloadError("") }
        let value = try read(&self)
        guard try member("v") == Payload.version else { throw PayloadError("v") }
        guard endObject(), index == self.bytes.count else { throw PayloadError("") }
        return value
    }

    /// Enters an object; false if there is none.
    mutating func beginObject() -> Bool {
        guard step(over: UInt8(ascii: "{")) else { return false }
        hasMember = !isNext(UInt8(ascii: "}"))
        return true
    }

    /// Steps out of an object, all of whose members must be taken.
    mutating func endObject() -> Bool { !hasMember && step(over: UInt8(ascii: "}")) }

    /// The member of that name.
    mutating func member<Value: PayloadValue>(
        _ name: StaticString
    ) throws(PayloadError) -> Value {
        guard let value: Value = try optionalMember(name) else { throw PayloadError(name) }
        return value
    }

    /// The same; nil where another one is next, or none.
    mutating func optionalMember<Value: PayloadValue>(
        _ name: StaticString
    ) throws(PayloadError) -> Value? {
        guard take(name) else { return nil }
        guard let value = try Value.read(from: &self) else { throw PayloadError(name) }
        hasMember = step(over: UInt8(ascii: ","))
        return value
    }

    /// Steps to the value of the member of that name, if that is the next one.
    private mutating func take(_ key: StaticString) -> Bool {
        guard isNext(key) else { return false }
        index += key.utf8CodeUnitCount + 3
        return true
    }

    /// Whether the member of that name is the next one.
    func isNext(_ key: StaticString) -> Bool {
        let end = index + key.utf8CodeUnitCount + 3
        return hasMember && end <= bytes.count && bytes[index] == UInt8(ascii: "\"")
            && bytes[end - 2] == UInt8(ascii: "\"") && bytes[end - 1] == UInt8(ascii: ":")
            && isThere(key, at: index + 1)
    }

    /// Whether the word is written there, where it has room.
    private func isThere(_ word: StaticString, at start: Int) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return bytes.span.extracting(start..<start + word.count).isSame(as: word.span)
    }

    func isNext(_ byte: UInt8) -> Bool {
        index < bytes.count && bytes[index] == byte
    }

    mutating func step(over byte: UInt8) -> Bool {
        guard isNext(byte) else { return false }
        index += 1
        return true
    }
}

/// Single values. Nil always means: it is something else.
extension PayloadReader {
    mutating func readInteger() -> Int64? {
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

    mutating func readFlag() -> Bool? {
        if step(over: "true") { return true }
        return step(over: "false") ? false : nil
    }

    private mutating func step(over word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, isThere(word, at: index) else { return false }
        index = end
        return true
    }

    mutating func readText() -> String? {
        guard let plain = plainText() else { return readEscapedText() }
        index = plain.end + 1
        if plain.isASCII { return texts.text(at: plain.start..<plain.end, in: bytes) }
        return String(validating: bytes[plain.start..<plain.end], as: UTF8.self)
    }

    /// As `Name(text)`, which would look at each byte once more.
    mutating func readName<Name: Identifier>() -> Name? {
        guard let plain = plainText() else { return readEscapedText().flatMap { Name($0) } }
        index = plain.end + 1
        guard plain.isName, plain.end - plain.start <= Name.maximumLength else { return nil }
        let text = texts.text(at: plain.start..<plain.end, in: bytes)
        return Name.hasForm(text) ? Name(unchecked: text) : nil
    }

    /// The text up to the next quote; nil if it contains an escape.
    private func plainText() -> PlainText? {
        guard isNext(UInt8(ascii: "\"")) else { return nil }
        let bytes = bytes.span
        var text = PlainText(start: index + 1, end: index + 1)
        while text.end < bytes.count, case let byte = bytes[text.end], byte != UInt8(ascii: "\"") {
            guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
            text.lowest = min(text.lowest, byte)
            text.highest = max(text.highest, byte)
            text.end += 1
        }
        return text.end < bytes.count ? text : nil
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

    mutating func readDigest() -> Digest256? {
        let end = index + 65
        guard end < bytes.count, bytes[index] == UInt8(ascii: "\""),
            bytes[end] == UInt8(ascii: "\""),
            let digest = Digest256(hexadecimal: bytes.span.extracting(index + 1..<end))
        else { return nil }
        index = end + 1
        return digest
    }
}

/// Where a text without escapes is, and between which bytes all of its own are.
private struct PlainText {
    let start: Int
    var end: Int
    var lowest: UInt8 = .max
    var highest: UInt8 = 0

    var isASCII: Bool { highest < 0x80 }
    /// Whether it is in the alphabet of names (`Identifier`), and not empty.
    var isName: Bool { start < end && lowest >= 0x21 && highest <= 0x7E }
}

/// Texts that were read a short while ago: one that is read again takes no memory of its own.
///
/// The payloads of one account say the same names over and over, and the apps and products of
/// all accounts are few.
struct RecentTexts: Sendable {
    private static let placeBits = 6
    /// Up to here a string holds its text in itself.
    private static let inlineLength = 15

    /// The last text that fell to each place.
    private var places: [String] = []

    /// The text that the bytes there, which are ASCII, say.
    mutating func text(at range: Range<Int>, in document: [UInt8]) -> String {
        let bytes = document.span.extracting(range)
        guard bytes.count > Self.inlineLength else { return Self.string(bytes) }
        if places.isEmpty { places = Array(repeating: "", count: 1 << Self.placeBits) }
        // Names differ at their ends.
        let end = bytes.bytes.unsafeLoadUnaligned(
            fromByteOffset: bytes.count - 8, as: UInt64.self)
        let mixed = (end ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(mixed >> UInt64(64 - Self.placeBits))
        if !places[place].utf8.span.isSame(as: bytes) { places[place] = Self.string(bytes) }
        return places[place]
    }

    private static func string(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
