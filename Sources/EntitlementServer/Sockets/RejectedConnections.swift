internal import EntitlementAnswers
internal import EntitlementModel
internal import NIOCore
internal import NIOPosix

/// The connections of one event loop that get one answer: those beyond the limit, which may ask
/// how the service is, and those of peers that may do nothing (spec 3.1).
///
/// There is always room for one more: the oldest is closed. A peer that sends its request at once
/// is answered at once. All of it happens on one event loop.
final class RejectedConnections {
    private var handlers: [RejectedConnectionHandler] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ handler: RejectedConnectionHandler) {
        handlers.append(handler)
        if handlers.count > limit { handlers[0].close() }
    }

    func remove(_ handler: RejectedConnectionHandler) {
        handlers.removeAll { $0 === handler }
    }

    /// Ends all of them.
    func close() {
        for handler in handlers { handler.close() }
    }
}

/// Reads the head of one request, answers it and ends the connection, in seconds.
///
/// Nothing is sent before the head has arrived: a client may ignore a response that arrives before
/// its request and see a closed connection only (THREATS.md H32).
final class RejectedConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What a rejected connection is answered.
    struct Purpose {
        /// The rejection.
        var rejection: ProblemCode
        /// What is answered all the same; nil for nothing.
        var answering: (any RequestAnswering)?
        /// Called when the peer is rejected.
        var countRejection: () -> Void
    }

    private enum Phase {
        case reading
        case answering
        case flushing
        case lingering
    }

    private var purpose: Purpose
    private var parser: RequestParser
    private let connections: RejectedConnections
    private let readers: NIOThreadPool
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    private var phase = Phase.reading
    private var received: [UInt8] = []
    private var lingering = LingeringClose()
    private var inputHasEnded = false

    init(
        _ purpose: Purpose, limits: HTTPLimits, in connections: RejectedConnections,
        readers: NIOThreadPool
    ) {
        self.purpose = purpose
        self.connections = connections
        self.readers = readers
        var limits = limits
        // Bodies are not read, whatever they are.
        limits.takesChunks = true
        limits.bodyBytes = .max
        parser = RequestParser(limits: limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connections.add(self)
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        self.context = nil
        connections.remove(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard phase == .reading else {
            if lingering.discard(bytes.readableBytes) { context.close(promise: nil) }
            return
        }
        received.append(bytes.readableBytesUInt8Span)
        look()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        inputHasEnded = true
        switch phase {
        case .reading: reject(purpose.rejection)
        case .lingering: context.close(promise: nil)
        case .answering, .flushing: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Closes it at once: another connection needs the place.
    func close() {
        if phase == .reading { reject(purpose.rejection) }
        context?.close(promise: nil)
    }

    private func begin(_ context: ChannelHandlerContext) {
        setDeadline(context)
        context.read()
    }

    /// For the head to come and be answered; then for the peer to read.
    private func setDeadline(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let timeouts = TimeAmount.seconds(Int64(ConnectionTimeouts.brief))
        deadline = context.eventLoop.scheduleTask(in: timeouts) { bound.value.expire() }
    }

    private func expire() {
        guard phase == .reading else {
            context?.close(promise: nil)
            return
        }
        reject(purpose.rejection)
    }

    private func look() {
        switch parser.read(received.span) {
        case .rejected(let code): reject(purpose.answering == nil ? purpose.rejection : code)
        case .incomplete where parser.headLength == nil: break
        case .head, .incomplete, .complete: answer(parser.head)
        }
    }

    private func answer(_ head: RequestHead) {
        guard var answering = purpose.answering, let context else {
            return reject(purpose.rejection, to: head)
        }
        var draft = ResponseDraft()
        switch answering.answer(head, in: received.span, into: &draft) {
        case .answered: say(draft, to: head)
        case .cold(let work):
            phase = .answering
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            readers.runIfActive(eventLoop: context.eventLoop) { work.run() }.whenComplete {
                let draft = (try? $0.get()) ?? .rejection(Problem(.stopping))
                bound.value.say(draft, to: head)
            }
        case .later: preconditionFailure("what is answered here is made at once, or read")
        }
    }

    private func reject(_ code: ProblemCode, to head: RequestHead = RequestHead()) {
        let language = Language(acceptLanguage: head.acceptLanguage, in: received.span)
        say(.rejection(Problem(code), language: language), to: head)
    }

    private func say(_ draft: ResponseDraft, to head: RequestHead) {
        guard let context, phase == .reading || phase == .answering else { return }
        phase = .flushing
        if draft.status != .ok { purpose.countRejection() }
        var bytes: [UInt8] = []
        draft.append(
            to: &bytes, echoing: head.requestID, of: received.span, closes: true,
            withBody: head.method != .head)
        setDeadline(context)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
            bound.value.endOutput()
        }
    }

    private func endOutput() {
        guard let context, !inputHasEnded else {
            context?.close(promise: nil)
            return
        }
        phase = .lingering
        context.close(mode: .output, promise: nil)
    }
}

/// Answers health checks and rejects everything else: for connections beyond the limit, so that
/// monitoring is not rejected (spec 3.1).
struct HealthOnlyAnswering: RequestAnswering {
    var base: any RequestAnswering
    /// Makes the pages of usher.sock that are about the service; nil on query.sock.
    var service: OperationsResponder?

    mutating func answer(
        _ request: RequestHead, in bytes: Span<UInt8>, into draft: inout ResponseDraft
    ) -> AnswerProgress {
        let path = EndpointTable.match(request.path, in: bytes)?.path
        if let endpoint = path?.endpoints.first, endpoint.traffic == .health {
            switch endpoint.work {
            case .question: return base.answer(request, in: bytes, into: &draft)
            case .page(let make):
                if let service, request.method == endpoint.method {
                    return .cold(ColdWork { make(service) })
                }
            case .operation: break
            }
        }
        let language = Language(acceptLanguage: request.acceptLanguage, in: bytes)
        draft.reject(Problem(.overloaded), language: language)
        return .answered
    }
}
