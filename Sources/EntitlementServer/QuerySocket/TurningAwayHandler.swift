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
        var draft = ResponseDraft()
        draft.refuse(Problem(code))
        var bytes: [UInt8] = []
        let nothing: [UInt8] = []
        draft.append(to: &bytes, echoing: nil, of: nothing.span, closes: true)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
