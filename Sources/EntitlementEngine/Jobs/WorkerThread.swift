internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread that does one thing after the other: what blocks, so that the cooperative pool never
/// does, and what threads of a lower priority leave to one of a higher one. A thread of the lowest
/// priority is taken off the processor at any moment, and perhaps for long: whoever waited for a
/// lock that it holds would wait as long.
package final class WorkerThread: TaskExecutor {
    private let queue = ThreadQueue()

    /// Where the machine has no thread left, one of Dispatch's takes its place.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, as the system shows it.
    ///   - priority: nil for that of the thread that makes it.
    package init(_ name: String, priority: ThreadPriority?) {
        let serve: @Sendable () -> Void = { [queue] in queue.serve() }
        if !Self.start(name, priority: priority, serve) {
            DispatchQueue(label: name).async(execute: serve)
        }
    }

    deinit {
        queue.end()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.append { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Returns at once.
    func begin(_ task: @escaping @Sendable () -> Void) { queue.append(task) }

    /// Returns once it is done.
    func run<Value: Sendable>(_ task: @escaping @Sendable () -> Value) -> Value {
        let answer = Answer<Value>()
        queue.append { answer.give(task()) }
        return answer.take()
    }

    /// Starts a thread that ends with what it does, and that nobody joins.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, as the system shows it.
    ///   - priority: nil for that of the thread that starts it.
    /// - Returns: whether the machine had a thread left.
    package static func start(
        _ name: String, priority: ThreadPriority?, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(
            Work {
                nameThread(name)
                priority?.apply()
                body()
            })
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard failure == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// As the system shows the calling thread (proc(5)); where that cannot be written it has no name.
    private static func nameThread(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: Value) {
        value.withLock { $0 = answer }
        isGiven.signal()
    }

    func take() -> Value {
        isGiven.wait()
        guard let answer = value.withLock({ $0 }) else {
            preconditionFailure("an answer is given before it is taken")
        }
        return answer
    }
}

/// What the thread and those who send it share; the thread keeps nothing else alive.
private final class ThreadQueue: Sendable {
    private let tasks = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    func append(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
        count.signal()
    }

    func end() {
        count.signal()
    }

    func serve() {
        while true {
            count.wait()
            let task = tasks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let task else { return }
            task()
        }
    }
}

/// Who goes first where there are more threads than processors.
///
/// Threads that answer questions take none of these: a question is a few microseconds of work, and
/// would otherwise wait for a share of the processor that is handed out by the millisecond.
package enum ThreadPriority: Sendable {
    /// For what verifies and records. Where questions alone would fill a processor, each such
    /// thread still gets a tenth of what they get.
    case background
    /// For what nobody waits for: it runs where a processor would be idle.
    case idle

    /// The kernel's niceness: each step is a tenth or so of the share (sched(7)).
    private static let niceness: CInt = 10
    /// `SCHED_IDLE`, which Glibc's module omits.
    private static let idlePolicy: CInt = 5

    /// Gives the calling thread, which others may come to use later, this priority from now on. One
    /// of a lower priority stays as it is. Costs a call of the system, or two.
    package func apply() {
        switch self {
        case .background:
            let process = __priority_which_t(PRIO_PROCESS.rawValue)
            // On Linux niceness belongs to the thread, and 0 names the one that asks.
            guard getpriority(process, 0) < Self.niceness else { return }
            setpriority(process, 0, Self.niceness)
        case .idle:
            var parameters = sched_param(sched_priority: 0)
            sched_setscheduler(0, Self.idlePolicy, &parameters)
        }
    }
}
