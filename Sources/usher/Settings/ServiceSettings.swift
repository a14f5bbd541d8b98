internal import Configuration
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Logging
internal import StrictJSON
internal import SystemPackage

/// The settings of `usher serve`: flags, then environment (`USHER_…`), then one YAML file, then
/// the defaults (spec 3.3).
struct ServiceSettings {
    /// An effective value and where it came from.
    struct Value {
        let text: String
        let origin: String
    }

    let values: [Setting: Value]
    /// What `subscriptions:` is read from; nil without a file.
    private var file: String?
    private(set) var environment: [String: String] = [:]

    /// - Parameters:
    ///   - flags: what the command line gave.
    ///   - environment: the process's variables.
    ///   - file: a YAML file; nil for none.
    /// - Throws: `.unknownSetting` for a name in the file that is none: a mistake must not open a
    ///   socket or lift a limit.
    init(
        flags: [Setting: String], environment: [String: String], file: String?
    ) async throws(CommandFailure) {
        if let (name, meant) = KnownVariables.stranger(in: environment) {
            throw .unknownVariable(name, meant: meant)
        }
        var sources: [(origin: String, reader: ConfigReader)] = []
        sources.append(("environment", Self.environmentReader(environment)))
        if let file, try SettingsFile.saysSomething(file) {
            do {
                let provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
                sources.append((file, ConfigReader(provider: provider)))
            } catch {
                throw .configuration(file, .notText)
            }
        }
        values = Self.values(flags, sources, environment)
        self.file = file
        self.environment = environment
    }

    /// Those that are sent changes (docs/PUSH.md).
    ///
    /// - Throws: `.subscription` for the first one that cannot be.
    func subscriptions() throws(CommandFailure) -> [PushSubscription] {
        guard let file else { return [] }
        return try SubscriptionSettings.read(ofFile: file, environment: environment)
    }

    /// For commands, which have no settings file; an empty variable says nothing to them.
    static func ofCommands() -> ServiceSettings {
        let environment = Terminal.current.environment.filter { !$0.value.isEmpty }
        let sources = [(origin: "environment", reader: environmentReader(environment))]
        return ServiceSettings(values: values([:], sources, environment))
    }

    private init(values: [Setting: Value]) {
        self.values = values
    }

    private static func values(
        _ flags: [Setting: String], _ sources: [(origin: String, reader: ConfigReader)],
        _ environment: [String: String]
    ) -> [Setting: Value] {
        var values: [Setting: Value] = [:]
        for setting in Setting.allCases {
            let key = ConfigKey(setting.rawValue.split(separator: ".").map(String.init))
            let found = sources.lazy.compactMap { source in
                source.reader.text(of: setting, key)
                    .map { Value(text: $0, origin: source.origin) }
            }
            values[setting] =
                flags[setting].map { Value(text: $0, origin: "flag") } ?? found.first
                ?? Value(text: setting.standard(environment: environment), origin: "default")
        }
        return values
    }

    subscript(setting: Setting) -> String { values[setting]?.text ?? "" }

    /// One line per setting: name, value, origin.
    var report: String {
        var lines = Setting.allCases.map { setting in
            let origin = values[setting]?.origin ?? ""
            return "\(setting.rawValue): \(self[setting].shown)  # \(origin.shown)"
        }
        // What is in it is for the database alone.
        if hasDatabaseVariable { lines.append("fleet.database: ***  # environment") }
        if let file, !subscriptionNames.isEmpty {
            let names = subscriptionNames.map(\.shown).joined(separator: ", ")
            lines.append("\(SubscriptionSettings.name): \(names)  # \(file.shown)")
        }
        return lines.joined(separator: "\n")
    }

    /// The same for programs: an object of settings, each with value and origin.
    var jsonReport: String {
        var report: JSONValue = [:]
        for setting in Setting.allCases {
            report[setting.rawValue] = [
                "value": .string(self[setting]),
                "origin": .string(values[setting]?.origin ?? ""),
            ]
        }
        if hasDatabaseVariable {
            report["fleet.database"] = ["value": "***", "origin": "environment"]
        }
        if let file, !subscriptionNames.isEmpty {
            report[SubscriptionSettings.name] = [
                "value": .string(subscriptionNames.joined(separator: ",")), "origin": .string(file),
            ]
        }
        return report.text
    }

    /// Whether the environment has the address of a fleet's database.
    var hasDatabaseVariable: Bool { !(environment[FleetSetup.variable] ?? "").isEmpty }

    /// Their names only: what else they say is for those that read the file.
    private var subscriptionNames: [String] {
        file.flatMap { try? SubscriptionSettings.names(ofFile: $0) } ?? []
    }

    /// The folder of the sockets has one variable for the service and for every command.
    private static func environmentReader(_ environment: [String: String]) -> ConfigReader {
        var variables = environment
        if let folder = variables["USHER_SOCKETS"], !folder.isEmpty {
            variables[Setting.socketFolder.variable] = folder
        }
        let provider = EnvironmentVariablesProvider(environmentVariables: variables)
        return ConfigReader(provider: provider.prefixKeys(with: ["usher"]))
    }
}

