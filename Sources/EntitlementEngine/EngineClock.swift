package import EntitlementModel
internal import Glibc

/// Where the engine learns the time; the one place at which it enters.
package protocol EngineClock: Sendable {
    func now() -> Instant
}

/// The machine's wall clock.
package struct SystemClock: EngineClock {
    package init() {}

    package func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
