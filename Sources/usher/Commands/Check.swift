internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import StrictJSON

/// `usher check ACCOUNT ENTITLEMENT`: one question, one line, one exit code.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask whether an account may use an entitlement.",
        discussion: """
            Asks the running service; with --ledger it reads the ledger file itself, beside a \
            running service or without one.

            Example: usher check alice premium --at 2026-03-01
            """)

    @Argument(help: "The account.")
    var account: String

    @Argument(help: "The entitlement.")
    var entitlement: String

    @Option(help: "The instant to ask about (RFC 3339); now if left out.")
    var at: String?

    @Option(help: "The environment to ask for.")
    var environment = "production"

    @Option(help: "Read this ledger file instead of asking the service.")
    var ledger: String?

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard AccountID(account) != nil else {
            throw ValidationError("an account is printable ASCII without spaces")
        }
        guard EntitlementName(entitlement) != nil else {
            throw ValidationError("an entitlement is printable ASCII without spaces")
        }
        guard StoreEnvironment(rawValue: environment) != nil else {
            throw ValidationError(
                "environment is one of production, sandbox, xcode, local-testing")
        }
        if let at, Instant(rfc3339: at) == nil {
            throw ValidationError("'\(at)' is not a date like 2026-03-01 or 2026-03-01T12:00:00Z")
        }
    }

    func run() throws {
        let terminal = Terminal.current
        let body: [UInt8]
        do {
            body = try ledger.map(answerFromLedger) ?? answerFromService()
        } catch let failure as CommandFailure {
            if !quiet { terminal.printError(failure.sentence(output.language)) }
            throw ExitCode.unanswered
        }
        guard let answer = try? parseJSON(body), let decision = answer["decision"]?.bool else {
            terminal.printError(CommandFailure.unreadableAnswer.sentence(output.language))
            throw ExitCode.unanswered
        }
        if !quiet {
            terminal.printLine(
                output.json
                    ? String(decoding: body, as: UTF8.self)
                    : CheckSentence(account: account, answer: answer).text(output.language))
        }
        if !decision { throw ExitCode.no }
    }

    private func answerFromService() throws -> [UInt8] {
        var path = "/v1/accounts/" + LocalClient.encoded(account) + "/entitlements/"
        path += LocalClient.encoded(entitlement) + "?environment=" + environment
        if let at { path += "&at=" + LocalClient.encoded(at) }
        return try ServiceCall(socket: sockets.querySocket).get(path)
    }

    private func answerFromLedger(_ path: String) throws -> [UInt8] {
        guard let account = AccountID(account), let name = EntitlementName(entitlement),
            let environment = StoreEnvironment(rawValue: environment)
        else { throw CommandFailure.unreadableAnswer }
        let instant = at.flatMap { Instant(rfc3339: $0) } ?? SystemClock().now()
        do throws(EngineError) {
            let questions = try LedgerQuestions(ledgerPath: path)
            let (view, revision) = try questions.account(account)
            var writer = AnswerWriter()
            writer.append(view.answer(RightKey(environment, name), at: instant, revision: revision))
            return writer.bytes
        } catch {
            throw CommandFailure.engine(error)
        }
    }
}
