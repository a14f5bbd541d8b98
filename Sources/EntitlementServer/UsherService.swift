internal import EntitlementAnswers
package import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import LedgerModel
package import Logging
internal import NIOCore
internal import NIOPosix

/// The service: an open engine on its two sockets (spec 3.1).
package struct UsherService: Sendable {
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

    /// Serves until stopped: then nothing new is accepted, calls in progress are finished within
    /// `drainSeconds`, and the sockets are removed.
    /// - Throws: `SocketError` where the sockets cannot be made.
    package func run(until stop: StopSignal) async throws {
        // A peer that has gone is an error of a write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let sockets = try Sockets(configuration)
        defer { sockets.removeFiles() }
        engine.onLedgerNotice { [logger] in logger.note($0) }
        if let folder = configuration.backupFolder {
            engine.copyableLedger?.removeInterruptedCopies(
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
        engine.watchAdoption { [logger] failure in
            guard let failure else { return logger.notice("questions are answered again") }
            logger.error(
                "nothing is answered: what another node wrote cannot be read",
                metadata: ["code": "\(failure.code)", "reason": "\(failure.text(.english))"])
        }
        let broadcast = try makeBroadcast()
        let status = ServiceStatus(
            version: configuration.version, startedAt: engine.clock.now(), broadcast: broadcast,
            linesLost: configuration.linesLost, reconciler: configuration.reconciler,
            pusher: configuration.pusher)
        try await serve(sockets, status, until: stop)
        logger.notice("stopped")
    }

    /// What followers of the change feed share, from now on.
    private func makeBroadcast() throws -> FeedBroadcast {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let broadcast = FeedBroadcast(
            ofLedger: try engine.questions.feedName(), limit: configuration.followerLimit
        ) { duration, wake in
            loop.scheduleTask(in: .nanoseconds(duration.wholeNanoseconds), wake)
        }
        engine.feedFollowers.follow { [weak broadcast] in broadcast?.add($0) }
        return broadcast
    }

    private func serve(
        _ sockets: Sockets, _ status: ServiceStatus, until stop: StopSignal
    ) async throws {
        // First of all, before any thread has reason to give way.
        let threads = (
            questions: SocketThreads.forQuestions(loops: configuration.queryLoops),
            calls: SocketThreads.forCalls(verifications: configuration.processors)
        )
        engine.lowerBackgroundPriority()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await serve(sockets, threads.questions, threads.calls, status, until: stop))
        } catch {
            outcome = .failure(error)
        }
        // What would have woken them ends with the threads.
        engine.revisionWaiters.giveUpAll()
        status.broadcast.end()
        try? await threads.questions.shutDown()
        try? await threads.calls.shutDown()
        try outcome.get()
    }

    private func serve(
        _ sockets: Sockets, _ questions: SocketThreads, _ calls: SocketThreads,
        _ status: ServiceStatus, until stop: StopSignal
    ) async throws {
        let revisionTimeout = makeRevisionTimeout(on: questions)
        try await withThrowingTaskGroup { tasks in
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            tasks.addTask {
                try await queryServer(on: sockets.query, status, revisionTimeout)
                    .run(on: questions, until: stop) { started.yield() }
            }
            tasks.addTask {
                try await operationsServer(
                    on: sockets.operations, status, revisionTimeout, calls.tasks
                )
                .run(on: calls, until: stop) { started.yield() }
            }
            tasks.addTask(executorPreference: calls.tasks) {
                var count = 0
                for await _ in starts {
                    count += 1
                    guard count == 2 else { continue }
                    configuration.manager?.tell(.ready)
                    engine.keepFindings()
                    engine.keepCounts()
                    engine.startFeed()
                    logServing()
                    logFleet()
                    return whenServing()
                }
            }
            tasks.addTask {
                await stop.wait()
                if !Task.isCancelled { noteStopping(status) }
            }
            if let fleet = engine.fleet {
                tasks.addTask(executorPreference: calls.tasks) {
                    await stop.cancelling { try await noteChanges(of: fleet) }
                }
            }
            if let heartbeat = configuration.manager?.heartbeat {
                let paths = [sockets.query.path, sockets.operations.path]
                tasks.addTask { await stop.cancelling { try await beat(every: heartbeat, paths) } }
            }
            // The first failure ends the other server too.
            for try await _ in tasks {}
        }
    }

    private func logServing() {
        logger.notice(
            "serving",
            metadata: [
                "sockets": "\(configuration.folder)", "version": "\(configuration.version)",
                "policy": "\(engine.policy.digest.hexadecimal)",
                "revision": "\(engine.revision.number)",
            ])
    }

    /// Ends all waits for future changes.
    private func noteStopping(_ status: ServiceStatus) {
        engine.revisionWaiters.giveUpAll()
        status.broadcast.end()
        configuration.manager?.tell(.stopping)
        logger.notice("stopping", metadata: ["within": "\(configuration.drainSeconds) s"])
    }

    /// Nothing where the ledger is no fleet's.
    private func logFleet() {
        guard let fleet = engine.fleet else { return }
        logger.notice(
            "part of a fleet",
            metadata: [
                "node": "\(fleet.node)", "leads": "\(fleet.leads)",
                "leader": "\(fleet.leader ?? "")", "epoch": "\(fleet.epoch)",
                "ledger": "\((try? engine.questions.feedName()) ?? "")",
                "durability": "\(fleet.promise?.durability.rawValue ?? "")",
                "synchronous_commit": "\(fleet.promise?.synchronousCommit ?? "")",
                "synchronous_standbys": "\(fleet.promise?.standbys ?? "")",
            ])
        if fleet.problem != nil { note(fleet.problem) }
    }

    /// A line for each change of leader, and for what keeps this node from leading and following.
    private func noteChanges(of fleet: FleetCondition) async throws {
        var last = fleet
        while true {
            try await Task.sleep(for: .seconds(1))
            guard let fleet = engine.fleet else { return }
            if fleet.leader != last.leader || fleet.epoch != last.epoch {
                logger.notice(
                    "the fleet's leader",
                    metadata: [
                        "node": "\(fleet.node)", "leads": "\(fleet.leads)",
                        "leader": "\(fleet.leader ?? "")", "epoch": "\(fleet.epoch)",
                    ])
            }
            if fleet.resignations > last.resignations {
                logger.warning(
                    "the node has left the lead to others: its clock is behind",
                    metadata: ["node": "\(fleet.node)"])
            }
            if fleet.problem != last.problem {
                note(fleet.problem)
            }
            last = fleet
        }
    }

    private func note(_ problem: FleetError?) {
        guard let problem else { return logger.notice("the fleet's database is as it should be") }
        let answered = try? engine.ledgerCondition().fleet?.answeredAt
        logger.warning(
            "the node neither leads nor follows",
            metadata: [
                "code": "\(problem.code)", "reason": "\(LedgerError(problem).text(.english))",
                "database_answered_at": "\(answered?.rfc3339 ?? "")",
            ])
    }

    /// Notifies the manager while both sockets answer: a service that hangs is restarted.
    private func beat(every interval: Duration, _ paths: [String]) async throws {
        while true {
            try await Task.sleep(for: interval)
            let isAlive = try await NIOThreadPool.singleton.runIfActive {
                paths.allSatisfy(Self.isAlive)
            }
            if isAlive { configuration.manager?.tell(.alive) }
        }
    }

    /// A socket that the service's own user cannot open says nothing about the service.
    private static func isAlive(_ path: String) -> Bool {
        do throws(LocalClientError) {
            _ = try LocalClient(socketPath: path, secondsToWait: 5).get("/livez")
            return true
        } catch {
            if case .notAllowed = error { return true }
            return false
        }
    }

    /// Waiting questions take only a part of the calls allowed at once on usher.sock.
    private func makeRevisionTimeout(on threads: SocketThreads) -> RevisionTimeout {
        let loop = threads.loops.any()
        return RevisionTimeout(
            engine: engine, seconds: configuration.revisionSeconds,
            limit: max(1, configuration.inFlightLimit / 4)
        ) { seconds, wake in
            loop.scheduleTask(in: .seconds(Int64(seconds)), wake)
        }
    }

    private func queryServer(
        on socket: ListeningSocket, _ status: ServiceStatus, _ revisionTimeout: RevisionTimeout
    ) -> SocketServer {
        let make: @Sendable () -> QuestionAnswering = { [engine, configuration] in
            QuestionAnswering(
                source: engine, baseURL: configuration.baseURL,
                jsonDepth: configuration.limits.jsonDepth, revisionTimeout: revisionTimeout)
        }
        return SocketServer(
            name: .query, socket: socket, configuration: configuration, status: status,
            makeAnswering: { _, _ in make() }, makeHealth: { HealthOnlyAnswering(base: make()) })
    }

    private func operationsServer(
        on socket: ListeningSocket, _ status: ServiceStatus, _ revisionTimeout: RevisionTimeout,
        _ threads: TaskThreads?
    ) -> SocketServer {
        let responder = OperationsResponder(
            engine: engine, configuration: configuration, status: status, logger: logger,
            revisionTimeout: revisionTimeout)
        engine.answerForwardedCalls { call in
            await withTaskExecutorPreference(threads) { await responder.answer(forwarded: call) }
        }
        return SocketServer(
            name: .operations, socket: socket, configuration: configuration, status: status,
            makeAnswering: { caller, channel in
                OperationsAnswering(responder, from: caller, CallerPresence(on: channel))
            }, makeHealth: { responder.answeringHealth })
    }
}

