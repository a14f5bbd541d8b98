internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// `usher ingest FILE|FOLDER|- …`: hands evidence to the running service.
struct Ingest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Submit evidence to the running service.",
        discussion: """
            A file contains one item of evidence or, if its name ends in .jsonl, JSON lines \
            {"account", "order", "moment", "imported", "environment", "verify", "payload" or "file"}. From a folder, files ending in \
            .jws, .json, .der or .base64 are read. An answer of the App Store Server API (a history, a \
            notification history, a transaction, statuses), saved as a file, is taken apart. The final report lists what was refused and \
            why, what was quarantined (genuine but impossible, recorded without effect), and which \
            claims were denied; with --json the last line is \
            {"summary": {"submitted", "accepted", "claims_denied", "quarantined", "refused"}}.

            Resume an interrupted run with --skip. Submitting the same evidence again is harmless.

            Stored answers of verifyReceipt are taken with --imported, or "imported": true on a \
            line, from an administrator: they carry no signature, and never override what has one. \
            Those of iOS 6 do not say their environment: --environment, or "environment" on a line, does.

            To import a history, give --ledger and --policies, and on each line "recorded_at", the \
            instant at which it first became known: not earlier than that of the previous line or \
            of the last entry in the ledger. Claims are evaluated as of that instant.

            Exit codes: 0 all accepted, 1 some not accepted, 2 failed or interrupted.

            Example: usher ingest purchases.jsonl
            """)

    @Argument(help: "Files, folders, or - for JSON lines on standard input.", completion: .file())
    var paths: [String]

    @Option(
        help: "The account that presents the evidence.",
        transform: { try readName($0) as AccountID })
    var account: AccountID?

    @Option(help: "The occasion on which the app presents it.")
    var moment: ClaimMoment?

    @Flag(help: "The files are stored answers of verifyReceipt.")
    var imported = false

    @Option(help: "The environment of stored answers that do not say it.")
    var environment: StoreEnvironment?

    @Option(help: .value("number", "Skip the first N items, submitted before."))
    var skip = 0

    @Option(
        help: .value("file", "Import into this ledger, which no service is using."),
        completion: .file())
    var ledger: String?

    @Option(help: .value("folder", "The policy for an import."), completion: .directory)
    var policies: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard skip >= 0 else { throw ValidationError(.notNegative, "--skip") }
        guard (ledger == nil) == (policies == nil) else {
            throw ValidationError(.together, "--ledger", "--policies")
        }
    }

    func run() async throws {
        var isAllAccepted = false
        try await output.attempt { () async throws(CommandFailure) in
            let reader = try IngestReader(
                paths, account: account?.text, moment: moment?.rawValue, isImport: ledger != nil,
                isAnswers: imported, in: environment)
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
