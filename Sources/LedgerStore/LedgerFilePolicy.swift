internal import Dispatch
internal import EntitlementModel
package import LedgerModel

/// How a ledger's file is kept while it is open (spec 3.4).
package struct LedgerFilePolicy: Sendable {
    /// Of the ledger and of all files next to it.
    package var access = FileAccess()
    /// The older head that a person accepts in place of what was acknowledged.
    package var accepted: AcceptedRollback?
    /// How often the newest head is written and the file is checked at its path.
    package var pace = LedgerPace.everySecond
    /// By which the list of erasures is kept next to it; nil for none.
    package var erasures: ErasureCustody?
    /// Whether there is room on the disk next to the file at a path.
    package var hasSpace: @Sendable (String) -> Bool = DiskSpace.canAllocate

    package init() {}
}

/// The location of a ledger's file, and how it is kept.
package struct LedgerFileLocation: LedgerLocation {
    package let path: String
    package var custody = LedgerFilePolicy()
    private let makeSalts: @Sendable () -> [UInt8]

    /// - Parameter makeSalts: as `SQLiteLedger.open` takes it.
    package init(_ path: String, makeSalts: @escaping @Sendable () -> [UInt8]) {
        self.path = path
        self.makeSalts = makeSalts
    }

    package var isVacant: Bool { FileStatus.bytes(of: path) == 0 }

    /// The same in another place.
    func moved(to path: String) -> LedgerFileLocation {
        var moved = LedgerFileLocation(path, makeSalts: makeSalts)
        moved.custody.access = custody.access
        return moved
    }

    package func open() throws(LedgerError) -> any Ledger { try openFile() }

    /// The same where there must be none yet.
    ///
    /// - Throws: what says that there is.
    package func openNew() throws(LedgerError) -> SQLiteLedger {
        guard isVacant else { throw LedgerError(LedgerStoreError.targetExists) }
        return try openFile()
    }

    /// The same, for what keeps its commits elsewhere first.
    package func openFile() throws(LedgerError) -> SQLiteLedger {
        try SQLiteLedger.open(path: path, custody: custody, makeSalts: makeSalts)
    }
}

/// Calls something again and again.
package struct LedgerPace: Sendable {
    /// Begins the calls; they end when the result is released.
    package let begin: @Sendable (@escaping @Sendable () -> Void) -> any Sendable

    package init(begin: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Sendable) {
        self.begin = begin
    }

    package static let everySecond = LedgerPace { SecondTimer($0) }
}

/// Calls something once a second, for as long as this is kept.
private final class SecondTimer: Sendable {
    private let queue = DispatchQueue(label: "usher.ledger.custody")
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        waitAndCall()
    }

    private func waitAndCall() {
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            body()
            waitAndCall()
        }
    }
}

/// A notice on the file of an open ledger.
enum LedgerFileNotice: Hashable, LedgerNotice, LedgerStoreText {
    /// Its head file is unreadable: the ledger may be older than what was acknowledged.
    case headUnreadable(path: String)
    /// Its head file cannot be written now. Said once, until it can be again.
    case headNotWritten(path: String, LedgerStoreError)
    /// A person has accepted that the ledger lacks acknowledged entries.
    case rollbackAccepted(LedgerPosition, insteadOf: LedgerPosition)
    /// A person accepted an end, and the ledger has all that was acknowledged.
    case nothingToAccept(LedgerPosition)
    /// A file's access is not what it is set to be, and is not ours to change.
    case accessNotGiven(path: String)
    /// It lacked erasures that the list next to it names; they were made again.
    case erasedAgain(path: String, count: Int)
    /// The list of erasures cannot be written now. Said once, until it can be again.
    case erasuresNotListed(path: String)
    /// It is not at its path any more: nothing is written until the next start.
    case replaced(path: String)

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
        case .erasedAgain: "{1 erasure|erasures} of '{0}' were missing and were made again"
        case .erasuresNotListed: "'{0}' cannot be written; retrying every second"
        case .replaced:
            "'{0}' was moved, removed, replaced or written by another program; nothing is written "
                + "until the service is restarted"
        }
    }
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
        case .erasedAgain: "ledger.erased-again"
        case .erasuresNotListed: "ledger.erasures-not-listed"
        case .replaced(let path): LedgerStoreError.replaced(path: path).code
        }
    }

    func facts(in language: Language) -> [String] {
        switch self {
        case .headUnreadable(let path), .accessNotGiven(let path), .replaced(let path),
            .erasuresNotListed(let path):
            [path]
        case .erasedAgain(let path, let count): [path, "\(count)"]
        case .headNotWritten(let path, let error): [path, error.code]
        case .rollbackAccepted(let end, let acknowledged): ["\(end)", "\(acknowledged)"]
        case .nothingToAccept(let end): ["\(end)"]
        }
    }
}
