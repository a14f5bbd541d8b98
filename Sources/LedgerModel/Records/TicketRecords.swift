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

extension RefundConsent: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("given", isGiven)
        writer.field("reason", reason)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let isGiven = try fields.flag("given")
        self.init(
            account: account, isGiven: isGiven, actor: actor, reason: try fields.text("reason"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.link(sequence, to: account)
    }
}

extension RefundAnswer: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("actor", actor)
        writer.field("code", code)
        writer.field("outcome", outcome)
        writer.field("policy", policy)
        writer.field("reason", reason)
        writer.field("request", request)
        writer.optionalObject("rule", rule)
        writer.optionalObject("statement", statement)
        writer.field("status", status)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let actor = try fields.optionalText("actor")
        let code = try fields.optionalText("code")
        let outcome = try fields.word("outcome", as: Outcome.self)
        let policy = try fields.optionalDigest("policy")
        let reason = try fields.optionalText("reason")
        let request = try fields.sequence("request")
        let rule: RuleReference? = try fields.optionalObject("rule")
        let statement: RefundStatement? = try fields.optionalObject("statement")
        self.init(
            request: request, outcome: outcome, statement: statement, rule: rule, policy: policy,
            code: code, status: try fields.optionalInteger("status"), actor: actor, reason: reason)
    }

    /// A request is answered once, and begun to be answered once.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        let name = Self.name(ofRequest: request, begun: outcome == .begun)
        try index.reserve(.refundAnswer, name, for: sequence)
    }
}

extension RefundAnswer {
    /// What the answer to a request is found by, or what it is going to be answered.
    package static func name(ofRequest request: LedgerSequence, begun: Bool) -> [UInt8] {
        Array((begun ? "begun \(request)" : "\(request)").utf8)
    }
}

extension RefundStatement: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("consumed", consumed)
        writer.field("delivery", delivery)
        writer.field("firstVersion", isFirstVersion)
        writer.field("preference", preference)
        writer.field("sample", hadSample)
        writer.field("token", token?.text)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let consumed = try fields.optionalInteger("consumed")
        let delivery = try fields.word("delivery", as: Delivery.self)
        let isFirstVersion = try fields.flag("firstVersion")
        let preference = try fields.word("preference", as: Preference.self)
        let hadSample = try fields.flag("sample")
        self.init(
            delivery: delivery, hadSample: hadSample, preference: preference, consumed: consumed,
            isFirstVersion: isFirstVersion, token: try fields.optionalToken("token"))
    }
}

extension NotificationFact {
    /// Types of notifications by which a refund request begins or ends, apart from what the purchase
    /// itself says.
    private static let refundTypes = [RefundRequest.notificationType, "REFUND_DECLINED"]

    /// Whether it is in the list of refund notifications.
    package var isAboutRefund: Bool { Self.refundTypes.contains(type) }

    /// What notifications about refunds are found by, in the order of the ledger: no UUID is like it.
    package static func refundName(at sequence: LedgerSequence) -> [UInt8] {
        name("refund", at: sequence)
    }

    /// The same for notifications without a purchase.
    package static func noticeName(at sequence: LedgerSequence) -> [UInt8] {
        name("notice", at: sequence)
    }

    private static func name(_ word: String, at sequence: LedgerSequence) -> [UInt8] {
        let digits = "\(max(0, sequence.number))"
        let zeros = String(repeating: "0", count: max(0, 19 - digits.utf8.count))
        return Array("\(word) \(zeros)\(digits)".utf8)
    }
}
