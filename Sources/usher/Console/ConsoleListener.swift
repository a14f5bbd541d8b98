internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import StoreBox

/// Listens for browsers on an address of this machine, or for a proxy on a socket.
enum ConsoleListener {
    typealias Respond = @Sendable (ConsoleRequest) -> ConsoleResponse

    /// Where it listens.
    enum Place {
        /// 127.0.0.1; 0 for any port that is free.
        case port(Int)
        case socket(String)
    }

    /// How many pages are made at once: each waits for the service.
    private static let pagesAtOnce = 32

    /// - Parameters:
    ///   - standing: what needs nobody to be asked; nil for all else.
    ///   - respond: may block.
    /// - Returns: the channel, once it listens.
    static func listen(
        at place: Place, standing: @escaping @Sendable (ConsoleRequest) -> ConsoleResponse?,
        _ respond: @escaping Respond
    ) async throws -> any Channel {
        let pool = NIOThreadPool(numberOfThreads: pagesAtOnce)
        pool.start()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(120)))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(ConsoleConnection(pool, standing, respond))
                }
            }
        switch place {
        case .port(let port):
            return
                try await bootstrap
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).get()
        case .socket(let path):
            return try await bootstrap.bind(
                unixDomainSocketPath: path, cleanupExistingSocketFile: true
            ).get()
        }
    }
}

/// One connection: collects each request, has it answered on a thread that may block, and answers
/// in order.
private final class ConsoleConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let pool: NIOThreadPool
    private let standing: @Sendable (ConsoleRequest) -> ConsoleResponse?
    private let respond: ConsoleListener.Respond
    /// Evidence that is handed in is the largest.
    private var requests = RequestCollector(largestBody: 2 << 20)
    private var isAnswering = false

    init(
        _ pool: NIOThreadPool, _ standing: @escaping @Sendable (ConsoleRequest) -> ConsoleResponse?,
        _ respond: @escaping ConsoleListener.Respond
    ) {
        (self.pool, self.standing, self.respond) = (pool, standing, respond)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch requests.add(unwrapInboundIn(data)) {
        case .incomplete: break
        case .tooLarge: send(ConsoleResponse(status: 413), isLast: true, context)
        case .whole(let head, let body): answer(head, body, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            if !isAnswering { context.close(promise: nil) }
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(
        _ head: HTTPRequestHead, _ body: [UInt8], _ context: ChannelHandlerContext
    ) {
        let request = ConsoleRequest(
            method: head.method.rawValue, target: head.uri,
            fields: head.headers.map { ($0.name, $0.value) }, body: body)
        guard let request else {
            return send(ConsoleResponse(status: 400), isLast: true, context)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let (isLast, isBodiless) = (!head.isKeepAlive, head.method == .HEAD)
        if let answer = standing(request) {
            return send(answer, isLast: isLast, isBodiless: isBodiless, context)
        }
        isAnswering = true
        pool.runIfActive(eventLoop: context.eventLoop) { [respond] in
            respond(request)
        }.whenComplete { result in
            let (handler, context) = bound.value
            handler.isAnswering = false
            let answer = (try? result.get()) ?? ConsoleResponse(status: 503)
            handler.send(answer, isLast: isLast, isBodiless: isBodiless, context)
        }
    }

    private func send(
        _ answer: ConsoleResponse, isLast: Bool, isBodiless: Bool = false,
        _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(ConsoleResponse.standing.map { ($0.name, $0.value) })
        for field in answer.fields { headers.replaceOrAdd(name: field.name, value: field.value) }
        if !answer.body.isEmpty { headers.add(name: "content-type", value: answer.mediaType) }
        headers.add(name: "content-length", value: "\(answer.body.count)")
        if isLast { headers.add(name: "connection", value: "close") }
        context.send(answer.status, headers, isBodiless ? nil : answer.body, isLast: isLast)
    }
}
