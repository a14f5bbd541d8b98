internal import Glibc

/// Nanoseconds since some instant that stays the same.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// How long something takes, in seconds.
func seconds(_ work: () throws(BenchFailure) -> Void) throws(BenchFailure) -> Double {
    let start = monotonicNanoseconds()
    try work()
    return Double(monotonicNanoseconds() - start) / 1e9
}
