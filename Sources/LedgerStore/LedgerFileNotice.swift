internal import EntitlementModel
internal import LedgerModel

/// What somebody should know of a ledger's file that is open all the same.
enum LedgerFileNotice: Hashable, LedgerNotice {
    /// Its head file could not be read: nobody can tell whether the ledger is older than what
    /// was acknowledged.
    case headUnreadable(path: String)
    /// Its head file cannot be written now. Said once, until it can be again.
    case headNotWritten(path: String, LedgerStoreError)
    /// A person accepted that the ledger no longer has what was acknowledged.
    case rollbackAccepted(LedgerPosition, insteadOf: LedgerPosition)
    /// A person accepted an end, and the ledger has all that was acknowledged.
    case nothingToAccept(LedgerPosition)
    /// A file's access is not what it is set to be, and is not ours to change.
    case accessNotGiven(path: String)
    /// It is not at its path any more: nothing is written until the next start.
    case replaced(path: String)
}

extension LedgerFileNotice {
    var isCritical: Bool {
        if case .replaced = self { true } else { false }
    }

    var code: String {
        switch self {
        case .headUnreadable: "ledger.head-unreadable"
        case .headNotWritten: "ledger.head-not-written"
        case .rollbackAccepted: "ledger.rollback-accepted"
        case .nothingToAccept: "ledger.nothing-to-accept"
        case .accessNotGiven: "ledger.access-not-given"
        case .replaced(let path): LedgerStoreError.replaced(path: path).code
        }
    }

    func facts(in language: Language) -> [String] {
        switch self {
        case .headUnreadable(let path), .accessNotGiven(let path), .replaced(let path): [path]
        case .headNotWritten(let path, let error): [path, error.code]
        case .rollbackAccepted(let end, let acknowledged): ["\(end)", "\(acknowledged)"]
        case .nothingToAccept(let end): ["\(end)"]
        }
    }
}
