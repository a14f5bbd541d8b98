internal import EntitlementModel
internal import GRDB
package import LedgerModel

/// Failures caused by the machine, the file or another program. Outside this target they are a
/// `LedgerError`.
enum LedgerStoreError: LedgerStoreText, StoreFailure {
    /// The ledger is open for writing elsewhere, by this name or another.
    case alreadyOpen
    /// The file cannot be opened or created; nil where SQLite does not say which.
    case cannotOpen(path: String?)
    /// There is no ledger, and something next to it says that there was one (spec 3.4).
    case missing(path: String, beside: String)
    /// A hard link to a ledger that is kept under another name.
    case secondName(path: String)
    /// The ledger lacks an entry that was acknowledged.
    case rolledBack(end: LedgerPosition, acknowledged: LedgerPosition, wasAccepted: Bool)
    /// The file or its log was moved, removed, replaced or written by another program while open.
    /// Nothing is acknowledged any more.
    case replaced(path: String)
    /// A file, but no ledger.
    case notALedger
    /// A newer program wrote it (spec 3.4); the copy is what it has made before, if that is still
    /// there.
    case schemaTooNew(format: Int, copy: String?)
    /// An older program wrote it, and a read-only connection may not migrate it.
    case schemaTooOld
    /// The schema is not that of the migrations.
    case foreignSchema(SchemaDifference)
    /// The list of erasures next to it is that of another ledger.
    case foreignErasures(path: String)
    /// It lacks erasures that the list names, and there is no key to make them again by.
    case undoneErasures(path: String, count: Int)
    /// A ledger is not restored over another one.
    case targetExists
    /// A log or a journal of an earlier ledger lies where one is to be restored.
    case remains(path: String)
    /// `PRAGMA synchronous` read back as something else than FULL.
    case notDurable(synchronous: Int64)
    /// Nothing was written; the same write may be tried again later.
    case diskFull
    /// Another connection held a lock for too long; the write may be tried again.
    case busy
    /// Too many writes wait already; nothing was written.
    case overloaded
    /// The entry is there already, by its natural key (spec 4.0).
    case duplicate
    /// The schema refused a change: entries are only appended (spec 3.4).
    case refusedBySchema
    /// An entry that cannot be read back. Never answered around.
    case unreadable(LedgerSequence)
    /// An entry does not follow from the one before it: one of them was changed.
    case chainBroken(LedgerSequence)
    /// The file is damaged.
    case corrupt
    /// Reading or writing the file failed, with SQLite's extended code.
    case inputOutput(code: Int32)
    /// An earlier failure has left the state on the disk unknown: nothing is written until the
    /// service is restarted.
    case writingStopped
    /// Any other failure, with SQLite's extended code.
    case failed(code: Int32)
    /// A commit is kept by the database, and the file could not take it.
    case fileBehind
    /// The database that the file copies has not kept the commit.
    case fleet(FleetError)

    var kind: LedgerError.Kind {
        switch self {
        case .diskFull: .full
        case .busy, .overloaded: .busy
        case .duplicate: .duplicate
        case .replaced: .replaced
        case .rolledBack: .rolledBack
        case .alreadyOpen, .missing, .secondName, .notALedger, .schemaTooNew, .foreignSchema,
            .chainBroken, .foreignErasures, .undoneErasures:
            .needsPerson
        case .corrupt: .damaged
        case .fleet(let error): error.kind
        case .cannotOpen, .schemaTooOld, .targetExists, .remains, .notDurable, .refusedBySchema,
            .unreadable, .inputOutput, .writingStopped, .failed, .fileBehind:
            .failed
        }
    }

    /// Whether the state on the disk is in doubt, so that nothing more may be written.
    var stopsWriting: Bool {
        switch self {
        case .corrupt, .notALedger, .inputOutput, .unreadable, .chainBroken, .replaced, .fileBehind:
            true
        case .alreadyOpen, .cannotOpen, .missing, .secondName, .rolledBack, .schemaTooNew,
            .schemaTooOld, .foreignSchema, .targetExists, .remains, .notDurable, .diskFull, .busy,
            .overloaded, .duplicate, .refusedBySchema, .writingStopped, .failed, .fleet,
            .foreignErasures, .undoneErasures:
            false
        }
    }

