internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import FoundationEssentials
internal import LedgerModel
internal import Logging
internal import PolicyLoading

/// One setting of the service: its name in the file, which is also its name in the environment
/// (`log.level` is `USHER_LOG_LEVEL`) and for `--set`.
enum Setting: String, CaseIterable {
    case ledger
    case policies
    case policyGuard = "policy.guard"
    case backups
    case fileMode = "files.mode"
    case fileGroup = "files.group"
    case fleetDatabaseFile = "fleet.database-file"
    case fleetNode = "fleet.node"
    case fleetDurability = "fleet.durability"
    case fleetLedger = "fleet.ledger"
    case socketFolder = "sockets.folder"
    case queryMode = "sockets.query-mode"
    case usherMode = "sockets.usher-mode"
    case queryGroup = "sockets.query-group"
    case usherGroup = "sockets.usher-group"
    case peers = "sockets.peers"
    case callerNames = "sockets.names"
    case backlog = "sockets.backlog"
    case sendBuffer = "sockets.send-buffer"
    case queryLoops = "sockets.query-loops"
    case lineBytes = "limits.line-bytes"
    case headerBytes = "limits.header-bytes"
    case headerFields = "limits.header-fields"
    case bodyBytes = "limits.body-bytes"
    case evidenceBytes = "limits.evidence-bytes"
    case bufferedBytes = "limits.buffered-bytes"
    case answerBytes = "limits.answer-bytes"
    case jsonDepth = "limits.json-depth"
    case connections = "limits.connections"
    case reservedConnections = "limits.reserved-connections"
    case inFlight = "limits.in-flight"
    case inFlightPerPeer = "limits.in-flight-per-peer"
    case followers = "limits.followers"
    case verifiedBytes = "limits.verified-bytes"
    case refusalMilliseconds = "limits.refusal-milliseconds"
    case accountsInMemory = "limits.accounts-in-memory"
    case headSeconds = "timeouts.head-seconds"
    case bodySeconds = "timeouts.body-seconds"
    case idleSeconds = "timeouts.idle-seconds"
    case writeSeconds = "timeouts.write-seconds"
    case revisionSeconds = "timeouts.revision-seconds"
    case heartbeatSeconds = "timeouts.heartbeat-seconds"
    case refreshHours = "app-store.refresh-hours"
    case drainSeconds = "drain-seconds"
    case reconcileHours = "reconcile.every-hours"
    case reconcileRate = "reconcile.calls-per-second"
    case baseURL = "authzen.base-url"
    case issuerID = "app-store.issuer-id"
    case keyID = "app-store.key-id"
    case keyFile = "app-store.key-file"
    case sharedSecretFile = "app-store.shared-secret-file"
    case storeBundleID = "app-store.bundle-id"
    case isReleased = "app-store.released"
    case productionURL = "app-store.production-url"
    case sandboxURL = "app-store.sandbox-url"
    case receiptProductionURL = "app-store.verify-receipt-production-url"
    case receiptSandboxURL = "app-store.verify-receipt-sandbox-url"
    case refundAnswers = "app-store.refund-answers"
    case callsPerSecond = "app-store.calls-per-second"
    case callConcurrency = "app-store.concurrency"
    case privacyKeyFile = "privacy.key-file"
    case logLevel = "log.level"
    case logFormat = "log.format"

    /// Whether a file may write it as a list.
    var isList: Bool { self == .peers || self == .callerNames }

    /// What it is where nobody says anything.
    func standard(environment: [String: String]) -> String {
        switch self {
        case .ledger: "usher.ledger"
        case .policies: "policies"
        case .policyGuard: PolicyGuard.refuse.rawValue
        case .socketFolder: SocketOptions.standardFolder(environment: environment)
        case .queryMode, .usherMode: "0660"
        case .fileMode: "0600"
        case .fileGroup, .queryGroup, .usherGroup, .peers, .callerNames, .backups: ""
        case .fleetDatabaseFile, .fleetNode, .fleetLedger, .privacyKeyFile: ""
        case .fleetDurability: FleetCondition.Durability.disk.rawValue
        case .baseURL: "https://localhost"
        case .issuerID, .keyID, .keyFile, .sharedSecretFile, .storeBundleID: ""
        case .isReleased: "true"
        case .refundAnswers: RefundAnswers.send.rawValue
        case .productionURL: AppStoreConfiguration.production
        case .sandboxURL: AppStoreConfiguration.sandbox
        case .receiptProductionURL: AppStoreConfiguration.verifyReceiptProduction
        case .receiptSandboxURL: AppStoreConfiguration.verifyReceiptSandbox
        case .callsPerSecond: "\(AppStoreSetup.callsPerSecond)"
        case .callConcurrency: "\(AppStoreSetup.concurrency)"
        case .logLevel: "info"
        case .logFormat: LogFormat.text.rawValue
        default: NumberSetting.standard(self)
        }
    }
}

