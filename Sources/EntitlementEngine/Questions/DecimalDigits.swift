internal import EntitlementModel

extension OutputSpan<UInt8> {
    /// Appends a number in digits, for which there has to be room.
    mutating func append(decimal number: UInt64) {
        // The largest has twenty digits; they come to be last first.
        var digits: InlineArray<20, UInt8> = .init(repeating: 0)
        var (rest, first) = (number, 20)
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        append(run: digits.span.extracting(first...))
    }
}
