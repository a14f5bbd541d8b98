internal import ArgumentParser
internal import Dispatch
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
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
        try require((out == nil) != (socket == nil), or: .outOrSocket)
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

/// `usher simulate serve`: the App Store in a box over HTTP (docs/BOX.md).
struct SimulateServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a simulated App Store over HTTP, for the tests of any back end.",
        discussion: """
            Answers the App Store Server API and verifyReceipt under /production and /sandbox, \
            posts notifications to --notify, and takes control calls under /box: docs/BOX.md has \
            them all. It sells what the app of --policies sells, or that of --play, or else a few \
            products of the app of --bundle-id. --out writes root.pem and receipt-root.pem to \
            trust, AuthKey.p8 and settings.json. --keys does the same, and the next run signs \
            with the same keys and gives no id again; else receipts have new keys in each run. \
            The same seed and the same calls give the same answers, except for signatures and \
            receipts. Anybody who reaches the address controls the box: it listens on this machine only unless \
            --listen says otherwise. SIGTERM and SIGINT stop it. Exit codes: 0 stopped, 2 could \
            not start.

            Example: usher simulate serve --start 2026-01-01 --speed 0 --out box
            """)

    @Option(help: .value("host:port", "Where to listen; port 0 takes a free one."))
    var listen = "127.0.0.1:8421"

    @Option(help: .value("file", "A play: its products and steps."), completion: .file())
    var play: String?

    @Option(
        help: .value("folder", "Sell what this policy folder sells, in its app."),
        completion: .directory)
    var policies: String?

    @Option(
        help: .value(
            "id", "Sign for this app instead of that of the policy, the play or the example."),
        transform: readName)
    var bundleID: BundleID?

    @Option(
        name: .customLong("app-apple-id"),
        help: .value("number", "The app's Apple ID (appAppleId)."))
    var appAppleID: Int64?

    @Option(
        help: .value(
            "number",
            """
            A whole number that determines keys, ids and random failures; 2026, or that of \
            --keys, if omitted.
            """))
    var seed: String?

    @Option(help: .value("instant", "The first instant; by default that of the play, or now."))
    var start: String?

    @Option(help: "Virtual seconds for each real second; 0 stops the clock.")
    var speed = 1.0

    @Option(help: "Days of grace after a charge fails; 0 for none.")
    var grace: Int64 = 16

    @Option(
        help: .value("folder", "The folder for roots and keys; created if missing."),
        completion: .directory)
    var out: String?

    @Option(
        help: .value("folder", "The folder that keeps the keys between runs; created if missing."),
        completion: .directory)
    var keys: String?

    @Option(
        help: .value(
            "url", "Where to post notifications: http://host:port/path or unix:/path/to/usher.sock."
        ))
    var notify: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.attempt { () async throws(CommandFailure) in
            var settings = try settings()
            let seed = try chosenSeed()
            settings.seed = seed ?? settings.seed
            let kept = try keys.map { folder throws(CommandFailure) in
                try BoxKeys(in: folder, seed: seed, output.language)
            }
            kept?.apply(to: &settings)
            guard let address = SocketAddressText(listen) else {
                throw .said(BoxPhrase.badListen.text(output.language, listen.shown))
            }
            let target = try notify.map { text throws(CommandFailure) in
                guard let target = NotificationTarget(text) else {
                    throw CommandFailure.said(
                        BoxPhrase.badNotify.text(output.language, text.shown))
                }
                return target
            }
            let box = SimulatedAppStore(settings)
            for folder in Set([out, keys].compactMap(\.self)) { try write(box, to: folder) }
            try kept?.keep(root: box.root)
            try await serve(box, at: address, notifying: target)
        }
    }

    private func settings() throws(CommandFailure) -> SimulatedAppStoreSettings {
        let clock = SystemClock()
        var settings = SimulatedAppStoreSettings()
        settings.start = clock.now()
        settings.notifies = notify != nil
        settings.callersClock = clock.now
        settings.graceDays = grace == 0 ? nil : grace
        let catalogue = try catalogue()
        settings.play = catalogue
        if play != nil { settings.start = catalogue.extent.first }
        if let start {
            guard let instant = Instant(rfc3339: start), SimulatedAppStoreSettings.isStart(instant)
            else { throw .said(BoxPhrase.badStart.text(output.language, start.shown)) }
            settings.start = instant
        }
        guard (0...1e9).contains(speed), (0...28).contains(grace) else {
            throw .said(BoxPhrase.badNumber.text(output.language))
        }
        return settings
    }

    private func chosenSeed() throws(CommandFailure) -> UInt64? {
        guard let seed else { return nil }
        guard let number = UInt64(seed) else {
            throw .said(BoxPhrase.badSeed.text(output.language, seed.shown))
        }
        return number
    }

    /// What is sold and what happens: as the play says, the policy, or the example app.
    private func catalogue() throws(CommandFailure) -> Play {
        let policy = try policies.map { folder throws(CommandFailure) in
            try CheckedFolder(folder).required(folder)
        }
        let named = try play.map { file throws(CommandFailure) in
            try StoryFile.read(file, output.language, for: policy).play(with: policy)
        }
        let sold = named ?? policy?.catalogue ?? .example(of: bundleID?.text ?? ExampleApp.bundleID)
        return sold.inApp(bundleID?.text, appleID: appAppleID)
    }

    private func write(_ box: SimulatedAppStore, to folder: String) throws(CommandFailure) {
        let settings = box.answer(AppStoreRequest(method: "GET", target: "/box/settings")).body
        try OutputFile.write(roots: (box.root.pem, box.receiptRoot.pem), to: folder)
        try OutputFile.write(Array(box.identity.keyPEM.utf8), to: folder + "/AuthKey.p8")
        try OutputFile.write(settings, to: folder + "/settings.json")
    }

    private func serve(
        _ box: SimulatedAppStore, at address: SocketAddressText,
        notifying target: NotificationTarget?
    ) async throws(CommandFailure) {
        let clock = SystemClock()
        let server = AppStoreBox(
            box, at: address, speed: speed, notifying: target,
            host: BoxHost(
                now: clock.now, sleep: { try await Task.sleep(for: .milliseconds($0)) }),
            whenServing: { [json = output.json, language = output.language] port in
                tell(box, address, port, json, language)
                if !json, let folder = out ?? keys { trust(box, from: folder, language) }
            })
        let stop = StopSignal()
        let sources = ServeSignals.onStop { stop.give() }
        defer { for source in sources { source.cancel() } }
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run() }
                group.addTask { await stop.wait() }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            throw .said(BoxPhrase.notServing.text(output.language, listen.shown))
        }
    }
}