extension ConfigReader {
    /// A list is the same written in one line with commas.
    fileprivate func text(of setting: Setting, _ key: ConfigKey) -> String? {
        if let text = string(forKey: key) { return text }
        return setting.isList ? stringArray(forKey: key)?.joined(separator: ",") : nil
    }
}

/// What the settings say, checked.
extension ServiceSettings {
    /// - Throws: `.several` of what cannot be, all at once.
    func serverConfiguration() throws(CommandFailure) -> ServerConfiguration {
        var configuration = ServerConfiguration(folder: self[.socketFolder])
        configuration.querySocket.group = textIfAny(.queryGroup)
        configuration.operationsSocket.group = textIfAny(.usherGroup)
        configuration.policyFolder = self[.policies]
        configuration.backupFolder = textIfAny(.backups)
        configuration.version = ProgramVersion.text
        var mistakes: [CommandFailure] = []
        func read(_ part: () throws(CommandFailure) -> Void) {
            do throws(CommandFailure) { try part() } catch { mistakes.append(error) }
        }
        read { () throws(CommandFailure) in
            configuration.querySocket.mode = try mode(.queryMode)
        }
        read { () throws(CommandFailure) in
            configuration.operationsSocket.mode = try mode(.usherMode)
        }
        read { () throws(CommandFailure) in
            configuration.access = PeerAccess(entries: try peers())
        }
        read { () throws(CommandFailure) in
            configuration.names = CallerNames(given: try callerNames())
        }
        read { () throws(CommandFailure) in configuration.baseURL = try baseURL() }
        for number in NumberSetting.all {
            read { () throws(CommandFailure) in
                configuration[keyPath: number.place] = try self.number(number)
            }
        }
        read { () throws(CommandFailure) in _ = try LedgerFile(ofService: self[.ledger]) }
        read { () throws(CommandFailure) in _ = try policyGuard() }
        read { () throws(CommandFailure) in _ = try refundAnswers() }
        read { () throws(CommandFailure) in _ = try fileAccess() }
        read { () throws(CommandFailure) in _ = try fleet() }
        read { () throws(CommandFailure) in _ = try logLevel() }
        read { () throws(CommandFailure) in _ = try logFormat() }
        read { () throws(CommandFailure) in _ = try appStoreSetup() }
        read { () throws(CommandFailure) in _ = try subscriptions() }
        try CommandFailure.throwAny(of: mistakes)
        return configuration
    }

    private func number(_ number: NumberSetting) throws(CommandFailure) -> Int {
        guard let value = Int(plain: self[number.setting]), number.range.contains(value) else {
            throw bad(number.setting)
        }
        return value
    }

    /// - Throws: `.badSetting` for what is neither.
    func refundAnswers() throws(CommandFailure) -> RefundAnswers {
        guard let answers = RefundAnswers(rawValue: self[.refundAnswers]) else {
            throw bad(.refundAnswers)
        }
        return answers
    }

    func policyGuard() throws(CommandFailure) -> PolicyGuard {
        guard let word = PolicyGuard(rawValue: self[.policyGuard]) else {
            throw bad(.policyGuard)
        }
        return word
    }

    func logLevel() throws(CommandFailure) -> Logger.Level {
        guard let level = Logger.Level(rawValue: self[.logLevel]) else { throw bad(.logLevel) }
        return level
    }

    func logFormat() throws(CommandFailure) -> LogFormat {
        guard let format = LogFormat(rawValue: self[.logFormat]) else { throw bad(.logFormat) }
        return format
    }

    /// The allow-list: `uid:1000=admin, gid:33=query`. Nil where there is none, not where it is
    /// wrong: a mistake must not open a socket.
    private func peers() throws(CommandFailure) -> [PeerAccess.Entry]? {
        guard let text = textIfAny(.peers) else { return nil }
        var entries: [PeerAccess.Entry] = []
        for line in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let entry = PeerAccess.Entry(String(line)) else { throw bad(.peers) }
            entries.append(entry)
        }
        return entries
    }

    /// What the ledger calls users of this machine: `uid:1001=shop, uid:1002=support`.
    private func callerNames() throws(CommandFailure) -> [UInt32: String] {
        var names: [UInt32: String] = [:]
        guard let text = textIfAny(.callerNames) else { return names }
        for line in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = line.trimmingPrefix { $0 == " " }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].hasPrefix("uid:"),
                let user = UInt32(plain: sides[0].dropFirst(4)), names[user] == nil,
                CallerNames.isName(String(sides[1]))
            else { throw bad(.callerNames) }
            names[user] = String(sides[1])
        }
        return names
    }

    private func baseURL() throws(CommandFailure) -> String {
        let url = self[.baseURL]
        let isPlain = url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard url.hasPrefix("https://"), !url.hasSuffix("/"), isPlain, !url.contains("?"),
            !url.contains("#")
        else { throw bad(.baseURL) }
        return url
    }

    private func mode(_ setting: Setting) throws(CommandFailure) -> UInt32 {
        guard let mode = UInt32(self[setting], radix: 8), mode <= 0o777 else {
            throw bad(setting)
        }
        return mode
    }

    func bad(_ setting: Setting) -> CommandFailure {
        .badSetting(setting, value: self[setting])
    }

    /// Nil for a setting that is empty.
    func textIfAny(_ setting: Setting) -> String? {
        let text = self[setting]
        return text.isEmpty ? nil : text
    }
}
