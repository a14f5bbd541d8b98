internal import Glibc
internal import NIOCore

extension PeerCredentials {
    /// Asks the kernel who is at the other end of `channel`.
    static func ofPeer(on channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let credentials: EventLoopFuture<KernelCredentials> = provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET),
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return credentials.map { PeerCredentials(user: $0.user, group: $0.group) }
    }
}

/// `struct ucred` of unix(7).
private struct KernelCredentials: Sendable {
    var process: Int32
    var user: UInt32
    var group: UInt32
}
