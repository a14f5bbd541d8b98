internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// Keeps the newest head that was acknowledged in the ledger's head file.
///
/// Once a second and not with each commit, which would cost a second sync: after a power loss the
/// file is a moment older than the ledger, never newer, and the ledger still has to hold it.
final class HeadKeeper: Sendable {
    private struct State {
        var newest: LedgerPosition?
        var written: LedgerPosition?
        var isFailing = false
    }

    private let file: HeadFile
    private let notices: LedgerNotices
    private let state = Mutex(State())

    init(_ file: HeadFile, _ notices: LedgerNotices) {
        self.file = file
        self.notices = notices
    }

    /// The head of a commit that is durable.
    func note(_ place: LedgerPosition) {
        state.withLock { $0.newest = place }
    }

    /// Puts the newest head on the disk, unless it is there.
    ///
    /// What cannot be written is tried again the next time: the ledger itself is well.
    func write(accepting accepted: AcceptedRollback? = nil) {
        let newest = state.withLock { $0.newest == $0.written ? nil : $0.newest }
        guard let newest else { return }
        do throws(LedgerStoreError) {
            try file.write(newest, accepting: accepted)
            state.withLock { state in
                state.written = newest
                state.isFailing = false
            }
        } catch {
            let isNew = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNew { notices.add(.headNotWritten(path: file.path, error)) }
        }
    }
}

/// What should be known of a ledger, until there is somebody to be told.
final class LedgerNotices: Sendable {
    private struct State {
        var waiting: [LedgerFileNotice]
        var tell: (@Sendable (any LedgerNotice) -> Void)?
    }

    private let state: Mutex<State>

    init(_ notices: [LedgerFileNotice]) {
        state = Mutex(State(waiting: notices))
    }

    func add(_ notice: LedgerFileNotice) {
        let tell = state.withLock { state in
            if state.tell == nil { state.waiting.append(notice) }
            return state.tell
        }
        tell?(notice)
    }

    func tell(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.tell = tell
            return state.waiting
        }
        for notice in waiting { tell(notice) }
    }
}
