internal import CLinux

/// Finds where answers end in what has arrived.
struct AnswerScanner {
    let framing: Party.Framing

    /// The body of the first answer and the bytes of the whole; nil while it is incomplete.
    func next(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        switch framing {
        case .http: try httpAnswer(bytes)
        case .resp: try respAnswer(bytes)
        }
    }

    private func httpAnswer(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        guard let head = find("\r\n\r\n", in: bytes) else { return nil }
        // "HTTP/1.1 200": all that is asked here has an answer.
        guard bytes.count > 12, bytes[9] == UInt8(ascii: "2"),
            let value = contentLength(UnsafeRawBufferPointer(rebasing: bytes[..<head]))
        else { throw .wrongAnswer("usher") }
        let start = head + 4
        let length = number(bytes, from: value)
        guard bytes.count >= start + length else { return nil }
        return (start..<start + length, start + length)
    }

    private func respAnswer(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        guard let first = bytes.first else { return nil }
        guard let lineEnd = find("\r\n", in: bytes) else { return nil }
        if first == UInt8(ascii: "+") { return (1..<lineEnd, lineEnd + 2) }
        guard first == UInt8(ascii: "$"), bytes[1] != UInt8(ascii: "-") else {
            throw .wrongAnswer("redis")
        }
        let start = lineEnd + 2
        let length = number(bytes, from: 1)
        guard bytes.count >= start + length + 2 else { return nil }
        return (start..<start + length, start + length + 2)
    }

    private func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress,
            let found = memmem(base, bytes.count, text.utf8Start, text.utf8CodeUnitCount)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Where the value of `content-length` begins. The name is told by its length and by two of
    /// its letters, in either case: no other field of fourteen letters is a "c" with an "l".
    private func contentLength(_ head: UnsafeRawBufferPointer) -> Int? {
        var line = 0
        while let end = find("\r\n", in: UnsafeRawBufferPointer(rebasing: head[line...])) {
            line += end + 2
            guard line + 16 < head.count else { return nil }
            if head[line + 14] == UInt8(ascii: ":"), head[line] | 0x20 == UInt8(ascii: "c"),
                head[line + 8] | 0x20 == UInt8(ascii: "l")
            {
                return line + 16
            }
        }
        return nil
    }

    private func number(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var (value, index) = (0, start)
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        return value
    }
}
