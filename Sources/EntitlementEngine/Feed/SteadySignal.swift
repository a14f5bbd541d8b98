internal import Glibc

/// What one thread waits for, or for a time: by the machine's steady clock. A semaphore of Dispatch's
/// waits by the wall clock, and so for hours where that is set back meanwhile.
final class SteadySignal: @unchecked Sendable {
    // Both stay where they are, as the system asks.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Only looked at by who holds the mutex.
    private var isRaised = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Ends a wait, or the next one.
    func raise() {
        pthread_mutex_lock(mutex)
        isRaised = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// - Returns: whether it was raised, before the time was over or at any time since the last wait.
    func wait(milliseconds: Int64) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + milliseconds % 1_000 * 1_000_000
        end.tv_sec += Int(milliseconds / 1_000 + nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isRaised {
            guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
        }
        defer { isRaised = false }
        return isRaised
    }
}
