internal import NIOCore
internal import NIOHTTP1

/// Notes, where bytes of usher.sock have become parts of requests and answers are not bytes yet,
/// how far a request has come.
///
/// It is called on the event loop: a service that is short of threads is not taken for a slow
/// peer.
final class RequestPartsHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    private let progress: RequestProgress
    private let connection: OperationsConnectionHandler

    init(progress: RequestProgress, connection: OperationsConnectionHandler) {
        self.progress = progress
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { progress.bodyIsRead() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        progress.isAnswered()
        connection.answerIsWritten()
    }

    /// The library rejects what passed our own reading. Between requests nobody waits for that
    /// error; within one, whoever reads its body does.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError else {
            return context.fireErrorCaught(error)
        }
        let code = ProblemCode(parserError)
        guard progress.isInBody else { return connection.rejectFromLibrary(code) }
        context.fireErrorCaught(RejectedBody(code: code))
        progress.bodyIsRead()
    }
}

extension ProblemCode {
    fileprivate init(_ error: HTTPParserError) {
        self =
            switch error {
            case .headerOverflow: .headersTooLarge
            case .invalidVersion: .version
            case .invalidMethod: .methodUnknown
            case .invalidContentLength, .unexpectedContentLength: .contentLength
            default: .malformed
            }
    }
}
