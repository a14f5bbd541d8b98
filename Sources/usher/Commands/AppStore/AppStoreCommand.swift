internal import AppleSync
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyLoading
internal import StrictJSON

/// `usher app-store …`: what Apple's servers know, and what can be changed there
/// (docs/APP_STORE.md).
struct AppStoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-store",
        abstract: "Ask Apple's servers, or change something there.",
        discussion: """
            Uses the settings app-store.* of 'usher serve': from --config, or from the environment \
            (USHER_APP_STORE_KEY_FILE, …). What Apple signed is verified and printed as 'usher \
            inspect' does; nothing is recorded.

            Example: usher app-store show statuses 2000000000000010
            """,
        subcommands: [
            AppStoreShow.self, AppStoreNotifications.self, AppStoreTestNotification.self,
            AppStoreExtend.self, AppStoreExtendAll.self, AppStoreExtendStatus.self,
            AppStoreFinish.self, AppStoreSetAccountToken.self, AppStoreConsumption.self,
        ])
}

/// Options of all of them.
struct AppStoreOptions: ParsableArguments {
    @Option(
        help: .value("file", "A YAML file with settings, as for 'usher serve'."),
        completion: .file())
    var config: String?

    @Option(
        help: .value("folder", "The policy folder, which names the app and the roots to trust."),
        completion: .directory)
    var policies: String?

    @Option(
        help: .value("file", "Root certificate to trust instead of Apple's (a PEM or DER file)."),
        completion: .file())
    var root: String?

    @OptionGroup var output: OutputOptions

    /// Asks Apple's servers.
    ///
    /// - Parameter body: returns whether the answer is yes: the exit code says so.
    func ask(_ body: (AppStoreSession) async throws(CommandFailure) -> Bool) async throws {
        try await output.decide { () async throws(CommandFailure) in
            try await body(try await session())
        }
    }

    private func session() async throws(CommandFailure) -> AppStoreSession {
        var flags: [Setting: String] = [:]
        flags[.policies] = policies
        let environment = Terminal.current.environment.filter { !$0.value.isEmpty }
        let settings = try ServiceSettings(
            flags: flags, environment: environment, file: config)
        guard let setup = try settings.appStoreSetup() else {
            throw .appStore(.notConfigured)
        }
        let folder = CheckedFolder(settings[.policies])
        // A folder that was named has to be there.
        let policy = policies == nil ? folder.policy : try folder.required(settings[.policies])
        let configuration = try setup.configuration(policy)
        let verifier = EvidenceVerifier(try verification(policy, configuration))
        return AppStoreSession(
            client: AppStoreClient(configuration), verifier: verifier, output: output)
    }

    private func verification(
        _ policy: Policy?, _ configuration: AppStoreConfiguration
    ) throws(CommandFailure) -> VerificationSettings {
        var settings = policy.map(VerificationSettings.init(policy:)) ?? VerificationSettings()
        if policy == nil { settings.jwsAnchors = [.appleRootCAG3] }
        settings.bundleID = configuration.bundleID
        settings.appAppleID = configuration.appAppleID
        // What an environment is worth is for the policy to say, and nothing is recorded here.
        settings.trustedEnvironments.formUnion([.production, .sandbox])
        if let root {
            settings.jwsAnchors = [try TrustAnchor(file: root, environments: nil)]
        }
        return settings
    }
}

/// A command that makes one call of Apple's servers, and says in a line what came of it.
protocol AppStoreCallCommand: AsyncParsableCommand {
    associatedtype Reply

    var options: AppStoreOptions { get }

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> Reply
    func json(_ reply: Reply) -> JSONValue
    func line(_ reply: Reply, _ language: Language) -> String
    /// Whether the exit code is 0, and not 1.
    func isYes(_ reply: Reply) -> Bool
}

extension AppStoreCallCommand {
    func isYes(_ reply: Reply) -> Bool { true }

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let reply = try await session.ask(self.reply)
            try session.show(json(reply)) { $0.add(line(reply, $0.language)) }
            return isYes(reply)
        }
    }
}

/// The environment of a call, for commands that may look for it.
struct AppStoreEnvironmentOption: ParsableArguments {
    @Option(help: "production or sandbox; if omitted, production is asked first, then the sandbox.")
    var environment: StoreEnvironment?

    func validate() throws { try check(environment) }
}

/// The environment of a call, for commands that must not guess.
struct AppStoreTargetOption: ParsableArguments {
    @Option(help: "production or sandbox.")
    var environment: StoreEnvironment

    func validate() throws { try check(environment) }
}

private func check(_ environment: StoreEnvironment?) throws {
    try require([nil, .production, .sandbox].contains(environment), or: .appleServers)
}

/// One command's talk with Apple's servers: it asks, verifies what comes, and prints it.
struct AppStoreSession {
    let client: AppStoreClient
    let verifier: EvidenceVerifier
    let output: OutputOptions

    var language: Language { output.language }

    /// A call, with Apple's failures as the command's.
    func ask<Answer>(
        _ call: (AppStoreClient) async throws(AppStoreFailure) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(AppStoreFailure) {
            return try await call(client)
        } catch {
            throw .appStore(error)
        }
    }

    /// What a JWS says, and whether it is genuine.
    func inspect(_ jws: String) -> Inspection {
        EvidenceVerification.inspect(
            Array(jws.utf8), verifier: verifier, at: SystemClock().now())
    }

    func inspect(_ list: [String]) -> [Inspection] { list.map(inspect) }

    /// Prints JSON for programs, or a page for people.
    func show(
        _ json: JSONValue, as write: (inout Page) -> Void
    ) throws(CommandFailure) {
        try output.show(quiet: false, json: { json.serialized() }, as: write)
    }
}

extension Inspection {
    /// Whether it is genuine and about this app.
    var isGenuine: Bool { verdictWord != "refused" }
}

extension Page {
    /// A JWS as `usher inspect` shows it.
    mutating func write(_ inspection: Inspection) {
        tree([branch(inspection)])
    }

    /// Everything that one title stands above.
    mutating func write(_ title: String, _ inspections: [Inspection]) {
        heading(title)
        tree(inspections.map(branch))
    }

    private func branch(_ inspection: Inspection) -> Branch {
        let lines = inspection.text(language).split(separator: "\n").map(String.init)
        return Branch(lines.first ?? "", lines.dropFirst().map { Branch($0) })
    }
}

/// What `usher app-store …` says.
enum AppStorePhrase: String, CaseIterable, UsherText, Wording {
    case subscription = "original transaction {0}: {1}"
    case status = "status {0}"
    case transactions = "transactions: {0}"
    case revision = "revision: {0}"
    case more = "there is more: continue with --after {0}"
    case next = "continue with --after {0}"
    case noMore = "nothing more"
    case attempts = "delivery"
    case badReport = "{0}: '{1}' is not what Apple defines for this call"
    case noAttempts = "delivery: no attempt is known yet"
    case order = "the order is valid"
    case unknownOrder = "the App Store does not know this order of the app"
    case testRequested =
        "a test notification was requested; ask what became of it with --status {0}"
    case finished = "finished: transaction {0}"
    case tokenSet = "done: the appAccountToken of original transaction {0} was set"
    case consumptionSent = "sent: what was used of transaction {0}"
    case extended = "extended: original transaction {0} renews {1}"
    case notExtended = "not extended: original transaction {0}"
    case extensionRequested =
        "requested; ask how far it is with 'usher app-store extend-status {0} {1}'"
    case extensionRunning = "not complete yet"
    case extensionDone = "complete: {0} extended, {1} failed"
    case environment = "environment: {0}"
}
