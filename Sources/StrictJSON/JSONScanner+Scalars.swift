/// Strings and numbers.
extension JSONScanner {
    /// Reads a string whose opening quote is the next byte.
    mutating func readString(in bytes: Span<UInt8>) throws(JSONError) {
        let start = index + 1
        let unescapedStart = unescaped.count
        // The start of text that is not in `unescaped` yet.
        var rest = start
        index = start
        while true {
            index = bytes.endOfPlainText(from: index)
            guard index < bytes.count else { throw JSONError(.malformed, at: index) }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                if rest == start {
                    append(.string, from: start, to: index)
                } else {
                    unescaped.append(bytes.extracting(rest..<index))
                    append(.string, from: unescapedStart, to: unescaped.count, isPlain: false)
                }
                index += 1
                return
            case UInt8(ascii: "\\"):
                if rest < index { unescaped.append(bytes.extracting(rest..<index)) }
                append(try readEscape(in: bytes))
                rest = index
            default:
                index += try lengthOfCharacter(in: bytes)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            unescaped.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            unescaped.append(contentsOf: scalar.utf8)
        }
    }

    /// Reads an escape sequence.
    private mutating func readEscape(in bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        guard index + 1 < bytes.count else { throw JSONError(.malformed, at: index) }
        let letter = bytes[index + 1]
        if letter == UInt8(ascii: "u") { return try readUnicodeEscape(in: bytes) }
        guard let byte = Self.unescaped(letter) else { throw JSONError(.malformed, at: index) }
        index += 2
        return Unicode.Scalar(byte)
    }

    private static func unescaped(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Reads `\u` with four digits, or two of them that make a surrogate pair.
    private mutating func readUnicodeEscape(
        in bytes: Span<UInt8>
    ) throws(JSONError) -> Unicode.Scalar {
        let start = index
        let first = try readHexadecimal(in: bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONError(.encoding, at: start) }
        let second = try readHexadecimal(in: bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONError(.encoding, at: start) }
        return scalar
    }

    /// Reads `\u` and four hexadecimal digits.
    private mutating func readHexadecimal(in bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
        guard index + 6 <= bytes.count else { throw JSONError(.malformed, at: index) }
        var value: UInt32 = 0
        for place in (index + 2)..<(index + 6) {
            guard let digit = bytes[place].hexadecimalValue else {
                throw JSONError(.malformed, at: index)
            }
            value = value << 4 | digit
        }
        index += 6
        return value
    }

    /// The number of bytes of the character here, which is not ASCII: that of a well-formed
    /// UTF-8 sequence (Unicode, table 3-7).
    private func lengthOfCharacter(in bytes: Span<UInt8>) throws(JSONError) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[index] {
        case 0..<0x20: throw JSONError(.malformed, at: index)
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw JSONError(.encoding, at: index)
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else {
            throw JSONError(.encoding, at: index)
        }
        for place in (index + 2)..<(index + length) where bytes[place] & 0xC0 != 0x80 {
            throw JSONError(.encoding, at: index)
        }
        return length
    }

    /// Reads a number by JSON's grammar; one beyond the range of a double is refused.
    mutating func readNumber(in bytes: Span<UInt8>) throws(JSONError) {
        let start = index
        if peek(UInt8(ascii: "-"), in: bytes) { index += 1 }
        let isZero = peek(UInt8(ascii: "0"), in: bytes)
        let digits = skipDigits(in: bytes)
        guard digits == 1 || (digits > 1 && !isZero) else { throw JSONError(.number, at: start) }
        if peek(UInt8(ascii: "."), in: bytes) {
            index += 1
            guard skipDigits(in: bytes) > 0 else { throw JSONError(.number, at: start) }
        }
        let exponent = try readExponent(in: bytes, of: start)
        // A double holds whatever is less than 1e308.
        guard
            digits + exponent <= 308
                || JSONNumber(bytes.extracting(start..<index)).double.isFinite
        else {
            throw JSONError(.number, at: start)
        }
        append(.number, from: start, to: index)
    }

    /// How many digits the exponent adds to the integer part, at most: 0 if there is none, or a
    /// negative one.
    private mutating func readExponent(
        in bytes: Span<UInt8>, of start: Int
    ) throws(JSONError) -> Int {
        guard peek(UInt8(ascii: "e"), in: bytes) || peek(UInt8(ascii: "E"), in: bytes) else {
            return 0
        }
        index += 1
        let isNegative = peek(UInt8(ascii: "-"), in: bytes)
        if isNegative || peek(UInt8(ascii: "+"), in: bytes) { index += 1 }
        let first = index
        guard skipDigits(in: bytes) > 0 else { throw JSONError(.number, at: start) }
        guard !isNegative else { return 0 }
        var exponent = 0
        for place in first..<index where exponent < 1_000 {
            exponent = 10 * exponent + Int(bytes[place] - UInt8(ascii: "0"))
        }
        return exponent
    }

    private func peek(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        index < bytes.count && bytes[index] == byte
    }

    /// Steps over digits and counts them.
    private mutating func skipDigits(in bytes: Span<UInt8>) -> Int {
        let start = index
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        return index - start
    }
}

extension Span<UInt8> {
    /// The first byte at or after `start` that ends plain text: a quote, a backslash, a control
    /// character, or the first byte of a character beyond ASCII. The end if there is none.
    fileprivate func endOfPlainText(from start: Int) -> Int {
        var index = start
        while index + 8 <= count {
            let word = UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(
                    fromByteOffset: index, as: UInt64.self))
            let special = word.marksOfSpecialBytes
            if special != 0 { return index + special.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index].isPlainInString { index += 1 }
        return index
    }
}

extension UInt64 {
    /// Eight bytes at once: the lowest bit that is set is the highest one of the first byte that
    /// is not plain. Bits behind that one mean nothing.
    fileprivate var marksOfSpecialBytes: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = self ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = self ^ (ones &* UInt64(UInt8(ascii: "\\")))
        // Taking a number from each byte sets its highest bit where the byte is smaller.
        let isSpecial =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
            | ((self &- ones &* 0x20) & ~self) | self
        return isSpecial & (ones << 7)
    }
}

extension UInt8 {
    fileprivate var isPlainInString: Bool {
        (0x20..<0x80).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }

    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
