internal import EntitlementModel
internal import Synchronization

/// How far time has come at least, by what is recorded: a clock that is set back gives nobody
/// back what has ended (THREATS.md H15).
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