/// Both sockets, bound.
private struct Sockets {
    let query: ListeningSocket
    let operations: ListeningSocket
    /// Locked while serving; nil if the service manager has made both sockets.
    private let folder: SocketFolder?

    /// Takes what the service manager has made, and makes the rest.
    init(_ configuration: ServerConfiguration) throws(SocketError) {
        let manager = configuration.manager
        let givenQuery = try manager?.listeningSocket(ServerConfiguration.querySocketName)
        let givenOperations = try manager?.listeningSocket(
            ServerConfiguration.operationsSocketName)
        let hasBoth = givenQuery != nil && givenOperations != nil
        let folder = hasBoth ? nil : try SocketFolder(path: configuration.folder)
        self.folder = folder
        query = try Self.make(
            ServerConfiguration.querySocketName, configuration.querySocket, in: folder,
            unless: givenQuery)
        do {
            operations = try Self.make(
                ServerConfiguration.operationsSocketName, configuration.operationsSocket,
                in: folder, unless: givenOperations)
        } catch {
            close(query.descriptor)
            query.removeFile()
            throw error
        }
    }

    private static func make(
        _ name: String, _ socket: ServerConfiguration.Socket, in folder: SocketFolder?,
        unless given: ListeningSocket?
    ) throws(SocketError) -> ListeningSocket {
        if let given { return given }
        guard let folder else { preconditionFailure("there is a folder where one is missing") }
        return try folder.listen(name, mode: socket.mode, group: socket.group)
    }

    func removeFiles() {
        query.removeFile()
        operations.removeFile()
    }
}
