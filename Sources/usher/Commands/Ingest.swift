internal import ArgumentParser
internal import EntitlementModel
internal import StrictJSON

/// `usher ingest FILE|FOLDER|- …`: hands evidence to the running service.
struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hand evidence to the running service.",
        discussion: """
            A file holds one piece of evidence, or JSON lines \
            {"account", "order", "moment", "payload" or "file"} if its name ends in .jsonl. \
            What is refused, and what is genuine but impossible and so kept aside without \
            effect, is listed with its code. Exit codes: 0 all accepted, 1 some not, 2 could \
            not run.

            Example: usher ingest purchases.jsonl
            """)

    @Argument(help: "Files, folders, or - for JSON lines on standard input.")
    var paths: [String]

    @Option(help: "The account that presents what the files hold.")
    var account: String?

    @Option(help: "purchase, restore, notification or support.")
    var moment: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let account, AccountID(account) == nil {
            throw ValidationError("an account is printable ASCII without spaces")
        }
        if let moment, ClaimMoment(rawValue: moment) == nil {
            throw ValidationError(
                "moment is one of purchase, restore, notification, support")
        }
    }

    func run() throws {
        do {
            let items = try IngestReader(account: account, moment: moment).items(from: paths)
            guard try handIn(items) else { throw ExitCode.no }
        } catch let failure as CommandFailure {
            Terminal.current.printError(failure.sentence(output.language))
            throw ExitCode.unanswered
        }
    }

    /// - Returns: whether all of it was accepted.
    private func handIn(_ items: [IngestItem]) throws(CommandFailure) -> Bool {
        let call = ServiceCall(socket: sockets.usherSocket)
        var refused = 0
        var isAllAccepted = true
        var done = 0
        for batch in IngestBatches(items) {
            let body = try call.post("/v1/evidence", .array(batch.map(\.body)))
            guard let results = (try? parseJSON(body))?.elements, results.count == batch.count
            else { throw .unreadableAnswer }
            for (item, result) in zip(batch, results) {
                let codes = report(result, on: item)
                refused += codes.refusal == nil ? 0 : 1
                isAllAccepted = isAllAccepted && codes.refusal == nil && codes.aside.isEmpty
            }
            done += batch.count
            if Terminal.current.showsProgress {
                Terminal.current.printProgress(
                    Phrase.ingestProgress.text(output.language, "\(done)", "\(items.count)"))
            }
        }
        if Terminal.current.showsProgress { Terminal.current.printProgress("") }
        if !output.json {
            Terminal.current.printLine(
                Phrase.ingestSummary.text(output.language, "\(done)", "\(refused)"))
        }
        return isAllAccepted
    }

    /// - Returns: why it was refused, and why parts of it were kept aside.
    private func report(
        _ result: JSONValue, on item: IngestItem
    ) -> (refusal: String?, aside: [String]) {
        let code = result["code"]?.string
        let aside = (result["quarantined"]?.elements ?? []).compactMap { $0["code"]?.string }
        if output.json {
            let line: JSONValue = ["file": .string(item.place), "result": result]
            Terminal.current.printLine(line.text)
        } else if let code {
            Terminal.current.printLine(
                Phrase.ingestRefused.text(output.language, item.place, code))
        } else {
            for code in aside {
                Terminal.current.printLine(
                    Phrase.ingestQuarantined.text(output.language, item.place, code))
            }
        }
        return (code, aside)
    }
}

/// One piece of evidence to hand in.
struct IngestItem {
    /// Where it stands, for reports.
    var place: String
    var body: JSONValue
    /// Bytes of the payload.
    var size: Int
}

/// Cuts items into requests of at most a hundred and at most a megabyte.
struct IngestBatches: Sequence, IteratorProtocol {
    private var rest: ArraySlice<IngestItem>

    init(_ items: [IngestItem]) {
        rest = items[...]
    }

    mutating func next() -> [IngestItem]? {
        guard !rest.isEmpty else { return nil }
        var size = 0
        let batch = rest.prefix(100).prefix { item in
            size += item.size
            return size <= 1 << 20
        }
        let taken = batch.isEmpty ? rest.prefix(1) : batch
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }
}
