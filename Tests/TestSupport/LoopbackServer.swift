internal import Foundation
internal import Glibc
internal import Synchronization

/// An HTTP server on the loopback interface that answers with whatever bytes it is told to: for
/// clients that must get along with servers that misbehave.
package final class LoopbackServer: Sendable {
    /// A request as it came in.
    package struct Request: Sendable {
        package var method: String
        /// Path and query.
        package var target: String
        /// The lines after the first one, in lower case up to the colon.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    package enum Reply: Sendable {
        /// These bytes, then the end of the connection.
        case bytes([UInt8])
        /// These bytes, and then nothing, until the server is stopped.
        case silence(after: [UInt8])
        /// This piece again and again until nobody takes it any more, after the first bytes.
        case endless([UInt8], piece: [UInt8])
    }

    package let port: UInt16
    private let listener: Int32
    private let reply: @Sendable (Request) -> Reply
    private let state = Mutex((isStopped: false, requests: [Request](), open: [Int32]()))

    /// - Throws: where no port is free.
    package init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        self.reply = reply
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isOpen else { throw NeverHappened(description: "a port of this machine is free") }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let server = self else { return }
                Thread { server.serve(connection) }.start()
            }
        }.start()
    }

    deinit {
        stop()
        close(listener)
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    package var requests: [Request] { state.withLock(\.requests) }

    /// Ends all connections, and lets in no more.
    package func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            defer { state.open = [] }
            return state.open
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in open { close(connection) }
    }

    /// An HTTP answer with a body of its length.
    package static func answer(
        _ status: Int, _ body: [UInt8], _ headers: String...
    ) -> [UInt8] {
        let head = ["HTTP/1.1 \(status) X", "Content-Length: \(body.count)"] + headers
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private func serve(_ connection: Int32) {
        guard let request = read(from: connection) else {
            close(connection)
            return
        }
        state.withLock { $0.requests.append(request) }
        switch reply(request) {
        case .bytes(let bytes):
            _ = write(bytes, to: connection)
            // What is still on its way must not be cut off.
            shutdown(connection, Int32(SHUT_WR))
            close(connection)
        case .silence(let bytes):
            _ = write(bytes, to: connection)
            let isStopped = state.withLock { state in
                if !state.isStopped { state.open.append(connection) }
                return state.isStopped
            }
            if isStopped { close(connection) }
        case .endless(let bytes, let piece):
            var isTaken = write(bytes, to: connection)
            while isTaken, !state.withLock(\.isStopped) { isTaken = write(piece, to: connection) }
            close(connection)
        }
    }

    private func read(from connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        while true {
            if let request = Self.parse(bytes) { return request }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0, bytes.count < 64 << 20 else { return nil }
            bytes += chunk.prefix(count)
        }
    }

    /// Nil while it is not whole.
    private static func parse(_ bytes: [UInt8]) -> Request? {
        guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard bytes.count >= end.upperBound + length else { return nil }
        return Request(
            method: words[0], target: words[1], headers: headers,
            body: Array(bytes[end.upperBound..<end.upperBound + length]))
    }

    private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
