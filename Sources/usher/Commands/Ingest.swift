internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// `usher ingest FILE|FOLDER|- …`: hands evidence to the running service.
struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hand evidence to the running service.",
        discussion: """
            A file holds one piece of evidence, or JSON lines \
            {"account", "order", "moment", "payload" or "file"} if its name ends in .jsonl; of a \
            folder, the files that end in .jws, .json, .der or .base64. The report at the end \
            says what was refused and why, what is genuine but impossible and so kept aside \
            without effect, and which claims were denied; with --json the last line counts the \
            same as {"summary": {"submitted", "accepted", "claims_denied", "quarantined", \
            "refused"}}.

            What was interrupted goes on with --skip; handing in everything again does no harm.

            An administrator who moves a history here gives --ledger and --policies, and on each \
            line "recorded_at", when it was first known: never before the line before it or the \
            end of the ledger. Claims are judged as of then.

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

    @Option(
        help: ArgumentHelp(
            "Import into this ledger, of which no service is running.", valueName: "file"),
        completion: .file())
    var ledger: String?

    @Option(
        help: ArgumentHelp(
            "The policy that an import is judged by.", valueName: "folder"),
        completion: .directory)
    var policies: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard skip >= 0 else { throw ValidationError("--skip is not negative") }
        guard (ledger == nil) == (policies == nil) else {
            throw ValidationError("--ledger and --policies go together, for an import")
        }
    }

    func run() async throws {
        var isAllAccepted = false
        try await output.attempt { () async throws(CommandFailure) in
            let reader = try IngestReader(
                paths, account: account?.text, moment: moment?.rawValue, isImport: ledger != nil)
            let taker = try taker()
            var run = try IngestRun(reader, skipping: skip, to: taker, output: output)
            // Standard input may never come to an end; there Ctrl-C ends at once.
            if !paths.contains("-") {
                let notice = IngestPhrase.stopping.text(output.language) + "\n"
                Interruption.holdBack(saying: Terminal.current.progressEraser + notice)
            }
            defer { tell(run.report) }
            do throws(CommandFailure) {
                try await handIn(&run)
            } catch {
                try? taker.finish()
                throw error
            }
            try taker.finish()
            isAllAccepted = run.report.isAllAccepted
        }
        if !isAllAccepted { throw ExitCode.no }
    }

    /// The running service, or the ledger of an import.
    private func taker() throws(CommandFailure) -> any EvidenceReceiver {
        guard let ledger, let policies else {
            return ServiceEvidenceReceiver(call: ServiceCall(socket: sockets.usherSocket))
        }
        return try LedgerImport(ledger: ledger, policies: policies, language: output.language)
    }

    /// - Throws: `.stopped` where a part was handed in, with the number to go on from.
    private func handIn(_ run: inout IngestRun) async throws(CommandFailure) {
        do throws(CommandFailure) {
            if try await run.handIn(until: { Interruption.isPending }) { return }
        } catch {
            guard run.lastAcknowledged > skip else { throw error }
            throw .stopped(after: run.lastAcknowledged, because: error)
        }
        throw .stopped(after: run.lastAcknowledged, because: nil)
    }

    private func tell(_ report: IngestReport) {
        if output.json {
            let line: JSONValue = ["summary": report.counts]
            return Terminal.current.printLine(line.text.safeJSON)
        }
        guard report.pieces > 0 else { return }
        var page = Page(output.language)
        report.write(to: &page)
        Terminal.current.printText(page.text)
    }
}

extension ClaimMoment: ExpressibleByArgument {}
