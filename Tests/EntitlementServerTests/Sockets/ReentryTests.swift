internal import EntitlementModel
internal import NIOCore
internal import NIOEmbedded
internal import NIOPosix
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// A channel that can take no more and can again while it is being written to or read from, as
/// one does whose peer reads meanwhile: it says so to those who are not done with their call yet.
private final class CallingBackHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var generator: SplitMix64
    private let channel: EmbeddedChannel

    init(seed: UInt64, channel: EmbeddedChannel) {
        generator = SplitMix64(seed: seed)
        self.channel = channel
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if generator.chance(1, in: 2) { callBack(context) }
        context.write(data, promise: promise)
        if generator.chance(1, in: 2) { callBack(context) }
    }

    func flush(context: ChannelHandlerContext) {
        if generator.chance(1, in: 2) { callBack(context) }
        context.flush()
        if generator.chance(1, in: 2) { callBack(context) }
    }

    func read(context: ChannelHandlerContext) {
        if generator.chance(1, in: 4) { callBack(context) }
        context.read()
    }

    private func callBack(_ context: ChannelHandlerContext) {
        for isWritable in [false, true] {
            channel.isWritable = isWritable
            context.fireChannelWritabilityChanged()
        }
    }
}

@Suite("Calls back while answers are sent", .timeLimit(.minutes(20)))
struct ReentryTests {
    /// A large answer and a small one, so that one send is still under way when the next begins.
    private static func requests(_ generator: inout SplitMix64) -> String {
        (0..<1 + generator.below(60)).map { number in
            let path = String(repeating: "a", count: generator.pick([1, 40, 400]))
            return "GET /\(number)/\(path) HTTP/1.1\r\nHost: x\r\n\r\n"
        }.joined()
    }

    @Test("send every answer once and in its place")
    func once() throws {
        var limits = HTTPLimits()
        limits.waitingOutputBytes = 4_096
        for seed in UInt64(0)..<300 {
            var generator = SplitMix64(seed: seed)
            let channel = EmbeddedChannel()
            let registry = ConnectionRegistry(
                of: .query, connectionLimit: 8, coldWorkLimit: 8,
                readers: NIOThreadPool.singleton,
                status: ServiceStatus(version: "test", startedAt: Instant(milliseconds: 0)),
                eventLoop: channel.eventLoop)
            let connection = Connection(answering: EchoAnswering(), limits: limits)
            try channel.pipeline.syncOperations.addHandlers([
                CallingBackHandler(seed: seed, channel: channel),
                ConnectionHandler(
                    connection: connection, timeouts: ConnectionTimeouts(), registry: registry),
            ])
            channel.pipeline.fireChannelActive()
            var asked = ""
            for _ in 0..<4 {
                let requests = Self.requests(&generator)
                asked += requests
                try channel.writeInbound(ByteBuffer(string: requests))
            }
            var answered = ""
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
                answered += String(buffer: buffer)
            }
            let isSame = answered == Conversation(asked, limits: limits).output
            #expect(isSame, "seed \(seed)")
            _ = try channel.finish(acceptAlreadyClosed: true)
            registry.drain()
        }
    }
}
