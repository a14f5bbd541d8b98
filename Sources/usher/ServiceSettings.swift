internal import Configuration
internal import EntitlementServer
internal import SystemPackage

/// The settings of `usher serve`: flags, then environment (`USHER_…`), then one YAML file, then
/// the defaults (spec 3.3).
struct ServiceSettings {
    /// One setting: its name in the file, which is also its name in the environment
    /// (`sockets.folder` is `USHER_SOCKETS_FOLDER`).
    enum Setting: String, CaseIterable {
        case ledger
        case policies
        case socketFolder = "sockets.folder"
        case queryMode = "sockets.query-mode"
        case usherMode = "sockets.usher-mode"
        case queryGroup = "sockets.query-group"
        case usherGroup = "sockets.usher-group"
        case peers = "sockets.peers"
        case backups
        case baseURL = "authzen.base-url"
        case drainSeconds = "drain-seconds"
        case logLevel = "log.level"
    }

    /// An effective value and where it came from.
    struct Value {
        let text: String
        let origin: String
    }

    private(set) var values: [Setting: Value] = [:]

    /// - Parameters:
    ///   - flags: what the command line gave.
    ///   - environment: the process's variables.
    ///   - file: a YAML file; nil for none.
    init(
        flags: [Setting: String], environment: [String: String], file: String?
    ) async throws(CommandFailure) {
        var sources: [(origin: String, reader: ConfigReader)] = []
        sources.append(("environment", Self.environmentReader(environment)))
        if let file {
            do {
                let provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
                sources.append((file, ConfigReader(provider: provider)))
            } catch {
                throw .unreadableConfiguration(file)
            }
        }
        for setting in Setting.allCases {
            let key = ConfigKey(setting.rawValue.split(separator: ".").map(String.init))
            let found = sources.lazy.compactMap { source in
                source.reader.string(forKey: key).map { Value(text: $0, origin: source.origin) }
            }
            values[setting] =
                flags[setting].map { Value(text: $0, origin: "flag") } ?? found.first
                ?? Value(
                    text: Self.standard(setting, environment: environment), origin: "default")
        }
    }

    subscript(setting: Setting) -> String { values[setting]?.text ?? "" }

    /// One line per setting: name, value, origin.
    var report: String {
        Setting.allCases.map { setting in
            let origin = values[setting]?.origin ?? ""
            return "\(setting.rawValue): \(self[setting])  # \(origin)"
        }.joined(separator: "\n")
    }

    /// - Throws: `.badSetting` for a mode that is no octal number.
    func serverConfiguration() throws(CommandFailure) -> ServerConfiguration {
        var configuration = ServerConfiguration(folder: self[.socketFolder])
        configuration.querySocket.mode = try mode(.queryMode)
        configuration.operationsSocket.mode = try mode(.usherMode)
        configuration.querySocket.group = textIfAny(.queryGroup)
        configuration.operationsSocket.group = textIfAny(.usherGroup)
        configuration.access = PeerAccess(entries: try peers())
        configuration.policyFolder = self[.policies]
        configuration.backupFolder = textIfAny(.backups)
        configuration.baseURL = try baseURL()
        guard let seconds = Int(self[.drainSeconds]), (0...3_600).contains(seconds) else {
            throw bad(.drainSeconds)
        }
        configuration.drainSeconds = seconds
        configuration.version = ProgramVersion.text
        return configuration
    }

    /// The allow-list: `uid:1000=admin, gid:33=query`. Nil where there is none, not where it is
    /// wrong: a mistake must not open a socket.
    private func peers() throws(CommandFailure) -> [PeerAccess.Entry]? {
        guard let text = textIfAny(.peers) else { return nil }
        var entries: [PeerAccess.Entry] = []
        for line in text.split(separator: ",") {
            guard let entry = PeerAccess.Entry(String(line)) else { throw bad(.peers) }
            entries.append(entry)
        }
        return entries
    }

    private func baseURL() throws(CommandFailure) -> String {
        let url = self[.baseURL]
        let isPlain = url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard url.hasPrefix("https://"), !url.hasSuffix("/"), isPlain, !url.contains("?"),
            !url.contains("#")
        else { throw bad(.baseURL) }
        return url
    }

    private func bad(_ setting: Setting) -> CommandFailure {
        .badSetting(name: setting.rawValue, value: self[setting])
    }

    private func textIfAny(_ setting: Setting) -> String? {
        let text = self[setting]
        return text.isEmpty ? nil : text
    }

    private func mode(_ setting: Setting) throws(CommandFailure) -> UInt32 {
        guard let mode = UInt32(self[setting], radix: 8), mode <= 0o777 else {
            throw .badSetting(name: setting.rawValue, value: self[setting])
        }
        return mode
    }

    private static func environmentReader(_ environment: [String: String]) -> ConfigReader {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        return ConfigReader(provider: provider.prefixKeys(with: ["usher"]))
    }

    private static func standard(_ setting: Setting, environment: [String: String]) -> String {
        switch setting {
        case .ledger: "usher.ledger"
        case .policies: "policies"
        case .socketFolder: SocketOptions.standardFolder(environment: environment)
        case .queryMode, .usherMode: "0660"
        case .queryGroup, .usherGroup, .peers, .backups: ""
        case .baseURL: "https://localhost"
        case .drainSeconds: "10"
        case .logLevel: "info"
        }
    }
}
