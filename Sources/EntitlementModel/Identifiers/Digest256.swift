/// A SHA-256 value. The model only carries it: whoever has the bytes computes it.
package struct Digest256: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Exactly 32 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits of either case; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard text.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        var high: UInt8?
        for byte in text.utf8 {
            guard let digit = Self.value(ofHexadecimalDigit: byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    package var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(64)
        let digits = Array("0123456789abcdef".utf8)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    package var description: String { hexadecimal }

    package static func < (left: Digest256, right: Digest256) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    private static func value(ofHexadecimalDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
