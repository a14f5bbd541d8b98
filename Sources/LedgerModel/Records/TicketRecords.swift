package import EntitlementModel
internal import StrictJSON

extension EvidenceTicket: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("environment", environment?.rawValue)
        writer.field("evidence", evidence)
        writer.field("form", form)
        writer.field("moment", moment?.rawValue)
        writer.field("order", order)
        writer.field("token", token?.text)
        writer.field("transactionId", transaction)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.optionalIdentifier("account", as: AccountID.self)
        let environment = try fields.optionalWord("environment", as: StoreEnvironment.self)
        let evidence = try fields.optionalSequence("evidence")
        let form = try fields.word("form", as: Form.self)
        let moment = try fields.optionalWord("moment", as: ClaimMoment.self)
        let order = try fields.optionalIdentifier("order", as: OrderID.self)
        let token = try fields.optionalToken("token")
        self.init(
            form, evidence: evidence, environment: environment,
            transaction: try fields.optionalIdentifier("transactionId", as: TransactionID.self),
            account: account, moment: moment, order: order, token: token)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.insert(self, at: sequence)
        if let account { try index.link(sequence, to: account) }
    }
}

extension EvidenceTicket {
    /// What makes two tickets the same question for the same account: only one of them waits.
    package var name: [UInt8] {
        let parts = [
            form.rawValue, environment?.rawValue, evidence?.description, transaction?.text,
            account?.text, moment?.rawValue, order?.text, token?.text,
        ]
        return Array(parts.map { $0 ?? "-" }.joined(separator: " ").utf8)
    }
}

extension TicketClosing: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("code", code)
        writer.field("evidence", evidence)
        writer.field("outcome", outcome)
        writer.field("status", status)
        writer.field("ticket", ticket)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let code = try fields.optionalText("code")
        let evidence = try fields.optionalSequence("evidence")
        let outcome = try fields.word("outcome", as: Outcome.self)
        let status = try fields.optionalInteger("status")
        self.init(
            ticket: try fields.sequence("ticket"), outcome: outcome, evidence: evidence,
            code: code, status: status)
    }

    /// A ticket is closed once.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.ticketClosed, Self.name(ofTicket: ticket), for: sequence)
        try index.insert(self, at: sequence)
    }
}

extension TicketClosing {
    /// What the closing of a ticket is found by.
    package static func name(ofTicket ticket: LedgerSequence) -> [UInt8] {
        Array("\(ticket)".utf8)
    }
}

/// Where a ticket stands in a ledger's index. The numbers are part of it.
package enum TicketState: Int64, CaseIterable, Sendable {
    case waiting = 1
    case judged = 2
    /// Refused or given up.
    case refused = 3

    package init(_ outcome: TicketClosing.Outcome) {
        self = outcome == .judged ? .judged : .refused
    }
}
