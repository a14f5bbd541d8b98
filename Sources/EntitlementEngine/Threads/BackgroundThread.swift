internal import Dispatch
internal import Synchronization

/// Does small things for threads that give way, on a thread as urgent as the one that made it.
///
/// A thread of the lowest precedence is taken off the processor at any moment, and perhaps for
/// long: whoever waited for a lock that it holds would wait as long.
final class BackgroundThread: Sendable {
    /// What the thread and those who send it share; the thread keeps nothing else alive.
    private final class Queue: Sendable {
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

    private let queue = Queue()
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
