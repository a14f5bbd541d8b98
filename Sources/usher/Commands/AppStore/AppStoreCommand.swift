internal import AppStoreClient
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyLoading

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

            Example: usher app-store statuses 2000000000000010
            """,
        subcommands: [
            AppStoreStatuses.self, AppStoreHistory.self, AppStoreTransaction.self,
            AppStoreAppTransaction.self, AppStoreRefunds.self, AppStoreOrder.self,
            AppStoreNotifications.self, AppStoreTestNotification.self, AppStoreExtend.self,
            AppStoreExtendAll.self, AppStoreExtendStatus.self, AppStoreFinish.self,
            AppStoreSetAccountToken.self, AppStoreConsumption.self,
        ])
}

/// Options of all of them.
struct AppStoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A YAML file with settings, as for 'usher serve'.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The policy folder, which names the app and the roots to trust.",
            valueName: "folder"),
        completion: .directory)
    var policies: String?

    @Option(
        help: ArgumentHelp(
            "Root certificate to trust instead of Apple's (a PEM or DER file).",
            valueName: "file"),
        completion: .file())
    var root: String?

    @OptionGroup var output: OutputOptions

    /// Asks Apple's servers.
    ///
    /// - Parameter body: returns whether the answer is yes: the exit code says so.
    func ask(_ body: (AppStoreSession) async throws(CommandFailure) -> Bool) async throws {
        var isYes = true
        try await output.attempt { () async throws(CommandFailure) in
            isYes = try await body(try await session())
        }
        if !isYes { throw ExitCode.no }
    }

    private func session() async throws(CommandFailure) -> AppStoreSession {
        var flags: [Setting: String] = [:]
        flags[.policies] = policies
        let environment = Terminal.current.environment.filter { !$0.value.isEmpty }
        let settings = try ServiceSettings(
            flags: flags, environment: environment, file: config)
        guard let setup = try settings.appStoreSetup() else {
            throw .appStoreSetup(.notConfigured)
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
            guard let bytes = try? InputFile.read(root, limit: 65_536),
                let certificate = certificateBytes(bytes).map(TrustAnchor.Root.certificate),
                certificate.isReadable
            else { throw .unreadableFile(root) }
            settings.jwsAnchors = [TrustAnchor(root: certificate, environments: nil)]
        }
        return settings
    }
}

/// The environment of a call, for commands that may look for it.
struct AppStoreEnvironmentOption: ParsableArguments {
    @Option(
        help: "production or sandbox; if omitted, production is asked first, then the sandbox.")
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
    guard [nil, .production, .sandbox].contains(environment) else {
        throw ValidationError(.appleServers)
    }
}
