internal import Dispatch
internal import Glibc
internal import Synchronization

/// Does small things for threads that give way, on a thread as urgent as the one that made it.
///
/// A thread of the lowest precedence is taken off the processor at any moment, and perhaps for
/// long: whoever waited for a lock that it holds would wait as long.
final class BackgroundThread: Sendable {
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

    private let queue = ThreadQueue()
    /// False where the machine had no thread left: then every caller runs its own tasks.
    private let hasThread: Bool

    init() {
        hasThread = DetachedThread.start(taking: nil) { [queue] in
            queue.serve()
        }
    }

    deinit {
        queue.end()
    }

    /// Returns once it is done.
    func run<Value: Sendable>(_ task: @escaping @Sendable () -> Value) -> Value {
        guard hasThread else { return task() }
        let answer = Answer<Value>()
        queue.append { answer.give(task()) }
        return answer.take()
    }
}

/// What the thread and those who send it share; the thread keeps nothing else alive.
final class ThreadQueue: Sendable {
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

/// A thread that ends with what it does, and that nobody joins.
package enum DetachedThread {
    /// - Parameter precedence: nil for as urgent as the thread that starts it.
    /// - Returns: whether the machine had a thread left.
    package static func start(
        taking precedence: ThreadPrecedence?, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(
            Work {
                precedence?.take()
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

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// Who goes first where there are more threads than processors.
///
/// Threads that answer questions take none of these: a question is a few microseconds of work, and
/// would otherwise wait for a share of the processor that is handed out by the millisecond.
package enum ThreadPrecedence: Sendable {
    /// For what verifies and records. Where questions alone would fill a processor, each such
    /// thread still gets a tenth of what they get.
    case afterQuestions
    /// For what nobody waits for: it runs where a processor would be idle.
    case last

    /// The kernel's niceness: each step is a tenth or so of the share (sched(7)).
    private static let niceness: CInt = 10
    /// `SCHED_IDLE`, which Glibc's module omits.
    private static let idlePolicy: CInt = 5

    /// Makes the calling thread, which others may come to use later, give way from now on. One
    /// that gives way more stays as it is. Costs a call of the system, or two.
    package func take() {
        switch self {
        case .afterQuestions:
            let process = __priority_which_t(PRIO_PROCESS.rawValue)
            // On Linux niceness belongs to the thread, and 0 names the one that asks.
            guard getpriority(process, 0) < Self.niceness else { return }
            setpriority(process, 0, Self.niceness)
        case .last:
            var parameters = sched_param(sched_priority: 0)
            sched_setscheduler(0, Self.idlePolicy, &parameters)
        }
    }
}

/// Runs tasks that block, one at a time, on a thread of its own, which gives way to questions.
package final class BlockingExecutor: TaskExecutor {
    private let queue = ThreadQueue()
    private let hasBegun = Mutex(false)

    package init() {}

    deinit {
        queue.end()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        begin()
        queue.append { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// The thread is made when there is something to run. Where the machine has none left, one of
    /// Dispatch's takes its place.
    private func begin() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        let hasStarted = DetachedThread.start(taking: .afterQuestions) { [queue] in
            queue.serve()
        }
        if !hasStarted {
            DispatchQueue(label: "usher.blocking").async { [queue] in queue.serve() }
        }
    }
}
