internal import NIOCore
internal import NIOHTTP1

/// Notes, where bytes of usher.sock have become parts of requests, how far a request has come,
/// and why one could not be read, so that its sender is told in the words of query.sock.
///
/// It stands on the event loop: a service that is short of threads is not taken for a slow peer.
final class RequestPartsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let progress: RequestProgress

    init(progress: RequestProgress) {
        self.progress = progress
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: progress.headIsRead()
        case .body: break
        case .end: progress.bodyIsRead()
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError { progress.isUnreadable(ProblemCode(error)) }
        context.fireErrorCaught(error)
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
