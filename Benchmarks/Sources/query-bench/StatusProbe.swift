/// `/status`, asked now and then without waiting for it.
final class StatusProbe {
    /// In nanoseconds.
    private static let interval: UInt64 = 100_000_000

    private let socket: Socket
    private var isAsked = false
    private var next: UInt64 = 0
    /// The newest answer.
    private(set) var page = ""

    init(socket path: String) throws(BenchFailure) {
        socket = try Socket(Party(.usher, socket: path))
        try socket.ask(Array(HTTPMessage.status.utf8), answers: 1) { keep($0) }
    }

    /// Takes in an answer that has come, and asks again where it is time.
    func look(at now: UInt64) throws(BenchFailure) {
        if isAsked { try socket.receive(waits: false) { keep($0) } }
        guard !isAsked, now >= next else { return }
        (isAsked, next) = (true, now + Self.interval)
        try socket.send(Array(HTTPMessage.status.utf8))
    }

    /// A member's value as it is written.
    func value(_ member: String) -> Substring? {
        guard let name = page.firstRange(of: "\"\(member)\":") else { return nil }
        return page[name.upperBound...].prefix { !",}".contains($0) }
    }

    private func keep(_ answer: UnsafeRawBufferPointer) {
        page = String(decoding: answer, as: UTF8.self)
        isAsked = false
    }
}
