internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Glibc
internal import LedgerModel
internal import Logging
internal import StrictJSON
internal import Yams

/// The settings of `usher serve`: flags, then environment (`USHER_…`), then one YAML file, then
/// the defaults (spec 3.3).
struct ServiceSettings {
    /// An effective value and where it came from.
    struct Value {
        let text: String
        let origin: String
        /// In a file.
        var place: String?
    }

    let values: [Setting: Value]
    /// What is said of those that are sent changes; empty without a file.
    private let subscriptionSettings: SubscriptionSettings
    private(set) var environment: [String: String] = [:]

    /// - Parameters:
    ///   - flags: what the command line gave.
    ///   - environment: the process's variables.
    ///   - file: a YAML file; nil for none.
    /// - Throws: `.settings` for a name in the file that is none: a mistake must not open a
    ///   socket or lift a limit; all that is wrong with the settings together with it.
    init(
        flags: [Setting: String], environment: [String: String], file: String?
    ) throws(CommandFailure) {
        if let (name, meant) = KnownVariables.stranger(in: environment) {
            throw .settings(.unknownVariable(name, meant: meant))
        }
        let file = try file.map { path throws(CommandFailure) in try SettingsFile(path) }
        self.init(flags, environment, file)
        guard let mistakes = file?.mistakes, !mistakes.isEmpty else { return }
        try CommandFailure.throwAny(of: mistakes + checked.mistakes)
    }

    private init(
        _ flags: [Setting: String], _ environment: [String: String], _ file: SettingsFile?
    ) {
        var values: [Setting: Value] = [:]
        for setting in Setting.allCases {
            if let text = flags[setting] {
                values[setting] = Value(text: text, origin: "flag")
            } else if let text = setting.value(in: environment) {
                values[setting] = Value(text: text, origin: "environment")
            } else if let file, let found = file.values[setting] {
                values[setting] = Value(
                    text: found.text, origin: file.path, place: found.place)
            } else {
                values[setting] = Value(
                    text: setting.standard(environment: environment), origin: "default")
            }
        }
        self.values = values
        self.environment = environment
        subscriptionSettings = file?.subscriptions ?? SubscriptionSettings()
    }

    /// Those that are sent changes (docs/PUSH.md).
    ///
    /// - Throws: `.several` of `.subscription` for those that cannot be.
    func subscriptions() throws(CommandFailure) -> [PushSubscription] {
        try subscriptionSettings.read(environment: environment)
    }

    /// For commands, which have no settings file; an empty variable says nothing to them.
    static func ofCommands() -> ServiceSettings {
        ServiceSettings([:], Terminal.current.environment.filter { !$0.value.isEmpty }, nil)
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
        if !subscriptionNames.isEmpty {
            let names = subscriptionNames.map(\.shown).joined(separator: ", ")
            let origin = subscriptionSettings.path.shown
            lines.append("\(SubscriptionSettings.name): \(names)  # \(origin)")
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
        if !subscriptionNames.isEmpty {
            report[SubscriptionSettings.name] = [
                "value": .string(subscriptionNames.joined(separator: ",")),
                "origin": .string(subscriptionSettings.path),
            ]
        }
        return report.text
    }

    /// Whether the environment has the address of a fleet's database.
    var hasDatabaseVariable: Bool { !(environment[FleetSetup.variable] ?? "").isEmpty }

    /// Their names only: what else they say is for those that read the file.
    private var subscriptionNames: [String] { subscriptionSettings.names }
}

extension Setting {
    /// The folder of the sockets has one variable for the service and for every command.
    fileprivate func value(in environment: [String: String]) -> String? {
        if self == .socketFolder, let folder = environment["USHER_SOCKETS"], !folder.isEmpty {
            return folder
        }
        return environment[variable]
    }
}

/// What the settings say, checked.
extension ServiceSettings {
    /// - Throws: `.several` of what cannot be, all at once.
    func serverConfiguration() throws(CommandFailure) -> ServerConfiguration {
        let (configuration, mistakes) = checked
        try CommandFailure.throwAny(of: mistakes)
        return configuration
    }

    private var checked: (configuration: ServerConfiguration, mistakes: [CommandFailure]) {
        var configuration = ServerConfiguration(folder: self[.socketFolder])
        configuration.querySocket.group = textIfAny(.queryGroup)
        configuration.operationsSocket.group = textIfAny(.usherGroup)
        configuration.policyFolder = self[.policies]
        configuration.backupFolder = textIfAny(.backups)
        configuration.version = ProgramVersion.text
        var mistakes: [CommandFailure] = []
        @discardableResult
        func read<Value>(_ part: @autoclosure () throws(CommandFailure) -> Value) -> Value? {
            do throws(CommandFailure) {
                return try part()
            } catch {
                mistakes.append(error)
                return nil
            }
        }
        if let value = read(try mode(.queryMode)) { configuration.querySocket.mode = value }
        if let value = read(try mode(.usherMode)) { configuration.operationsSocket.mode = value }
        if let value = read(try peers()) { configuration.access = PeerAccess(entries: value) }
        if let value = read(try callerNames()) { configuration.names = CallerNames(given: value) }
        if let value = read(try baseURL()) { configuration.baseURL = value }
        for number in NumberSetting.all {
            if let value = read(try self.number(number)) {
                configuration[keyPath: number.place] = value
            }
        }
        read(try LedgerFile(ofService: self[.ledger]))
        read(try policyGuard())
        read(try refundAnswers())
        read(try privacyKey())
        read(try fileAccess())
        read(try fleet())
        read(try logLevel())
        read(try logFormat())
        read(try appStoreSetup())
        read(try subscriptions())
        return (configuration, mistakes)
    }

