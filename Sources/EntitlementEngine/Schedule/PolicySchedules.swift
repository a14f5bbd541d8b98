package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Synchronization

/// A policy that waits for its instant.
package struct ScheduledPolicy: Hashable, Sendable {
    /// Its place in the ledger, which names it.
    package let place: LedgerSequence
    package let recordedAt: Instant
    package let digest: Digest256
    package let due: Instant
    /// The policy that it was compared with.
    package let base: Digest256
    package let accountsAtMost: Int64?
    package let actor: String
    package let reason: String

    init(_ entry: Recorded<PolicySchedule>) {
        place = entry.sequence
        recordedAt = entry.recordedAt
        digest = entry.value.digest
        due = entry.value.dueDate
        base = entry.value.base
        accountsAtMost = entry.value.accountsAtMost
        actor = entry.value.actor
        reason = entry.value.reason
    }
}

/// What became of a scheduled policy.
package struct EndedSchedule: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        case applied
        case ended(PolicyScheduleEnd)
    }

    package let scheduled: ScheduledPolicy
    /// When it came into force, or was refused or taken back.
    package let at: Instant
    package let ending: Ending
}

/// The scheduled policies by the entries of a ledger: pure, so that equal entries give equal
/// results.
package struct PolicySchedules: Sendable {
    /// The pending ones, by when they are due.
    package private(set) var pending: [ScheduledPolicy] = []
    /// In the order in which they ended.
    package private(set) var ended: [EndedSchedule] = []
    /// The newest entry about them that was taken in.
    private(set) var last = LedgerSequence.zero

    init() {}

    init(recordedIn reader: some LedgerReading) throws(LedgerError) {
        try catchUp(with: reader)
    }

    /// Takes in the entries after those that are taken in.
    mutating func catchUp(with reader: some LedgerReading) throws(LedgerError) {
        while true {
            let places = try reader.scheduleEntries(after: last, limit: 64)
            guard let newest = places.last else { return }
            for place in places {
                if let entry = try reader.entry(place) { _ = insert(entry) }
            }
            last = newest
        }
    }

    /// Takes in the next entry; one of another kind changes nothing.
    ///
    /// - Returns: whether it follows from those before it.
    mutating func insert(_ entry: Recorded<LedgerEntry>) -> Bool {
        switch entry.value {
        case .policySchedule(let schedule):
            last = entry.sequence
            return insert(entry.with(schedule))
        case .policyScheduleEnd(let end):
            last = entry.sequence
            return self.end(end.schedule, .ended(end), at: entry.recordedAt) { _ in true }
        case .policyActivation(let activation):
            guard let schedule = activation.schedule else { return true }
            last = entry.sequence
            return end(schedule, .applied, at: entry.recordedAt) { scheduled in
                scheduled.digest == activation.digest && scheduled.due <= entry.recordedAt
            }
        default: return true
        }
    }

    private mutating func insert(_ entry: Recorded<PolicySchedule>) -> Bool {
        let texts = entry.value.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
        let due = entry.value.dueDate
        guard policyDigest(texts) == entry.value.digest, due > entry.recordedAt,
            !pending.contains(where: { $0.due == due })
        else { return false }
        let place = pending.firstIndex { $0.due > due } ?? pending.endIndex
        pending.insert(ScheduledPolicy(entry), at: place)
        return true
    }

    private mutating func end(
        _ schedule: LedgerSequence, _ ending: EndedSchedule.Ending, at instant: Instant,
        where isSound: (ScheduledPolicy) -> Bool
    ) -> Bool {
        guard let index = pending.firstIndex(where: { $0.place == schedule }),
            isSound(pending[index])
        else { return false }
        ended.append(
            EndedSchedule(scheduled: pending.remove(at: index), at: instant, ending: ending))
        return true
    }
}

extension PolicySchedules {
    /// The first one, where it is due.
    func due(at now: Instant) -> ScheduledPolicy? {
        pending.first.flatMap { $0.due <= now ? $0 : nil }
    }

    /// Whether one is due.
    func isDue(at now: Instant) -> Bool { due(at: now) != nil }

    /// Nil for one that does not wait, or never was.
    func pending(_ place: LedgerSequence) -> ScheduledPolicy? {
        pending.first { $0.place == place }
    }

    /// The one that is due next before that instant.
    func preceding(_ due: Instant) -> ScheduledPolicy? { pending.last { $0.due < due } }
}

/// The scheduled policies, as far as durable.
final class CommittedSchedules: Sendable {
    private let state = Mutex(PolicySchedules())
    private let changed: @Sendable () -> Void

    /// - Parameter changed: called when something else may be due next.
    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    var current: PolicySchedules { state.withLock { $0 } }

    /// The schedules for a write or a view of the ledger.
    func current(for reader: some LedgerReading) throws(LedgerError) -> PolicySchedules {
        var schedules = current
        try schedules.catchUp(with: reader)
        return schedules
    }

    /// A commit that made it so is durable.
    func take(_ schedules: PolicySchedules) {
        state.withLock { if schedules.last > $0.last { $0 = schedules } }
        changed()
    }
}
