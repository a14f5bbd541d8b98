package import EntitlementModel
internal import StrictJSON

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
