internal import Dispatch
internal import Synchronization
internal import TestSupport

/// Holds the writer's thread, so that writes gather behind it.
final class WriterGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isHeld = Mutex(false)

    /// In the body of a write: returns when the gate is opened.
    func hold() {
        isHeld.withLock { $0 = true }
        semaphore.wait()
    }

    func waitUntilHeld() async throws {
        try await yieldUntil("the writer is held") { [self] in isHeld.withLock { $0 } }
    }

    func open() {
        semaphore.signal()
    }
}
