internal import EntitlementModel
internal import LedgerModel

extension LedgerTransaction {
    func refundNotifications(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try notifications(after: sequence, limit: limit, named: NotificationFact.refundName)
    }

    func notices(
        after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        try notifications(after: sequence, limit: limit, named: NotificationFact.noticeName)
    }

    private func notifications(
        after sequence: LedgerSequence, limit: Int, named name: (LedgerSequence) -> [UInt8]
    ) throws(LedgerError) -> [LedgerSequence] {
        try LedgerError.mapping {
            var places: [LedgerSequence] = []
            try connection.forEachRow(
                """
                SELECT seq FROM unique_name WHERE kind = ? AND name > ? AND name <= ?
                ORDER BY name LIMIT ?
                """, EntryKind.notification.rawValue, name(sequence).blob,
                name(LedgerSequence(.max)).blob, limit
            ) { places.append(LedgerSequence(try $0.integer(0))) }
            return places
        }
    }

    func refundAnswer(
        to request: LedgerSequence, begun: Bool
    ) throws(LedgerError) -> Recorded<RefundAnswer>? {
        let place = try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.refundAnswer.rawValue,
                RefundAnswer.name(ofRequest: request, begun: begun).blob)
        }
        guard let place, let entry = try entry(LedgerSequence(place)),
            case .refundAnswer(let answer) = entry.value
        else { return nil }
        return entry.with(answer)
    }
}
