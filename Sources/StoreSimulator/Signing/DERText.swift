/// Writes DER the plain way: a tag, a length, a content.
package enum DERText {
    /// A tag of one byte, the length, the content.
    package static func item(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// BER: no length, and two zeroes behind the last part.
    package static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    /// A SEQUENCE of what is encoded already.
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        item(0x30, parts.flatMap { $0 })
    }

    /// A SET in the order given, which DER would sort.
    package static func set(_ parts: [[UInt8]]) -> [UInt8] { item(0x31, parts.flatMap { $0 }) }

    /// An OCTET STRING.
    package static func octets(_ bytes: [UInt8]) -> [UInt8] { item(0x04, bytes) }

    /// A UTF8String.
    package static func utf8(_ text: String) -> [UInt8] { item(0x0C, Array(text.utf8)) }

    /// An IA5String.
    package static func ia5(_ text: String) -> [UInt8] { item(0x16, Array(text.utf8)) }

    /// The shortest two's complement.
    package static func integer(_ value: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        while bytes.count > 1,
            (bytes[0] == 0 && bytes[1] < 0x80) || (bytes[0] == 0xFF && bytes[1] >= 0x80)
        {
            bytes.removeFirst()
        }
        return item(0x02, bytes)
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        let digits = Array(bytes.drop { $0 == 0 })
        return [0x80 | UInt8(digits.count)] + digits
    }
}
