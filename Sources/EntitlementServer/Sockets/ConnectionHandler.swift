internal import EntitlementAnswers
internal import NIOCore
internal import NIOPosix

/// Carries bytes between a channel and its `Connection`: one buffer, one flush for each read.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var connection: Connection
    private var step = Connection.Step.wait
    private var meter: StallMeter
    private let registry: ConnectionRegistry
    private var context: ChannelHandlerContext?
    /// Nil while the channel is not active.
    private var socket: DirectSocket?
    private var buffer = ByteBuffer()
    /// Memory for the next answers.
    private var spare: [UInt8] = []
    /// More is given back: there may be thousands of connections.
    private static let spareBytes = 65_536
    private var isSettling = false
    /// Something has happened since the last step.
    private var isUnsettled = false
    /// Writes that the channel still has: nothing may overtake them.
    private var queued = 0
    private var sent = 0
    private var counted = 0
    private var isReading = false
    /// As the channel said last.
    private var isWritable = true
    /// The last answer is sent, and further bytes of the peer are discarded: closing with bytes
    /// unread would signal an error to the peer before it has read the answer.
    private var isLingering = false
    private var lingering = LingeringClose()
    /// The last answer is with the system.
    private var outputHasEnded = false

    init(
        connection: Connection, timeouts: ConnectionTimeouts,
        registry: ConnectionRegistry
    ) {
        self.connection = connection
        self.registry = registry
        meter = StallMeter(timeouts: timeouts)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        registry.add(self)
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        registry.remove(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isLingering else {
            if lingering.discard(bytes.readableBytes) { context.close(promise: nil) }
            return
        }
        step = connection.receive(bytes.readableBytesUInt8Span)
        startWork(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        // Requested before the channel finds no pending read and changes its registration with the
        // kernel.
        if case .wait = step, connection.awaited != nil, isWritable { requestRead(context) }
        registry.settleSoon(self)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable { settle(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        guard !isLingering else {
            // The last answers go out first.
            if outputHasEnded { context.close(promise: nil) }
            return
        }
        step = connection.endOfInput()
        startWork(context)
        settle(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends output and takes steps while the peer accepts bytes.
    ///
    /// Sends and reads may call back into this: a nested call only sets a flag, which the running
    /// loop handles next.
    private func settle(_ context: ChannelHandlerContext) {
        isUnsettled = true
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        while isUnsettled {
            isUnsettled = false
            send(context)
            takeStep(context)
        }
    }

    /// Takes one step, unless the connection waits for an answer.
    private func takeStep(_ context: ChannelHandlerContext) {
        switch step {
        case .cold, .later, .stream: break
        case .close: finish(context)
        case .wait:
            if connection.awaited != nil, isWritable { requestRead(context) }
        case .full:
            guard isWritable else { return }
            step = connection.proceed()
            startWork(context)
            isUnsettled = true
        }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard !connection.output.isEmpty else { return }
        var memory: [UInt8] = []
        swap(&memory, &spare)
        let output = connection.takeOutput(reusing: consume memory)
        sent += output.count
        // A channel that is closed may have given its descriptor to the next peer already.
        let isFree = queued == 0 && context.channel.isActive
        let taken = isFree ? socket?.send(output.span) ?? 0 : 0
        if taken < output.count {
            buffer.clear()
            buffer.writeBytes(output[taken...])
            _ = queue(buffer, context)
        }
        if output.capacity <= Self.spareBytes { spare = consume output }
    }

    /// Leaves to the channel what the system does not take at once.
    private func queue(
        _ bytes: ByteBuffer, _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        queued += 1
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let written = context.writeAndFlush(wrapOutboundOut(bytes))
        written.whenComplete { _ in bound.value.queued -= 1 }
        return written
    }

    private func begin(_ context: ChannelHandlerContext) {
        socket = DirectSocket(of: context.channel)
        requestRead(context)
    }

    private func requestRead(_ context: ChannelHandlerContext) {
        guard !isReading else { return }
        isReading = true
        context.read()
    }

    /// Closes the output once everything is sent, and the connection once the peer has closed its
    /// side.
    private func finish(_ context: ChannelHandlerContext) {
        guard !isLingering else { return requestRead(context) }
        isLingering = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        // Done after every write before it, whatever became of them.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.endOutput()
        }
    }

    private func endOutput() {
        guard let context else { return }
        outputHasEnded = true
        if registry.isDraining {
            context.close(promise: nil)
        } else {
            context.close(mode: .output, promise: nil)
            requestRead(context)
        }
    }

    private func startWork(_ context: ChannelHandlerContext) {
        while case .cold(let work) = step {
            if let wait = work.wait { return start(work, after: wait, context) }
            if registry.beginColdWork() {
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                registry.readers.runIfActive(eventLoop: context.eventLoop) { work.run() }
                    .whenComplete { bound.value.endColdWork($0) }
                return
            }
            step = connection.proceed(after: .rejection(Problem(.overloaded)))
        }
        switch step {
        case .later(let answer): start(answer)
        case .stream(let stream): start(stream, context)
        case .cold, .wait, .full, .close: return
        }
        // Whatever it holds is the task's alone.
        step = .wait
    }

    /// What waits is not counted as work: it holds nothing that others need.
    private func start(
        _ work: ColdWork, after wait: ColdWork.Wait, _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let waited = context.eventLoop.makePromise(of: Void.self)
        waited.futureResult.whenComplete { _ in
            guard let context = bound.value.context else { return }
            bound.value.step = .cold(work.afterWait)
            bound.value.startWork(context)
            bound.value.settle(context)
        }
        wait { waited.succeed() }
    }

    private func endColdWork(_ answer: Result<ResponseDraft, any Error>) {
        registry.endColdWork()
        proceed(after: (try? answer.get()) ?? .rejection(Problem(.stopping)))
    }

    private func proceed(after answer: ResponseDraft) {
        guard let context else { return }
        step = connection.proceed(after: answer)
        startWork(context)
        settle(context)
    }
}

/// What tasks do for the connection.
extension ConnectionHandler {
    private func start(_ answer: @escaping LaterAnswer) {
        registry.run(answer) { self.proceed(after: $0) }
    }

    private func start(_ stream: FeedStream, _ context: ChannelHandlerContext) {
        let eventLoop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        registry.run {
            do {
                try await stream.run { part in
                    try await eventLoop.flatSubmit { bound.value.write(part) }.get()
                }
                return true
            } catch {
                return false
            }
        } done: { hasEnded in
            // A stream without a proper end is cut, so that the follower notices.
            if hasEnded { self.endStream() } else { self.abort() }
        }
    }

    /// Done once the system has it, or the peer takes nothing.
    private func write(_ part: ByteBuffer) -> EventLoopFuture<Void> {
        guard let context else {
            return registry.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        let bytes = connection.framed(part.readableBytesUInt8Span)
        sent += bytes.count
        return queue(ByteBuffer(bytes: bytes), context)
    }

    private func endStream() {
        guard let context else { return }
        step = connection.endStream()
        startWork(context)
        settle(context)
    }
}

extension ConnectionHandler: RegisteredConnection {
    /// Answers the requests received so far, then closes.
    func drain() {
        guard let context else { return }
        guard !isLingering else {
            if unsent(context) == 0 { context.close(promise: nil) }
            return
        }
        if case .cold = step {
            _ = connection.drain()
            return
        }
        step = connection.drain()
        startWork(context)
        settle(context)
    }

    /// To be called once a second.
    func tick() {
        guard let context else { return }
        let unsent = unsent(context)
        let reading = StallMeter.Reading(
            awaited: isLingering ? .head : connection.awaited, answered: connection.answered,
            sent: sent - unsent, unsent: unsent)
        switch meter.tick(reading) {
        case .ok: break
        case .drop: context.close(promise: nil)
        case .timeout where isLingering: context.close(promise: nil)
        case .timeout:
            step = connection.expire()
            settle(context)
        }
    }

    /// How many bytes the peer has not taken yet.
    private func unsent(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func settle() {
        if let context { settle(context) }
    }

    func takeAnswered() -> Int {
        defer { counted = connection.answered }
        return connection.answered - counted
    }

    func abort() {
        context?.close(promise: nil)
    }
}
