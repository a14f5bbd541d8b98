internal import Dispatch
internal import Synchronization

/// Holds the writer's thread, so that writes gather behind it.
final class WriterGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isHeld = Mutex(false)

    /// In the body of a write: returns when the gate is opened.
    func hold() {
        isHeld.withLock { $0 = true }
        semaphore.wait()
    }

    func waitUntilHeld() async {
        while !isHeld.withLock({ $0 }) { await Task.yield() }
    }

    func open() {
        semaphore.signal()
    }
}
