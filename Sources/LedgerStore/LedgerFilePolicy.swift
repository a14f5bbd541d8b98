internal import Dispatch

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
