internal import NIOCore

/// A connection as its event loop keeps it.
protocol RegisteredConnection: AnyObject {
    func tick()
    func drain()
    func abort()
}

/// The connections of one event loop: counted, looked at once a second, and sent away together.
///
/// Everything here happens on that loop.
final class QueryConnectionRegistry {
    private var connections: [ObjectIdentifier: any RegisteredConnection] = [:]
    private var coldWork = 0
    private let connectionLimit: Int
    private let coldWorkLimit: Int
    private let whenEmpty: EventLoopPromise<Void>
    private(set) var isDraining = false

    init(connectionLimit: Int, coldWorkLimit: Int, eventLoop: any EventLoop) {
        self.connectionLimit = connectionLimit
        self.coldWorkLimit = coldWorkLimit
        whenEmpty = eventLoop.makePromise()
    }

    /// Done once it drains and the last connection has gone.
    var drained: EventLoopFuture<Void> { whenEmpty.futureResult }

    /// Whether one more connection may be taken.
    var hasRoom: Bool { connections.count < connectionLimit && !isDraining }

    func add(_ connection: any RegisteredConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if isDraining { connection.drain() }
    }

    func remove(_ connection: any RegisteredConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if isDraining, connections.isEmpty { whenEmpty.succeed() }
    }

    /// Looks whether somebody keeps us waiting.
    func tick() {
        for connection in Array(connections.values) { connection.tick() }
    }

    /// Lets every connection finish what it has.
    func drain() {
        isDraining = true
        for connection in Array(connections.values) { connection.drain() }
        if connections.isEmpty { whenEmpty.succeed() }
    }

    /// Closes what is left.
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
}