extension Setting {
    /// The variable of the environment that sets it.
    var variable: String {
        "USHER_" + String(rawValue.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
    }

    /// What a setting that is a whole number may be; nil for every other.
    var range: ClosedRange<Int>? {
        switch self {
        case .callsPerSecond: 1...1_000
        case .callConcurrency: 1...256
        default: NumberSetting.all.first { $0.setting == self }?.range
        }
    }

    /// What it may be, for a message about what it cannot be.
    func allowed(_ language: Language) -> String {
        if let range {
            return SettingPhrase.range.text(
                language, "\(range.lowerBound)", "\(range.upperBound)")
        }
        switch self {
        case .isReleased: return language.list(["true", "false"])
        case .refundAnswers: return language.list(RefundAnswers.allCases.map(\.rawValue))
        case .productionURL, .sandboxURL, .receiptProductionURL, .receiptSandboxURL:
            return SettingPhrase.serverURL.text(language)
        case .policyGuard: return language.list(PolicyGuard.allCases.map(\.rawValue))
        case .logLevel: return language.list(Logger.Level.allCases.map(\.rawValue))
        case .logFormat: return language.list(LogFormat.allCases.map(\.rawValue))
        case .queryMode, .usherMode: return SettingPhrase.mode.text(language)
        case .fileMode:
            return language.list(LedgerFile.allowedModes)
        case .fileGroup, .queryGroup, .usherGroup: return SettingPhrase.group.text(language)
        case .ledger: return SettingPhrase.ledgerFile.text(language)
        case .fleetDatabaseFile: return SettingPhrase.databaseFile.text(language)
        case .fleetNode: return SettingPhrase.node.text(language)
        case .privacyKeyFile: return SettingPhrase.privacyKeyFile.text(language)
        case .fleetDurability:
            return language.list(FleetCondition.Durability.allCases.map(\.rawValue))
        case .fleetLedger: return SettingPhrase.ledgerName.text(language)
        case .peers: return SettingPhrase.peers.text(language)
        case .callerNames: return SettingPhrase.callerNames.text(language)
        case .baseURL: return SettingPhrase.baseURL.text(language)
        default: return SettingPhrase.anyText.text(language)
        }
    }
}

/// A setting that is a whole number: what it may be, and where it goes.
struct NumberSetting {
    let setting: Setting
    let range: ClosedRange<Int>
    let place: WritableKeyPath<ServerConfiguration, Int>

    private init(
        _ setting: Setting, _ range: ClosedRange<Int>,
        _ place: WritableKeyPath<ServerConfiguration, Int>
    ) {
        (self.setting, self.range, self.place) = (setting, range, place)
    }

    static var all: [NumberSetting] {
        [
            .init(.backlog, 1...65_535, \.backlog),
            .init(.sendBuffer, 0...16_777_216, \.sendBuffer),
            .init(.queryLoops, 1...64, \.queryLoops),
            .init(.lineBytes, 256...65_536, \.limits.lineBytes),
            .init(.headerBytes, 1_024...1_048_576, \.limits.headBytes),
            .init(.headerFields, 8...1_024, \.limits.fieldCount),
            .init(.bodyBytes, 1_024...16_777_216, \.limits.bodyBytes),
            .init(.evidenceBytes, 16_384...67_108_864, \.evidenceBytes),
            .init(.bufferedBytes, 65_536...1 << 40, \.bufferedBytes),
            .init(.answerBytes, 4_096...67_108_864, \.limits.waitingOutputBytes),
            .init(.jsonDepth, 4...256, \.limits.jsonDepth),
            .init(.connections, 1...1_000_000, \.connectionLimit),
            .init(.reservedConnections, 0...1_024, \.reservedConnections),
            .init(.inFlight, 1...65_536, \.inFlightLimit),
            .init(.inFlightPerPeer, 1...65_536, \.inFlightLimitPerPeer),
            .init(.followers, 0...1_000_000, \.followerLimit),
            .init(.verifiedBytes, 65_536...1 << 40, \.verifiedBytes),
            .init(.refusalMilliseconds, 1...100_000, \.refusalMilliseconds),
            .init(.accountsInMemory, 1_000...1_000_000_000, \.accountsInMemory),
            .init(.headSeconds, 1...3_600, \.timeouts.head),
            .init(.bodySeconds, 1...3_600, \.timeouts.body),
            .init(.idleSeconds, 1...86_400, \.timeouts.idle),
            .init(.writeSeconds, 1...3_600, \.timeouts.write),
            .init(.revisionSeconds, 0...60, \.revisionSeconds),
            .init(.heartbeatSeconds, 1...3_600, \.heartbeatSeconds),
            .init(.refreshHours, 0...8_760, \.refreshHours),
            .init(.drainSeconds, 0...3_600, \.drainSeconds),
            .init(.reconcileHours, 0...8_760, \.reconcileEveryHours),
            .init(.reconcileRate, 1...1_000, \.reconcileCallsPerSecond),
        ]
    }

