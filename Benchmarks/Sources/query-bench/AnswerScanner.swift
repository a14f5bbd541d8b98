/// Finds where answers end in what has arrived.
struct AnswerScanner {
    private let party: Party

    init(party: Party) {
        self.party = party
    }

    /// The body of the first answer and the bytes of the whole; nil while it is incomplete.
    func next(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        switch party.speech {
        case .usher, .preflight, .batch: try httpAnswer(bytes)
        case .redis: try respAnswer(bytes)
        case .postgres: try postgresAnswer(bytes)
        }
    }

    private func httpAnswer(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        guard let head = bytes.offset(of: "\r\n\r\n") else { return nil }
        // "HTTP/1.1 200": all that is asked here has an answer.
        guard bytes.count > 12, bytes[9] == UInt8(ascii: "2"),
            let value = contentLength(UnsafeRawBufferPointer(rebasing: bytes[..<head]))
        else { throw .wrongAnswer(party.name) }
        let start = head + 4
        let length = number(bytes, from: value)
        guard bytes.count >= start + length else { return nil }
        return (start..<start + length, start + length)
    }

    private func respAnswer(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        guard let first = bytes.first else { return nil }
        guard let lineEnd = bytes.offset(of: "\r\n") else { return nil }
        if first == UInt8(ascii: "+") { return (1..<lineEnd, lineEnd + 2) }
        guard first == UInt8(ascii: "$"), bytes[1] != UInt8(ascii: "-") else {
            throw .wrongAnswer(party.name)
        }
        let start = lineEnd + 2
        let length = number(bytes, from: 1)
        guard bytes.count >= start + length + 2 else { return nil }
        return (start..<start + length, start + length + 2)
    }

    /// Messages up to `ReadyForQuery`; the body is the one column of the row, if there is one.
    private func postgresAnswer(
        _ bytes: UnsafeRawBufferPointer
    ) throws(BenchFailure) -> (body: Range<Int>, end: Int)? {
        var (start, body) = (0, 0..<0)
        var wantsRow = false
        while start + 5 <= bytes.count {
            let end = start + 1 + bigEndian(bytes, at: start + 1)
            guard end <= bytes.count else { return nil }
            switch bytes[start] {
            case UInt8(ascii: "2"): wantsRow = true
            case UInt8(ascii: "D"): body = start + 11..<end
            case UInt8(ascii: "E"): throw .wrongAnswer(party.name)
            case UInt8(ascii: "Z"):
                guard !wantsRow || !body.isEmpty else { throw .wrongAnswer(party.name) }
                return (body, end)
            default: break
            }
            start = end
        }
        return nil
    }

    private func bigEndian(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    }

    /// Where the value of `content-length` begins. The name is told by its length and by two of
    /// its letters, in either case: no other field of fourteen letters is a "c" with an "l".
    private func contentLength(_ head: UnsafeRawBufferPointer) -> Int? {
        var line = 0
        while let end = UnsafeRawBufferPointer(rebasing: head[line...]).offset(of: "\r\n") {
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
