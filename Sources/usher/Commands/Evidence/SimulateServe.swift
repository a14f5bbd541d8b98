internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Logging
internal import PolicyStories
internal import ServiceLifecycle
internal import SimulatedAppStore
internal import StoreSimulator
internal import StrictJSON
internal import UnixSignals

/// `usher simulate serve`: the App Store in a box over HTTP (docs/BOX.md).
struct SimulateServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a simulated App Store over HTTP, for the tests of any back end.",
        discussion: """
            Answers the App Store Server API and verifyReceipt under /production and /sandbox, \
            posts notifications to --notify, and takes control calls under /box: docs/BOX.md has \
            them all. --out writes root.pem and receipt-root.pem to trust, AuthKey.p8 and \
            settings.json. The same seed and the same calls give the same answers, except for \
            receipts. Anybody who reaches the address controls the box: it listens on this machine \
            only unless --listen says otherwise. SIGTERM and SIGINT stop it. Exit codes: 0 \
            stopped, 2 could not start.

            Example: usher simulate serve --start 2026-01-01 --speed 0 --out box
            """)

    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:8421"

    @Option(
        help: ArgumentHelp("A play: its products and steps.", valueName: "file"),
        completion: .file())
    var play: String?

    @Option(
        help: ArgumentHelp(
            "A whole number that determines keys, ids, signatures and random failures.",
            valueName: "number"))
    var seed = "2026"

    @Option(
        help: ArgumentHelp(
            "The first instant; by default that of the play, or now.", valueName: "instant"))
    var start: String?

    @Option(help: "Virtual seconds for each real second; 0 stops the clock.")
    var speed = 1.0

    @Option(help: "Days of grace after a charge fails; 0 for none.")
    var grace: Int64 = 16

    @Option(
        help: ArgumentHelp(
            "The folder for roots and keys; created if missing.", valueName: "folder"),
        completion: .directory)
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Where to post notifications: http://host:port/path or unix:/path/to/usher.sock.",
            valueName: "url"))
    var notify: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await output.attempt { () async throws(CommandFailure) in
            let settings = try settings()
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
            if let out { try write(box, to: out) }
            try await serve(box, at: address, notifying: target)
        }
    }

    private func settings() throws(CommandFailure) -> SimulatedAppStoreSettings {
        let clock = SystemClock()
        var settings = SimulatedAppStoreSettings()
        guard let seed = UInt64(seed) else {
            throw .said(BoxPhrase.badSeed.text(output.language, seed.shown))
        }
        settings.seed = seed
        settings.start = clock.now()
        settings.notifies = notify != nil
        settings.callersClock = clock.now
        settings.graceDays = grace == 0 ? nil : grace
        if let play {
            let played = try read(play)
            settings.play = played
            settings.start = played.extent.first
        }
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

    private func read(_ file: String) throws(CommandFailure) -> Play {
        try StoryFile.read(file, output.language).play(with: nil)
    }

    private func write(_ box: SimulatedAppStore, to folder: String) throws(CommandFailure) {
        let settings = box.answer(AppStoreRequest(method: "GET", target: "/box/settings")).body
        let files = [
            ("root.pem", Array(box.root.pem.utf8)),
            ("receipt-root.pem", Array(box.receiptRoot.pem.utf8)),
            ("AuthKey.p8", Array(box.identity.keyPEM.utf8)), ("settings.json", settings),
        ]
        for (name, bytes) in files { try OutputFile.write(bytes, to: folder + "/" + name) }
    }

    private func serve(
        _ box: SimulatedAppStore, at address: SocketAddressText,
        notifying target: NotificationTarget?
    ) async throws(CommandFailure) {
        var logger = Logger(label: "usher") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let clock = SystemClock()
        let server = AppStoreBox(
            box, at: address, speed: speed, notifying: target,
            host: BoxHost(
                now: clock.now, sleep: { try await Task.sleep(for: .milliseconds($0)) }),
            logger: logger,
            whenServing: { [json = output.json, language = output.language] port in
                tell(box, address, port, json, language)
            })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do {
            try await group.run()
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
