internal import EntitlementModel
internal import StrictJSON

extension Claim: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("evidence", evidence)
        writer.field("moment", moment)
        writer.field("order", order)
        writer.object("transaction", transaction)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let evidence = try fields.optionalSequence("evidence")
        let moment = try fields.word("moment", as: ClaimMoment.self)
        let order = try fields.optionalIdentifier("order", as: OrderID.self)
        self.init(
            account: account, transaction: try fields.object("transaction"), moment: moment,
            order: order, evidence: evidence)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.place(sequence, self)
    }

    var subjects: EntrySubjects {
        EntrySubjects(transactions: [transaction], accounts: [account])
    }

    var signedEvidence: LedgerSequence? { evidence }
}

extension OwnershipDecision: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("cause", cause)
        writer.field("from", from)
        writer.field("outcome", outcome.code)
        writer.array("ownersAfter", of: ownersAfter)
        writer.array("ownersBefore", of: ownersBefore)
        writer.field("policy", policy)
        writer.object("rule", rule)
        writer.field(rules: rules)
        writer.field("transactionId", transactionID)
        writer.object("unit", unit)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let cause = try fields.sequence("cause")
        let from = try fields.instant("from")
        guard let outcome = ClaimOutcome(code: try fields.text("outcome")) else {
            throw PayloadError("outcome")
        }
        let ownersAfter = try fields.identifiers("ownersAfter", as: AccountID.self)
        let ownersBefore = try fields.identifiers("ownersBefore", as: AccountID.self)
        let policy = try fields.digest("policy")
        let rule = try fields.object("rule", as: RuleReference.self)
        let rules = try fields.rules()
        let transactionID = try fields.identifier("transactionId", as: TransactionID.self)
        self.init(
            cause: cause, unit: try fields.object("unit"), transactionID: transactionID,
            outcome: outcome, rule: rule, policy: policy, rules: rules,
            ownersBefore: ownersBefore, ownersAfter: ownersAfter, from: from)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.place(sequence, self)
        try index.insertSuccession(self)
        try index.insertOwners(self, at: sequence)
    }

    var subjects: EntrySubjects {
        EntrySubjects(unit: unit, accounts: ownersBefore + ownersAfter)
    }
}

/// The version of the rules that something was decided by; the first has no number.
extension JSONWriter {
    mutating func field(rules: Int64) {
        field("rules", rules == 1 ? nil : rules)
    }
}

extension PayloadReader {
    mutating func rules() throws(PayloadError) -> Int64 {
        guard let rules = try optionalInteger("rules") else { return 1 }
        guard rules > 1 else { throw PayloadError("rules") }
        return rules
    }
}

extension Ruling: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("claim", claim)
        writer.field("decision", decision)
        writer.field("reason", reason)
        writer.object("unit", unit)
        writer.field("verb", verb)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.optionalIdentifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let claim = try fields.optionalSequence("claim")
        let decision = try fields.optionalSequence("decision")
        let reason = try fields.text("reason")
        let unit = try fields.object("unit", as: OwnedUnit.self)
        self.init(
            verb: try fields.word("verb"), unit: unit, claim: claim, decision: decision,
            account: account, actor: actor, reason: reason)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.place(sequence, unit, for: account.map { [$0] } ?? [])
    }

    var subjects: EntrySubjects { EntrySubjects(unit: unit) }
}

extension RuleReference: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("file", file)
        writer.field("line", Int64(line))
        writer.field("name", name)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let file = try fields.text("file")
        let line = try fields.integer("line")
        self.init(name: try fields.text("name"), file: file, line: Int(line))
    }
}

extension TransactionKey: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("environment", environment)
        writer.field("transactionId", transactionID)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        self.init(environment, try fields.identifier("transactionId"))
    }
}

extension OwnedUnit: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("environment", environment)
        switch self {
        case .lineage(let key): writer.field("lineage", key.originalTransactionID)
        case .purchase(let key): writer.field("purchase", key.transactionID)
        }
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        if let original = try fields.optionalIdentifier("lineage", as: TransactionID.self) {
            self = .lineage(LineageKey(environment, original))
        } else {
            self = .purchase(TransactionKey(environment, try fields.identifier("purchase")))
        }
    }
}
