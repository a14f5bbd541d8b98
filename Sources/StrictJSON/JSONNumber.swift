/// A JSON number as it was written: it is converted only where somebody says to what.
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
