internal import EntitlementModel
internal import LedgerModel

/// What a run of entries means to an engine that has not written them.
struct EntryNews {
    private static let part = 256

    var accounts: Set<AccountID> = []
    var activations: [Recorded<PolicyActivation>] = []
    var schedules: PolicySchedules?

    init(
        _ reader: any LedgerReading, after first: LedgerSequence,
        through last: LedgerSequence
    ) throws(LedgerError) {
        var touched: [LineageKey: [AccountID]] = [:]
        var place = first
        var isScheduling = false
        while place < last {
            let entries = try reader.entries(after: place, limit: Self.part)
            guard let newest = entries.last else { break }
            for entry in entries where entry.sequence <= last {
                switch entry.value {
                case .policyActivation(let activation):
                    activations.append(entry.with(activation))
                    isScheduling = true
                case .policySchedule, .policyScheduleEnd: isScheduling = true
                default:
                    accounts.formUnion(
                        try reader.subjects(touchedBy: entry, knowing: &touched).accounts)
                }
            }
            place = newest.sequence
        }
        if isScheduling { schedules = try PolicySchedules(recordedIn: reader) }
    }
}
