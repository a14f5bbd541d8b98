package import EntitlementModel
internal import StrictJSON

extension CreditSpend: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("environment", environment)
        writer.field("key", key)
        writer.array("parts", of: parts)
        writer.field("reason", reason)
        writer.field("reference", reference)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let key = try fields.text("key")
        let parts = try fields.creditParts("parts")
        let reason = try fields.optionalText("reason")
        self.init(
            account: account, environment: environment, parts: parts, key: key, actor: actor,
            reason: reason, reference: try fields.optionalText("reference"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.creditSpend, Self.keyName(key, of: actor), for: sequence)
        try index.link(sequence, to: account)
    }
}

extension CreditSpend {
    /// What an idempotency key of an actor is found by, whatever was asked for with it.
    package static func keyName(_ key: String, of actor: String) -> [UInt8] {
        Array("\(actor) \(key)".utf8)
    }
}

extension CreditHold: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("environment", environment)
        writer.field("key", key)
        writer.field("origin", origin)
        writer.array("parts", of: parts)
        writer.field("reason", reason)
        writer.field("reference", reference)
        writer.field("until", until)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let key = try fields.optionalText("key")
        let origin = try fields.optionalSequence("origin")
        let parts = try fields.creditParts("parts")
        let reason = try fields.optionalText("reason")
        let reference = try fields.optionalText("reference")
        self.init(
            account: account, environment: environment, parts: parts,
            until: try fields.instant("until"), key: key, origin: origin, actor: actor,
            reason: reason, reference: reference)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        if let key {
            try index.reserve(.creditSpend, CreditSpend.keyName(key, of: actor), for: sequence)
        }
        try index.link(sequence, to: account)
    }

    var subjects: EntrySubjects { EntrySubjects(accounts: [account]) }
}

extension HoldEnd: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.array("captured", of: captured)
        writer.field("hold", hold)
        writer.field("reason", reason)
        writer.field("reference", reference)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let captured = try fields.creditParts("captured", orNone: true)
        let hold = try fields.sequence("hold")
        let reason = try fields.optionalText("reason")
        self.init(
            hold: hold, account: account, captured: captured, actor: actor, reason: reason,
            reference: try fields.optionalText("reference"))
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.holdEnd, Self.name(ofHold: hold), for: sequence)
        try index.link(sequence, to: account)
    }

    var subjects: EntrySubjects { EntrySubjects(accounts: [account]) }
}

extension HoldEnd {
    /// What the end of a hold is found by.
    package static func name(ofHold hold: LedgerSequence) -> [UInt8] { Array("\(hold)".utf8) }
}

extension SpendReversal: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("environment", environment)
        writer.field("key", key)
        writer.array("parts", of: parts)
        writer.field("reason", reason)
        writer.field("spend", spend)
        writer.field("spender", spender)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let key = try fields.text("key")
        let parts = try fields.creditParts("parts")
        let reason = try fields.optionalText("reason")
        let spend = try fields.sequence("spend")
        self.init(
            spend: spend, account: account,
            spender: try fields.identifier("spender", as: AccountID.self),
            environment: environment, parts: parts, key: key, actor: actor, reason: reason)
    }

    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.creditSpend, CreditSpend.keyName(key, of: actor), for: sequence)
        for name in Set([account, spender]).sorted() { try index.link(sequence, to: name) }
    }

    var subjects: EntrySubjects { EntrySubjects(accounts: [account]) }
}

extension CreditThaw: LedgerRecord {
    func write(to writer: inout JSONWriter) {
        writer.field("account", account)
        writer.field("actor", actor)
        writer.field("credit", credit)
        writer.field("environment", environment)
        writer.field("reason", reason)
        writer.field("refundedDate", refundedAt)
        writer.optionalObject("transaction", transaction)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let account = try fields.identifier("account", as: AccountID.self)
        let actor = try fields.text("actor")
        let credit = try fields.identifier("credit", as: CreditName.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        let reason = try fields.text("reason")
        let refundedAt = try fields.instant("refundedDate")
        self.init(
            account: account, environment: environment, credit: credit,
            transaction: try fields.object("transaction", as: TransactionKey.self),
            refundedAt: refundedAt, actor: actor, reason: reason)
    }

    /// It belongs to the purchase, so that whoever gets that by a merge is free too.
    func insertKeys(into index: inout some LedgerIndex, at sequence: LedgerSequence) throws {
        try index.reserve(.creditThaw, naturalKey, for: sequence)
        try index.place(sequence, transaction, for: [account])
    }

    private var naturalKey: [UInt8] {
        let words = [
            environment.rawValue, credit.text, transaction.environment.rawValue,
            transaction.transactionID.text, "\(refundedAt.milliseconds)",
        ]
        return Array(words.joined(separator: " ").utf8)
    }

    var subjects: EntrySubjects {
        EntrySubjects(transactions: [transaction], accounts: [account])
    }
}

extension CreditPart: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("credit", credit)
        writer.field("units", units)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let credit = try fields.identifier("credit", as: CreditName.self)
        self.init(credit, try fields.integer("units"))
    }
}

extension CarriedCredit: PayloadObject {
    func write(to writer: inout JSONWriter) {
        writer.field("credit", credit)
        writer.field("environment", environment)
        writer.field("units", units)
    }

    init(from fields: inout PayloadReader) throws(PayloadError) {
        let credit = try fields.identifier("credit", as: CreditName.self)
        let environment = try fields.word("environment", as: StoreEnvironment.self)
        self.init(
            environment: environment, credit: credit, units: try fields.integer("units"))
    }
}

extension PayloadReader {
    /// Parts as they are written: in order, each credit once, units positive.
    fileprivate mutating func creditParts(
        _ key: StaticString, orNone: Bool = false
    ) throws(PayloadError) -> [CreditPart] {
        let parts = try objects(key, as: CreditPart.self)
        if orNone, parts.isEmpty { return parts }
        guard parts.asParts == parts, parts.allSatisfy({ $0.units > 0 }) else {
            throw PayloadError(key)
        }
        return parts
    }
}