    var english: String {
        switch self {
        case .missing:
            "'{0}' is missing, but '{1}' exists; put the ledger back, restore a backup, or move "
                + "that file away to start a new ledger"
        case .rolledBack:
            "the ledger ends with {0} and lacks {1}, which was acknowledged; put the newer ledger "
                + "back, or accept the loss with '--accept-rollback {0}'"
        case .secondName:
            "'{0}' is a second name (a hard link) of its file; use the name under which the ledger "
                + "was last served, or remove the other name"
        case .replaced:
            "'{0}' was moved, removed, replaced or written by another program; nothing is written "
                + "until the service is restarted"
        case .alreadyOpen: "another process is using this ledger, possibly under another name"
        case .notALedger: "this file is not a ledger"
        case .schemaTooNew:
            "this ledger has format {0}, and this version knows formats up to {1}; use the newer "
                + "version, or go back to '{2}', the copy from before the upgrade"
        case .schemaTooOld:
            "this ledger was written by an older version; start the service once to upgrade it"
        case .foreignSchema: "the ledger's schema was changed: {0}"
        case .foreignErasures:
            "'{0}' lists the erasures of another ledger; move it away, with that ledger's files"
        case .undoneErasures:
            "{1 erasure|erasures} of '{0}' are not in this ledger; set 'privacy.key-file' "
                + "(USHER_PRIVACY_KEY_FILE for commands) to the key that has made them, so that they "
                + "are made again"
        case .targetExists: "a ledger already exists at that location"
        case .remains:
            "'{0}' is left over from an earlier ledger and would be mixed in; move it away first"
        case .notDurable: "commits would not survive a power loss: 'synchronous' is {0}, not 2"
        case .diskFull: "the disk is full; nothing was written"
        case .busy: "the ledger is locked; nothing was written"
        case .overloaded: "too many writes are waiting; nothing was written"
        case .duplicate: "this entry is already in the ledger"
        case .refusedBySchema: "entries can only be appended to a ledger"
        case .unreadable: "entry {0} cannot be read"
        case .chainBroken: "entry {0} was changed after it was written"
        case .corrupt: "the ledger file is damaged"
        case .inputOutput: "reading or writing the ledger failed ({0})"
        case .writingStopped:
            "writing stopped after a failure; repair the cause, then restart the service"
        case .failed: "SQLite failed ({0})"
        case .fileBehind:
            "the database keeps a commit that the ledger file could not take; make room, then "
                + "restart the service"
        case .fleet(let error): error.template(in: .english)
        case .cannotOpen: "'{0}' cannot be opened or created; check its owner, mode and folder"
        }
    }

    var substitute: (any LocalizedText)? {
        if case .missing(let path, let remains) = self, path == remains {
            return LedgerStoreErrorVariant.missing
        }
        if case .rolledBack(_, _, wasAccepted: true) = self {
            return LedgerStoreErrorVariant.rolledBack
        }
        if case .cannotOpen(path: nil) = self { return LedgerStoreErrorVariant.cannotOpen }
        if case .schemaTooNew(_, copy: nil) = self { return LedgerStoreErrorVariant.schemaTooNew }
        if case .fleet(let error) = self { return error }
        return nil
    }
}

/// Sentences for some values of a case of `LedgerStoreError`.
enum LedgerStoreErrorVariant: String, LedgerStoreText, Wording {
    case missing = "'{0}' is a dangling link; put the ledger back where it points"
    case rolledBack = """
        the ledger ends with {0} and lacks {1}, which was acknowledged; this end was accepted once \
        and cannot be accepted again
        """
    case cannotOpen = "the ledger file cannot be opened or created"
    case schemaTooNew = """
        this ledger has format {0}, and this version knows formats up to {1}; use the newer \
        version, or restore a backup from before the upgrade
        """
}

