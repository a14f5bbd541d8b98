internal import NIOCore
internal import NIOPosix

/// Posts notifications: one connection each, HTTP/1.1, and only the status counts.
struct NotificationPoster: Sendable {
    private static let patience = TimeAmount.seconds(10)
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
        let deadline = channel.channel.eventLoop.scheduleTask(in: Self.patience) {
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
        let bootstrap = ClientBootstrap(group: group).connectTimeout(Self.patience)
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
