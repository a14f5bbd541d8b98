internal import EntitlementModel
internal import LedgerModel

extension LedgerTransaction {
    func scheduleEntries(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: [LedgerSequence] = []
            try connection.forEachRow(
                """
                SELECT seq FROM unique_name WHERE kind = ? AND name > ? ORDER BY name LIMIT ?
                """, EntryKind.policySchedule.rawValue,
                PolicySchedule.name(ofEntry: sequence).blob, limit
            ) { places.append(LedgerSequence(try $0.integer(0))) }
            return places
        }
    }
}
