internal import Glibc

/// Where the engine learns what work costs: processor time, which passes for whoever works and
/// for nobody who waits.
package protocol ProcessorClock: Sendable {
    /// Nanoseconds that the calling thread has had a processor for.
    func now() -> Int64
}

/// The system's own count.
package struct ThreadClock: ProcessorClock {
    package init() {}

    package func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
