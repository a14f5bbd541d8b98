package import EntitlementModel

extension CreditSpend: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let environment = try visitor.value("environment", \.environment)
        let key = try visitor.value("key", \.key)
        let parts = try visitor.parts("parts", \.parts)
        let reason = try visitor.optional("reason", \.reason)
        return Self(
            account: account, environment: environment, parts: parts, key: key, actor: actor,
            reason: reason, reference: try visitor.optional("reference", \.reference))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.creditSpend, Self.keyName(key, of: actor)), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension CreditSpend {
    /// What an idempotency key of an actor is found by, whatever was asked for with it.
    package static func keyName(_ key: String, of actor: String) -> [UInt8] {
        Array("\(actor) \(key)".utf8)
    }
}

extension CreditHold: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let environment = try visitor.value("environment", \.environment)
        let key = try visitor.optional("key", \.key)
        let origin = try visitor.optional("origin", \.origin)
        let parts = try visitor.parts("parts", \.parts)
        let reason = try visitor.optional("reason", \.reason)
        let reference = try visitor.optional("reference", \.reference)
        return Self(
            account: account, environment: environment, parts: parts,
            until: try visitor.value("until", \.until), key: key, origin: origin, actor: actor,
            reason: reason, reference: reference)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        let names = key.map { [EntryKey.unique(.creditSpend, CreditSpend.keyName($0, of: actor))] }
        return (names ?? []) + [.account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension HoldEnd: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let captured = try visitor.parts("captured", orNone: true, \.captured)
        let hold = try visitor.value("hold", \.hold)
        let reason = try visitor.optional("reason", \.reason)
        return Self(
            hold: hold, account: account, captured: captured, actor: actor, reason: reason,
            reference: try visitor.optional("reference", \.reference))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.holdEnd, Self.name(ofHold: hold)), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension HoldEnd {
    /// The name that finds the end of a hold.
    package static func name(ofHold hold: LedgerSequence) -> [UInt8] { Array("\(hold)".utf8) }
}

extension SpendReversal: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let environment = try visitor.value("environment", \.environment)
        let key = try visitor.value("key", \.key)
        let parts = try visitor.parts("parts", \.parts)
        let reason = try visitor.optional("reason", \.reason)
        let spend = try visitor.value("spend", \.spend)
        return Self(
            spend: spend, account: account,
            spender: try visitor.value("spender", \.spender),
            environment: environment, parts: parts, key: key, actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.creditSpend, CreditSpend.keyName(key, of: actor))]
            + Set([account, spender]).sorted().map(EntryKey.account)
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.account(account), .account(spender)]
    }
}

extension CreditThaw: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let credit = try visitor.value("credit", \.credit)
        let environment = try visitor.value("environment", \.environment)
        let reason = try visitor.value("reason", \.reason)
        let refundedAt = try visitor.value("refundedDate", \.refundedAt)
        return Self(
            account: account, environment: environment, credit: credit,
            transaction: try visitor.value("transaction", \.transaction),
            refundedAt: refundedAt, actor: actor, reason: reason)
    }

    /// It belongs to the purchase, so that it also applies to an account that gets the purchase by
    /// a merge.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.creditThaw, naturalKey), .purchase(transaction, accounts: [account])]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.account(account), .unit(.purchase(transaction))]
    }

    private var naturalKey: String {
        [
            environment.rawValue, credit.text, transaction.environment.rawValue,
            transaction.transactionID.text, "\(refundedAt.milliseconds)",
        ].joined(separator: " ")
    }
}

extension CreditPart: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let credit = try visitor.value("credit", \.credit)
        return Self(credit, try visitor.value("units", \.units))
    }
}

extension CarriedCredit: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let credit = try visitor.value("credit", \.credit)
        let environment = try visitor.value("environment", \.environment)
        return Self(
            environment: environment, credit: credit, units: try visitor.value("units", \.units))
    }
}

extension PayloadVisitor {
    /// Parts as they are written: in order, each credit once, units positive.
    fileprivate mutating func parts(
        _ name: StaticString, orNone: Bool = false, _ get: (Root) -> [CreditPart]
    ) throws(PayloadError) -> [CreditPart] {
        let parts = try value(name, get)
        if !isReading || orNone && parts.isEmpty { return parts }
        guard parts.asParts == parts, parts.allSatisfy({ $0.units > 0 }) else {
            throw PayloadError(name)
        }
        return parts
    }
}
