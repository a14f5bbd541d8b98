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
    /// Nil if Apple is not asked, and once it is closed.
    package var nextAttempt: Instant?
    /// Why the last attempt has failed, or why there is none.
    package var failure: TicketFailure?
    package var closedAt: Instant?
    /// Why it is not judged: one of Apple's troubles, or a refusal of the answer.
    package var code: String?
    /// Apple's own number for it.
    package var status: Int64?
    /// The subject of Apple's answer, and the account's relation to it now.
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let number = try shape.value("ticket", \.ticket)
        let state = try shape.value("state", \.state)
        let form = try shape.value("form", \.form)
        let ticket = EvidenceTicket(
            form, environment: try shape.optional("environment", \.environment),
            transaction: try shape.optional("transaction_id", \.transaction),
            account: try shape.optional("account", \.account),
            moment: try shape.optional("moment", \.moment),
            order: try shape.optional("order", \.order),
            token: try shape.optional("token", \.token))
        let since = try shape.value("since", \.since)
        var answer = TicketAnswer(
            TicketHistory(
                ticket: Recorded(sequence: number, recordedAt: since, value: ticket)),
            revision: .zero)
        answer.state = state
        answer.attempts = try shape.value("attempts", \.attempts)
        answer.lastAttempt = try shape.optional("last_attempt", \.lastAttempt)
        answer.nextAttempt = try shape.optional("next_attempt", \.nextAttempt)
        answer.failure = try shape.optional("failure", \.failure)
        answer.closedAt = try shape.optional("closed_at", \.closedAt)
        answer.code = try shape.optional("code", \.code)
        answer.status = try shape.optional("status", \.status)
        answer.transactions = try shape.value("transactions", \.transactions)
        answer.revision = try shape.value("revision", \.revision)
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let failure = TicketFailure(
            try shape.value("code", \.code), status: try shape.optional("status", \.status))
        // Follows from the code.
        _ = try shape.value("text") { Title($0.code) }
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        TicketList(
            at: try shape.value("at", \.at), asks: try shape.value("asks", \.asks),
            tickets: try shape.value("tickets", \.tickets),
            next: try shape.nullable("next", \.next),
            revision: try shape.value("revision", \.revision))
    }
}

/// 202: Apple is asked, and the submitted evidence is kept meanwhile.
package struct WaitingEvidence: WireObject {
    package enum Verdict: String, WireWord {
        case waiting
    }

    package var ticket: TicketAnswer
    /// The result of verifying the evidence by itself; nil if it proves nothing.
    package var judged: EvidenceAnswer?

    package init(ticket: TicketAnswer, judged: EvidenceAnswer?) {
        self.ticket = ticket
        self.judged = judged
    }

    package static var shapeName: String { "WaitingEvidence" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        _ = try shape.value("verdict") { _ in Verdict.waiting }
        return WaitingEvidence(
            ticket: try shape.value("ticket", \.ticket),
            judged: try shape.optional("judged", \.judged))
    }
}

/// What waits for Apple, for the operator's page.
package struct AppStoreQueueAnswer: WireObject {
    package static var shapeName: String { "WaitingRoom" }

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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AppStoreQueueAnswer(
            asks: try shape.value("asks", \.asks),
            tickets: try shape.value("tickets", \.tickets),
            oldestSeconds: try shape.value("oldest_seconds", \.oldestSeconds),
            nextAttempt: try shape.optional("next_attempt", \.nextAttempt))
    }
}
