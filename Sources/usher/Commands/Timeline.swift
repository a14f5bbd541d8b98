internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import TimelineDrawing

/// `usher timeline ACCOUNT`: periods, states, owners and rights over time, as a picture.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw an account's purchases, their states and owners, and its rights over time.",
        discussion: """
            On a terminal it draws; in a pipe it prints a table with a stretch on each line. Asks \
            the running service; with --ledger it reads the ledger file itself.

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

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Flag
    var form: Form?

    @Option(
        help: ArgumentHelp("Where the picture begins.", valueName: "date"),
        transform: readInstant)
    var from: Instant?

    @Option(
        help: ArgumentHelp("Where the picture ends.", valueName: "date"),
        transform: readInstant)
    var until: Instant?

    @Option(help: "Show this environment only.")
    var environment: StoreEnvironment?

    @Option(help: "Columns of the picture; those of the terminal if left out.")
    var width: Int?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if let from, let until, until <= from {
            throw ValidationError("the picture ends before it begins")
        }
        if let width, !(40...1_000).contains(width) {
            throw ValidationError("a picture is 40 to 1000 columns wide")
        }
    }

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            let answer = try reading.timeline(of: account, in: environment)
            if reading.quiet { return }
            let bytes =
                reading.output.json
                ? answer.bytes + [UInt8(ascii: "\n")] : Array(try text(of: answer.value).utf8)
            try Terminal.current.printWhole(bytes)
        }
    }

    private func text(of answer: JSONValue) throws(CommandFailure) -> String {
        guard let chart = try? AccountChart(answer) else { throw .unreadableAnswer }
        switch form ?? (Terminal.current.isInteractive ? .picture : .table) {
        case .picture: return chart.terminalPicture(options)
        case .table: return chart.table()
        case .svg: return chart.svg(options)
        case .html: return chart.page(options)
        }
    }

    private var options: PictureOptions {
        PictureOptions(
            language: reading.output.language,
            width: width ?? Terminal.current.columns ?? 100,
            usesColour: Terminal.current.isColoured, from: from, until: until)
    }
}

extension ReadingOptions {
    /// An account over time, or what is of one environment.
    fileprivate func timeline(
        of account: AccountID, in environment: StoreEnvironment?
    ) throws(CommandFailure) -> Answered {
        let place = environment.map { [(name: "environment", value: $0.rawValue)] } ?? []
        return try answer("/v1/accounts/\(account.inPath)/timeline", place) {
            questions, writer throws(EngineError) in
            writer.append(
                timelineOf: try questions.report(on: account, at: instant, in: environment))
        }
    }
}
