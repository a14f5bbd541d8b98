internal import Dispatch
package import LedgerModel

/// How a ledger's file is kept while it is open (spec 3.4).
package struct LedgerFilePolicy: Sendable {
    /// Of the ledger and of all files beside it.
    package var access = FileAccess()
    /// The end of an older ledger that a person accepts instead of what was acknowledged.
    package var accepted: AcceptedRollback?
    /// How often the newest head is written and the file is looked for at its path.
    package var pace = LedgerPace.everySecond
    /// Whether there is room on the disk beside the file at a path.
    package var findsRoom: @Sendable (String) -> Bool = DiskRoom.canAllocate

    package init() {}
}

/// Where a ledger's file is, or will be, and how it is kept.
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

    package func open() throws(LedgerError) -> any Ledger {
        try SQLiteLedger.open(path: path, custody: custody, makeSalts: makeSalts)
    }
}

/// Calls something again and again.
package struct LedgerPace: Sendable {
    /// Begins; ends when nobody keeps what it returns.
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
