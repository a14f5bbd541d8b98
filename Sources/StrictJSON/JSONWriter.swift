/// Writes JSON bytes from first to last, without a tree and without white space.
///
/// It sets the commas; whoever uses it opens and closes in pairs and gives each member a name.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reservingCapacity capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
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

    package mutating func string(_ value: String) {
        separate()
        bytes.appendJSONString(value)
    }

    package mutating func integer(_ value: Int64) {
        raw(String(value))
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func null() {
        raw("null")
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
        append(UInt8(ascii: "\""))
        let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy(\.isPlainInJSON) else { return false }
            append(contentsOf: bytes)
            return true
        }
        if isPlain != true { appendEscaped(text) }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(escape: byte)
            case 0x08: append(escape: UInt8(ascii: "b"))
            case 0x09: append(escape: UInt8(ascii: "t"))
            case 0x0A: append(escape: UInt8(ascii: "n"))
            case 0x0C: append(escape: UInt8(ascii: "f"))
            case 0x0D: append(escape: UInt8(ascii: "r"))
            case 0..<0x20: appendUnicodeEscape(byte)
            default: append(byte)
            }
        }
    }

    private mutating func append(escape letter: UInt8) {
        append(UInt8(ascii: "\\"))
        append(letter)
    }

    private mutating func appendUnicodeEscape(_ byte: UInt8) {
        append(contentsOf: "\\u00".utf8)
        let digits = Array("0123456789abcdef".utf8)
        append(digits[Int(byte >> 4)])
        append(digits[Int(byte & 0xF)])
    }
}

extension UInt8 {
    /// Whether it stands for itself in a JSON string.
    fileprivate var isPlainInJSON: Bool {
        self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
