internal import EntitlementModel
internal import Glibc
internal import LedgerModel
internal import Synchronization

/// Keeps the newest head that was acknowledged in the ledger's head file.
///
/// It is written before a commit is published, and on the disk within a second: a sync with each
/// commit would double the cost. So the end of the process loses nothing; after a power loss the
/// file is slightly older than the ledger, never newer, and the ledger still has to contain it.
final class HeadFileWriter: Sendable {
    private struct State {
        var open: OpenHead?
        var newest: LedgerPosition?
        /// The head in the file.
        var written: LedgerPosition?
        var isSyncing = false
        var isFailing = false

        /// Nothing during a sync: the disk must get one head.
        mutating func put() {
            guard !isSyncing, let newest, newest != written, var head = open else { return }
            // Otherwise the next second tries again, and reports.
            guard (try? head.put(newest)) != nil else { return }
            open = head
            written = newest
        }
    }

    private let file: HeadFile
    private let notices: LedgerNotices
    private let state = Mutex(State())

    init(_ file: HeadFile, _ notices: LedgerNotices) {
        self.file = file
        self.notices = notices
    }

    deinit {
        state.withLock { $0.open?.close() }
    }

    /// The newest head that was noted.
    var newest: LedgerPosition? { state.withLock(\.newest) }

    /// The head of a commit that is durable.
    func note(_ place: LedgerPosition) {
        state.withLock { state in
            state.newest = place
            state.put()
        }
    }

    /// Puts the newest head on the disk, unless it is there.
    ///
    /// What cannot be written is tried again the next time: the ledger itself is well.
    /// - Parameter mayOpen: whether the file at the path is this ledger's also where it is another
    ///   one than was written before.
    func write(accepting accepted: AcceptedRollback? = nil, mayOpen: Bool = true) {
        do throws(LedgerStoreError) {
            if let open = state.withLock(\.open), open.identity == FileStamp(file.path)?.identity {
                try sync()
            } else if mayOpen, let newest {
                try open(newest, accepted)
            }
            state.withLock { $0.isFailing = false }
        } catch {
            let isNew = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNew { notices.add(.headNotWritten(path: file.path, error)) }
        }
    }

    private func open(
        _ place: LedgerPosition, _ accepted: AcceptedRollback?
    ) throws(LedgerStoreError) {
        let head = try file.open(writing: place, accepting: accepted)
        state.withLock { state in
            state.open?.close()
            state.open = head
            state.written = place
            state.put()
        }
    }

    /// Commits go on meanwhile.
    private func sync() throws(LedgerStoreError) {
        let head = state.withLock { state -> OpenHead? in
            state.put()
            guard state.open?.isChanged == true else { return nil }
            state.isSyncing = true
            return state.open
        }
        guard var head else { return }
        var fault: LedgerStoreError?
        do throws(LedgerStoreError) { try head.sync() } catch { fault = error }
        state.withLock { state in
            state.isSyncing = false
            if fault == nil { state.open = head }
            state.put()
        }
        if let fault { throw fault }
    }
}

/// Notices on a ledger, kept until a receiver is set.
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

/// Whether the disk of the ledger is full, as far as writes have met it (THREATS.md H3).
///
/// A full disk stops nothing for good: each write is tried. Free space is noticed by the next
/// commit that writes something and leaves some, or by a check every few seconds if nothing is
/// written because the service reports the disk as full.
final class DiskSpace: Sendable {
    private struct State {
        var isFull = false
        var tell: (@Sendable (_ isFull: Bool) -> Void)?
    }

    /// Seconds between two checks.
    static let interval = 5

    private let state = Mutex(State())
    /// Whether a write would find room now.
    let hasSpace: @Sendable () -> Bool

    init(hasSpace: @escaping @Sendable () -> Bool) {
        self.hasSpace = hasSpace
    }

    var isFull: Bool { state.withLock(\.isFull) }

    /// Calls `tell` at each change, on the writer's thread: once when the disk is found full, and
    /// once when it has space again. If it is full already, at once.
    func watch(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {
        let isFull = state.withLock { state in
            state.tell = tell
            return state.isFull
        }
        if isFull { tell(true) }
    }

    /// - Returns: whether that is new.
    @discardableResult
    func note(isFull: Bool) -> Bool {
        let (isNew, tell) = state.withLock { state in
            defer { state.isFull = isFull }
            return (state.isFull != isFull, state.tell)
        }
        if isNew { tell?(isFull) }
        return isNew
    }

    /// Whether a megabyte can be allocated next to the file, more than nearly any commit needs. It
    /// has no name and is released at once. If the file system does not support such files, true.
    @Sendable
    static func canAllocate(beside path: String) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // O_TMPFILE, which Swift does not import.
        let namelessFile = 0o20_000_000 | O_DIRECTORY
        let descriptor = open(folder, namelessFile | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno != ENOSPC && errno != EDQUOT }
        defer { close(descriptor) }
        let failure = posix_fallocate(descriptor, 0, 1 << 20)
        return failure != ENOSPC && failure != EDQUOT
    }
}
