internal import NIOCore
internal import NIOHTTP1

/// One connection to the box: collects each request, and sends its answer as the answer says.
final class BoxConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    typealias Respond = @Sendable (AppStoreRequest) async -> AppStoreResponse

    private let respond: Respond
    /// Receipts are the largest.
    private var requests = RequestCollector(largestBody: 16 << 20)
    private var isAnswering = false
    private var inputHasEnded = false

    init(_ respond: @escaping Respond) {
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch requests.add(unwrapInboundIn(data)) {
        case .incomplete: break
        case .tooLarge: send(AppStoreResponse(status: 413), keepsAlive: false, context)
        case .whole(let head, let body): answer(head, body, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        inputHasEnded = true
        if !isAnswering { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(
        _ head: HTTPRequestHead, _ body: [UInt8], _ context: ChannelHandlerContext
    ) {
        isAnswering = true
        let request = AppStoreRequest(
            method: head.method.rawValue, target: head.uri,
            headers: head.headers.reduce(into: [:]) { $0[$1.name.lowercased()] = $1.value },
            body: body)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let (eventLoop, keepsAlive) = (context.eventLoop, head.isKeepAlive)
        Task { [respond] in
            let answer = await respond(request)
            eventLoop.execute {
                let (handler, context) = bound.value
                handler.isAnswering = false
                handler.send(answer, keepsAlive: keepsAlive, context)
            }
        }
    }

    private func send(
        _ answer: AppStoreResponse, keepsAlive: Bool, _ context: ChannelHandlerContext
    ) {
        if answer.cut == .beforeHead { return context.close(promise: nil) }
        var headers = HTTPHeaders(
            answer.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        headers.replaceOrAdd(name: "content-length", value: "\(answer.body.count)")
        let isLast = !keepsAlive || inputHasEnded
        if isLast { headers.replaceOrAdd(name: "connection", value: "close") }
        guard case .afterBytes(let count)? = answer.cut else {
            return context.send(answer.status, headers, answer.body, isLast: isLast)
        }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let part = ByteBuffer(bytes: answer.body.prefix(count))
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
