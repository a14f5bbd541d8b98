internal import EntitlementModel

/// A place in a JSON text whose strings need no escapes.
///
/// Every step says whether what it steps over was there. Where it was not, the text is left to
/// `EvaluationReader`, so nothing here has to say what is wrong.
struct PlainCursor {
    private(set) var index = 0

    mutating func isAtEnd(of bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        return index == bytes.count
    }

    /// Steps over white space and, if it follows, over that byte.
    @inline(__always)
    mutating func take(_ scalar: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        skipWhitespace(in: bytes)
        guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Steps over a string of printable ASCII without escapes, and gives its place.
    mutating func string(in bytes: Span<UInt8>) -> Range<Int>? {
        guard take("\"", in: bytes), let text = text(in: bytes) else { return nil }
        index += 1
        return text
    }

    /// Steps up to the quotation mark that ends such a string, from behind the one before it.
    private mutating func text(in bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        let end = bytes.end(of: start..<bytes.count, while: \.isPlainInJSON)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        index = end
        return start..<end
    }

    /// Steps over text that is written like `other` but for what stands at `string`, the text of
    /// a string in it, and gives the place of what stands there instead.
    mutating func text(
        like other: Range<Int>, butFor string: Range<Int>, in bytes: Span<UInt8>
    ) -> Range<Int>? {
        let start = index
        guard take(other.lowerBound..<string.lowerBound, in: bytes), let text = text(in: bytes),
            take(string.upperBound..<other.upperBound, in: bytes)
        else {
            index = start
            return nil
        }
        return text
    }

    /// Steps over the bytes that also stand at `place`.
    private mutating func take(_ place: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        let end = index + place.count
        guard end <= bytes.count,
            bytes.extracting(index..<end).isSame(as: bytes.extracting(place))
        else { return false }
        index = end
        return true
    }

    /// Steps over the name of a member and its colon.
    mutating func name(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let name = string(in: bytes), take(":", in: bytes) else { return nil }
        return name
    }

    private mutating func skipWhitespace(in bytes: Span<UInt8>) {
        // Most often there is none.
        guard index < bytes.count, bytes[index] <= ASCII.space else { return }
        index = bytes.end(of: index..<bytes.count) { byte in
            byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed
                || byte == ASCII.carriageReturn
        }
    }
}
