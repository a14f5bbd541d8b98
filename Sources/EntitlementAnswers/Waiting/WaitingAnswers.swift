package import EntitlementModel

/// `GET /v1/evidence`: what waits for Apple, the oldest first.
package struct TicketList: WireObject {
    package var at: Instant
    /// Whether this service asks Apple.
    package var asks: Bool
    package var tickets: [TicketAnswer]
    /// The `after` of the next page; nil at the end.
    package var next: LedgerSequence?
    package var revision: LedgerSequence

    package init(
        at: Instant, asks: Bool, tickets: [TicketAnswer], next: LedgerSequence?,
        revision: LedgerSequence
    ) {
        self.at = at
        self.asks = asks
        self.tickets = tickets
        self.next = next
        self.revision = revision
    }

    package static var shapeName: String { "EvidenceTicketList" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> TicketList {
        TicketList(
            at: try visitor.value("at", \.at), asks: try visitor.value("asks", \.asks),
            tickets: try visitor.value("tickets", \.tickets),
            next: try visitor.nullable("next", \.next),
            revision: try visitor.value("revision", \.revision))
    }
}

/// 202: Apple is asked, and what was handed in is safe meanwhile.
package struct WaitingEvidence: WireObject {
    package enum Verdict: String, WireWord {
        case waiting
    }

    package var ticket: TicketAnswer
    /// What the evidence proves by itself; nil where it proves nothing.
    package var judged: EvidenceAnswer?

    package init(ticket: TicketAnswer, judged: EvidenceAnswer?) {
        self.ticket = ticket
        self.judged = judged
    }

    package static var shapeName: String { "WaitingEvidence" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> WaitingEvidence {
        _ = try visitor.value("verdict") { _ in Verdict.waiting }
        return WaitingEvidence(
            ticket: try visitor.value("ticket", \.ticket),
            judged: try visitor.optional("judged", \.judged))
    }
}

/// What waits for Apple, for the operator's page.
package struct WaitingRoomAnswer: WireObject {
    /// Whether this service asks Apple.
    package var asks: Bool
    package var tickets: Int64
    /// Of the oldest.
    package var oldestSeconds: Int64
    package var nextAttempt: Instant?

    package init(asks: Bool, tickets: Int64, oldestSeconds: Int64, nextAttempt: Instant?) {
        self.asks = asks
        self.tickets = tickets
        self.oldestSeconds = oldestSeconds
        self.nextAttempt = nextAttempt
    }

    package static var shapeName: String { "WaitingRoom" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> WaitingRoomAnswer {
        WaitingRoomAnswer(
            asks: try visitor.value("asks", \.asks),
            tickets: try visitor.value("tickets", \.tickets),
            oldestSeconds: try visitor.value("oldest_seconds", \.oldestSeconds),
            nextAttempt: try visitor.optional("next_attempt", \.nextAttempt))
    }
}
