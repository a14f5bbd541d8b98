internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import LedgerModel
internal import StrictJSON

/// Options that every command has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, a stable format for scripts.")
    var json = false

    @Option(help: "Language of text for people; that of LANG if omitted.")
    var lang: Language?

    var language: Language {
        Language.chosen(lang, environment: Terminal.current.environment)
    }
}

/// Where the service's sockets are.
struct SocketOptions: ParsableArguments {
    @Option(help: .value("folder", "Folder of the service's sockets."), completion: .directory)
    var sockets: String?

    var folder: String {
        sockets ?? SocketOptions.standardFolder(environment: Terminal.current.environment)
    }

    var querySocket: String { folder + "/query.sock" }
    var usherSocket: String { folder + "/usher.sock" }

    /// `USHER_SOCKETS`, else what the service is told by the setting's own variable, else
    /// `$XDG_RUNTIME_DIR/usher`, else `/run/usher` (spec 3.1).
    static func standardFolder(environment: [String: String]) -> String {
        for name in ["USHER_SOCKETS", Setting.socketFolder.variable] {
            if let folder = environment[name], !folder.isEmpty { return folder }
        }
        if let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty {
            return folder + "/usher"
        }
        return "/run/usher"
    }
}

extension ExitCode {
    /// The answer is no.
    static let no = ExitCode(1)
    /// The question could not be answered.
    static let unanswered = ExitCode(2)
    /// The ledger is not what it was, or in use: `examples/systemd/usher.service` starts no service
    /// again that ends so.
    static let needsPerson = ExitCode(3)
}

extension Language: ExpressibleByArgument {
    /// `--lang`, else `LC_ALL`, `LC_MESSAGES` or `LANG`, else English.
    static func chosen(_ option: Language?, environment: [String: String]) -> Language {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return option ?? Language(locale: locale ?? "")
    }

    /// Names one after the other.
    func list(_ names: [String]) -> String {
        names.joined(separator: Phrase.listSeparator.text(self))
    }

    /// Statements one after the other.
    func clauses(_ statements: [String]) -> String {
        statements.joined(separator: Phrase.clauseSeparator.text(self))
    }
}

/// Reads a name: for arguments that are one.
func readName<ID: Identifier>(_ text: String) throws -> ID {
    guard let id = ID(text) else {
        if ID.self == AppleIDKey.self {
            throw ValidationError(.appleIDKey)
        }
        throw ValidationError(.name, "\(ID.maximumLength)")
    }
    return id
}

/// Reads an instant: for arguments that are one.
func readInstant(_ text: String) throws -> Instant {
    guard let instant = Instant(rfc3339: text) else {
        throw ValidationError(.date)
    }
    return instant
}

extension StoreEnvironment: ExpressibleByArgument {}

/// Options of the commands that work on a ledger file itself, next to a running service or without
/// one.
struct LedgerFileOptions: ParsableArguments {
    @Option(
        help: .value(
            "file", "The ledger file, or 'database:FILE'; USHER_LEDGER or usher.ledger if omitted."),
        completion: .file())
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var output: OutputOptions

    /// As `usher serve` chooses it.
    var path: String { ledger ?? Terminal.current.namedLedger ?? "usher.ledger" }
}

extension LedgerFileOptions {
    /// Runs what a command does with the file, with the ledger's errors as the program's.
    func working<Value>(
        _ body: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw .engine(EngineError(thrown: error))
        }
    }

    /// Prints JSON for programs, or a page for people.
    func show(
        _ json: JSONValue, as write: (inout Page) -> Void
    ) throws(CommandFailure) {
        try output.show(quiet: quiet) {
            json.serialized()
        } as: {
            write(&$0)
        }
    }
}

/// Reads `412:3fa2…`.
func readPlace(_ text: String) throws -> LedgerPosition {
    guard let place = LedgerPosition(text) else {
        throw ValidationError(.anchor)
    }
    return place
}

extension LedgerHead {
    /// `412:3fa2…`: what `--anchor` reads.
    var anchor: String { "\(LedgerPosition(self))" }

    var json: JSONValue {
        [
            "sequence": .integer(sequence.number), "hash": .string(hash.hexadecimal),
            "recorded_at": .string(recordedAt.rfc3339),
        ]
    }
}

extension ArgumentHelp {
    /// What a value is for, and what stands for it.
    static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }
}

