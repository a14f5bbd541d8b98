package import EntitlementEngine
internal import EntitlementModel
internal import Glibc
package import Logging
internal import NIOPosix
internal import ServiceLifecycle

/// The service: an open engine on its two sockets (spec 3.1).
package struct UsherService: Service {
    private let engine: EntitlementEngine
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let whenServing: @Sendable () -> Void

    /// - Parameters:
    ///   - engine: stays open when the service stops.
    ///   - whenServing: called once both sockets take connections.
    package init(
        engine: EntitlementEngine, configuration: ServerConfiguration, logger: Logger,
        whenServing: @escaping @Sendable () -> Void = {}
    ) {
        self.engine = engine
        self.configuration = configuration
        self.logger = logger
        self.whenServing = whenServing
    }

    /// Serves until graceful shutdown: then nothing new is accepted, what has begun is finished
    /// within `drainSeconds`, and the sockets are removed.
    /// - Throws: `SocketError` where the sockets cannot be made.
    package func run() async throws {
        // A peer that has gone is an error of a write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let sockets = try Sockets(configuration)
        defer { sockets.removeFiles() }
        engine.onLedgerNotice { [logger] in logger.note($0) }
        if let folder = configuration.backupFolder {
            EntitlementEngine.removeInterruptedBackups(
                in: folder, named: UpkeepCall.isBackupName)
        }
        engine.watchDisk { [logger] isFull in
            if isFull {
                logger.error(
                    "the disk of the ledger is full: nothing is written, questions are answered",
                    metadata: ["code": "\(ProblemCode.diskFull.rawValue)"])
            } else {
                logger.notice("the disk of the ledger has room again")
            }
        }
        let status = ServiceStatus(
            version: configuration.version, startedAt: engine.clock.now(),
            linesLost: configuration.linesLost)
        try await withGracefulShutdownHandler {
            try await serve(sockets, status)
        } onGracefulShutdown: { [configuration, logger] in
            configuration.manager?.tell(.stopping)
            logger.notice("stopping", metadata: ["within": "\(configuration.drainSeconds) s"])
        }
        logger.notice("stopped")
    }

    private func serve(_ sockets: Sockets, _ status: ServiceStatus) async throws {
        // First of all, before any thread has reason to give way.
        let queryThreads = QueryThreads(loops: configuration.queryLoops)
        engine.letQuestionsGoFirst()
        do {
            try await serve(sockets, queryThreads, status)
        } catch {
            try? await queryThreads.shutDown()
            throw error
        }
        try await queryThreads.shutDown()
    }

    private func serve(
        _ sockets: Sockets, _ queryThreads: QueryThreads, _ status: ServiceStatus
    ) async throws {
        try await withThrowingTaskGroup { tasks in
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            tasks.addTask {
                try await queryServer(on: sockets.query, status).run(on: queryThreads) {
                    started.yield()
                }
            }
            tasks.addTask {
                try await operationsServer(on: sockets.operations, status).run { started.yield() }
            }
            tasks.addTask {
                var count = 0
                for await _ in starts {
                    count += 1
                    guard count == 2 else { continue }
                    configuration.manager?.tell(.ready)
                    engine.keepFindings()
                    noteServing()
                    return whenServing()
                }
            }
            if let heartbeat = configuration.manager?.heartbeat {
                let paths = [sockets.query.path, sockets.operations.path]
                tasks.addTask { await beat(every: heartbeat, paths) }
            }
            // The first failure ends the other server too.
            for try await _ in tasks {}
        }
    }

    private func noteServing() {
        logger.notice(
            "serving",
            metadata: [
                "sockets": "\(configuration.folder)", "version": "\(configuration.version)",
                "policy": "\(engine.policy.digest.hexadecimal)",
                "revision": "\(engine.revision.number)",
            ])
    }

    /// Tells the manager that we live for as long as both sockets answer: a service that hangs is
    /// started anew.
    private func beat(every interval: Duration, _ paths: [String]) async {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: interval)
                let isAlive = try await NIOThreadPool.singleton.runIfActive {
                    paths.allSatisfy { path in
                        (try? LocalClient(socketPath: path, secondsToWait: 5).get("/livez")) != nil
                    }
                }
                if isAlive { configuration.manager?.tell(.alive) }
            }
        }
    }

    private func queryServer(
        on socket: ListeningSocket, _ status: ServiceStatus
    ) -> QueryServer {
        QueryServer(
            socket: socket, configuration: configuration, status: status,
            makeAnswering: { [engine, configuration] in
                QuestionAnswering(
                    source: engine, baseURL: configuration.baseURL,
                    jsonDepth: configuration.limits.jsonDepth)
            })
    }

    private func operationsServer(
        on socket: ListeningSocket, _ status: ServiceStatus
    ) -> OperationsServer<OperationsResponder> {
        OperationsServer(
            socket: socket, configuration: configuration, logger: logger, status: status,
            responder: OperationsResponder(
                engine: engine, configuration: configuration, status: status, logger: logger))
    }
}

/// Both sockets, bound.
private struct Sockets {
    let query: ListeningSocket
    let operations: ListeningSocket
    /// Locked for as long as we serve; nil where the service manager has made both sockets.
    private let folder: SocketFolder?

    init(_ configuration: ServerConfiguration) throws(SocketError) {
        let manager = configuration.manager
        if let query = try manager?.listeningSocket(ServerConfiguration.querySocketName),
            let operations = try manager?.listeningSocket(
                ServerConfiguration.operationsSocketName)
        {
            self.query = query
            self.operations = operations
            folder = nil
            return
        }
        let folder = try SocketFolder(path: configuration.folder)
        self.folder = folder
        query = try folder.listen(
            ServerConfiguration.querySocketName, mode: configuration.querySocket.mode,
            group: configuration.querySocket.group)
        do {
            operations = try folder.listen(
                ServerConfiguration.operationsSocketName,
                mode: configuration.operationsSocket.mode,
                group: configuration.operationsSocket.group)
        } catch {
            close(query.descriptor)
            query.removeFile()
            throw error
        }
    }

    func removeFiles() {
        query.removeFile()
        operations.removeFile()
    }
}
