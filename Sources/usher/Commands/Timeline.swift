internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import StrictJSON
internal import TimelineDrawing

/// `usher timeline ACCOUNT`: periods, states, owners and rights over time, as a picture.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw an account's purchases, their states and owners, and its rights over time.",
        discussion: """
            On a terminal it draws, in a pipe it prints a table with a stretch on each line. Asks \
            the running service; with --ledger it reads the ledger file itself, beside a running \
            service or without one.

            Example: usher timeline alice --html > alice.html
            """)

    /// What is printed.
    enum Form: String, EnumerableFlag {
        case picture
        case table
        case svg
        case html

        static func help(for value: Form) -> ArgumentHelp? {
            switch value {
            case .picture: "Draw in characters, also in a pipe."
            case .table: "Print every stretch on a line, also on a terminal."
            case .svg: "Print one SVG image."
            case .html: "Print one self-contained HTML page."
            }
        }
    }

    @Argument(help: "The account.")
    var account: String

    @Flag
    var form: Form?

    @Option(help: ArgumentHelp("The instant to mark; now if left out.", valueName: "date"))
    var at: String?

    @Option(help: ArgumentHelp("Where the picture begins.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("Where the picture ends.", valueName: "date"))
    var until: String?

    @Option(help: "Show this environment only.")
    var environment: String?

    @Option(help: "Columns of the picture; those of the terminal if left out.")
    var width: Int?

    @Option(help: "Read this ledger file instead of asking the service.")
    var ledger: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard AccountID(account) != nil else {
            throw ValidationError("an account is printable ASCII without spaces")
        }
        if let environment, StoreEnvironment(rawValue: environment) == nil {
            throw ValidationError(
                "environment is one of production, sandbox, xcode, local-testing")
        }
        for text in [at, from, until].compactMap(\.self) where Instant(rfc3339: text) == nil {
            throw ValidationError(
                "'\(text)' is not a date like 2026-03-01 or 2026-03-01T12:00:00Z")
        }
        if let from = instant(from), let until = instant(until), until <= from {
            throw ValidationError("the picture ends before it begins")
        }
        if let width, !(40...1_000).contains(width) {
            throw ValidationError("a picture is 40 to 1000 columns wide")
        }
    }

    func run() throws {
        do throws(CommandFailure) {
            Terminal.current.printText(try text(of: try answer()))
        } catch {
            Terminal.current.printError(error.sentence(output.language))
            throw ExitCode.unanswered
        }
    }

    private func text(of bytes: [UInt8]) throws(CommandFailure) -> String {
        if output.json { return String(decoding: bytes, as: UTF8.self) + "\n" }
        let limits = JSONLimits(bytes: bytes.count, depth: 64)
        guard let answer = try? parseJSON(bytes, limits: limits),
            var chart = try? AccountChart(answer)
        else { throw .unreadableAnswer }
        if let environment { chart = chart.only(environment) }
        let terminal = Terminal.current
        switch form ?? (terminal.columns == nil ? .table : .picture) {
        case .picture: return chart.terminalPicture(options)
        case .table: return chart.table()
        case .svg: return chart.svg(options)
        case .html: return chart.page(options)
        }
    }

    private var options: PictureOptions {
        PictureOptions(
            language: output.language == .chinese ? .chinese : .english,
            width: width ?? Terminal.current.columns ?? 100,
            usesColour: Terminal.current.isColoured, from: instant(from), until: instant(until))
    }

    private func instant(_ text: String?) -> Instant? { text.flatMap { Instant(rfc3339: $0) } }
}

/// Where the timeline comes from: the same bytes from both.
extension Timeline {
    private func answer() throws(CommandFailure) -> [UInt8] {
        guard let ledger else { return try askService() }
        return try readFromLedger(ledger)
    }

    private func askService() throws(CommandFailure) -> [UInt8] {
        let path = "/v1/accounts/" + LocalClient.encoded(account) + "/timeline"
        let query = at.map { "?at=" + LocalClient.encoded($0) } ?? ""
        return try ServiceCall(socket: sockets.usherSocket).get(path + query)
    }

    private func readFromLedger(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard let account = AccountID(account) else { throw .unreadableAnswer }
        do throws(EngineError) {
            var writer = AnswerWriter(reserving: 4_096)
            let report = try LedgerQuestions(ledgerPath: path)
                .report(on: account, at: instant(at) ?? SystemClock().now())
            writer.append(timelineOf: report)
            return writer.bytes
        } catch {
            throw .engine(error)
        }
    }
}
