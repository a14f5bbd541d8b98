internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import LedgerModel
internal import LedgerStore

#if PostgreSQL
    internal import PostgresStore
#endif

/// A ledger in a SQLite file, and all that commands do with one. No other file of this target opens
/// a ledger; of the store, only the page of `ledger stats` knows more.
struct LedgerFile {
    /// The number of the format that this program writes.
    static let format = SQLiteLedger.format

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// One that may be made.
    ///
    /// - Throws: `.badSetting` for what names a fleet's database: only commands that read take one.
    init(ofService path: String) throws(CommandFailure) {
        guard DatabaseName(path) == nil else { throw .badSetting(.ledger, value: path) }
        self.path = path
    }

    /// Before which nothing is recorded any more; nil where there is no file.
    func end() throws(LedgerError) -> Instant? {
        FileStatus.exists(path)
            ? try SQLiteLedger.openReadOnly(path: path).earliestRecording() : nil
    }

    /// Where the engine of a service finds it: in a file of its own, or of a fleet's node
    /// (docs/FLEET.md).
    ///
    /// - Throws: `.badSetting` for a fleet's settings that cannot be.
    func location(
        _ settings: ServiceSettings, accepting accepted: LedgerPosition?, at instant: Instant
    ) throws(CommandFailure) -> any LedgerLocation {
        let file = location(try settings.fileAccess(), accepting: accepted, at: instant)
        guard let fleet = try settings.fleet() else {
            try expectNoFleet()
            return file
        }
        #if PostgreSQL
            return FleetLocation(file, FleetSettings(fleet))
        #else
            _ = fleet
            throw .withoutDatabases
        #endif
    }

    /// A node's copy ends where the fleet went on without it.
    private func expectNoFleet() throws(CommandFailure) {
        let notes = JournalFile(besideLedger: path, ending: JournalFile.ofFleet).notes
        guard FileStatus.exists(path), FileStatus.exists(notes) else { return }
        throw .engine(.ledger(LedgerError(FleetError.ofFleet(notes))))
    }

    /// Where the engine finds it, or makes it.
    ///
    /// - Parameters:
    ///   - access: of all its files.
    ///   - accepted: the end of an older ledger that a person accepts at this instant, instead of
    ///     what was acknowledged.
    func location(
        _ access: FileAccess, accepting accepted: LedgerPosition? = nil, at instant: Instant
    ) -> LedgerFileLocation {
        var file = LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts)
        file.custody.access = access
        file.custody.accepted = accepted.map { AcceptedRollback(place: $0, at: instant) }
        return file
    }

    /// One that is thrown away soon.
    var throwAway: any LedgerLocation {
        LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts)
    }

    func openReadOnly() throws(LedgerError) -> any ReadableLedger {
        try SQLiteLedger.openReadOnly(path: path)
    }

    /// The same where what is foreign in its schema is to be named.
    func openToVerify() throws(LedgerError) -> any ReadableLedger {
        try SQLiteLedger.openToVerify(path: path)
    }

    /// What a reconciliation goes on from.
    func reconciliation(_ access: FileAccess) -> any ReconciliationStore {
        JournalFile(besideLedger: path, access: access)
    }

    /// How far changes are delivered.
    func deliveries(_ access: FileAccess) -> any JournalStore {
        JournalFile(besideLedger: path, access: access, ending: ".push")
    }

    func statistics() throws(LedgerError) -> LedgerStatistics {
        let reader = try SQLiteLedger.openReadOnly(path: path)
        let statistics = try reader.statistics()
        try reader.close()
        return statistics
    }

    /// - Throws: what a copy over an existing file throws, before anything was done for it.
    func expectNothing() throws(CommandFailure) {
        guard !FileStatus.exists(path) else { throw .engine(.ledger(.targetExists)) }
    }

    /// - Returns: how far the copy goes.
    func backUp(to copy: String, _ access: FileAccess) throws(LedgerError) -> LedgerHead {
        try SQLiteLedger.backUp(path, to: copy, access: access)
    }

    /// - Returns: what is wrong with the backup; nothing was made if anything is.
    func restore(
        from backup: String, _ access: FileAccess
    ) throws(LedgerError) -> [LedgerProblem] {
        try SQLiteLedger.restore(from: backup, to: path, access: access)
    }
}

/// What came of a copy: where both sides end, and what is wrong with the ledger.
typealias CopiedLedger = (head: LedgerHead, problems: [LedgerProblem])

/// Between a ledger's file and a fleet's database.
extension LedgerFile {
    func copy(to database: DatabaseName) throws(CommandFailure) -> CopiedLedger {
        #if PostgreSQL
            let settings = FleetSettings(try database.setup())
            return try Self.telling { () throws(LedgerError) in
                try LedgerCopy.copy(fileAt: path, to: settings)
            }
        #else
            throw .withoutDatabases
        #endif
    }

    func copy(
        from database: DatabaseName, _ access: FileAccess
    ) throws(CommandFailure) -> CopiedLedger {
        #if PostgreSQL
            let settings = FleetSettings(try database.setup())
            let target = location(access, at: SystemClock().now())
            return try Self.telling { () throws(LedgerError) in
                try LedgerCopy.copy(settings, to: target)
            }
        #else
            throw .withoutDatabases
        #endif
    }

    /// The same without the check of what was copied, but for the chain.
    func fill(from database: DatabaseName) throws(CommandFailure) -> CopiedLedger {
        #if PostgreSQL
            let settings = FleetSettings(try database.setup())
            let target = location(FileAccess(), at: SystemClock().now())
            return try Self.telling { () throws(LedgerError) in
                try LedgerCopy.fill(target, from: settings)
            }
        #else
            throw .withoutDatabases
        #endif
    }

    #if PostgreSQL
        private static func telling(
            _ body: () throws(LedgerError) -> LedgerCopy.Outcome
        ) throws(CommandFailure) -> CopiedLedger {
            do throws(LedgerError) {
                let outcome = try body()
                return (outcome.head, outcome.problems)
            } catch {
                throw .engine(.ledger(error))
            }
        }
    #endif
}

/// Files of other kinds, which have the access of the ledger's and must leave its locks alone.
extension LedgerFile {
    /// The modes that its files may have, as settings write them.
    static var allowedModes: [String] {
        FileAccess.allowedModes.map { "0" + String($0, radix: 8) }
    }

    /// Whether this process has the ledger in that file open.
    static func isOpen(_ path: String) -> Bool { SQLiteLedger.isOpen(path) }

    /// The descriptor of a file that only its owner may use, made if there is none; nil with
    /// `errno`.
    static func openOther(_ path: String, _ flags: Int32) -> Int32? {
        FileAccess().open(path, flags)
    }
}

extension ServiceSettings {
    /// Who may use the files that the service makes.
    func fileAccess() throws(CommandFailure) -> FileAccess {
        let modeText = self[.fileMode]
        guard let mode = UInt32(modeText, radix: 8), FileAccess.allowedModes.contains(mode) else {
            throw .badSetting(.fileMode, value: modeText)
        }
        let group = self[.fileGroup]
        guard !group.isEmpty else { return FileAccess(mode: mode) }
        guard let number = UInt32(group) ?? getgrnam(group)?.pointee.gr_gid else {
            throw .badSetting(.fileGroup, value: group)
        }
        return FileAccess(mode: mode, group: number)
    }
}