/// Says where the box is and what its callers need.
private func tell(
    _ box: SimulatedAppStore, _ address: SocketAddressText, _ port: Int, _ json: Bool,
    _ language: Language
) {
    let name = address.name.contains(":") ? "[\(address.name)]" : address.name
    let url = "http://\(name):\(port)"
    let (identity, fingerprint) = (box.identity, box.root.fingerprint.hexadecimal)
    guard json else {
        return Terminal.current.printLine(
            BoxPhrase.serving.text(
                language, url, identity.issuerID, identity.keyID, fingerprint))
    }
    let line: JSONValue = [
        "url": .string(url), "issuer_id": .string(identity.issuerID),
        "key_id": .string(identity.keyID), "root_sha256": .string(fingerprint),
    ]
    Terminal.current.printLine(line.text)
}

/// Says what a policy has to say for a service to accept what the box signs.
private func trust(_ box: SimulatedAppStore, from folder: String, _ language: Language) {
    let app = box.app
    Terminal.current.printLine(
        BoxPhrase.trust.text(language, folder.shown, app.bundleID, "\(app.appleID)"))
}

/// What a box keeps between runs, in `keys.json` of the folder of `--keys` (docs/BOX.md): the seed
/// of its keys, those that follow from no seed, the root, and how often it has run, so that two runs
/// give no id twice.
struct BoxKeys {
    private var seed: UInt64
    private var runs: UInt64
    private let receipts: RSAKeys
    /// Nil before the first run, and in a file that was written before roots were kept.
    private let root: SimulatedCertificate?
    private let file: String

