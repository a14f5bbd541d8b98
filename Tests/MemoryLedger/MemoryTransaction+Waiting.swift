internal import EntitlementModel
internal import LedgerModel

/// Tickets.
extension MemoryTransaction {
    func waitingTicket(like ticket: EvidenceTicket) -> LedgerSequence? {
        keys.tickets.first { $0.value.state == .waiting && $0.value.name == ticket.name }?.key
    }

    func ticket(_ sequence: LedgerSequence) -> TicketHistory? {
        guard let entry = contents[sequence], case .evidenceTicket(let ticket) = entry.value else {
            return nil
        }
        var history = TicketHistory(ticket: entry.with(ticket))
        let name = MemoryKeys.Name.other(.ticketClosed, TicketClosing.name(ofTicket: sequence))
        if let closed = keys.places[name].flatMap({ contents[$0] }),
            case .ticketClosed(let closing) = closed.value
        {
            history.closing = closed.with(closing)
        }
        return history
    }

    func tickets(
        onlyWaiting: Bool, after sequence: LedgerSequence, limit: Int
    ) -> [LedgerSequence] {
        let found = keys.tickets.filter { place, ticket in
            place > sequence && (onlyWaiting ? ticket.state == .waiting : ticket.state != .judged)
        }
        return Array(found.keys.sorted().prefix(limit))
    }
}

/// Refunds.
extension MemoryTransaction {
    func refundNotifications(after sequence: LedgerSequence, limit: Int) -> [LedgerSequence] {
        let found = contents.entries.filter { entry in
            guard case .notification(let fact) = entry.value else { return false }
            return entry.sequence > sequence && fact.isAboutRefund
        }
        return Array(found.map(\.sequence).prefix(limit))
    }

    func notices(after sequence: LedgerSequence, limit: Int) -> [LedgerSequence] {
        let found = contents.entries.filter { entry in
            guard case .notification(let fact) = entry.value else { return false }
            return entry.sequence > sequence && fact.notice != nil
        }
        return Array(found.map(\.sequence).prefix(limit))
    }

    func refundAnswer(to request: LedgerSequence, begun: Bool) -> Recorded<RefundAnswer>? {
        let name = MemoryKeys.Name.other(
            .refundAnswer, RefundAnswer.name(ofRequest: request, begun: begun))
        guard let entry = keys.places[name].flatMap({ contents[$0] }),
            case .refundAnswer(let answer) = entry.value
        else { return nil }
        return entry.with(answer)
    }
}
