/// A JSON number as it was written: it is converted on access, to a given type.
package struct JSONNumber: Sendable {
    /// In JSON's grammar, and within the range of a double.
    package let text: String

    package init(_ value: Int64) {
        text = String(value)
    }

    /// For text that is known to follow JSON's grammar and to be finite.
    init(_ text: Span<UInt8>) {
        self.text = String(text)
    }

    /// The value of a number that is written as an integer: digits, perhaps after a minus.
    ///
    /// Nil for `1.0`, `1e3` and `-0`, and for what does not fit. No other reading of a number
    /// is exact, and an id or a date must be exact.
    package var int64: Int64? {
        var text = text
        return text.withUTF8 { Int64(decimal: $0.span) }
    }

    /// Whether it is written as an integer, of whatever size.
    package var isInteger: Bool { text.utf8.allSatisfy(\.isDigitOrMinus) }

    /// The largest integer that is not greater; nil if it does not fit.
    ///
    /// For Xcode's dates, which carry fractions of a millisecond. A number with an exponent is
    /// read through a double.
    package var flooredInt64: Int64? {
        if let int64 { return int64 }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy { $0.isDigitOrMinus } }),
            let whole = Int64(parts[0])
        {
            let hasFraction = parts.count == 2 && parts[1].utf8.contains { $0 != UInt8(ascii: "0") }
            let isNegative = text.utf8.first == UInt8(ascii: "-")
            return hasFraction && isNegative ? whole.subtractingOne : whole
        }
        return Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
    }

    /// The nearest double.
    package var double: Double {
        guard let value = Double(text) else {
            preconditionFailure("a JSON number is always readable as a double")
        }
        return value
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isDigitOrMinus: Bool { isDigit || self == UInt8(ascii: "-") }
}

extension Int64 {
    /// Of a JSON number that is written as an integer; see `JSONNumber.int64`.
    init?(decimal text: Span<UInt8>) {
        let isNegative = text[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        // Nineteen digits fit without a sign, and JSON has no leading zeros.
        guard text.count - first <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for index in first..<text.count {
            guard text[index].isDigit else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
        }
        guard isNegative else {
            self.init(exactly: magnitude)
            return
        }
        guard magnitude != 0, magnitude <= Int64.min.magnitude else { return nil }
        self = 0 &- Int64(truncatingIfNeeded: magnitude)
    }

    fileprivate var subtractingOne: Int64? {
        let (value, overflow) = subtractingReportingOverflow(1)
        return overflow ? nil : value
    }
}

/// The text of a string node: in the bytes of the document or, with escapes, in what the scanner
/// has unescaped.
extension JSONNode {
    func withText<Result>(
        in bytes: Span<UInt8>, _ unescaped: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        isPlain ? body(bytes.extracting(range)) : body(unescaped.extracting(range))
    }

    /// Names are compared as bytes: Swift's `==` would take the Kelvin sign for a K.
    func hasSameText(
        as other: JSONNode, in bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        guard end - start == other.end - other.start else { return false }
        return withText(in: bytes, unescaped) { own in
            other.withText(in: bytes, unescaped) { own.equals($0) }
        }
    }

    func hasText(_ text: StaticString, in bytes: Span<UInt8>, _ unescaped: Span<UInt8>) -> Bool {
        withText(in: bytes, unescaped) { $0.equals(text) }
    }

    /// In the order of bytes.
    func precedes(
        _ other: JSONNode, in bytes: Span<UInt8>, _ unescaped: Span<UInt8>
    ) -> Bool {
        withText(in: bytes, unescaped) { own in
            other.withText(in: bytes, unescaped) { own.precedes($0) }
        }
    }

    func hash(in bytes: Span<UInt8>, _ unescaped: Span<UInt8>) -> Int {
        var hasher = Hasher()
        withText(in: bytes, unescaped) { text in
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }
}

extension [UInt8] {
    mutating func append(_ span: Span<UInt8>) {
        span.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}

extension String {
    /// Of text that is known to be UTF-8.
    init(_ span: Span<UInt8>) {
        self = span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension Span<UInt8> {
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    func equals(_ other: StaticString) -> Bool {
        guard count == other.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != other.utf8Start[index] { return false }
        return true
    }

    /// In the order of bytes.
    func precedes(_ other: Span<UInt8>) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index]
        }
        return count < other.count
    }
}