    /// The server's own default.
    static func standard(_ setting: Setting) -> String {
        guard let number = all.first(where: { $0.setting == setting }) else {
            preconditionFailure("a setting without a text of its own is a number")
        }
        return "\(ServerConfiguration(folder: "")[keyPath: number.place])"
    }
}

/// The variables of the environment that begin with `USHER_`: a mistyped one would be overlooked.
enum KnownVariables {
    static let all: Set<String> = Set(
        Setting.allCases.map(\.variable) + ["USHER_SOCKETS", FleetSetup.variable])

    /// One that nothing reads, with the one that was probably meant; the first for which there is
    /// such a one, or else the first.
    static func stranger(in environment: [String: String]) -> (name: String, meant: String?)? {
        let strangers = environment.keys.filter {
            $0.hasPrefix("USHER_") && !all.contains($0) && !isOfKubernetes($0)
        }
        let found = strangers.sorted().map {
            (name: $0, meant: suggestion(for: $0, among: all.sorted()))
        }
        return found.first { $0.meant != nil } ?? found.first
    }

    /// What Kubernetes gives every container next to a service called `usher`.
    private static func isOfKubernetes(_ name: String) -> Bool {
        name.hasPrefix("USHER_SERVICE_HOST") || name.hasPrefix("USHER_SERVICE_PORT")
            || name == "USHER_PORT" || name.hasPrefix("USHER_PORT_")
    }
}

/// What is done with what the policy says about refunds (spec 1.12).
enum RefundAnswers: String, CaseIterable {
    /// Apple is told.
    case send
    /// A person is shown it.
    case show
}

/// What is said of settings.
enum SettingPhrase: String, CaseIterable, UsherText, Wording {
    case bad = "the setting {0} cannot be '{1}'; allowed: {2}"
    case unknown = "{1}: unknown setting '{0}'"
    case unknownVariable = "unknown environment variable {0}"
    case didYouMean = "; did you mean '{0}'?"
    case range = "a whole number from {0} to {1}"
    case mode = "an octal mode up to 0777"
    case group = "a group name or number"
    case peers = "uid:N=ROLE or gid:N=ROLE, separated by commas"
    case callerNames = "uid:N=NAME, separated by commas, each user once"
    case consoleRole = "'{0}' is no name with one of the roles query, ingest and admin"
    case baseURL = "an https URL without a trailing slash"
    case serverURL =
        "an https URL, or an http URL of this machine, without user, query and fragment"
    case anyText = "a text"
    case ledgerFile =
        "a file; a node of a fleet has one too, and 'fleet.database-file' besides (docs/FLEET.md)"
    case databaseFile =
        "a file that only its owner can read, with the database's address as its only line"
    case privacyKeyFile =
        "a file that only its owner can read, made by 'usher ledger key'"
    case node = "1 to 64 printable characters without spaces"
    case ledgerName = "16 to 64 digits, 0 to 9 and a to f, as 'usher status' shows them"
    case withoutDatabases =
        "this program was built without the trait 'PostgreSQL', which a fleet's database requires"
    case databaseUnreadable = "the file '{0}' with the database's address cannot be read"
    case databaseExposed = """
        the file '{0}' with the database's address can be read by others than its owner; set its \
        mode to 0600
        """
    case databaseLines = "the file '{0}' must have exactly one line: the database's address"
    case databaseVariable = "{0} must have exactly one line: the database's address"
    case twoDatabases = "'fleet.database-file' and {0} both name a database; keep one of them"
    case withoutValue = "{1}: the setting '{0}' has no value; write {0}=VALUE"
    case fileMissing = "there is no such file"
    case fileFolder = "this is a folder, not a file"
    case fileUnreadable = "the file cannot be read by this user"
    case ofOther = "the file '{0}' belongs to uid {1}, and this is uid {2}, which cannot read it"
    case fileNotText = "the file is not YAML in UTF-8"
    case fileNotMapping = "settings are written as 'name: value', not as a list or a text"
    case fileTwice = "'{0}' is written twice"
    case fileSyntax = "this is not YAML: {0}"
}