extension LedgerStoreError {
    /// Stable: what programs decide by.
    var code: String {
        switch self {
        case .alreadyOpen: "ledger.already-open"
        case .cannotOpen: "ledger.cannot-open"
        case .missing: "ledger.missing"
        case .secondName: "ledger.second-name"
        case .rolledBack: "ledger.rolled-back"
        case .replaced: "ledger.replaced"
        case .notALedger: "ledger.not-a-ledger"
        case .schemaTooNew: "ledger.schema-too-new"
        case .schemaTooOld: "ledger.schema-too-old"
        case .foreignSchema: "ledger.foreign-schema"
        case .foreignErasures: "ledger.foreign-erasures"
        case .undoneErasures: "ledger.undone-erasures"
        case .targetExists: "ledger.target-exists"
        case .remains: "ledger.remains"
        case .notDurable: "ledger.not-durable"
        case .diskFull: "ledger.disk-full"
        case .busy: "ledger.busy"
        case .overloaded: "ledger.overloaded"
        case .duplicate: "ledger.duplicate"
        case .refusedBySchema: "ledger.refused-by-schema"
        case .unreadable: "ledger.unreadable"
        case .chainBroken: "ledger.chain-broken"
        case .corrupt: "ledger.corrupt"
        case .inputOutput: "ledger.input-output"
        case .writingStopped: "ledger.writing-stopped"
        case .failed: "ledger.failed"
        case .fileBehind: "ledger.file-behind"
        case .fleet(let error): error.code
        }
    }

    func facts(in language: Language) -> [String] {
        switch self {
        case .missing(let path, let remains): [path, remains]
        case .secondName(let path), .replaced(let path), .remains(let path),
            .cannotOpen(let path?), .foreignErasures(let path):
            [path]
        case .undoneErasures(let path, let count): [path, "\(count)"]
        case .rolledBack(let end, let acknowledged, _): ["\(end)", "\(acknowledged)"]
        case .schemaTooNew(let format, let copy):
            ["\(format)", "\(SQLiteLedger.format)", copy ?? ""]
        case .foreignSchema(let difference): [difference.text(language)]
        case .notDurable(let synchronous): ["\(synchronous)"]
        case .unreadable(let sequence), .chainBroken(let sequence): ["\(sequence)"]
        case .inputOutput(let code), .failed(let code): ["\(code)"]
        case .fleet(let error): error.facts(in: language)
        case .cannotOpen(nil), .alreadyOpen, .notALedger, .schemaTooOld,
            .targetExists, .diskFull, .busy, .overloaded, .duplicate, .refusedBySchema, .corrupt,
            .writingStopped, .fileBehind:
            []
        }
    }
}

extension LedgerStoreError {
    /// - Parameter path: of the file that SQLite was to open, where that is known.
    init(_ error: any Error, _ path: String? = nil) {
        switch error {
        case let error as LedgerStoreError: self = error
        case let error as LedgerError: self.init(error.failure, path)
        case let error as FleetError: self = .fleet(error)
        case let error as DatabaseError: self.init(error, path)
        case is RowDecodingError: self = .corrupt
        default: self = .failed(code: ResultCode.SQLITE_ERROR.rawValue)
        }
    }

    private init(_ error: DatabaseError, _ path: String?) {
        let code = error.extendedResultCode.rawValue
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = .cannotOpen(path: path)
        case .SQLITE_NOTADB: self = .notALedger
        case .SQLITE_CORRUPT: self = .corrupt
        case .SQLITE_IOERR: self = .inputOutput(code: code)
        case .SQLITE_CONSTRAINT: self = Self.constraint(error.extendedResultCode)
        default: self = .failed(code: code)
        }
    }

    private static func constraint(_ code: ResultCode) -> LedgerStoreError {
        switch code {
        case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE: .duplicate
        default: .refusedBySchema
        }
    }

    /// Runs what speaks to SQLite and turns what it throws into one of these.
    ///
    /// - Parameter path: of the file that it opens, if any.
    static func mapping<Value>(
        _ path: String? = nil, _ body: () throws -> Value
    ) throws(LedgerStoreError) -> Value {
        do { return try body() } catch { throw LedgerStoreError(error, path) }
    }
}

extension LedgerError {
    /// Nothing is written over another ledger.
    package static var targetExists: LedgerError { LedgerError(LedgerStoreError.targetExists) }

    /// As reported outside this target: failures of the database have their own sentences.
    init(_ failure: LedgerStoreError) {
        guard case .fleet(let failure) = failure else {
            self = Self.telling(failure)
            return
        }
        self = Self.telling(failure)
    }

    private static func telling<Failure: StoreFailure>(_ failure: Failure) -> LedgerError {
        LedgerError(failure)
    }

    /// The same for calls from outside this target.
    static func mapping<Value>(
        _ path: String? = nil, _ body: () throws -> Value
    ) throws(LedgerError) -> Value {
        do { return try body() } catch { throw LedgerError(LedgerStoreError(error, path)) }
    }
}
