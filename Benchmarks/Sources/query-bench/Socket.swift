internal import Glibc

/// A connection to a unix domain socket, with what has arrived and was not read yet.
final class Socket {
    let descriptor: Int32
    private let name: String
    private let scanner: AnswerScanner
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    private var filled = 0

    /// Connects, and says what is to be said before the first question.
    ///
    /// - Parameter greetings: the party's own where left out.
    init(_ party: Party, greetings: [[UInt8]]? = nil) throws(BenchFailure) {
        name = party.name
        scanner = AnswerScanner(party: party)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        guard Self.connect(descriptor, to: party.socket) else { throw .connect(party.socket) }
        for greeting in greetings ?? party.greetings { try ask(greeting, answers: 1) { _ in } }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size) == 0
            }
        }
    }

    /// Blocks until all is sent.
    func send(_ bytes: UnsafeRawBufferPointer) throws(BenchFailure) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.send(descriptor, base, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw .closed(name) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Blocks until all is sent.
    func send(_ bytes: [UInt8]) throws(BenchFailure) {
        let result = bytes.withUnsafeBytes { bytes -> Result<Void, BenchFailure> in
            Result { () throws(BenchFailure) in try send(bytes) }
        }
        try result.get()
    }

    /// Sends, and blocks until as many answers have come.
    func ask(
        _ bytes: [UInt8], answers: Int, _ answer: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchFailure) {
        try send(bytes)
        try receive(answers: answers, answer)
    }

    /// Sends, and blocks until as many answers have come.
    func ask(
        _ bytes: UnsafeRawBufferPointer, answers: Int,
        _ answer: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchFailure) {
        try send(bytes)
        try receive(answers: answers, answer)
    }

    private func receive(
        answers: Int, _ answer: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchFailure) {
        var rest = answers
        while rest > 0 {
            try receive { body in
                rest -= 1
                answer(body)
            }
        }
    }

    /// Hands over all whole answers.
    ///
    /// - Parameter waits: whether to block until something arrives.
    func receive(
        waits: Bool = true, _ answer: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchFailure) {
        let space = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        let count = recv(descriptor, space.baseAddress, space.count, flags)
        if count < 0, !waits, errno == EAGAIN { return }
        guard count > 0 else { throw .closed(name) }
        filled += count
        var start = 0
        while start < filled {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<filled])
            guard let (body, end) = try scanner.next(rest) else { break }
            answer(UnsafeRawBufferPointer(rebasing: rest[body]))
            start += end
        }
        guard start > 0 else { return }
        filled -= start
        if filled > 0, let base = buffer.baseAddress { memmove(base, base + start, filled) }
    }
}
