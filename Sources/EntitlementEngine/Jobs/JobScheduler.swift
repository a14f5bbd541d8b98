internal import Dispatch
package import EntitlementModel
internal import Glibc
internal import Synchronization

/// What a running engine does by itself: each begins when it is due or is woken.
package enum JobKind: String, CaseIterable, Sendable {
    /// Asks Apple about what waits (spec 1.8).
    case appStore = "apple"
    /// Answers what Apple asks about refunds (spec 1.12).
    case refunds
    /// Puts scheduled policies into force (spec 2.6).
    case schedules
    /// Erases the accounts whose hold is over (spec 1.14).
    case erasures = "erase"
    /// Puts a changed policy folder into force (spec 2.6).
    case policyFolder = "folder"
    /// Reads again what was recorded of the app itself before a policy said what it gives (spec 1.13).
    case appPurchases = "apps"
    /// Runs the reconciliations that are asked for, and those on a schedule (spec 3.6).
    case reconciliation = "reconcile"
    /// Sends changes to those that the settings name (spec 1.10).
    case push
    /// Keeps the change feed (spec 1.10).
    case feed
    /// Keeps the list of findings.
    case findings
    /// Counts the accounts in each cell of the policy's tables.
    case counts
    /// Tries again what could not be read of another node's entries.
    case adoption = "adopt"
    /// Remembers who was asked about last, for the next start.
    case hint

    /// For how long wakes are gathered before the job runs.
    ///
    /// A feed that followed each commit at once would make a client that sends one thing after the
    /// other wait for two syncs of the disk each time.
    fileprivate var gathering: Duration { self == .feed ? .milliseconds(10) : .zero }
}

/// One of those.
package protocol Job: Sendable {
    var kind: JobKind { get }

    /// Does what is due. It may block, and is not called again before it has returned.
    ///
    /// - Returns: until when it is not needed; a wake ends that.
    mutating func run() async -> JobPause
}

/// When a job runs again, unless something wakes it before. Nothing by itself lets it run.
package struct JobPause: Sendable {
    /// By the engine's clock.
    let due: Instant?
    /// By the steady clock.
    let longest: Duration?
    /// What woke it, or is due, waits for so long, by the steady clock.
    let rest: Duration
    /// A file whose being readable wakes it.
    let descriptor: CInt?

    /// After what came to nothing.
    package static let retry = Duration.milliseconds(250)

    package init(
        due: Instant? = nil, longest: Duration? = nil, rest: Duration = .zero,
        descriptor: CInt? = nil
    ) {
        self.due = due
        self.longest = longest
        self.rest = rest
        self.descriptor = descriptor
    }

    /// There is more to do.
    static let none = JobPause(longest: .zero)
}

