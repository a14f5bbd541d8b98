/// Strings and numbers.
extension JSONParser {
    /// Reads a string whose opening quote is the next byte.
    mutating func readString() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
            case UInt8(ascii: "\\"):
                return try readEscapedString(from: start)
            default:
                index += try lengthOfCharacter(byte)
            }
        }
        throw JSONError(.malformed, at: index)
    }

    /// Goes on with a string at its first backslash.
    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try readEscape(into: &text)
            default:
                let length = try lengthOfCharacter(byte)
                text.append(contentsOf: bytes[index..<(index + length)])
                index += length
            }
        }
        throw JSONError(.malformed, at: index)
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        guard index + 1 < bytes.count else { throw JSONError(.malformed, at: index) }
        let letter = bytes[index + 1]
        if letter == UInt8(ascii: "u") {
            text.append(contentsOf: Array(String(try readUnicodeEscape()).utf8))
            return
        }
        guard let byte = Self.unescaped(letter) else { throw JSONError(.malformed, at: index) }
        text.append(byte)
        index += 2
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
    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = index
        let first = try readHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONError(.encoding, at: start) }
        let second = try readHexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONError(.encoding, at: start) }
        return scalar
    }

    /// Reads `\u` and four hexadecimal digits.
    private mutating func readHexadecimal() throws(JSONError) -> UInt32 {
        guard index + 6 <= bytes.count else { throw JSONError(.malformed, at: index) }
        var value: UInt32 = 0
        for byte in bytes[(index + 2)..<(index + 6)] {
            guard let digit = byte.hexadecimalValue else {
                throw JSONError(.malformed, at: index)
            }
            value = value << 4 | digit
        }
        index += 6
        return value
    }

    /// The number of bytes of the character that starts with `first` here: 1, or that of a
    /// well-formed UTF-8 sequence (Unicode, table 3-7).
    private func lengthOfCharacter(_ first: UInt8) throws(JSONError) -> Int {
        if first < 0x20 { throw JSONError(.malformed, at: index) }
        if first < 0x80 { return 1 }
        let second: ClosedRange<UInt8>
        let length: Int
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw JSONError(.encoding, at: index)
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]),
            bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw JSONError(.encoding, at: index) }
        return length
    }

    /// Reads a number by JSON's grammar; one beyond the range of a double is refused.
    mutating func readNumber() throws(JSONError) -> JSONNumber {
        let start = index
        if peek(is: "-") { index += 1 }
        let isZero = peek(is: "0")
        let digits = skipDigits()
        guard digits == 1 || (digits > 1 && !isZero) else { throw JSONError(.number, at: start) }
        var isBounded = digits < 300
        if peek(is: ".") {
            index += 1
            guard skipDigits() > 0 else { throw JSONError(.number, at: start) }
        }
        if peek(is: "e") || peek(is: "E") {
            index += 1
            if peek(is: "+") || peek(is: "-") { index += 1 }
            guard skipDigits() > 0 else { throw JSONError(.number, at: start) }
            isBounded = false
        }
        let number = JSONNumber(unchecked: String(decoding: bytes[start..<index], as: UTF8.self))
        guard isBounded || number.double.isFinite else { throw JSONError(.number, at: start) }
        return number
    }

    private func peek(is scalar: Unicode.Scalar) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: scalar)
    }

    /// Steps over digits and counts them.
    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        return index - start
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
