internal import ArgumentParser
internal import EntitlementModel
internal import PolicyLoading
internal import PolicyTools
internal import StoreBox
internal import StrictJSON

/// `usher simulate …`: the App Store in a box.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Sign and answer as the App Store would, under a root of your own.",
        discussion: "Example: usher simulate play fixtures/plays/a-year-of-gold.yaml --out played",
        subcommands: [SimulatePlay.self, SimulateServe.self])
}

/// `usher simulate play FILE`: plays a story to files or to a running service (spec 3.2).
struct SimulatePlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a story of purchases, and sign the evidence that results.",
        discussion: """
            --out writes one file for each item of evidence, root.pem and receipt-root.pem to \
            trust, and evidence.jsonl for 'usher ingest'. --socket submits everything to a running \
            service in order: what a device presents with its account, what Apple sends as a \
            notification; then the story's expectations of rights, balances, owners, claims, \
            preflight, findings, orders, refund requests and changes are checked there, as far as \
            the service's own clock allows it. What is not played or not checked is listed on \
            standard error. The same seed gives the same key of the root, but not of the root of \
            receipts. Exit codes: 0 played, 1 some evidence was refused or quarantined or an expectation \
            failed, 2 failed.

            Example: usher simulate play fixtures/plays/a-year-of-gold.yaml --out played
            """)

    @Argument(help: "The story; docs/STORIES.md explains how to write one.")
    var file: String

    @Option(help: "The folder to write to; created if missing.")
    var out: String?

    @Option(help: "The service's usher.sock, to submit everything to.")
    var socket: String?

    @Option(help: "Determines keys, ids and chaos.")
    var seed: UInt64 = 2026

    @Flag(help: "Deliver the evidence in a different order.")
    var reorder = false

    @Flag(name: .customLong("repeat"), help: "Deliver a third of the evidence twice.")
    var repeats = false

    @Flag(help: "Do not deliver a quarter of Apple's notifications.")
    var drop = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (out == nil) != (socket == nil) else {
            throw ValidationError(.outOrSocket)
        }
    }

    func run() async throws {
        var report = IngestReport()
        var check = ExpectationCheck()
        try await output.attempt { () async throws(CommandFailure) in
            let story = try StoryFile.read(file, output.language)
            var played = try perform(story)
            let chaos = PlayChaos(reorders: reorder, repeats: repeats, drops: drop)
            played.evidence = chaos.apply(to: played.evidence, seed: seed)
            if let out {
                try write(played, to: out)
            } else if let socket {
                report = try await handIn(played, to: socket)
            }
            check = try ExpectationCheck(
                story, seed: seed, at: socket.map { ServiceCall(socket: $0) }, output.language)
            try tell(played.evidence.count, report, check)
        }
        if !report.isAllAccepted || !check.failures.isEmpty { throw ExitCode.no }
    }

    private func perform(_ story: Story) throws(CommandFailure) -> PlayedEvidenceSet {
        do throws(PlayMistakes) {
            return try story.play(with: nil).perform(seed: seed)
        } catch {
            throw .said(error.sentence(file: file, output.language))
        }
    }

    private func write(_ played: PlayedEvidenceSet, to folder: String) throws(CommandFailure) {
        for piece in played.evidence {
            try OutputFile.write(piece.bytes, to: folder + "/" + piece.file)
        }
        let receiptRoot = played.receiptRoot ?? played.root
        try OutputFile.write(roots: (played.root.pem, receiptRoot.pem), to: folder)
        let lines = played.evidence.map { $0.fileLine.text + "\n" }.joined()
        try OutputFile.write(Array(lines.utf8), to: folder + "/evidence.jsonl")
    }

    /// As 'usher ingest' hands it in.
    private func handIn(
        _ played: PlayedEvidenceSet, to socket: String
    ) async throws(CommandFailure) -> IngestReport {
        let items = played.evidence.map {
            IngestItem(
                place: $0.file,
                line: IngestLine(
                    payload: $0.payload, account: $0.account, moment: $0.moment?.rawValue),
                size: $0.bytes.count)
        }
        let taker = ServiceEvidenceReceiver(call: ServiceCall(socket: socket))
        var report = IngestReport()
        for batch in IngestBatches(items) {
            for (item, result) in zip(batch, try await taker.handIn(batch)) {
                report.count(result, of: item.place, output.language)
            }
        }
        return report
    }

    private func tell(
        _ count: Int, _ report: IngestReport, _ check: ExpectationCheck
    ) throws(CommandFailure) {
        for note in check.notes(file, output.language) { Terminal.current.printError(note) }
        if output.json {
            let line: JSONValue = [
                "pieces": .integer(Int64(count)), "refused": .integer(Int64(report.refused)),
                "kept_aside": .integer(Int64(report.keptAside)), "summary": report.counts,
                "failed": .integer(Int64(check.failures.count)),
                "skipped": .integer(Int64(check.notChecked + check.notPlayed)),
            ]
            return try Terminal.current.printWhole(json: line.text + "\n")
        }
        var page = Page(output.language)
        if socket != nil {
            report.write(to: &page)
        } else {
            page.add(Phrase.played.text(output.language, "\(count)"))
        }
        if let summary = check.summary(output.language) { page.add(summary) }
        try Terminal.current.printWhole(page.text)
        guard !check.failures.isEmpty, let text = try? InputFile.read(file, limit: 1 << 20) else {
            return
        }
        let options = RenderOptions(
            language: output.language, usesColour: Terminal.current.isColoured)
        let sources = [PolicyText(path: file, bytes: text)]
        Terminal.current.printErrorText(render(check.failures, sources: sources, as: options))
    }
}

/// A story file, for commands that play it.
enum StoryFile {
    /// Reads a story that describes its own products, or takes those of a policy.
    static func read(
        _ file: String, _ language: Language, for policy: Policy? = nil
    ) throws(CommandFailure) -> Story {
        guard let bytes = try? InputFile.read(file, limit: 1 << 20) else {
            throw .unreadableFile(file)
        }
        let text = PolicyText(path: file, bytes: bytes)
        let report = readStory(text, policy: policy)
        if let story = report.story { return story }
        let options = RenderOptions(
            language: language, usesColour: Terminal.current.isColoured)
        throw .said(render(report.diagnostics, sources: [text], as: options))
    }
}

extension PlayMistakes {
    /// `FILE:LINE: error: what is wrong`, a line each.
    func sentence(file: String, _ language: Language) -> String {
        mistakes.map { mistake in
            Phrase.mistake.text(
                language, "\(file.shown):\(mistake.line)", mistake.reason.text(language))
        }.joined(separator: "\n")
    }
}
