internal import Glibc

/// A connection to a unix domain socket, with what has arrived and was not read yet.
final class Socket {
    let descriptor: Int32
    private let name: String
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    private var filled = 0

    init(_ party: Party) throws(BenchFailure) {
        name = party.name
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(party.socket.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .connect(party.socket)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, size)
            }
        }
        guard result == 0 else { throw .connect(party.socket) }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
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

    /// Blocks until something arrives, then hands over all whole answers.
    func receive(
        _ scanner: AnswerScanner, _ answer: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchFailure) {
        let space = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        let count = recv(descriptor, space.baseAddress, space.count, 0)
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
