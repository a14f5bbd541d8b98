internal import Dispatch
internal import EntitlementEngine
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One event loop of a socket with its connections.
struct SocketLoop: Sendable {
    let eventLoop: any EventLoop
    /// To be touched on the event loop only.
    let registry: NIOLoopBoundBox<ConnectionRegistry>
    /// The same.
    let rejectedConnections: NIOLoopBoundBox<RejectedConnections>
    /// For what blocks.
    let readers: NIOThreadPool
    /// Done once it has drained and the last connection has gone.
    let drained: EventLoopFuture<Void>

    /// - Parameter loops: how many the socket has.
    init(
        of socket: PeerAccess.Socket, _ eventLoop: any EventLoop, oneOf loops: Int,
        _ threads: SocketThreads, _ configuration: ServerConfiguration, _ status: ServiceStatus
    ) {
        let registry = ConnectionRegistry(
            of: socket, connectionLimit: max(1, configuration.connectionLimit / loops),
            coldWorkLimit: max(1, configuration.inFlightLimit / loops),
            readers: threads.readers, tasks: threads.tasks, status: status, eventLoop: eventLoop)
        self.eventLoop = eventLoop
        readers = threads.readers
        drained = registry.drained
        rejectedConnections = .makeBoxSendingValue(
            RejectedConnections(limit: configuration.rejectedConnections), eventLoop: eventLoop)
        self.registry = .makeBoxSendingValue(registry, eventLoop: eventLoop)
    }

    /// Looks at every connection once a second, until it drains.
    func startTicking() -> RepeatedTask {
        eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
            [registry] _ in registry.value.tick()
        }
    }

    /// Lets the connections finish, and closes those that have not after `seconds`.
    func drain(within seconds: Int) {
        eventLoop.execute { [registry, rejectedConnections] in
            rejectedConnections.value.close()
            registry.value.drain()
        }
        let deadline = eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { [registry] in
            registry.value.abort()
        }
        drained.whenComplete { _ in deadline.cancel() }
    }
}

/// The threads that answer a socket.
struct SocketThreads: Sendable {
    let loops: MultiThreadedEventLoopGroup
    /// For reads from the ledger. NIO's own pool, which serves usher.sock, has a lower priority.
    let readers: NIOThreadPool
    /// For what awaits; nil where nothing does.
    let tasks: TaskThreads?

    /// For query.sock. To be made on a thread of normal priority: threads inherit that of their
    /// maker.
    static func forQuestions(loops: Int) -> SocketThreads {
        let readers = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        readers.start()
        return SocketThreads(
            loops: MultiThreadedEventLoopGroup(numberOfThreads: loops), readers: readers,
            tasks: nil)
    }

    /// For usher.sock: they give way to questions.
    ///
    /// - Parameter verifications: how many are made at once.
    static func forCalls(verifications: Int) -> SocketThreads {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loops.any().execute { ThreadPriority.background.apply() }
        // One more: what takes no time finds a thread.
        return SocketThreads(
            loops: loops, readers: .singleton, tasks: TaskThreads(max(1, verifications) + 1))
    }

    func shutDown() async throws {
        try await loops.shutdownGracefully()
        if readers !== NIOThreadPool.singleton { try await readers.shutdownGracefully() }
        tasks?.end()
    }
}

/// Threads of lower priority that run tasks. The shared cooperative pool cannot be used: its
/// priority could not be restored.
final class TaskThreads: TaskExecutor {
    private struct Queue {
        var jobs = CircularBuffer<UnownedJob>()
        var hasEnded = false
    }

    private let queue = Mutex(Queue())
    private let count = DispatchSemaphore(value: 0)
    private let threads: Int

    init(_ threads: Int) {
        self.threads = threads
        for _ in 0..<threads {
            let isThere = WorkerThread.start("usher-calls", priority: .background) {
                [self] in serve()
            }
            // Without threads, the caller runs the job.
            if !isThere { end() }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = queue.withLock { queue in
            guard !queue.hasEnded else { return false }
            queue.jobs.append(job)
            return true
        }
        guard isTaken else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
        count.signal()
    }

    /// Ends the threads once they have nothing to run.
    func end() {
        queue.withLock { $0.hasEnded = true }
        for _ in 0..<threads { count.signal() }
    }

    private func serve() {
        while true {
            count.wait()
            guard let job = queue.withLock({ $0.jobs.popFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Sends on a channel's socket past the channel's queue of writes, which costs as much as an
/// answer does.
///
/// For the channel's event loop, while the channel is active and its queue is empty.
struct DirectSocket {
    private let descriptor: CInt

    /// Nil if the channel does not expose its socket.
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

/// Measures, once a second, whether a connection has stalled.
///
/// Requests set no timers and read no clock: they only move counters that are compared here.
struct StallMeter: Sendable {
    enum Verdict: Sendable {
        case ok
        /// The request does not arrive.
        case timeout
        /// The peer takes no bytes.
        case drop
    }

    /// The state of a connection.
    struct Reading: Sendable {
        /// Nil while the service works on an answer.
        var awaited: ConnectionAwaited?
        /// How many requests were answered so far.
        var answered: Int
        /// How many bytes were handed to the system so far.
        var sent: Int
        /// How many more wait for the peer to take some.
        var unsent: Int
    }

    private let timeouts: ConnectionTimeouts
    private var last = Reading(awaited: .request, answered: 0, sent: 0, unsent: 0)
    private var seconds = 0

    init(timeouts: ConnectionTimeouts) {
        self.timeouts = timeouts
    }

    /// To be called once a second.
    mutating func tick(_ now: Reading) -> Verdict {
        let isSameStep =
            now.awaited == last.awaited && now.answered == last.answered && now.sent == last.sent
            && (now.unsent > 0) == (last.unsent > 0)
        seconds = isSameStep ? seconds + 1 : 0
        last = now
        if now.unsent > 0 { return seconds >= timeouts.write ? .drop : .ok }
        return switch now.awaited {
        case nil: .ok
        case .request: seconds >= timeouts.idle ? .timeout : .ok
        case .head: seconds >= timeouts.head ? .timeout : .ok
        case .body: seconds >= timeouts.body ? .timeout : .ok
        }
    }
}
