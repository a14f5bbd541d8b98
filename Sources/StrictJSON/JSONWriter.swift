/// Writes JSON bytes from first to last, without a tree and without white space.
///
/// It inserts the commas; the caller opens and closes in pairs and gives each member a name.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingCapacity capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes behind bytes that are no JSON, in their room.
    package init(behind bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// The name of the member whose value comes next.
    package mutating func key(_ key: String) {
        separate()
        bytes.appendJSONString(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// The same with a name from the program's text that needs no escapes.
    package mutating func member(_ name: StaticString) {
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { room in
            room.append(member: name, afterComma: needsComma)
        }
        self.needsComma = false
    }

    /// A member with its value, for which room is made once.
    package mutating func member(_ name: StaticString, _ value: String) {
        let text = value.utf8.span
        guard text.isPlainInJSON else {
            member(name)
            return string(value)
        }
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + text.count + 6) { room in
            room.append(member: name, afterComma: needsComma)
            room.append(quoted: text)
        }
        self.needsComma = true
    }

    package mutating func member(_ name: StaticString, _ value: Int64) {
        let needsComma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 24) { room in
            room.append(member: name, afterComma: needsComma)
            room.append(decimal: value)
        }
        self.needsComma = true
    }

    package mutating func string(_ value: String) {
        separate()
        bytes.appendJSONString(value)
    }

    /// A string of two lower-case digits for each byte.
    package mutating func string(hexadecimal value: UnsafeRawBufferPointer) {
        separate()
        bytes.append(addingCapacity: 2 * value.count + 2) { room in
            room.append(UInt8(ascii: "\""))
            for byte in value { room.append(hexadecimal: byte) }
            room.append(UInt8(ascii: "\""))
        }
    }

    package mutating func integer(_ value: Int64) {
        separate()
        bytes.append(addingCapacity: 20) { $0.append(decimal: value) }
    }

    /// In full, also beyond 64 bits: JSON's numbers have no end.
    package mutating func integer(_ value: Int128) {
        raw("\(value)")
    }

    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        bytes.append("null")
    }

    /// A whole tree.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .number(let number): raw(number.text)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Bytes that are a JSON value already.
    package mutating func raw(_ bytes: [UInt8]) {
        separate()
        self.bytes += bytes
    }

    /// Text that is JSON already.
    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension JSONValue {
    /// The document as UTF-8, members in their order, numbers as they were written.
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The same as text.
    package var text: String { String(decoding: serialized(), as: UTF8.self) }
}

extension [UInt8] {
    /// Appends a quoted string, escaped as RFC 8785 has it: only what must be, and that in its
    /// shortest form.
    package mutating func appendJSONString(_ text: String) {
        let text = text.utf8.span
        guard text.isPlainInJSON else { return appendEscaped(text) }
        append(addingCapacity: text.count + 2) { $0.append(quoted: text) }
    }

    private mutating func appendEscaped(_ text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(escape: byte)
            case 0x08: append(escape: UInt8(ascii: "b"))
            case 0x09: append(escape: UInt8(ascii: "t"))
            case 0x0A: append(escape: UInt8(ascii: "n"))
            case 0x0C: append(escape: UInt8(ascii: "f"))
            case 0x0D: append(escape: UInt8(ascii: "r"))
            case 0..<0x20:
                append("\\u00")
                append(addingCapacity: 2) { $0.append(hexadecimal: byte) }
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escape letter: UInt8) {
        append(UInt8(ascii: "\\"))
        append(letter)
    }

    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

/// Each has to fit into the reserved capacity.
extension OutputSpan<UInt8> {
    fileprivate mutating func append(member name: StaticString, afterComma: Bool) {
        if afterComma { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(
            bytes: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    fileprivate mutating func append(quoted text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        text.withUnsafeBytes { append(bytes: $0) }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= freeCapacity, "what is written fits into its room")
        withUnsafeMutableBufferPointer { buffer, count in
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }

    fileprivate mutating func append(hexadecimal byte: UInt8) {
        append(hexadecimalDigit: byte >> 4)
        append(hexadecimalDigit: byte & 0xF)
    }

    private mutating func append(hexadecimalDigit value: UInt8) {
        append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
    }

    /// Appends a number in digits, for which there has to be capacity: 20 bytes at most.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: number.magnitude)
    }

    /// The digits come from behind: they are put down backwards and then turned round.
    package mutating func append(decimal number: UInt64) {
        let start = count
        var rest = number
        repeat {
            let digit: UInt64
            (rest, digit) = rest.quotientAndRemainder(dividingBy: 10)
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
        } while rest > 0
        withUnsafeMutableBufferPointer { buffer, count in buffer[start..<count].reverse() }
    }
}

extension Span<UInt8> {
    /// Whether every byte is plain in a JSON string. It tests all of them: a loop without an exit
    /// is vectorised.
    fileprivate var isPlainInJSON: Bool {
        var isPlain = true
        for index in indices {
            let byte = self[index]
            let needsEscape =
                byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            isPlain = isPlain && !needsEscape
        }
        return isPlain
    }
}
