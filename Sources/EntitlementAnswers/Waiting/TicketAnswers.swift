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
