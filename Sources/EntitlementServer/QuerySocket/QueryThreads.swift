internal import NIOCore
internal import NIOPosix

/// The threads that answer query.sock: the loops, and those that read what is not in memory.
///
/// To be made while the thread that makes them gives way to nobody: threads are as urgent as
/// their makers were.
struct QueryThreads: Sendable {
    let loops: MultiThreadedEventLoopGroup
    /// Not NIO's own, which usher.sock works on: its threads give way to these.
    let readers: NIOThreadPool

    init(loops count: Int) {
        loops = MultiThreadedEventLoopGroup(numberOfThreads: count)
        readers = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        readers.start()
    }

    func shutDown() async throws {
        try await loops.shutdownGracefully()
        try await readers.shutdownGracefully()
    }
}
