internal import Synchronization

/// Marks code that may block: that waits for a disk, for a network, or for a lock that is held
/// across either.
///
/// The threads of the cooperative pool are as many as processors, and every task of the process
/// waits for them: what blocks runs on a thread of its own or on NIO's thread pool.
package enum MayBlock {
    private static let isChecked = Atomic(false)

    /// Whether `check` holds, from now on: a service that answers has others to keep waiting, a
    /// command and one that starts or ends have not.
    package static func beginCheck() { isChecked.store(true, ordering: .relaxed) }

    package static func endCheck() { isChecked.store(false, ordering: .relaxed) }

    /// Whether the calling thread is one of the cooperative pool: it runs a task for which no other
    /// executor was named.
    package static var isOnPool: Bool {
        withUnsafeCurrentTask { $0 != nil && $0?.unownedTaskExecutor == nil }
    }

    /// To be called by what blocks. Ends a debug build where the pool would be kept waiting; costs
    /// nothing in others.
    package static func check() {
        assert(
            !isChecked.load(ordering: .relaxed) || !isOnPool,
            "what blocks runs on a thread of its own, not on one of the cooperative pool")
    }
}
