internal import NIOCore

/// Ends connections of usher.sock that keep us waiting, by the same measure as query.sock.
final class PatienceHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let progress: RequestProgress
    private var meter: PatienceMeter
    private var ticking: Scheduled<Void>?
    private var sent = 0
    private var unsent = 0
    private var isDraining = false

    init(progress: RequestProgress, patience: ConnectionPatience) {
        self.progress = progress
        meter = PatienceMeter(patience: patience)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        scheduleTick(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        ticking?.cancel()
        ticking = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        progress.bytesArrived()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let data = problem(insteadOf: data, on: context.channel) ?? data
        let count = unwrapOutboundIn(data).readableBytes
        unsent += count
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsent -= count
            sent += count
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { isDraining = true }
        context.fireUserInboundEventTriggered(event)
    }

    /// Lets what was written before go out first. A channel whose peer has ended its own side
    /// would throw it away, and so would one that is closed as a whole.
    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        guard unsent > 0, mode != .input, !isDraining else {
            return context.close(mode: mode, promise: promise)
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // Done after every write before it, whatever became of them.
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer()))).whenComplete { _ in
            bound.value.close(mode: mode, promise: promise)
        }
    }

    /// Hummingbird answers what is no HTTP with a bare 400, in its turn. Ours says why.
    private func problem(insteadOf data: NIOAny, on channel: any Channel) -> NIOAny? {
        guard let code = progress.refusal, case .byteBuffer(let buffer) = unwrapOutboundIn(data)
        else { return nil }
        let text = String(buffer: buffer).lowercased()
        guard text.hasPrefix("http/1.1 400 "), text.contains("content-length: 0\r\n"),
            text.contains("connection: close\r\n")
        else { return nil }
        let answer = ByteBuffer(bytes: ResponseDraft.lastWords(Problem(code)))
        return wrapOutboundOut(.byteBuffer(answer))
    }

    private func scheduleTick(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        ticking = context.eventLoop.scheduleTask(in: .seconds(1)) {
            let (handler, context) = bound.value
            handler.tick(context)
        }
    }

    private func tick(_ context: ChannelHandlerContext) {
        guard ticking != nil else { return }
        switch meter.tick(progress.reading(sent: sent, unsent: unsent)) {
        case .patient: scheduleTick(context)
        case .abandon: context.close(promise: nil)
        case .expire: expire(context)
        }
    }

    /// Whoever has begun a request is told; whoever was idle is not.
    private func expire(_ context: ChannelHandlerContext) {
        defer { context.close(promise: nil) }
        guard progress.awaited != .request else { return }
        let buffer = ByteBuffer(bytes: ResponseDraft.lastWords(Problem(.timeout)))
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(buffer)), promise: nil)
    }
}
