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
        guard take("\"", in: bytes) else { return nil }
        let start = index
        let end = bytes.end(of: start..<bytes.count, while: \.isPlainInJSON)
        guard end < bytes.count, bytes[end] == ASCII.quote else { return nil }
        index = end + 1
        return start..<end
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
