internal import NIOCore

/// Says why a peer is not served, and closes.
final class TurningAwayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let code: ProblemCode

    init(code: ProblemCode) {
        self.code = code
    }

    func channelActive(context: ChannelHandlerContext) {
        let bytes = ResponseDraft.lastWords(Problem(code))
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