/// Runs jobs, each on a thread of its own. One thread sleeps until the earliest of them is due or
/// something wakes one; while there is nothing to do, nothing runs.
///
/// What is due by the engine's clock is compared with it again once a minute, and whenever a job
/// begins or ends: it may have been set.
package final class JobScheduler: Sendable {
    fileprivate struct Sleeper {
        let resume: CheckedContinuation<Bool, Never>
        let pause: JobPause
        let since: ContinuousClock.Instant
    }

    fileprivate struct Slot {
        var task: Task<Void, Never>?
        /// Nil while it runs.
        var sleeper: Sleeper?
        /// When it was woken since it last began.
        var wokenAt: ContinuousClock.Instant?
        /// Since when it has run without a pause.
        var busySince: ContinuousClock.Instant?
    }

    fileprivate struct State {
        var slots: [JobKind: Slot] = [:]
        /// Of those who sleep; nil before the first job.
        var thread: (worker: WorkerThread, signal: ThreadSignal)?
        var hasStopped = false
    }

    private static let longestSleep = Duration.seconds(60)

    private let now: @Sendable () -> Instant
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// - Parameter now: by the engine's clock; it must not keep the engine alive.
    init(now: @escaping @Sendable () -> Instant) {
        self.now = now
    }

    /// Begins a job, unless there is one of its kind; it runs at once.
    func start(_ job: some Job) {
        let kind = job.kind
        let begins = state.withLock { state in
            guard !state.hasStopped, state.slots[kind] == nil else { return false }
            state.slots[kind] = Slot()
            if state.thread == nil {
                let signal = ThreadSignal()
                let worker = WorkerThread("usher-jobs", priority: .background)
                worker.begin { [self] in serve(signal) }
                state.thread = (worker, signal)
            }
            running.enter()
            return true
        }
        guard begins else { return }
        let worker = WorkerThread("usher-\(kind.rawValue)", priority: .background)
        let task = Task(executorPreference: worker) { [self] in
            var job = job
            while begin(kind), await pause(kind, job.run()) {}
            running.leave()
        }
        let isLate = state.withLock { state in
            state.slots[kind]?.task = task
            return state.hasStopped
        }
        if isLate { task.cancel() }
    }

    /// There may be something to do for them; nothing happens where they are not started.
    package func wake(_ kinds: [JobKind]) {
        let signal = state.withLock { state in
            var isNew = false
            for kind in kinds {
                guard let slot = state.slots[kind], slot.wokenAt == nil else { continue }
                state.slots[kind]?.wokenAt = .now
                // One that runs looks by itself whether it was woken.
                if slot.sleeper != nil { isNew = true }
            }
            return isNew ? state.thread?.signal : nil
        }
        signal?.raise()
    }

    /// Whether jobs end: what takes long gives up.
    var hasStopped: Bool { state.withLock(\.hasStopped) }

    /// For how long a job has run without a pause; nil while it pauses.
    func busyFor(_ kind: JobKind) -> Duration? {
        state.withLock { $0.slots[kind]?.busySince.map { ContinuousClock.now - $0 } }
    }

    /// Cancels all of them, for good, and waits for none.
    func end() {
        let (slots, signal) = state.withLock { state in
            state.hasStopped = true
            let slots = state.slots
            for kind in slots.keys { state.slots[kind]?.sleeper = nil }
            return (slots.values, state.thread?.signal)
        }
        for slot in slots {
            slot.task?.cancel()
            slot.sleeper?.resume.resume(returning: false)
        }
        signal?.raise()
    }

    /// Ends all of them. Blocks until none runs.
    func stop() {
        end()
        running.wait()
    }

    /// Ends all of them, and returns when none runs.
    func stopped() async {
        end()
        await withCheckedContinuation { continuation in
            running.notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// On the job's own thread.
extension JobScheduler {
    private func begin(_ kind: JobKind) -> Bool {
        state.withLock { state in
            state.slots[kind]?.wokenAt = nil
            let since = state.slots[kind]?.busySince ?? .now
            state.slots[kind]?.busySince = since
            return !state.hasStopped
        }
    }

    /// - Returns: whether it runs again; false once it is to end.
    private func pause(_ kind: JobKind, _ pause: JobPause) async -> Bool {
        if pause.longest == .zero, pause.rest == .zero { return true }
        return await withCheckedContinuation { continuation in
            let signal = state.withLock { state -> ThreadSignal? in
                state.slots[kind]?.busySince = nil
                guard !state.hasStopped else { return nil }
                state.slots[kind]?.sleeper = Sleeper(
                    resume: continuation, pause: pause, since: .now)
                return state.thread?.signal
            }
            guard let signal else { return continuation.resume(returning: false) }
            signal.raise()
        }
    }
}

/// On the thread that sleeps.
extension JobScheduler {
    private func serve(_ signal: ThreadSignal) {
        while !hasStopped {
            let (now, shown) = (ContinuousClock.now, now())
            let (ready, next, descriptors) = state.withLock { $0.takeReady(at: now, shown) }
            for job in ready { job.resume(returning: true) }
            let isReadable = signal.wait(
                atMost: next.map { min($0 - now, Self.longestSleep) }, or: descriptors.map(\.value))
            wake(zip(descriptors, isReadable).compactMap { $1 ? $0.key : nil })
        }
    }
}

extension JobScheduler.State {
    /// Those that run now, when the next of the others does, and which files wake them.
    fileprivate mutating func takeReady(
        at now: ContinuousClock.Instant, _ shown: Instant
    ) -> (
        [CheckedContinuation<Bool, Never>], ContinuousClock.Instant?, [(key: JobKind, value: CInt)]
    ) {
        var ready: [CheckedContinuation<Bool, Never>] = []
        var next: ContinuousClock.Instant?
        var descriptors: [(key: JobKind, value: CInt)] = []
        for (kind, slot) in slots {
            guard let sleeper = slot.sleeper else { continue }
            let instant = sleeper.instant(
                wokenAt: slot.wokenAt?.advanced(by: kind.gathering), now, shown)
            if let instant, instant <= now {
                ready.append(sleeper.resume)
                slots[kind]?.sleeper = nil
                continue
            }
            if let instant { next = min(next ?? instant, instant) }
            // One that is woken already would be woken again and again.
            if let descriptor = sleeper.pause.descriptor, slot.wokenAt == nil {
                descriptors.append((kind, descriptor))
            }
        }
        return (ready, next, descriptors)
    }
}

extension JobScheduler.Sleeper {
    /// When it runs; nil while nothing lets it.
    fileprivate func instant(
        wokenAt: ContinuousClock.Instant?, _ now: ContinuousClock.Instant, _ shown: Instant
    ) -> ContinuousClock.Instant? {
        let due = pause.due.map { now.advanced(by: .milliseconds($0.milliseconds(since: shown))) }
        let last = pause.longest.map { since.advanced(by: $0) }
        let earliest = [wokenAt, due, last].compactMap(\.self).min()
        return earliest.map { max($0, since.advanced(by: pause.rest)) }
    }
}

/// What one thread waits for, or for a time, by the steady clock, or until a file can be read.
private final class ThreadSignal: Sendable {
    private let (reading, writing): (CInt, CInt)
    private let isRaised = Atomic(false)

    init() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            preconditionFailure("a process that begins to serve has two files left")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Ends a wait, or the next one.
    func raise() {
        guard !isRaised.exchange(true, ordering: .acquiringAndReleasing) else { return }
        _ = write(writing, [0], 1)
    }

    /// - Parameter duration: nil for until it is raised.
    /// - Returns: which of the files can be read.
    func wait(atMost duration: Duration?, or descriptors: [CInt]) -> [Bool] {
        var files = ([reading] + descriptors).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // No sooner than asked for.
        let milliseconds = duration.map { max(0, ($0 / .milliseconds(1)).rounded(.up)) } ?? -1
        poll(&files, nfds_t(files.count), CInt(milliseconds))
        if files[0].revents != 0 {
            var byte: UInt8 = 0
            _ = read(reading, &byte, 1)
            isRaised.store(false, ordering: .releasing)
        }
        return files.dropFirst().map { $0.revents != 0 }
    }
}
