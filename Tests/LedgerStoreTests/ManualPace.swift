internal import LedgerStore
internal import Synchronization

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
    private let list = Mutex<[LedgerNotice]>([])

    init(_ ledger: Ledger) {
        ledger.onNotice { notice in self.list.withLock { $0.append(notice) } }
    }

    var notices: [LedgerNotice] { list.withLock(\.self) }
}
