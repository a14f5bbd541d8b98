internal import Glibc
internal import LedgerStore

extension FileAccess {
    /// As the settings `files.mode` and `files.group` say it.
    init(mode: String, group: String) throws(CommandFailure) {
        guard let mode = UInt32(mode, radix: 8), Self.allowedModes.contains(mode) else {
            throw .badSetting(name: Setting.fileMode.rawValue, value: mode)
        }
        guard !group.isEmpty else {
            self.init(mode: mode)
            return
        }
        guard let number = UInt32(group) ?? getgrnam(group)?.pointee.gr_gid else {
            throw .badSetting(name: Setting.fileGroup.rawValue, value: group)
        }
        self.init(mode: mode, group: number)
    }

    /// For commands, which have no settings file: `USHER_FILES_MODE` and `USHER_FILES_GROUP`.
    static func ofEnvironment() throws(CommandFailure) -> FileAccess {
        let environment = Terminal.current.environment
        let mode = environment["USHER_FILES_MODE"].flatMap { $0.isEmpty ? nil : $0 }
        return try FileAccess(
            mode: mode ?? Setting.fileMode.standard(environment: [:]),
            group: environment["USHER_FILES_GROUP"] ?? "")
    }
}
