internal import EntitlementModel
internal import GRDB
internal import LedgerModel

extension LedgerTransaction {
    func waitingTicket(
        like ticket: EvidenceTicket
    ) throws(LedgerError) -> LedgerSequence? {
        try LedgerError.mapping {
            try connection.integer(
                "SELECT id FROM ticket WHERE name = ? AND state = 1", ticket.name.blob)
        }.map { LedgerSequence($0) }
    }

    func ticket(_ sequence: LedgerSequence) throws(LedgerError) -> TicketHistory? {
        guard let entry = try entry(sequence), case .evidenceTicket(let ticket) = entry.value else {
            return nil
        }
        let place = try LedgerError.mapping {
            try connection.integer(
                "SELECT seq FROM unique_name WHERE kind = ? AND name = ?",
                EntryKind.ticketClosed.rawValue, TicketClosing.name(ofTicket: sequence).blob)
        }
        var history = TicketHistory(ticket: entry.with(ticket))
        if let place, let closed = try self.entry(LedgerSequence(place)),
            case .ticketClosed(let closing) = closed.value
        {
            history.closing = closed.with(closing)
        }
        return history
    }

    func tickets(
        onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int
    ) throws(LedgerError) -> [LedgerSequence] {
        // As the indexes say it, so that they are used.
        let condition = onlyWaiting ? "state = 1" : "state <> 2"
        return try LedgerError.mapping {
            let rows = try connection.rows(
                "SELECT id FROM ticket WHERE \(condition) AND id > ? ORDER BY id LIMIT ?",
                sequence.number, limit)
            return try Array(rows.map { LedgerSequence(try $0.integer(0)) })
        }
    }

    /// Tickets of evidence that wait, each since its own entry.
    func lostTickets(after sequence: LedgerSequence, limit: Int) throws -> [LedgerSequence] {
        let rows = try connection.rows(
            """
            SELECT id FROM ticket WHERE state = 1 AND is_evidence = 1 AND id > ?
            ORDER BY id LIMIT ?
            """, sequence.number, limit)
        return try Array(rows.map { LedgerSequence(try $0.integer(0)) })
    }
}

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
