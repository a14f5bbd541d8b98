internal import Glibc
internal import NIOCore

/// Sends on a channel's socket past the channel's queue of writes, which costs as much as an
/// answer does.
///
/// For the channel's event loop, while the channel is active and its queue is empty.
struct DirectSocket {
    private let descriptor: CInt

    /// Nil where the channel lends its socket to nobody.
    init?(of channel: any Channel) {
        let operations = channel.pipeline.syncOperations
        let descriptor = try? operations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { $0 }
        guard let descriptor else { return nil }
        self.descriptor = descriptor
    }

    /// How many of the bytes the system took. The rest is the channel's, which also finds out
    /// why they were not taken.
    func send(_ bytes: Span<UInt8>) -> Int {
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        let taken = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
        }
        return max(0, taken)
    }
}
