package import EntitlementModel
internal import GRDB
package import LedgerModel

/// One SQLite transaction on the ledger: asked by everybody, appended to by the writer only.
///
/// It is valid inside the closure that it is given to, on that thread, and sees what it wrote.
final class LedgerTransaction: LedgerWriting {
    let connection: Connection
    let names: NameTables
    /// The last entry, once it was asked for, or appended here and not undone since.
    private(set) var newest: LedgerHead?
    /// The position of the feed as written here, if not undone since.
    private var knownFeedPlace: FeedPlace?
    /// The same for the newest change's number, and for subjects' numbers by name, which only the
    /// writer uses.
    var knownFeedHead: Int64?
    private var feedNumbers: [String: Int64] = [:]
    /// Accounts that no merge and no block names, as far as was asked: a call asks for its account many times.
    private var plain: Set<AccountID> = []
    /// The order that was asked for last: a call asks for its order many times.
    var lastOrder: OrderHistory?
    /// The subjects whose outlook was set here, undone or not.
    private(set) var touchedOutlooks: Set<String> = []
    /// The changes that an erasure has taken something of here, undone or not.
    private(set) var erasedChanges: Set<Int64> = []
    /// What erasures have taken that are still to be taken in here, by their places.
    var foreseen: [LedgerSequence: ErasedContent] = [:]
    /// Keeps its room from one payload to the next.
    var reader = PayloadReader()
    /// The same for those that are written.
    private var payload = SaltedPayload()
    /// Whether something was erased here, undone or not.
    private(set) var hasErased = false
    /// Nil on a connection that only reads.
    private let salts: SaltSupply?

    init(_ database: Database, salts: SaltSupply? = nil) {
        connection = Connection(database: database)
        names = NameTables(connection)
        self.salts = salts
    }

    func append(
        _ entry: LedgerEntry, at now: Instant
    ) throws(LedgerError) -> LedgerSequence {
        let head = try head()
        let earliest = max(head.recordedAt, try feedPlace().reached)
        return try LedgerError.mapping {
            let registered = entry.registered
            switch entry {
            case .accountMerge, .block: plain = []
            case .orderEvent, .refusal: lastOrder = nil
            default: break
            }
            let sequence = try insert(registered, recordedAt: max(now, earliest), after: head)
            if case .evidence(let evidence) = entry {
                try EvidenceStorage(connection: connection).insert(evidence, at: sequence)
            }
            try EntryIndex(names).insert(registered.keys(at: sequence), at: sequence)
            return sequence
        }
    }

    /// Runs a body that leaves nothing behind if it throws.
    func undoingFailures(of body: () throws -> Void) throws {
        try connection.run("SAVEPOINT body")
        do {
            try body()
        } catch {
            forget()
            // A failing machine may have undone everything already.
            if connection.database.isInsideTransaction {
                try connection.run("ROLLBACK TO body")
                try connection.run("RELEASE body")
            }
            throw error
        }
        try connection.run("RELEASE body")
    }

    /// The newest entry's place, hash and instant: asked several times in each write.
    func head() throws(LedgerError) -> LedgerHead {
        if let newest { return newest }
        let head = try LedgerError.mapping {
            try connection.first(
                "SELECT seq, hash, recorded_at FROM entry ORDER BY seq DESC LIMIT 1",
                read: LedgerHead.init) ?? .beginning
        }
        newest = head
        return head
    }

    /// Records the head of entries that were appended unchanged from elsewhere.
    func note(_ head: LedgerHead) {
        newest = head
        plain = []
        lastOrder = nil
    }

    /// What was found before may be gone.
    func noteErasure() {
        hasErased = true
        let head = newest
        forget()
        newest = head
    }

    /// Sixteen random bytes.
    func nextSalt() -> UInt128 {
        guard let salts else { preconditionFailure("only the writer appends") }
        return salts.next()
    }

    func isKnownPlain(_ account: AccountID) -> Bool { plain.contains(account) }

    /// No entry so far is a merge that names the account, or a block on it.
    func notePlain(_ account: AccountID) { plain.insert(account) }

    /// For whoever replicates the commit.
    func note(erasedChange number: Int64) { erasedChanges.insert(number) }

    func note(outlookOf name: String) {
        if salts != nil { touchedOutlooks.insert(name) }
    }

    /// Cached state of the last writes is no longer valid.
    private func forget() {
        newest = nil
        knownFeedPlace = nil
        knownFeedHead = nil
        feedNumbers = [:]
        plain = []
        lastOrder = nil
        names.forget()
    }

    private func insert(
        _ entry: RegisteredEntry, recordedAt: Instant, after head: LedgerHead
    ) throws -> LedgerSequence {
        guard let salts else { preconditionFailure("only the writer appends") }
        payload.write(entry, salt: salts.next())
        let payloadDigest = payload.digest
        let sequence = LedgerSequence(head.sequence.number + 1)
        let hash = EntryHash.entry(
            previous: head.hash, sequence: sequence, recordedAt: recordedAt,
            kind: entry.kind.rawValue,
            payloadDigest: payloadDigest)
        try payload.withBlobs { salt, payload in
            try connection.run(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", sequence.number,
                recordedAt.milliseconds, entry.kind.rawValue, salt, payload, payloadDigest, hash)
        }
        newest = LedgerHead(sequence: sequence, hash: hash, recordedAt: recordedAt)
        return sequence
    }
}