    /// Those of a folder, or new ones for one that has none.
    /// - Parameter seed: as the caller named it.
    init(in folder: String, seed: UInt64?, _ language: Language) throws(CommandFailure) {
        file = folder + "/keys.json"
        guard InputFile.size(of: file) != nil else {
            (self.seed, runs) = (seed ?? SimulatedAppStoreSettings().seed, 0)
            receipts = .ofProcess
            root = nil
            return
        }
        guard let bytes = try? InputFile.read(file, limit: 65_536),
            let kept = try? parseJSON(bytes),
            let keptSeed = kept["seed"]?.string.flatMap(UInt64.init),
            let runs = kept["runs"]?.string.flatMap(UInt64.init),
            let receipts = RSAKeys(
                kept: Dictionary(
                    (kept["receipts"]?.members ?? []).map { ($0.key, $0.value.string ?? "") },
                    uniquingKeysWith: { first, _ in first }))
        else { throw .said(BoxPhrase.badKeys.text(language, file.shown)) }
        guard seed == nil || seed == keptSeed else {
            throw .said(BoxPhrase.otherSeed.text(language, file.shown, "\(keptSeed)"))
        }
        (self.seed, self.runs, self.receipts) = (keptSeed, runs, receipts)
        root = kept["root"]?.string.flatMap(SimulatedCertificate.init(pem:))
    }

    /// Has a box sign with them.
    func apply(to settings: inout SimulatedAppStoreSettings) {
        settings.seed = seed
        settings.run = runs
        settings.root = root
        settings.receiptKeys = receipts
    }

    /// Keeps them and the root that a box has made for the next run; after the root of receipts was
    /// asked for.
    func keep(root: SimulatedCertificate) throws(CommandFailure) {
        let pems = receipts.kept.sorted { $0.key < $1.key }.map { key in
            JSONMember(key.key, .string(key.value))
        }
        let kept: JSONValue = [
            "seed": .string("\(seed)"), "runs": .string("\(runs &+ 1)"),
            "root": .string(root.pem),
            "receipts": .object(pems),
        ]
        try OutputFile.write(Array((kept.text + "\n").utf8), to: file)
    }
}

/// What `usher simulate serve` says.
enum BoxPhrase: String, CaseIterable, UsherText, Wording {
    case serving = """
        serving the App Store in a box on {0}
          production      {0}/production
          sandbox         {0}/sandbox
          control calls   {0}/box
          issuer id       {1}
          key id          {2}
          root (SHA-256)  {3}
        """
    case trust = """

        To have a policy accept what it signs, copy {0}/root.pem and {0}/receipt-root.pem into
        the policy folder, and write into app.yaml:

          app:
            bundle_id: {1}
            apple_id: {2}
          trust:
            roots:
              jws: [{file: root.pem}]
              receipt: [{file: receipt-root.pem}]
        """
    case badListen = "'{0}' is not an address; write 127.0.0.1:8421"
    case badNotify = """
        '{0}' is not an address for notifications; write http://127.0.0.1:8000/path or \
        unix:/path/to/usher.sock
        """
    case badStart = "'{0}' is not an instant from 2008-07-10 to 2099-12-31"
    case badSeed = "'--seed' must be a whole number from 0 to 18446744073709551615, not '{0}'"
    case badNumber = "the speed must be from 0 to 1000000000 and the grace from 0 to 28 days"
    case badKeys = "{0} is not a file of keys that a box has kept"
    case otherSeed = "the keys in {0} belong to seed {1}; omit '--seed', or name another folder"
    case notServing = "cannot listen on {0}; another program may be using the address"
}
