/// The two alphabets of RFC 4648.
package enum Base64: Sendable {
    /// Standard, with padding: certificates in `x5c`, receipts.
    case standard
    /// URL-safe, without padding: the segments of a JWS.
    case url

    /// Decodes canonical base64: no white space, exact padding, unused bits zero. Nil for
    /// anything else, so that one value has one spelling.
    package func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let digits = digits(of: text), digits.count % 4 != 1 else { return nil }
        let table = self == .url ? Self.urlValues : Self.standardValues
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in digits {
            let digit = table[Int(character)]
            guard digit < 64 else { return nil }
            buffer = buffer << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return buffer & ((1 << UInt32(bits)) - 1) == 0 ? bytes : nil
    }

    /// The text without its padding; nil if the padding is not exact.
    private func digits(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard self == .standard else { return text }
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return text.dropLast(padding)
    }

    package func encode(_ bytes: some Collection<UInt8>) -> String {
        let alphabet = Array(self == .url ? Self.urlAlphabet.utf8 : Self.standardAlphabet.utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        while self == .standard, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    private static let urlAlphabet = alphabet(endingIn: "-_")
    private static let standardAlphabet = alphabet(endingIn: "+/")
    private static let urlValues = values(of: urlAlphabet)
    private static let standardValues = values(of: standardAlphabet)

    private static func alphabet(endingIn last: String) -> String {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last
    }

    private static func values(of alphabet: String) -> [UInt8] {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.utf8.enumerated() {
            table[Int(character)] = UInt8(value)
        }
        return table
    }
}

/// The one writer of hexadecimal digits; `StrictJSON`, which imports no other target, writes those
/// of bytes itself.
extension BinaryInteger {
    /// The digits of a number that is not negative, with zeroes before them up to a width.
    package func hexadecimal(width: Int = 1, uppercase: Bool = false) -> String {
        let digits = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Collection<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 0xF)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