    private func number(_ number: NumberSetting) throws(CommandFailure) -> Int {
        guard let value = Int(plain: self[number.setting]), number.range.contains(value) else {
            throw bad(number.setting)
        }
        return value
    }

    /// Nil where nothing is to be erased.
    func privacyKey() throws(CommandFailure) -> PrivacyKey? {
        guard let path = textIfAny(.privacyKeyFile) else { return nil }
        if let owner = SecretFile.otherOwner(of: path) {
            throw .settings(
                SettingProblem(.value, SettingPhrase.ofOther, path, "\(owner)", "\(geteuid())"))
        }
        guard let text = try? SecretFile.read(path).revealed,
            let digits = Digest256(hexadecimal: text.hasSuffix("\n") ? text.dropLast() : text[...])
        else { throw bad(.privacyKeyFile) }
        return PrivacyKey(digits.bytes)
    }

    func refundAnswers() throws(CommandFailure) -> RefundAnswers { try word(.refundAnswers) }

    func policyGuard() throws(CommandFailure) -> PolicyGuard { try word(.policyGuard) }

    func logLevel() throws(CommandFailure) -> Logger.Level { try word(.logLevel) }

    func logFormat() throws(CommandFailure) -> LogFormat { try word(.logFormat) }

    /// One of a list of words.
    ///
    /// - Throws: `.badSetting` for what is none of them.
    func word<Word: RawRepresentable<String>>(
        _ setting: Setting
    ) throws(CommandFailure) -> Word {
        guard let word = Word(rawValue: self[setting]) else { throw bad(setting) }
        return word
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
        .badSetting(setting, value: self[setting], place: values[setting]?.place)
    }

    /// Nil for a setting that is empty.
    func textIfAny(_ setting: Setting) -> String? {
        let text = self[setting]
        return text.isEmpty ? nil : text
    }
}

/// The settings file, read once: what it says, where it says it, and what is wrong with it.
struct SettingsFile {
    /// A value and where it stands.
    struct Value {
        let text: String
        /// `FILE:LINE`.
        let place: String
    }

    let path: String
    private(set) var values: [Setting: Value] = [:]
    private(set) var subscriptions = SubscriptionSettings()
    /// Names that are none, a list where one value is wanted, what is written twice.
    private(set) var mistakes: [CommandFailure] = []

    /// - Throws: for what is not a YAML mapping.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(SettingProblem) {
            guard let root = try Self.compose(path) else { return }
            guard let mapping = root.mapping else {
                throw .file(path, line: root.mark?.line ?? 1, .fileNotMapping)
            }
            read(mapping, under: "")
        } catch {
            throw .settings(error)
        }
    }

    private mutating func read(_ mapping: Node.Mapping, under prefix: String) {
        for (key, node) in mapping {
            let name = prefix + (key.string ?? "?")
            if name == SubscriptionSettings.name {
                subscriptions = SubscriptionSettings(node, inFile: path)
            } else if let inner = node.mapping {
                read(inner, under: name + ".")
            } else {
                read(node, as: name)
            }
        }
    }

    private mutating func read(_ node: Node, as name: String) {
        let line = node.mark?.line ?? 1
        let place = "\(path):\(line)"
        guard let setting = Setting(rawValue: name) else {
            return mistakes.append(.settings(.unknown(name, place: place)))
        }
        guard values[setting] == nil else {
            return mistakes.append(.settings(.file(path, line: line, .fileTwice, name)))
        }
        // An empty list would be no list, and no list is not an empty one.
        guard let text = node.scalar?.string ?? (setting.isList ? node.line : nil) else {
            return mistakes.append(.badSetting(setting, value: "[…]", place: place))
        }
        values[setting] = Value(text: text, place: place)
    }

    private static func text(of path: String) throws(SettingProblem) -> String {
        guard !InputFile.isFolder(path) else { throw .file(path, .fileFolder) }
        guard access(path, F_OK) == 0 else { throw .file(path, .fileMissing) }
        guard let bytes = try? InputFile.read(path, limit: 1 << 20) else {
            throw .file(path, .fileUnreadable)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .file(path, .fileNotText)
        }
        return text
    }

    private static func compose(_ path: String) throws(SettingProblem) -> Node? {
        let text = try text(of: path)
        do {
            return try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            throw .file(path, line: context.mark.line, .fileTwice, names.first ?? "")
        } catch YamlError.scanner(_, let problem, let mark, _),
            YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _)
        {
            throw .file(path, line: mark.line, .fileSyntax, problem)
        } catch {
            throw .file(path, .fileNotText)
        }
    }
}

extension Node {
    /// A list is the same written in one line with commas; nil for an empty one.
    fileprivate var line: String? {
        guard let elements = sequence, !elements.isEmpty else { return nil }
        let texts = elements.compactMap { $0.scalar?.string }
        return texts.count == elements.count ? texts.joined(separator: ",") : nil
    }
}
