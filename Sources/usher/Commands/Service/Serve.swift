internal import AppleSync
internal import ArgumentParser
internal import Dispatch
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Glibc
internal import LedgerModel
internal import Logging
internal import PolicyLoading

/// `usher serve`: the service.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service on its two sockets.",
        discussion: """
            Settings come from flags, then the environment (USHER_LEDGER, USHER_POLICIES, \
            USHER_SOCKETS, …), then the YAML file given with --config; --print-config prints them \
            all. SIGTERM and SIGINT stop the service gracefully; SIGHUP reloads the policy folder. \
            Exit codes: 2 could not start; 3 the ledger is not the one that was served, is \
            damaged, or is in use: somebody has to look at it before another start can succeed.

            Example: usher serve --ledger usher.ledger --policies policies
            """)

    @Option(
        help: ArgumentHelp("The ledger file; created if missing.", valueName: "file"),
        completion: .file())
    var ledger: String?

    @Option(help: ArgumentHelp("The policy folder.", valueName: "folder"), completion: .directory)
    var policies: String?

    @Option(
        help: ArgumentHelp("Folder of the two sockets.", valueName: "folder"),
        completion: .directory)
    var sockets: String?

    @Option(
        help: ArgumentHelp("A YAML file with settings.", valueName: "file"), completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Log level: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"))
    var logLevel: String?

    @Option(help: "Log format: text or json.")
    var logFormat: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Any other setting, such as limits.body-bytes=1048576.", valueName: "name=value"))
    var assignments: [String] = []

    @Option(
        help: ArgumentHelp(
            "Serve a ledger that lacks acknowledged entries: its end, as the error prints it.",
            valueName: "entry:hash"),
        transform: readPlace)
    var acceptRollback: LedgerPosition?

    @Flag(help: "Print the effective settings with their sources, and exit.")
    var printConfig = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let terminal = Terminal.current
        do {
            let settings = try await readSettings(terminal)
            guard printConfig else { return try await serve(settings, terminal) }
            terminal.printLine(output.json ? settings.jsonReport.safeJSON : settings.report)
            // Said after it is shown, so that one sees what is wrong.
            _ = try settings.serverConfiguration()
        } catch let failure as CommandFailure {
            if case .engine(.ledger(let error)) = failure,
                [.needsPerson, .rolledBack, .replaced, .damaged].contains(error.kind)
            {
                throw output.tell(failure, exitCode: .needsPerson)
            }
            throw output.tell(failure)
        }
    }

    private func readSettings(_ terminal: Terminal) async throws(CommandFailure) -> ServiceSettings
    {
        var flags: [Setting: String] = [:]
        for assignment in assignments {
            let (setting, value) = try Self.read(assignment)
            flags[setting] = value
        }
        let named: [(Setting, String?)] = [
            (.ledger, ledger), (.policies, policies), (.socketFolder, sockets),
            (.logLevel, logLevel), (.logFormat, logFormat),
        ]
        for case (let setting, let value?) in named { flags[setting] = value }
        return try ServiceSettings(
            flags: flags, environment: terminal.environment, file: config)
    }

    /// Reads `limits.body-bytes=1048576`.
    private static func read(
        _ assignment: String
    ) throws(CommandFailure) -> (Setting, String) {
        let equals = assignment.firstIndex(of: "=") ?? assignment.endIndex
        let name = String(assignment[..<equals])
        guard let setting = Setting(rawValue: name) else {
            throw .settings(.unknown(name, place: "--set"))
        }
        guard equals < assignment.endIndex else {
            throw .settings(SettingProblem(.value, SettingPhrase.withoutValue, name, "--set"))
        }
        return (setting, String(assignment[assignment.index(after: equals)...]))
    }

    private func serve(_ settings: ServiceSettings, _ terminal: Terminal) async throws {
        ServeSignals.install()
        let log = LineLog(journal: terminal.environment["JOURNAL_STREAM"])
        let logger = try Self.logger(settings, log)
        try await serve(settings, terminal, log, logger, try appStore(settings))
    }

    /// Apple's servers; nil where they are not configured.
    private func appStore(_ settings: ServiceSettings) throws(CommandFailure) -> AppStoreClient? {
        guard let setup = try settings.appStoreSetup() else { return nil }
        let policy = CheckedFolder(settings[.policies]).policy
        return AppStoreClient(try setup.configuration(policy))
    }

    private func serve(
        _ settings: ServiceSettings, _ terminal: Terminal, _ log: LineLog, _ logger: Logger,
        _ appStore: AppStoreClient?
    ) async throws {
        var configuration = try settings.serverConfiguration()
        let engine = try await openEngine(settings, configuration, terminal, appStore)
        logger.tell(of: appStore)
        tellOfPolicy(engine, logger, settings)
        configuration.linesLost = { log.linesLost }
        if configuration.limitConnections(toFiles: OpenFiles.raiseLimit()) {
            logger.warning(
                "fewer connections than asked for: the limit on open files is too low",
                metadata: ["connections": "\(configuration.connectionLimit)"])
        }
        configuration.manager = ServiceManager(environment: terminal.environment)
        let reconciler = try reconciler(engine, settings, configuration)
        configuration.reconciler = reconciler
        let pusher = try pusher(engine, settings, logger)
        configuration.pusher = pusher
        // Lines for programs are nothing but lines for programs: the log says it too.
        let isForPeople = try settings.logFormat() == .text
        let service = UsherService(
            engine: engine, configuration: configuration, logger: logger,
            whenServing: { [language = output.language, folder = settings[.socketFolder]] in
                MayBlock.beginCheck()
                guard isForPeople else { return }
                let digest = String(engine.policy.digest.hexadecimal.prefix(12))
                if !engine.policyRefusal.isEmpty {
                    terminal.printError(Phrase.lastPolicyStays.text(language, digest))
                } else if engine.waitingPolicy != nil {
                    terminal.printError(Phrase.policyWaits.text(language, digest))
                }
                terminal.printError(
                    Phrase.serving.text(language, folder, digest))
            })
        var jobs = EngineJobs(policyFolder: settings[.policies]) {
            [logger, folder = settings[.policies]] in $0.log(to: logger, folder: folder)
        }
        jobs.addAppleSync(
            of: engine, reconciler: reconciler,
            everyHours: Int64(configuration.reconcileEveryHours))
        jobs.pusher = pusher
        engine.start(jobs)
        engine.warmUp(
            by: LedgerFile(settings[.ledger]).recentAccounts(try settings.fileAccess()))
        do {
            try await Self.run(service, engine)
            MayBlock.endCheck()
        } catch {
            MayBlock.endCheck()
            guard let error = error as? SocketError else { throw error }
            throw CommandFailure.sockets(error)
        }
        do throws(EngineError) {
            try engine.close()
        } catch {
            throw CommandFailure.engine(error)
        }
    }

    /// Until a signal stops it: first what the engine does by itself, then the service.
    private static func run(_ service: UsherService, _ engine: EntitlementEngine) async throws {
        let (signal, stop) = (StopSignal(), StopSignal())
        var sources = ServeSignals.onStop { signal.give() }
        sources.append(ServeSignals.on(SIGHUP) { engine.lookAtPolicyFolderAgain() })
        defer { for source in sources { source.cancel() } }
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run(until: stop) }
            group.addTask {
                await signal.wait()
                await engine.stopJobs()
                stop.give()
            }
            // The first failure ends the others.
            for try await _ in group {}
        }
    }

    /// Nil where access to Apple's servers is not configured.
    private func reconciler(
        _ engine: EntitlementEngine, _ settings: ServiceSettings,
        _ configuration: ServerConfiguration
    ) throws(CommandFailure) -> Reconciler? {
        guard let servers = engine.appStore, servers.hasServerAPI else { return nil }
        let file = LedgerFile(settings[.ledger]).reconciliation(try settings.fileAccess())
        return Reconciler(
            engine: engine, servers: servers,
            store: engine.sharedJournal(.reconciliation) ?? file,
            context: SystemContext(),
            callsPerSecond: Int64(configuration.reconcileCallsPerSecond))
    }

    /// Nil where nobody is to be sent changes: then nothing opens a connection.
    private func pusher(
        _ engine: EntitlementEngine, _ settings: ServiceSettings, _ logger: Logger
    ) throws(CommandFailure) -> Pusher? {
        let subscriptions = try settings.subscriptions()
        guard !subscriptions.isEmpty else { return nil }
        let file = LedgerFile(settings[.ledger]).deliveries(try settings.fileAccess())
        let store: any JournalStore =
            engine.sharedJournal(.deliveries, before: file) ?? file
        do throws(LedgerError) {
            let pusher = try Pusher(
                subscriptions, source: EngineChangeSource(engine: engine),
                transport: NetworkTransport(), store: store, context: SystemContext(),
                report: { $0.log(to: logger) })
            subscriptions.warn(of: engine.policy.knownEntitlements, in: logger)
            logger.tellOfTransport()
            return pusher
        } catch {
            throw .engine(.ledger(error))
        }
    }

    private func openEngine(
        _ settings: ServiceSettings, _ configuration: ServerConfiguration, _ terminal: Terminal,
        _ appStore: (any AppStoreServers)?
    ) async throws -> EntitlementEngine {
        let clock = SystemClock()
        let location = try LedgerFile(settings[.ledger]).location(
            settings, accepting: acceptRollback, at: clock.now())
        var options = EngineOptions(
            ledger: location, policyTexts: [], clock: clock,
            accountsInMemory: configuration.accountsInMemory)
        options.policyGuard = try settings.policyGuard()
        // The watch of the folder counts them, while questions are answered.
        options.countsLossesAtStart = false
        options.appStore = appStore
        options.sendsRefundAnswers = try settings.refundAnswers() == .send
        options.privacyKey = try settings.privacyKey()
        do throws(PolicyFolderError) {
            options.policyTexts = try readPolicyFolder(settings[.policies])
        } catch {
            options.folderErrors = error.diagnostics
        }
        if configuration.refreshHours > 0 {
            options.refreshAge = Int64(configuration.refreshHours) * 3_600_000
        }
        do throws(EngineError) {
            return try await EntitlementEngine.open(options)
        } catch .policyRejected(let diagnostics) where !output.json {
            terminal.printError(
                shown(diagnostics, options.policyTexts, settings)
                    + Phrase.policyRefusedAtStart.text(output.language))
            throw ExitCode.unanswered
        } catch {
            throw CommandFailure.engine(error)
        }
    }

    private func shown(
        _ diagnostics: [Diagnostic], _ texts: [PolicyText], _ settings: ServiceSettings
    ) -> String {
        let options = RenderOptions(
            language: output.language, folder: settings[.policies])
        return render(diagnostics, sources: texts, as: options)
    }

    /// Says why the folder's policy is not the one in force, or what it has taken away.
    private func tellOfPolicy(
        _ engine: EntitlementEngine, _ logger: Logger, _ settings: ServiceSettings
    ) {
        logger.tell(engine.lossesAtStart)
        if let waiting = engine.waitingPolicy { logger.tell(waiting) }
        if !engine.policyRefusal.isEmpty {
            let texts = (try? readPolicyFolder(settings[.policies])) ?? []
            let options = RenderOptions(folder: settings[.policies], outcome: .unchanged)
            logger.error("\(render(engine.policyRefusal, sources: texts, as: options))")
        }
    }

    /// What the libraries log goes the same way.
    private static func logger(
        _ settings: ServiceSettings, _ log: LineLog
    ) throws(CommandFailure) -> Logger {
        let (level, format) = (try settings.logLevel(), try settings.logFormat())
        let clock = SystemClock()
        LoggingSystem.bootstrap { _ in
            var handler = LineLogHandler(log: log, format: format, now: clock.now)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "usher")
    }
}

/// The signals that the service hears, and those that it does not mind. SIGTERM and SIGINT stop
/// it; SIGQUIT and the signals of faults end it with a dump.
enum ServeSignals {
    /// To be called before anything that takes time. A SIGHUP that comes before the folder is
    /// watched asks for nothing that is not done anyway.
    static func install() {
        signal(SIGHUP, SIG_IGN)
        ignoreForeign()
    }

    /// Calls something when SIGTERM or SIGINT comes, until the sources are cancelled.
    static func onStop(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGTERM, SIGINT].map { on($0, stop) }
    }

    /// Calls something when a signal comes, until the source is cancelled.
    static func on(
        _ number: CInt, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { body() }
        source.resume()
        return source
    }

    /// Ignores what by default ends a process and means nothing to this one: a person who mistypes
    /// a number, or a job that sends every program the same signal, ends no service.
    private static func ignoreForeign() {
        let named = [
            SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGIO, SIGPWR, SIGSTKFLT,
            SIGXFSZ,
        ]
        let realTime = __libc_current_sigrtmin()...__libc_current_sigrtmax()
        for number in named + realTime { signal(number, SIG_IGN) }
    }
}
