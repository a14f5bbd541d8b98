internal import NIOCore

/// What stands between the socket and the library on a connection of usher.sock: the strict
/// reading of requests, the time-outs, and the end of the connection, all as on query.sock.
final class OperationsConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Tells the handler to close, whatever is under way.
    struct CloseNow: Sendable {}

    /// Tells the handler that a second has passed.
    struct SecondPassed: Sendable {}

    private enum Ending {
        case no
        /// What was written goes out.
        case flushing
        /// The peer reads.
        case lingering
    }

    private let progress: RequestProgress
    private var gate: RequestGate
    private var meter: StallMeter
    private var context: ChannelHandlerContext?
    private var sent = 0
    private var unsent = 0
    /// To be said once all requests before it are answered.
    private var rejection: ProblemCode?
    private var ending = Ending.no
    private var lingering = LingeringClose()
    private var inputHasEnded = false
    private let countRejection: (ProblemCode) -> Void

    /// - Parameter countRejection: told of requests that no responder has seen.
    init(
        progress: RequestProgress, gate: RequestGate, patience: ConnectionPatience,
        countRejection: @escaping (ProblemCode) -> Void
    ) {
        self.progress = progress
        self.gate = gate
        self.countRejection = countRejection
        meter = StallMeter(patience: patience)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        guard ending == .no else {
            if lingering.discard(bytes.readableBytes) { context.close(promise: nil) }
            return
        }
        while let passage = gate.next(&bytes) {
            pass(passage, context)
        }
        progress.bytesArrived(holdsHead: gate.holdsHead)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The library reads no more once it has ended.
        if ending != .no { context.read() }
    }

    private func pass(_ passage: RequestGate.Passage, _ context: ChannelHandlerContext) {
        switch passage {
        case .head(let read, let isTooLarge):
            progress.headIsRead(read, isLast: !read.head.keepsAlive || isTooLarge)
            // It is our turn to say so.
            if isTooLarge { progress.bodyIsRead() }
            context.fireChannelRead(wrapInboundOut(read.bytes))
        case .body(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
        case .rejected(let code):
            if progress.isInBody {
                // Whoever reads the body says so in its answer.
                context.fireErrorCaught(RejectedBody(code: code))
                progress.bodyIsRead()
            } else {
                reject(code)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            progress.drain()
            if ending == .lingering { return context.close(promise: nil) }
            settle(context)
        case is CloseNow: context.close(promise: nil)
        case is SecondPassed: tick(context)
        case ChannelEvent.inputClosed:
            inputHasEnded = true
            if ending == .lingering { context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let count = unwrapOutboundIn(data).readableBytes
        unsent += count
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsent -= count
            sent += count
        }
        context.write(data, promise: promise)
    }

    /// Whoever closes from above wants the end of the connection, not that of its last answer.
    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        switch mode {
        case .input: context.close(mode: .input, promise: promise)
        case .output:
            end(context)
            promise?.succeed()
        case .all:
            if let promise { context.channel.closeFuture.cascade(to: promise) }
            end(context)
        }
    }
}

/// A body that ends nowhere.
struct RejectedBody: Error {
    let code: ProblemCode
}

/// The end of the connection.
extension OperationsConnectionHandler {
    /// Reads nothing more, and says why when it is its turn.
    func reject(_ code: ProblemCode) {
        guard let context, ending == .no, rejection == nil else { return }
        gate.end()
        progress.bytesArrived(holdsHead: false)
        rejection = code
        settle(context)
    }

    /// The library finds a fault in what was handed to it. Behind the last request it finds only
    /// that the peer has ended its side before a body that nobody reads.
    func rejectFromLibrary(_ code: ProblemCode) {
        if !gate.isOver { reject(code) }
    }

    /// To be called once an answer has become bytes.
    func answerIsWritten() {
        if let context { settle(context) }
    }

    /// Ends the connection where there is reason to, and nothing else to be answered first.
    private func settle(_ context: ChannelHandlerContext) {
        guard ending == .no, !progress.hasRequest else { return }
        if let rejection {
            say(rejection, context)
        } else if progress.isDraining, !gate.holdsHead {
            end(context)
        }
    }

    private func say(_ code: ProblemCode, _ context: ChannelHandlerContext) {
        countRejection(code)
        let answer = ByteBuffer(bytes: ResponseDraft.lastWords(Problem(code)))
        write(context: context, data: wrapOutboundOut(.byteBuffer(answer)), promise: nil)
        end(context)
    }

    /// Ends our side once everything is sent, and the whole once the peer has ended its own.
    private func end(_ context: ChannelHandlerContext) {
        guard ending == .no else { return }
        ending = .flushing
        gate.end()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        // Done after every write before it, whatever became of them.
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer()))).whenComplete { _ in
            bound.value.endOutput()
        }
        context.read()
    }

    private func endOutput() {
        guard let context else { return }
        if inputHasEnded || progress.isDraining {
            context.close(promise: nil)
        } else {
            ending = .lingering
            context.close(mode: .output, promise: nil)
        }
    }

    private func tick(_ context: ChannelHandlerContext) {
        var reading = progress.reading(sent: sent, unsent: unsent)
        // A peer has as long to end its side as for a head.
        if ending != .no { reading.awaited = .head }
        switch meter.tick(reading) {
        case .patient: break
        case .abandon: context.close(promise: nil)
        case .expire: expire(context)
        }
    }

    /// Whoever has begun a request is told; whoever was idle is not.
    private func expire(_ context: ChannelHandlerContext) {
        guard ending == .no, progress.awaited != .request else {
            return context.close(promise: nil)
        }
        say(.timeout, context)
    }
}
