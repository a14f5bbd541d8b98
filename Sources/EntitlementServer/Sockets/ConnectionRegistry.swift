internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A connection as its event loop keeps it.
protocol RegisteredConnection: AnyObject {
    func tick()
    /// Sends output.
    func settle()
    func drain()
    func abort()
    /// How many requests were answered since the last call.
    func takeAnswered() -> Int
}

/// The connections of one event loop: counted, checked once a second, and drained together.
///
/// Everything here happens on that loop.
final class ConnectionRegistry {
    private var connections: [ObjectIdentifier: any RegisteredConnection] = [:]
    /// Those with answers that wait for the end of the loop's turn.
    private var unsettled: [any RegisteredConnection] = []
    private var coldWork = 0
    private var runningTasks = 0
    private let connectionLimit: Int
    private let coldWorkLimit: Int
    private let socket: PeerAccess.Socket
    private let status: ServiceStatus
    let eventLoop: any EventLoop
    private let whenEmpty: EventLoopPromise<Void>
    private(set) var isDraining = false
    /// For what blocks.
    let readers: NIOThreadPool
    /// For what awaits; nil for threads that everybody shares.
    let tasks: (any TaskExecutor)?

    init(
        of socket: PeerAccess.Socket, connectionLimit: Int, coldWorkLimit: Int,
        readers: NIOThreadPool, tasks: (any TaskExecutor)? = nil, status: ServiceStatus,
        eventLoop: any EventLoop
    ) {
        self.socket = socket
        self.tasks = tasks
        self.connectionLimit = connectionLimit
        self.coldWorkLimit = coldWorkLimit
        self.readers = readers
        self.status = status
        self.eventLoop = eventLoop
        whenEmpty = eventLoop.makePromise()
    }

    /// Done once it drains, the last connection has gone and the last task has ended.
    var drained: EventLoopFuture<Void> { whenEmpty.futureResult }

    /// Whether one more connection may ask anything.
    var hasRoom: Bool { !isDraining && connections.count < connectionLimit }

    func add(_ connection: any RegisteredConnection) {
        connections[ObjectIdentifier(connection)] = connection
        status.countConnection(1, on: socket)
        if isDraining { connection.drain() }
    }

    func remove(_ connection: any RegisteredConnection) {
        connections[ObjectIdentifier(connection)] = nil
        status.countConnection(-1, on: socket)
        count(connection)
        finishDraining()
    }

    private func finishDraining() {
        if isDraining, connections.isEmpty, runningTasks == 0 { whenEmpty.succeed() }
    }

    /// Lets the connection send its answers once everybody's questions of this turn are read.
    ///
    /// Sending wakes the peer. A peer that asks on many connections would wake for each answer;
    /// sent together, they wake it once.
    func settleSoon(_ connection: any RegisteredConnection) {
        guard connections.count > 1 else { return connection.settle() }
        unsettled.append(connection)
        guard unsettled.count == 1 else { return }
        eventLoop.assumeIsolated().execute { self.settleAll() }
    }

    private func settleAll() {
        let turn = unsettled
        unsettled.removeAll(keepingCapacity: true)
        for connection in turn { connection.settle() }
    }

    /// Drops connections that have timed out.
    func tick() {
        for connection in Array(connections.values) {
            count(connection)
            connection.tick()
        }
    }

    private func count(_ connection: any RegisteredConnection) {
        let answered = connection.takeAnswered()
        guard answered > 0, socket == .query else { return }
        status.questions.wrappingAdd(answered, ordering: .relaxed)
    }

    /// Lets every connection finish what it has.
    func drain() {
        isDraining = true
        for connection in Array(connections.values) { connection.drain() }
        finishDraining()
    }

    /// Closes the remaining connections.
    func abort() {
        for connection in Array(connections.values) { connection.abort() }
    }

    /// False where too much is being read from the ledger already.
    func beginColdWork() -> Bool {
        guard coldWork < coldWorkLimit else { return false }
        coldWork += 1
        return true
    }

    func endColdWork() {
        coldWork -= 1
    }

    /// Runs a task for a connection, which may be gone before it ends.
    ///
    /// - Parameter done: Called on the event loop.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, done: @escaping (Value) -> Void
    ) {
        runningTasks += 1
        let bound = NIOLoopBound((self, done), eventLoop: eventLoop)
        Task(executorPreference: tasks) { [eventLoop] in
            let value = await work()
            eventLoop.execute {
                let (registry, done) = bound.value
                registry.runningTasks -= 1
                done(value)
                registry.finishDraining()
            }
        }
    }
}
