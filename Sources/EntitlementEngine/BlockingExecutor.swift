internal import Dispatch
internal import Synchronization

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