/// Options of the commands that only read: whom they ask, as of when, and how they tell it.
struct ReadingOptions: ParsableArguments {
    @Option(
        help: .value("date", "The instant to ask about; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @OptionGroup var known: KnownOptions
    @OptionGroup var source: SourceOptions

    var ledger: String? { source.ledger }
    var quiet: Bool { source.quiet }
    var sockets: SocketOptions { source.sockets }
    var output: OutputOptions { source.output }
}

/// What was known, where it is not all that is.
struct KnownOptions: ParsableArguments {
    @Option(
        help: .value(
            "date",
            "Only what was known at that instant, by the policy of then; --at is the same if "
                + "omitted."), transform: readInstant)
    var knownAt: Instant?

    @Option(help: .value("entry", "Only what was known up to this entry of the ledger."))
    var revision: Int64?

    func validate() throws {
        try require(revision ?? 0 >= 0, or: .entryNumber)
        if knownAt != nil, revision != nil {
            throw ValidationError(.exclusive, "--known-at", "--revision")
        }
    }

    /// Nil for all that is known.
    var moment: KnownMoment? {
        knownAt.map { .instant($0) } ?? revision.map { .revision(LedgerSequence($0)) }
    }

    /// The same as a question to the service has it.
    var query: Parameters {
        [("known_at", knownAt?.rfc3339), ("revision", revision.map { "\($0)" })]
    }
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
    func instant(of ledger: LedgerQuestions) -> Instant {
        at ?? ledger.knownAt ?? SystemClock().now()
    }

    /// For commands that tell what is known now.
    func requirePresent() throws {
        try require(known.moment == nil, or: .presentOnly)
    }

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
        let source = AnswerSource(
            ledger: ledger, socket: socket ?? sockets.usherSocket, known: known.moment,
            unknown: unknown)
        let target = path.asking(query + [("at", at?.rfc3339)] + known.query)
        return try source.answer(fromLedger) { call throws(CommandFailure) in
            try call.get(target)
        }
    }
}

extension String {
    /// The path with the parameters of a question.
    func asking(_ parameters: Parameters) -> String {
        let query = parameters.compactMap { name, value in
            value.map { name + "=" + LocalClient.encoded($0) }
        }
        return query.isEmpty ? self : self + "?" + query.joined(separator: "&")
    }
}

/// Where an answer comes from: the running service, or a ledger file next to it. Both give the
/// same. Where no service answers, the ledger that `USHER_LEDGER` names is read (spec 3.2).
struct AnswerSource {
    /// Nil to ask the service.
    let ledger: String?
    let socket: String
    /// What was known; nil for all that is.
    var known: KnownMoment?
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
            guard case .noService = error, !ServiceCall.isOnlySource else { throw error }
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
            var questions = try LedgerQuestions(file: ledger)
            if let known {
                questions = try questions.asKnown(at: known, now: SystemClock().now())
            }
            value = try fromLedger(questions)
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
        // Without it, who was erased is as unknown as anybody else.
        privacyKey = try? ServiceSettings.ofCommands().privacyKey()
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

/// Options of the commands that need a reason.
struct ReasonOptions: ParsableArguments {
    @Option(help: .value("text", "The reason; recorded with the action."))
    var reason: String

    @OptionGroup var options: ServiceOptions
}

/// Options of the commands by which a person changes something.
struct AdminActionOptions: ParsableArguments {
    @Flag(help: "Show what this would change, and change nothing.")
    var preview = false

    @Option(
        help: .value(
            "entry", "Only if nothing that concerns this was recorded after that entry."))
    var ifRevision: Int64?

    @Flag(help: "Do not ask, in a terminal, before something is taken from somebody.")
    var yes = false

    @OptionGroup var stating: ReasonOptions

    func validate() throws {
        try require(!preview || ifRevision == nil, or: .exclusive, "--preview", "--if-revision")
        try require(ifRevision ?? 0 >= 0, or: .notNegative, "--if-revision")
    }
}

/// Where an action's reason is.
protocol Reasoned {
    var stating: ReasonOptions { get }
}

extension AdminActionOptions: Reasoned {}

extension ReasonOptions: Reasoned {
    var stating: ReasonOptions { self }
}

extension Reasoned {
    var quiet: Bool { stating.options.quiet }
    var output: OutputOptions { stating.options.output }
    var service: ServiceCall { stating.options.call }

    /// What every call that ends something carries.
    var reasonOnly: ReasonRequest { ReasonRequest(reason: stated) }

    var stated: Reason { Reason(unchecked: stating.reason) }
}

/// For admin actions on an account that may be misspelt: one that nothing is known of is named so.
struct NewAccountOption: ParsableArguments {
    @Flag(help: "The account is new: nothing is known about it yet.")
    var newAccount = false
}

extension AccountReport {
    /// Whether nothing is known of the account.
    var saysNothing: Bool {
        units.isEmpty && orders.isEmpty && balances.isEmpty && grants.isEmpty && blocks.isEmpty
            && claims.isEmpty
            && findings.isEmpty && refundRequests.isEmpty && refundConsent == nil
            && !rights.contains(where: \.decision)
    }
}

/// Limits an answer to one Apple ID.
struct AppleIDOption: ParsableArguments {
    @Option(
        name: .customLong("apple-id"),
        help: .value("key", "Only purchases of this Apple ID, given by any of its keys."),
        transform: readName)
    var key: AppleIDKey?
}

/// Options of the commands that ask about one right of one account.
struct RightOptions: ParsableArguments {
    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Argument(help: "The entitlement.", transform: readName)
    var entitlement: EntitlementName

    @Option(help: "The store environment.")
    var environment = StoreEnvironment.production

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var reading: ReadingOptions

    var key: RightKey { RightKey(environment, entitlement) }

    /// The same as a question to the service has it.
    var query: Parameters {
        [("environment", environment.rawValue), ("apple_id", appleID.key?.text)]
    }
}

/// A command of this program that a person may copy into a shell.
///
/// An identifier may hold any visible ASCII character (spec 1.1): what a shell would read as more
/// than a name stands in quotes.
struct ShellCommand {
    /// The words of the command itself: `claims approve`.
    let verb: String
    let names: [String]
    /// Nil for one that changes nothing.
    private let reason: String?

    init(_ verb: String, _ names: String...) {
        self.verb = verb
        self.names = names
        reason = "--reason '…'"
    }

    /// One that changes nothing, and has no reason.
    init(asking verb: String, _ names: String...) {
        self.verb = verb
        self.names = names
        reason = nil
    }

    /// The whole line, with a reason to fill in.
    var text: String {
        let words = names.map(Self.quoted).joined(separator: " ")
        // Behind two hyphens a name that begins with one is no option.
        let parts =
            names.contains { $0.hasPrefix("-") }
            ? [verb, reason, "--", words] : [verb, words, reason]
        return (["usher"] + parts.compactMap(\.self)).joined(separator: " ")
    }

    /// A name as one word of a shell, which it never takes for anything else.
    static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._:@/+-".utf8.contains(byte)
            }
        }
        if isPlain && !name.isEmpty { return name }
        let parts = name.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
