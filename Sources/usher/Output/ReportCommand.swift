internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// A command that asks one question and prints the answer: as it came for programs, as a page for
/// people. The exit code says whether the answer is yes.
protocol ReportCommand: ParsableCommand {
    associatedtype Report: WireObject

    var output: OutputOptions { get }
    /// Whether nothing is printed.
    var quiet: Bool { get }

    func answer() throws(CommandFailure) -> Answered<Report>
    /// For people.
    func write(_ report: Report, to page: inout Page)
    /// Whether the exit code is 0, and not 1.
    func isYes(_ report: Report) -> Bool
    /// What people are told after a failure; ends its own lines.
    func hint(on failure: CommandFailure) -> String?
}

extension ReportCommand {
    func isYes(_ report: Report) -> Bool { true }
    func hint(on failure: CommandFailure) -> String? { nil }

    func run() throws {
        if try !tell() { throw ExitCode.no }
    }

    /// Asks, and prints the answer.
    ///
    /// - Returns: whether it is yes.
    func tell() throws -> Bool {
        do throws(CommandFailure) {
            let answer = try answer()
            try output.show(answer, quiet: quiet) { write($0, to: &$1) }
            return isYes(answer.value)
        } catch {
            let code = output.tell(error, quiet: quiet)
            if !quiet, !output.json, let hint = hint(on: error) {
                Terminal.current.printErrorText(hint)
            }
            throw code
        }
    }
}

/// The parameters of a question, in their order; those without a value are omitted.
typealias Parameters = [(name: String, value: String?)]

/// A command that only reads.
protocol ReadingCommand: ReportCommand {
    var reading: ReadingOptions { get }
}

extension ReadingCommand {
    var output: OutputOptions { reading.output }
    var quiet: Bool { reading.quiet }
}

/// A report on what is in the ledger: the service's, or the same made from a ledger file.
protocol LedgerReportCommand: ReadingCommand {
    /// What the service is asked, and where.
    var path: String { get }
    var query: Parameters { get }
    var socket: String { get }

    /// The same from a ledger file; nil where it has nothing of that id.
    func report(from ledger: LedgerQuestions) throws(EngineError) -> Report?
    /// Said in that case.
    var unknown: CommandFailure { get }
}

extension LedgerReportCommand {
    var query: Parameters { [] }
    var socket: String { reading.sockets.usherSocket }
    var unknown: CommandFailure { .unreadableAnswer }

    func answer() throws(CommandFailure) -> Answered<Report> {
        try reading.answer(path, query, socket: socket, unknown: unknown, fromLedger: report)
    }
}

/// A command by which a person changes something: one call of the service, and what is said then.
protocol ActionCommand: ReportCommand {
    var action: AdminActionOptions { get }
    var call: AdminCall { get throws(CommandFailure) }
}

extension ActionCommand {
    var output: OutputOptions { action.output }
    var quiet: Bool { action.quiet }

    func answer() throws(CommandFailure) -> Answered<Report> {
        try Answered(received: action.service.carryOut(try call))
    }
}

/// A call by which something is changed.
struct AdminCall {
    let path: String
    let body: any WireObject
    /// Names what is made, so that asking again makes it once.
    var key: String?
    /// Whether something is taken back.
    var isDeletion = false
    /// Something has to be known of it.
    var account: AccountID?

    init(
        _ path: String, _ body: any WireObject, key: String? = nil, isDeletion: Bool = false,
        for account: AccountID? = nil, _ new: NewAccountOption? = nil
    ) {
        (self.path, self.body, self.key, self.isDeletion) = (path, body, key, isDeletion)
        self.account = new?.newAccount == false ? account : nil
    }
}

extension ServiceCall {
    /// - Throws: `.unknownAccount` where nothing is known of the account that has to be known.
    fileprivate func carryOut(_ call: AdminCall) throws(CommandFailure) -> [UInt8] {
        if let account = call.account {
            let report = try Answered<AccountReport>(
                received: get("/v1/accounts/" + account.inPath))
            if report.value.saysNothing { throw .unknownAccount(account.text) }
        }
        if call.isDeletion { return try delete(call.path, call.body) }
        return try ask(call.path, call.body, key: call.key)
    }
}
