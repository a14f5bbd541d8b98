package import EntitlementModel

extension EvidenceTicket: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.optional("account", \.account)
        let environment = try visitor.optional("environment", \.environment)
        let evidence = try visitor.optional("evidence", \.evidence)
        let form = try visitor.value("form", \.form)
        let moment = try visitor.optional("moment", \.moment)
        let order = try visitor.optional("order", \.order)
        let token = try visitor.optional("token", \.token)
        return Self(
            form, evidence: evidence, environment: environment,
            transaction: try visitor.optional("transactionId", \.transaction),
            account: account, moment: moment, order: order, token: token)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.ticket(self)] + (account.map { [.account($0)] } ?? [])
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.ticket(sequence)] }
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
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let code = try visitor.optional("code", \.code)
        let evidence = try visitor.optional("evidence", \.evidence)
        let outcome = try visitor.value("outcome", \.outcome)
        let status = try visitor.optional("status", \.status)
        return Self(
            ticket: try visitor.value("ticket", \.ticket), outcome: outcome, evidence: evidence,
            code: code, status: status)
    }

    /// A ticket is closed once.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.ticketClosed, Self.name(ofTicket: ticket)), .ticketClosing(self)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.ticket(ticket)] }
}

extension TicketClosing {
    /// The name that finds the closing of a ticket.
    package static func name(ofTicket ticket: LedgerSequence) -> [UInt8] {
        Array("\(ticket)".utf8)
    }
}

/// The state of a ticket in a ledger's index. The numbers are part of the format.
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
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let isGiven = try visitor.value("given", \.isGiven)
        return Self(
            account: account, isGiven: isGiven, actor: actor,
            reason: try visitor.value("reason", \.reason))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] { [.account(account)] }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [] }
}

extension RefundAnswer: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let actor = try visitor.optional("actor", \.actor)
        let code = try visitor.optional("code", \.code)
        let outcome = try visitor.value("outcome", \.outcome)
        let policy = try visitor.optional("policy", \.policy)
        let reason = try visitor.optional("reason", \.reason)
        let request = try visitor.value("request", \.request)
        let rule: RuleReference? = try visitor.optional("rule", \.rule)
        let statement: RefundStatement? = try visitor.optional("statement", \.statement)
        return Self(
            request: request, outcome: outcome, statement: statement, rule: rule, policy: policy,
            code: code, status: try visitor.optional("status", \.status), actor: actor,
            reason: reason)
    }

    /// A request is answered once, and begun once.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.refundAnswer, Self.name(ofRequest: request, begun: outcome == .begun))]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.refund(request)] }
}

extension RefundAnswer {
    /// The name that finds the answer to a request, or the answer that is going to be sent.
    package static func name(ofRequest request: LedgerSequence, begun: Bool) -> [UInt8] {
        Array((begun ? "begun \(request)" : "\(request)").utf8)
    }
}

extension RefundStatement: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let consumed = try visitor.optional("consumed", \.consumed)
        let delivery = try visitor.value("delivery", \.delivery)
        let isFirstVersion = try visitor.value("firstVersion", \.isFirstVersion)
        let preference = try visitor.value("preference", \.preference)
        let hadSample = try visitor.value("sample", \.hadSample)
        return Self(
            delivery: delivery, hadSample: hadSample, preference: preference, consumed: consumed,
            isFirstVersion: isFirstVersion, token: try visitor.optional("token", \.token))
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
