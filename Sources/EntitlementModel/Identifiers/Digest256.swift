/// A SHA-256 value. The model only carries it: it is computed elsewhere.
package struct Digest256: Hashable, Comparable, Sendable {
    // Eight bytes each, the first of them on top: a value without an allocation, and the order of
    // the numbers is that of the bytes.
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64
    @usableFromInline let third: UInt64
    @usableFromInline let fourth: UInt64

    /// Nil unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        guard let value = bytes.withBytes({ Self(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = value
    }

    /// The same for adjacent bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        first = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        second = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        third = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        fourth = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    /// The result of a hash function of 32 bytes; another length stops the program.
    package init(hash: some Sequence<UInt8>) {
        guard let value = Self(hash) else { preconditionFailure("the hash has 32 bytes") }
        self = value
    }

    /// Reads 64 hexadecimal digits of either case; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard let value = text.utf8.withBytes(Self.init(digits:)) else { return nil }
        self = value
    }

    /// The same for digits in bytes.
    package init?(hexadecimal digits: Span<UInt8>) {
        guard let value = digits.withUnsafeBufferPointer(Self.init(digits:)) else { return nil }
        self = value
    }

    private init?(digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == 64,
            let first = UInt64(hexadecimal: digits[0..<16]),
            let second = UInt64(hexadecimal: digits[16..<32]),
            let third = UInt64(hexadecimal: digits[32..<48]),
            let fourth = UInt64(hexadecimal: digits[48..<64])
        else { return nil }
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    /// Exactly 32 bytes.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Lends the 32 bytes without copying them to an array.
    @inlinable
    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let words = (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
        return try Swift.withUnsafeBytes(of: words, body)
    }

    package static func < (left: Digest256, right: Digest256) -> Bool {
        (left.first, left.second, left.third, left.fourth)
            < (right.first, right.second, right.third, right.fourth)
    }
}

extension Digest256: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var hexadecimal: String {
        withUnsafeBytes(\.hexadecimal)
    }

    package var description: String { hexadecimal }
}

extension UInt64 {
    /// Nil where one of the sixteen is no hexadecimal digit of either case.
    fileprivate init?(hexadecimal digits: Slice<UnsafeBufferPointer<UInt8>>) {
        self = 0
        var areDigits = true
        // Digits and letters come at random: a branch on them would be guessed wrong.
        for digit in digits {
            let isNumber = digit &- UInt8(ascii: "0") < 10
            let isLetter = (digit | 0x20) &- UInt8(ascii: "a") < 6
            areDigits = areDigits && (isNumber != isLetter)
            // The low bits of 'a' and 'A' are those of 1.
            self = self << 4 | (UInt64(digit & 0xF) + (isLetter ? 9 : 0))
        }
        guard areDigits else { return nil }
    }
}

extension Sequence<UInt8> {
    /// Lends the elements side by side, copied only where they are not so already.
    fileprivate func withBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}
