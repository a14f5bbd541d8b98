internal import Glibc
internal import NIOCore

/// Lets a listening socket rest while there is nothing to accept with: it would be tried, and
/// fail, again and again (THREATS.md G11). What comes meanwhile waits in the backlog.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// How long it rests.
    private static let pause = TimeAmount.milliseconds(250)

    private var isPaused = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.passes(error.errnoCode) else {
            context.fireErrorCaught(error)
            return
        }
        guard !isPaused else { return }
        isPaused = true
        setReading(false, context)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, context) = bound.value
            handler.isPaused = false
            handler.setReading(true, context)
        }
    }

    /// Whether it is the machine that has run out of something, for now.
    private static func passes(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }

    private func setReading(_ reads: Bool, _ context: ChannelHandlerContext) {
        // A socket that was closed meanwhile has nothing to set.
        try? context.channel.syncOptions?.setOption(.autoRead, value: reads)
    }
}
