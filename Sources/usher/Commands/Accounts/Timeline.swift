internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyTools

/// `usher timeline ACCOUNT`: periods, states, owners and rights over time, as a picture.
struct Timeline: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draw an account's purchases, their states and owners, and its rights over time.",
        discussion: """
            Draws on a terminal; prints a table with one period per line into a pipe. Asks the \
            running service. With --ledger it reads the ledger file instead.

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
            case .picture: "Draw with characters, even into a pipe."
            case .table: "Print one period per line, even on a terminal."
            case .svg: "Print one SVG image."
            case .html: "Print one self-contained HTML page."
            }
        }
    }

    @Argument(help: "The account.", transform: readName)
    var account: AccountID

    @Flag
    var forms: [Form] = []

    @Option(help: .value("date", "Start of the picture."), transform: readInstant)
    var from: Instant?

    @Option(help: .value("date", "End of the picture."), transform: readInstant)
    var until: Instant?

    @Option(help: "Only this store environment.")
    var environment: StoreEnvironment?

    @Option(help: "Width in columns; that of the terminal if omitted.")
    var width: Int?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if let form = forms.first, let other = forms.first(where: { $0 != form }) {
            throw ValidationError(.exclusive, "--\(form)", "--\(other)")
        }
        if let from, let until, until <= from {
            throw ValidationError(.pictureEnds)
        }
        if let width, !(40...1_000).contains(width) {
            throw ValidationError(.pictureWidth)
        }
    }

    var path: String { "/v1/accounts/\(account.inPath)/timeline" }
    var query: Parameters { [("environment", environment?.rawValue)] }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> TimelineReport? {
        try ledger.timeline(of: account, at: reading.instant, in: environment)
    }

    func write(_ report: TimelineReport, to page: inout Page) {
        switch forms.first ?? (Terminal.current.isInteractive ? .picture : .table) {
        case .picture: page.add(drawn: report.terminalPicture(options))
        case .table: page.add(drawn: report.table())
        case .svg: page.add(drawn: report.svg(options))
        case .html: page.add(drawn: report.page(options))
        }
    }

    private var options: PictureOptions {
        PictureOptions(
            language: output.language,
            width: width ?? Terminal.current.columns ?? 100,
            usesColour: Terminal.current.isColoured, from: from, until: until)
    }
}
