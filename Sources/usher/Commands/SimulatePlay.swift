internal import ArgumentParser
internal import EntitlementModel
internal import StoreSimulator
internal import StrictJSON

/// `usher simulate play FILE`: plays a story to files or to a running service (spec 3.2).
struct SimulatePlay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a story of purchases, and sign all evidence that comes of it.",
        discussion: """
            --out writes one file of evidence each, root.pem and receipt-root.pem to trust, and evidence.jsonl for \
            'usher ingest'. --socket hands everything to a running service in order: what a \
            device presents with its account, what Apple tells as a notification. The root is \
            the same for the same seed; the root of receipts is not. Exit codes: 0 played, \
            1 some evidence was refused, 2 could not run.

            Example: usher simulate play fixtures/plays/a-year-of-gold.yaml --out played
            """)

    @Argument(help: "The play; fixtures/plays/README.md tells how to write one.")
    var file: String

    @Option(help: "The folder to write to; made if there is none.")
    var out: String?

    @Option(help: "The service's usher.sock to hand everything to.")
    var socket: String?

    @Option(help: "Keys, ids and chaos follow from it.")
    var seed: UInt64 = 2026

    @Flag(help: "Let evidence arrive in another order.")
    var reorder = false

    @Flag(name: .customLong("repeat"), help: "Let a third of the evidence arrive twice.")
    var repeats = false

    @Flag(help: "Let a quarter of Apple's notifications never arrive.")
    var drop = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (out == nil) != (socket == nil) else {
            throw ValidationError("name either --out or --socket")
        }
    }

    func run() throws {
        var refused = 0
        do throws(CommandFailure) {
            var played = try perform()
            let chaos = PlayChaos(reorders: reorder, repeats: repeats, drops: drop)
            played.evidence = chaos.apply(to: played.evidence, seed: seed)
            if let out { try write(played, to: out) }
            if let socket { refused = try send(played, to: socket) }
        } catch {
            if case .unplayable(let mistakes) = error {
                for mistake in mistakes { Terminal.current.printError(sentence(mistake)) }
            } else {
                Terminal.current.printError(error.sentence(output.language))
            }
            throw ExitCode.unanswered
        }
        if refused > 0 { throw ExitCode.no }
    }

    private func perform() throws(CommandFailure) -> PlayedEvidenceSet {
        guard let bytes = try? InputFile.read(file, limit: 1 << 20),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .unreadableFile(file) }
        do throws(PlayMistakes) {
            return try Play.read(text).perform(seed: seed)
        } catch {
            throw .unplayable(error.mistakes)
        }
    }

    /// `FILE:LINE: error: what is wrong`.
    private func sentence(_ mistake: PlayMistake) -> String {
        let (english, chinese) = mistake.sentences
        return "\(file):\(mistake.line): "
            + (output.language == .english ? "error: " + english : "错误：" + chinese)
    }

    private func write(_ played: PlayedEvidenceSet, to folder: String) throws(CommandFailure) {
        for piece in played.evidence {
            try OutputFile.write(piece.bytes, to: folder + "/" + piece.file)
        }
        try OutputFile.write(Array(played.root.pem.utf8), to: folder + "/root.pem")
        let receiptRoot = played.receiptRoot ?? played.root
        try OutputFile.write(Array(receiptRoot.pem.utf8), to: folder + "/receipt-root.pem")
        let lines = played.evidence.map { $0.fileLine.text + "\n" }.joined()
        try OutputFile.write(Array(lines.utf8), to: folder + "/evidence.jsonl")
        tell(played.evidence.count, refused: 0)
    }

    /// - Returns: how many pieces were refused.
    private func send(
        _ played: PlayedEvidenceSet, to socket: String
    ) throws(CommandFailure) -> Int {
        let items = played.evidence.map {
            IngestItem(place: $0.file, body: $0.body, size: $0.bytes.count)
        }
        let call = ServiceCall(socket: socket)
        var refused = 0
        for batch in IngestBatches(items) {
            let body = try call.post("/v1/evidence", .array(batch.map(\.body)))
            guard let results = (try? parseJSON(body))?.elements else { throw .unreadableAnswer }
            for (item, result) in zip(batch, results) {
                guard let code = result["code"]?.string else { continue }
                refused += 1
                Terminal.current.printLine(
                    Phrase.ingestRefused.text(output.language, item.place, code))
            }
        }
        tell(items.count, refused: refused)
        return refused
    }

    private func tell(_ count: Int, refused: Int) {
        let line: JSONValue = [
            "pieces": .integer(Int64(count)), "refused": .integer(Int64(refused)),
        ]
        Terminal.current.printLine(
            output.json
                ? line.text : Phrase.played.text(output.language, "\(count)", "\(refused)"))
    }
}
