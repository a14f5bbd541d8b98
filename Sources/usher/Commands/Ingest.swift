internal import ArgumentParser
internal import EntitlementModel

/// `usher ingest FILE|FOLDER|- …`: hands evidence to the running service.
struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hand evidence to the running service.",
        discussion: """
            A file holds one piece of evidence, or JSON lines \
            {"account", "order", "moment", "payload" or "file"} if its name ends in .jsonl; of a \
            folder, the files that end in .jws, .json, .der or .base64. The report at the end \
            says what was refused and why, what is genuine but impossible and so kept aside \
            without effect, and which claims were refused.

            What was interrupted goes on with --skip; handing in everything again does no harm. \
            Exit codes: 0 all accepted, 1 some not, 2 could not run or was interrupted.

            Example: usher ingest purchases.jsonl
            """)

    @Argument(
        help: "Files, folders, or - for JSON lines on standard input.", completion: .file())
    var paths: [String]

    @Option(
        help: "The account that presents what the files hold.",
        transform: { try readName($0) as AccountID })
    var account: AccountID?

    @Option(help: "On what occasion.")
    var moment: ClaimMoment?

    @Option(
        help: ArgumentHelp("Leave out so many pieces, handed in before.", valueName: "number"))
    var skip = 0

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard skip >= 0 else { throw ValidationError("--skip is not negative") }
    }

    func run() throws {
        var isAllAccepted = false
        try output.attempt { () throws(CommandFailure) in
            let reader = try IngestReader(
                paths, account: account?.text, moment: moment?.rawValue)
            var run = try IngestRun(
                reader, skipping: skip, call: ServiceCall(socket: sockets.usherSocket),
                output: output)
            // Standard input may never come to an end; there Ctrl-C ends at once.
            if !paths.contains("-") { Interruption.holdBack() }
            defer { tell(run.report) }
            try handIn(&run)
            isAllAccepted = run.report.isAllAccepted
        }
        if !isAllAccepted { throw ExitCode.no }
    }

    /// - Throws: `.stopped` where a part was handed in, with the number to go on from.
    private func handIn(_ run: inout IngestRun) throws(CommandFailure) {
        do throws(CommandFailure) {
            if try run.handIn(until: { Interruption.isPending }) { return }
        } catch {
            guard run.lastAcknowledged > skip else { throw error }
            throw .stopped(after: run.lastAcknowledged, because: error)
        }
        throw .stopped(after: run.lastAcknowledged, because: nil)
    }

    private func tell(_ report: IngestReport) {
        guard !output.json, report.pieces > 0 else { return }
        var page = Page(output.language)
        report.write(to: &page)
        Terminal.current.printText(page.text)
    }
}

extension ClaimMoment: ExpressibleByArgument {}
