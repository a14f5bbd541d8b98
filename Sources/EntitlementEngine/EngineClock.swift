package import EntitlementModel
internal import Glibc
internal import Synchronization

/// The engine's clock, the only one it uses for recorded instants.
package protocol EngineClock: Sendable {
    func now() -> Instant
}

/// The machine's wall clock.
package struct SystemClock: EngineClock {
    package init() {}

    package func now() -> Instant { .shown(by: CLOCK_REALTIME) }
}

/// The machine's steady clock: only differences of its instants mean anything.
struct SteadyClock: EngineClock {
    func now() -> Instant { .shown(by: CLOCK_MONOTONIC) }
}

extension Instant {
    fileprivate static func shown(by clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// Measures the cost of work: processor time, which passes only while a thread works.
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

/// The earliest possible time, by what is recorded: a clock that is set back returns nothing that
/// has ended (THREATS.md H15).
final class ClockFloor: Sendable {
    /// How far behind the newest entry a clock may be before it is not believed. Milliseconds.
    private static let leeway: Int64 = 300_000

    private let floor: Atomic<Int64>

    /// - Parameter recordedAt: of the newest entry, which is the latest of all (spec 1.10).
    init(recordedAt: Instant) {
        floor = Atomic(Self.floor(under: recordedAt))
    }

    func raise(to recordedAt: Instant) {
        floor.max(Self.floor(under: recordedAt), ordering: .relaxed)
    }

    /// The clock's instant, or the floor if that is later.
    func instant(shownAs shown: Instant) -> Instant {
        max(shown, Instant(milliseconds: floor.load(ordering: .relaxed)))
    }

    private static func floor(under recordedAt: Instant) -> Int64 {
        recordedAt.advanced(byMilliseconds: -leeway).milliseconds
    }
}
