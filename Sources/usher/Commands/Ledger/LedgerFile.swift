internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import LedgerModel
internal import LedgerStore
internal import Synchronization

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
        var file = location(try settings.fileAccess(), accepting: accepted, at: instant)
        guard let fleet = try settings.fleet() else {
            try expectNoFleet()
            file.custody.erasures = ErasureCustody(key: try settings.privacyKey(), now: instant)
            return file
        }
        #if PostgreSQL
            return FleetLocation(file, FleetSettings(fleet))
        #else
            _ = fleet
            throw .settings(.withoutDatabases)
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

    /// The same for a command that writes to it, without a service.
    func locationOfCommands(at instant: Instant) throws(CommandFailure) -> LedgerFileLocation {
        let settings = ServiceSettings.ofCommands()
        var file = location(try settings.fileAccess(), at: instant)
        file.custody.erasures = ErasureCustody(key: try settings.privacyKey(), now: instant)
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

    /// The hint of who was asked about last.
    func recentAccounts(_ access: FileAccess) -> any JournalStore {
        JournalFile(besideLedger: path, access: access, ending: ".recent")
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

    /// - Parameters:
    ///   - list: of erasures, besides the one next to it: those that the backup lacks are made again.
    ///   - key: by which it is known whose they are.
    /// - Returns: what is wrong with the backup, nothing was made if anything is; and how many
    ///   erasures were made again, nil without any list.
    func restore(
        from backup: String, _ access: FileAccess, against list: String?, knownBy key: PrivacyKey?
    ) throws(LedgerError) -> (problems: [LedgerProblem], erasedAgain: Int?) {
        let erasures = ErasureCustody(key: key, now: SystemClock().now(), list: list)
        let problems = try SQLiteLedger.restore(
            from: backup, to: path, access: access, erasures: erasures)
        guard problems.isEmpty, try ErasureList.read(path + ".erasures") != nil else {
            return (problems, nil)
        }
        var file = location(access, at: erasures.now)
        file.custody.erasures = erasures
        let ledger = try file.openFile()
        let erasedAgain = ledger.erasedAgain
        try ledger.close()
        return ([], erasedAgain)
    }

    /// What a list names, and what of it is not gone here.
    func compare(
        with list: String
    ) throws(LedgerError) -> ListedErasures {
        let found = try ErasureList.read(named: list)
        let reader = try SQLiteLedger.openToVerify(path: path)
        let problems = try reader.problems(against: found, at: list)
        try reader.close()
        return (found.erasures, found.entries, problems)
    }
}

/// What a list names, and what of it is not gone.
typealias ListedErasures = (erasures: Int, entries: Int, problems: [LedgerProblem])

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
            throw .settings(.withoutDatabases)
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
            throw .settings(.withoutDatabases)
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
            throw .settings(.withoutDatabases)
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

/// A fleet's database as commands name it: `database:FILE`, where FILE holds its address, or
/// `database:` where the environment has it.
struct DatabaseName {
    private static let prefix = "database:"

    private let address: String

    /// Nil for what names a file.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        address = String(text.dropFirst(Self.prefix.count))
    }

    /// - Throws: `.badSetting` for a file that cannot be read, or that others can.
    func setup() throws(CommandFailure) -> FleetSetup {
        try FleetSetup(databaseNamed: address, Terminal.current.environment)
    }
}

extension LedgerFileOptions {
    /// Runs `body` with the ledger's file. What a database keeps is copied into one first, which is
    /// gone afterwards.
    ///
    /// - Parameter folder: where that file is to be; that for temporary files if nil.
    func withFile<Value>(
        in folder: String? = nil, _ body: (LedgerFile) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        try withFile(in: folder, body) { (damage: CopiedLedger) throws(CommandFailure) in
            guard let problem = damage.problems.first else {
                preconditionFailure("damage is a problem")
            }
            throw .engine(.ledger(LedgerError(FleetError.damaged(problem))))
        }
    }

    /// - Parameter tell: run instead where the database does not keep a whole ledger.
    func withFile<Value>(
        in folder: String? = nil, _ body: (LedgerFile) throws(CommandFailure) -> Value,
        damaged tell: (CopiedLedger) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        guard let database = DatabaseName(path) else { return try body(LedgerFile(path)) }
        let scratch = try ScratchFolder(in: folder ?? ScratchFolder.usual)
        defer { scratch.remove() }
        let file = LedgerFile(scratch.ledger)
        let copied = try file.fill(from: database)
        return copied.problems.isEmpty ? try body(file) : try tell(copied)
    }
}

/// A folder for the ledger of one command, which is gone afterwards, even where the command is
/// interrupted. There is one at a time.
struct ScratchFolder {
    /// What a ledger leaves in its folder.
    private static let names = ["", "-wal", "-shm", "-journal", ".head", ".lock"]
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private typealias Paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    /// Where the paths are that a handler may remove, as C has them: files first, behind them nil.
    /// 0 for none.
    private static let doomed = Atomic<UInt>(0)

    let path: String

    /// Where the environment wants what is temporary.
    static var usual: String {
        let named = Terminal.current.environment["TMPDIR"] ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    init(in folder: String) throws(CommandFailure) {
        var template = Array((folder + "/.usher-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw .unwritableFile(folder) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let paths = Self.names.map { [path] in path + "/ledger" + $0 } + [path]
        let list = Paths.allocate(capacity: paths.count + 1)
        for (index, path) in paths.enumerated() {
            (list + index).initialize(to: strdup(path))
        }
        (list + paths.count).initialize(to: nil)
        Self.doomed.store(UInt(bitPattern: list), ordering: .releasing)
        for number in Self.signals {
            signal(number) { number in
                ScratchFolder.removeDoomed()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// The ledger's file in it.
    var ledger: String { path + "/ledger" }

    func remove() {
        for number in Self.signals { signal(number, SIG_DFL) }
        Self.removeDoomed()
    }

    /// Calls nothing that a handler of signals may not call. What it has read stays allocated: a
    /// handler may be at it.
    private static func removeDoomed() {
        guard var next = Paths(bitPattern: doomed.exchange(0, ordering: .acquiring)) else { return }
        while let path = next.pointee {
            if unlink(path) != 0 { rmdir(path) }
            next += 1
        }
    }
}
