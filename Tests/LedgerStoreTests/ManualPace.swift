internal import LedgerModel
internal import Synchronization

@testable internal import LedgerStore

/// Seconds that pass when the test says so.
final class ManualPace: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    var pace: LedgerPace {
        LedgerPace { [self] body in
            self.body.withLock { $0 = body }
            return true
        }
    }

    var custody: LedgerFilePolicy {
        var custody = LedgerFilePolicy()
        custody.pace = pace
        return custody
    }

    /// A second has passed.
    func tick() {
        body.withLock(\.self)?()
    }
}

/// What a ledger has said.
final class Heard: Sendable {
    private let list = Mutex<[LedgerFileNotice]>([])

    init(_ ledger: SQLiteLedger) {
        ledger.onNotice { notice in
            guard let notice = notice as? LedgerFileNotice else { return }
            self.list.withLock { $0.append(notice) }
        }
    }

    var notices: [LedgerFileNotice] { list.withLock(\.self) }
}
