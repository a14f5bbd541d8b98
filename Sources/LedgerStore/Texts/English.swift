internal import LedgerModel

/// What is said of ledgers in English.
extension LedgerStoreError {
    var english: String {
        switch self {
        case .missing(let path, let remains) where path == remains:
            "'{0}' is a dangling link; put the ledger back where it points"
        case .missing:
            "'{0}' is missing, but '{1}' exists; put the ledger back, restore a backup, or move "
                + "that file away to start a new ledger"
        case .rolledBack(_, _, wasAccepted: true):
            "the ledger ends with {0} and lacks {1}, which was acknowledged; this end was "
                + "accepted once and cannot be accepted again"
        case .rolledBack:
            "the ledger ends with {0} and lacks {1}, which was acknowledged; put the newer "
                + "ledger back, or accept the loss with '--accept-rollback {0}'"
        case .secondName:
            "'{0}' is a second name (a hard link) of its file; use the name under which the "
                + "ledger was last served, or remove the other name"
        case .replaced:
            "'{0}' was moved, removed, replaced or written by another program; nothing is "
                + "written until the service is restarted"
        case .alreadyOpen: "another process is using this ledger, possibly under another name"
        case .cannotOpen(path: nil): "the ledger file cannot be opened or created"
        case .notALedger: "this file is not a ledger"
        case .schemaTooNew(_, copy: nil):
            "this ledger has format {0}, and this version knows formats up to {1}; use the newer "
                + "version, or restore a backup from before the upgrade"
        case .schemaTooNew:
            "this ledger has format {0}, and this version knows formats up to {1}; use the newer "
                + "version, or go back to '{2}', the copy from before the upgrade"
        case .schemaTooOld:
            "this ledger was written by an older version; start the service once to upgrade it"
        case .foreignSchema: "the ledger's schema was changed: {0}"
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
        case .fleet(let error): error.english
        case .cannotOpen: "'{0}' cannot be opened or created; check its owner, mode and folder"
        }
    }
}

extension LedgerFileNotice {
    var english: String {
        switch self {
        case .headUnreadable:
            "'{0}' cannot be read: it is unknown whether the ledger lacks acknowledged entries"
        case .headNotWritten: "'{0}' cannot be written [{1}]; retrying every second"
        case .rollbackAccepted: "a ledger that ends with {0} was accepted instead of {1}"
        case .nothingToAccept:
            "'--accept-rollback {0}' is not needed: no acknowledged entry is missing"
        case .accessNotGiven:
            "the mode or group of '{0}' differs from the settings, and this user cannot change it"
        case .replaced:
            "'{0}' was moved, removed, replaced or written by another program; nothing is "
                + "written until the service is restarted"
        }
    }
}
