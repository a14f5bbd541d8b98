internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import LedgerModel
internal import StrictJSON

/// Options of the commands that only read: whom they ask, as of when, and how they tell it.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: .value("date", "The instant to ask about; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @OptionGroup var source: SourceOptions

    var ledger: String? { source.ledger }
    var quiet: Bool { source.quiet }
    var sockets: SocketOptions { source.sockets }
    var output: OutputOptions { source.output }
}

/// Whom a command asks, and how it tells the answer.
struct SourceOptions: ParsableArguments {
    @Option(
        help: .value("file", "Read this ledger file instead of asking the service."),
        completion: .file())
    var ledger: String?

    @OptionGroup var service: ServiceOptions

    var quiet: Bool { service.quiet }
    var sockets: SocketOptions { service.sockets }
    var output: OutputOptions { service.output }
    var answers: AnswerSource { AnswerSource(ledger: ledger, socket: sockets.usherSocket) }
}

/// Options of the commands that ask the running service, and of those that could.
struct ServiceOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    var call: ServiceCall { ServiceCall(socket: sockets.usherSocket) }
}

extension ReadingOptions {
    /// The instant that is asked about.
    var instant: Instant { at ?? SystemClock().now() }

    /// The answer: the service's, or with `--ledger` the same made from the file.
    ///
    /// - Parameters:
    ///   - socket: usher.sock if omitted.
    ///   - unknown: said where the ledger has nothing of that id: the closure then gives nil.
    func answer<Shape: WireObject>(
        _ path: String, _ query: Parameters = [], socket: String? = nil,
        unknown: CommandFailure = .unreadableAnswer,
        fromLedger: (LedgerQuestions) throws(EngineError) -> Shape?
    ) throws(CommandFailure) -> Answered<Shape> {
        let target = (query + [("at", at?.rfc3339)])
            .compactMap { name, value in value.map { name + "=" + LocalClient.encoded($0) } }
            .joined(separator: "&")
        let source = AnswerSource(
            ledger: ledger, socket: socket ?? sockets.usherSocket, unknown: unknown)
        return try source.answer(fromLedger) { call throws(CommandFailure) in
            try call.get(target.isEmpty ? path : path + "?" + target)
        }
    }
}

/// Where an answer comes from: the running service, or a ledger file next to it. Both give the
/// same. Where no service answers, the ledger that `USHER_LEDGER` names is read (spec 3.2).
struct AnswerSource {
    /// Nil to ask the service.
    let ledger: String?
    let socket: String
    /// Said where the ledger has nothing of the id that is asked for.
    var unknown = CommandFailure.unreadableAnswer

    func answer<Shape: WireObject>(
        _ fromLedger: (LedgerQuestions) throws(EngineError) -> Shape?,
        fromService: (ServiceCall) throws(CommandFailure) -> [UInt8]
    ) throws(CommandFailure) -> Answered<Shape> {
        if let ledger { return try answer(fromLedger, at: ledger) }
        do throws(CommandFailure) {
            return try Answered(received: fromService(ServiceCall(socket: socket)))
        } catch {
            guard case .noService = error else { throw error }
            guard let ledger = Terminal.current.namedLedger else {
                throw .noServiceNorLedger(socket: socket)
            }
            return try answer(fromLedger, at: ledger)
        }
    }

    private func answer<Shape: WireObject>(
        _ fromLedger: (LedgerQuestions) throws(EngineError) -> Shape?, at ledger: String
    ) throws(CommandFailure) -> Answered<Shape> {
        let value: Shape?
        do throws(EngineError) {
            value = try fromLedger(LedgerQuestions(file: ledger))
        } catch {
            throw .engine(error)
        }
        guard let value else { throw unknown }
        return Answered(value)
    }
}

extension LedgerQuestions {
    /// - Throws: `.ledger` if the file cannot be opened, `.noPolicy` if no policy was ever in
    ///   force in it.
    init(file path: String) throws(EngineError) {
        let ledger: any ReadableLedger
        do {
            ledger = try LedgerFile(path).openReadOnly()
        } catch {
            throw .ledger(error)
        }
        try self.init(ledger)
    }
}

extension OutputOptions {
    /// Prints an answer: as it came for programs, as a page for people, or not at all.
    ///
    /// - Throws: where not all of it could be written.
    func show<Shape: WireObject>(
        _ answer: Answered<Shape>, quiet: Bool, as write: (Shape, inout Page) -> Void
    ) throws(CommandFailure) {
        try show(quiet: quiet) {
            answer.json
        } as: {
            write(answer.value, &$0)
        }
    }

    /// Prints JSON for programs, or a page for people, or nothing.
    func show(
        quiet: Bool, json bytes: () -> [UInt8], as write: (inout Page) -> Void
    ) throws(CommandFailure) {
        if quiet { return }
        if json {
            let text = String(decoding: bytes(), as: UTF8.self)
            return try Terminal.current.printWhole(json: text + "\n")
        }
        var page = Page(language)
        write(&page)
        try Terminal.current.printWhole(page.text)
    }

    /// Runs what a command does. What fails is told in the reader's language, and says by the
    /// exit code whether the answer is no or there is none.
    func attempt(quiet: Bool = false, _ body: () throws(CommandFailure) -> Void) throws {
        do {
            try body()
        } catch {
            throw tell(error, quiet: quiet)
        }
    }

    /// The same, for what takes its time.
    func attempt(_ body: () async throws(CommandFailure) -> Void) async throws {
        do {
            try await body()
        } catch {
            throw tell(error, quiet: false)
        }
    }

    /// The same, for an answer that is yes or no, which the exit code says.
    func decide(quiet: Bool = false, _ isYes: () throws(CommandFailure) -> Bool) throws {
        var answer = false
        try attempt(quiet: quiet) { () throws(CommandFailure) in answer = try isYes() }
        if !answer { throw ExitCode.no }
    }

    /// The same, for what takes its time.
    func decide(_ isYes: () async throws(CommandFailure) -> Bool) async throws {
        var answer = false
        try await attempt { () async throws(CommandFailure) in answer = try await isYes() }
        if !answer { throw ExitCode.no }
    }

    /// Tells why there is no answer: people next to it, programs in its place.
    ///
    /// - Returns: the exit code that says so; the failure's own where none is given.
    func tell(
        _ failure: CommandFailure, quiet: Bool = false, exitCode: ExitCode? = nil
    ) -> ExitCode {
        let exitCode = exitCode ?? failure.exitCode
        if quiet { return exitCode }
        let problem = json ? failure.problem(language).text + "\n" : nil
        // Where standard output cannot be written either, people are told.
        if let problem, (try? Terminal.current.printWhole(json: problem)) != nil { return exitCode }
        Terminal.current.printFailure(failure.sentence(language))
        return exitCode
    }
}
