internal import EntitlementModel

/// Looking at bytes in place.
///
/// A place is checked once, where a walk begins, and not again at every byte of it: these walks
/// see every byte of every request.
extension Span<UInt8> {
    /// The first place in `range` whose byte is not wanted, else its end.
    @inline(__always)
    func end(of range: Range<Int>, while isWanted: (UInt8) -> Bool) -> Int {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count, "a walk stays within the bytes")
        return withUnsafeBufferPointer { bytes in
            var index = range.lowerBound
            while index < range.upperBound, isWanted(bytes[index]) { index += 1 }
            return index
        }
    }

    /// Whether the bytes of `range` are `text`.
    func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return extracting(range).isSame(
            as: Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Whether the bytes of `range` are `text`, which is in lower case, in any case.
    func equalsIgnoringCase(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        var wanted = text.utf8Start
        let end = end(of: range) { byte in
            guard byte.lowercased == wanted.pointee else { return false }
            wanted += 1
            return true
        }
        return end == range.upperBound
    }

    /// The first place of `byte` in `range`.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let index = end(of: range) { $0 != byte }
        return index < range.upperBound ? index : nil
    }

    /// Whether `isWanted` holds for every byte of `range`.
    @inline(__always)
    func allSatisfy(in range: Range<Int>, _ isWanted: (UInt8) -> Bool) -> Bool {
        end(of: range, while: isWanted) == range.upperBound
    }

    /// `range` without the spaces and tabs at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    /// The elements of a comma-separated list, trimmed; empty ones are omitted.
    func listElements(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = firstIndex(of: ASCII.comma, in: start..<range.upperBound) ?? range.upperBound
            let element = trimmed(start..<end)
            if !element.isEmpty { body(element) }
            start = end + 1
        }
    }

    /// The bytes of `range` as text.
    func string(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    /// Space or tab: the white space that HTTP allows inside a line.
    var isBlank: Bool { self == ASCII.space || self == ASCII.tab }

    /// ASCII only.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// A byte that a method or a field name may hold (RFC 9110, `tchar`).
    var isTokenByte: Bool {
        // One bit for each of the bytes 0 to 63 and 64 to 127.
        let low: UInt64 = 0x03FF_6CFA_0000_0000
        let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
        return switch self {
        case 0..<64: low & (1 << UInt64(self)) != 0
        case 64..<128: high & (1 << UInt64(self - 64)) != 0
        default: false
        }
    }

    /// A byte that a request target may hold (RFC 3986), `%` included.
    var isTargetByte: Bool {
        // As `isTokenByte`.
        let low: UInt64 = 0xAFFF_FFF2_0000_0000
        let high: UInt64 = 0x47FF_FFFE_87FF_FFFF
        return switch self {
        case 0..<64: low & (1 << UInt64(self)) != 0
        case 64..<128: high & (1 << UInt64(self - 64)) != 0
        default: false
        }
    }

    /// A byte that a `Host` field may hold.
    var isHostByte: Bool {
        self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
            || isTargetByte && self != ASCII.slash && self != ASCII.question
                && self != ASCII.comma && self != UInt8(ascii: "@")
    }

    /// A printable byte of ASCII that a JSON string holds as it is.
    var isPlainInJSON: Bool {
        (ASCII.space...0x7E).contains(self) && self != ASCII.quote && self != ASCII.backslash
    }

    /// The value of a hexadecimal digit of either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case ASCII.digits: self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension FixedWidthInteger {
    /// Digits and nothing else: no sign, no spaces, no other alphabet's digits (THREATS.md F15).
    package init?(plain text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}
