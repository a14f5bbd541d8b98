internal import NIOCore
internal import NIOPosix

/// Posts notifications: one connection each, HTTP/1.1, and only the status counts.
struct NotificationPoster: Sendable {
    private static let timeout = TimeAmount.seconds(10)
    /// Of an answer's first line.
    private static let longestLine = 1_024

    let target: NotificationTarget
    private let group = MultiThreadedEventLoopGroup.singleton

    init(_ target: NotificationTarget) {
        self.target = target
    }

    func post(_ body: [UInt8]) async -> SendResult {
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            channel = try await connect()
        } catch is ChannelError {
            return .timedOut
        } catch {
            return .noResponse
        }
        let deadline = channel.channel.eventLoop.scheduleTask(in: Self.timeout) {
            channel.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        let result = try? await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request(body))
            return try await read(inbound)
        }
        return result ?? .socketIssue
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(Self.timeout)
        let initialize:
            @Sendable (any Channel) -> EventLoopFuture<
                NIOAsyncChannel<ByteBuffer, ByteBuffer>
            > = { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        switch target.place {
        case .machine(let name, let port):
            return try await bootstrap.connect(
                host: name, port: port, channelInitializer: initialize)
        case .socket(let path):
            return try await bootstrap.connect(
                unixDomainSocketPath: path, channelInitializer: initialize)
        }
    }

    private func request(_ body: [UInt8]) -> ByteBuffer {
        let head = [
            "POST \(target.path) HTTP/1.1", "host: \(target.hostField)",
            "content-type: application/json", "content-length: \(body.count)",
            "user-agent: App Store Server Notifications (usher simulate)", "connection: close",
            "", "",
        ]
        var buffer = ByteBuffer(string: head.joined(separator: "\r\n"))
        buffer.writeBytes(body)
        return buffer
    }

    /// Reads the status, and nothing behind it.
    private func read(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    ) async throws -> SendResult {
        var line: [UInt8] = []
        for try await var buffer in inbound {
            line += buffer.readBytes(length: buffer.readableBytes) ?? []
            guard line.contains(UInt8(ascii: "\n")) || line.count > Self.longestLine else {
                continue
            }
            let words = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
                .split(separator: UInt8(ascii: " "), maxSplits: 2)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1])
            else { return .invalidResponse }
            return (200...206).contains(status) ? .success : .unsuccessfulStatus
        }
        return line.isEmpty ? .noResponse : .prematureClose
    }
}

/// The receiver of notifications: an address without TLS, or a unix socket.
package struct NotificationTarget: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case machine(String, port: Int)
        case socket(String)
    }

    package let place: Place
    /// Path and query.
    package let path: String

    /// What `usher serve` takes notifications at.
    private static let servicePath = "/v1/notifications"

    /// Reads `http://127.0.0.1:8000/hook`, or `unix:/run/usher/usher.sock`, to whose end a path can
    /// be added after a colon. Nil for anything else: https is not spoken.
    package init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            let parts = text.dropFirst(5).split(separator: ":", maxSplits: 1)
            guard parts[0].utf8.count <= 107 else { return nil }
            let path = parts.count == 2 ? String(parts[1]) : Self.servicePath
            guard Self.isPath(path) else { return nil }
            (place, self.path) = (.socket(String(parts[0])), path)
            return
        }
        guard text.hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(7)
        let authority = rest.prefix { $0 != "/" }
        let path = authority.endIndex == rest.endIndex ? "/" : String(rest[authority.endIndex...])
        guard let address = SocketAddressText(authority, defaultPort: 80), Self.isPath(path) else {
            return nil
        }
        (place, self.path) = (.machine(address.name, port: address.port), path)
    }

    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The `Host` of a request.
    var hostField: String {
        switch place {
        case .machine(let name, let port):
            name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)"
        case .socket: "localhost"
        }
    }
}

/// `127.0.0.1:8000`, `[::1]:8000`, `localhost`.
package struct SocketAddressText: Hashable, Sendable {
    package let name: String
    package let port: Int

    package init?(_ text: some StringProtocol, defaultPort: Int? = nil) {
        let colon = text.lastIndex(of: ":").flatMap { text[$0...].contains("]") ? nil : $0 }
        let name = text[..<(colon ?? text.endIndex)]
        let port = colon.map { Int(text[text.index(after: $0)...]) } ?? defaultPort
        guard let port, (0...65_535).contains(port), !name.isEmpty else { return nil }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        guard isBracketed || !name.contains(":") else { return nil }
        self.name = String(isBracketed ? name.dropFirst().dropLast() : name[...])
        self.port = port
    }

    /// Whether it can be reached from this machine only.
    var isLoopback: Bool {
        name == "localhost" || name == "::1" || name.hasPrefix("127.")
    }
}
