package import EntitlementModel

extension EvidenceTicket.Form: WireWord {}
extension TicketStanding: WireWord {}
extension AppStoreTrouble: WireWord {}

/// `GET /v1/evidence/{ticket}`: something that waits for Apple, and what came of it.
package struct TicketAnswer: WireObject {
    package var ticket: LedgerSequence
    package var state: TicketStanding
    package var form: EvidenceTicket.Form
    package var account: AccountID?
    package var moment: ClaimMoment?
    package var order: OrderID?
    package var environment: StoreEnvironment?
    package var transaction: TransactionID?
    /// The token that is to be set.
    package var token: AppAccountToken?
    package var since: Instant
    /// By this process.
    package var attempts: Int64
    package var lastAttempt: Instant?
    /// Nil where nobody asks, and once it is closed.
    package var nextAttempt: Instant?
    /// Why the last attempt came to nothing, or why there is none.
    package var failure: TicketFailure?
    package var closedAt: Instant?
    /// Why it is not judged: one of Apple's troubles, or a refusal of the answer.
    package var code: String?
    /// Apple's own number for it.
    package var status: Int64?
    /// What Apple's answer was about, and where the account stands now.
    package var transactions: [TransactionAnswer]
    package var revision: LedgerSequence

    package init(_ history: TicketHistory, revision: LedgerSequence) {
        let ticket = history.ticket.value
        self.ticket = history.ticket.sequence
        state = TicketStanding(history.closing?.value.outcome)
        form = ticket.form
        account = ticket.account
        moment = ticket.moment
        order = ticket.order
        environment = ticket.environment
        transaction = ticket.transaction
        token = ticket.token
        since = history.ticket.recordedAt
        attempts = 0
        closedAt = history.closing?.recordedAt
        code = history.closing?.value.code
        status = history.closing?.value.status
        transactions = []
        self.revision = revision
    }

    package static var shapeName: String { "EvidenceTicket" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> TicketAnswer {
        let number = try visitor.value("ticket", \.ticket)
        let state = try visitor.value("state", \.state)
        let form = try visitor.value("form", \.form)
        let ticket = EvidenceTicket(
            form, environment: try visitor.optional("environment", \.environment),
            transaction: try visitor.optional("transaction_id", \.transaction),
            account: try visitor.optional("account", \.account),
            moment: try visitor.optional("moment", \.moment),
            order: try visitor.optional("order", \.order),
            token: try visitor.optional("token", \.token))
        let since = try visitor.value("since", \.since)
        var answer = TicketAnswer(
            TicketHistory(
                ticket: Recorded(sequence: number, recordedAt: since, value: ticket)),
            revision: .zero)
        answer.state = state
        answer.attempts = try visitor.value("attempts", \.attempts)
        answer.lastAttempt = try visitor.optional("last_attempt", \.lastAttempt)
        answer.nextAttempt = try visitor.optional("next_attempt", \.nextAttempt)
        answer.failure = try visitor.optional("failure", \.failure)
        answer.closedAt = try visitor.optional("closed_at", \.closedAt)
        answer.code = try visitor.optional("code", \.code)
        answer.status = try visitor.optional("status", \.status)
        answer.transactions = try visitor.value("transactions", \.transactions)
        answer.revision = try visitor.value("revision", \.revision)
        return answer
    }
}

/// Why Apple was asked in vain.
package struct TicketFailure: WireObject, Hashable {
    package var code: AppStoreTrouble
    /// Apple's own number for it.
    package var status: Int64?

    package init(_ code: AppStoreTrouble, status: Int64? = nil) {
        self.code = code
        self.status = status
    }

    package static var shapeName: String { "TicketFailure" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> TicketFailure {
        let failure = TicketFailure(
            try visitor.value("code", \.code), status: try visitor.optional("status", \.status))
        // Follows from the code.
        _ = try visitor.value("text") { Title($0.code) }
        return failure
    }
}

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