/// How far the feed has come: asked with each entry that is appended.
extension LedgerTransaction {
    func feedPlace() throws(LedgerError) -> FeedPlace {
        if let knownFeedPlace { return knownFeedPlace }
        let place = try LedgerError.mapping {
            try connection.first("SELECT place, reached, scan FROM feed", read: FeedPlace.init)
        }
        knownFeedPlace = place ?? .beginning
        return place ?? .beginning
    }

    func setFeedPlace(_ place: FeedPlace) throws(LedgerError) {
        try LedgerError.mapping {
            try connection.run(
                "INSERT OR REPLACE INTO feed VALUES (1, ?, ?, ?)", place.place.number,
                place.reached.milliseconds, place.scan)
        }
        knownFeedPlace = place
    }

    /// By what a subject's row and its changes are found; nil where it is not known here yet.
    func knownFeedNumber(of name: String) -> Int64? { feedNumbers[name] }

    func note(feedNumber: Int64, of name: String) {
        if salts != nil { feedNumbers[name] = feedNumber }
    }
}

extension FeedPlace {
    fileprivate init(_ row: Columns) throws {
        self.init(
            place: LedgerSequence(try row.integer(0)),
            reached: Instant(milliseconds: try row.integer(1)), scan: try row.text(2))
    }
}

/// Reads one ledger file.
package final class SQLiteLedgerReader: ReadableLedger {
    let pool: DatabasePool
    /// Kept for as long as the pool is open.
    private let hold: FileHold?
    /// The acknowledged head in the head file, read before the ledger.
    private let acknowledged: LedgerPosition?

    init(_ pool: DatabasePool, _ hold: FileHold?) {
        self.pool = pool
        self.hold = hold
        acknowledged = nil
    }

    /// - Parameter isToVerify: whether a foreign schema or missing entries are reported by `verify`
    ///   instead of refused.
    init(path: String, isToVerify: Bool = false) throws(LedgerStoreError) {
        let head = (try? LedgerName(path)).map { HeadFile(of: $0, access: FileAccess()) }
        let (content, accepted) = head?.read() ?? (.none, [])
        acknowledged = content.place
        hold = FileHold(readingFileAt: path)
        pool = try LedgerFile.openForReading(path: path, acceptsForeignSchema: isToVerify)
        if !isToVerify { try expectHead(accepted) }
    }

    private func expectHead(_ accepted: [LedgerPosition]) throws(LedgerStoreError) {
        guard let acknowledged else { return }
        try LedgerStoreError.mapping(path) {
            try pool.read { database in
                let transaction = LedgerTransaction(database)
                if try transaction.holds(acknowledged) { return }
                let end = LedgerPosition(try transaction.head())
                throw LedgerStoreError.rolledBack(
                    end: end, acknowledged: acknowledged, wasAccepted: accepted.contains(end))
            }
        }
    }

    /// The file, without symbolic links where it is open for writing.
    var path: String { pool.path }

    deinit {
        // Before the hold is released, which closes descriptors of the same file.
        try? pool.close()
    }

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        MayBlock.check()
        do {
            return try pool.read { try body(LedgerTransaction($0)) }
        } catch let error as DatabaseError {
            throw LedgerError(LedgerStoreError(error, path))
        }
    }

    /// Reads the file within one transaction.
    func look<Value>(_ body: (Database) throws -> Value) throws(LedgerError) -> Value {
        MayBlock.check()
        return try LedgerError.mapping(path) { try pool.read(body) }
    }

    /// A long view keeps the write-ahead log from being cut.
    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try look { database in
            var verification = Verification(database, progress: progress)
            try verification.run(anchor: anchor, acknowledged: acknowledged)
            return verification.problems
        }
    }

    package func statistics() throws(LedgerError) -> LedgerStatistics {
        try look { try LedgerStatistics(LedgerTransaction($0), path: path) }
    }

    /// Of the ledger that this process writes, `waiting` writes wait.
    func condition(waiting: Int) throws(LedgerError) -> LedgerCondition {
        try look { database in
            let transaction = LedgerTransaction(database)
            let version = try SQLiteVersion(transaction.connection)
            var condition = LedgerCondition(head: try transaction.head())
            condition.fileBytes = FileStatus.bytes(of: path)
            condition.logBytes = FileStatus.bytes(of: path + "-wal")
            condition.waitingWrites = waiting
            condition.hasErasures =
                try transaction.connection.integer(
                    "SELECT EXISTS (SELECT 1 FROM unique_name WHERE kind = ?)",
                    EntryKind.erasure.rawValue) == 1
            condition.storeVersion = version.description
            condition.isStoreCurrent = version >= .withoutLogFault
            return condition
        }
    }

    /// The newest entry's place, hash and instant.
    package func head() throws(LedgerError) -> LedgerHead {
        try look { try LedgerTransaction($0).head() }
    }

    /// The instant before which nothing is recorded any more.
    package func earliestRecording() throws(LedgerError) -> Instant {
        try look { try LedgerTransaction($0).earliestRecording() }
    }

    package func close() throws(LedgerError) {
        try LedgerError.mapping(path) { try pool.close() }
        hold?.release()
    }
}
