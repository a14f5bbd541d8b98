internal import EntitlementModel

extension Claim: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let erasedOwners = try visitor.optional("erasedOwners") {
            $0.erasedOwners.isEmpty ? nil : $0.erasedOwners
        }
        let hasErasedToken = try visitor.mark("erasedToken", \.hasErasedToken)
        let evidence = try visitor.optional("evidence", \.evidence)
        let moment = try visitor.value("moment", \.moment)
        let order = try visitor.optional("order", \.order)
        let isReturn = try visitor.mark("returns", \.isReturn)
        return Self(
            account: account, transaction: try visitor.value("transaction", \.transaction),
            moment: moment, order: order, evidence: evidence, isReturn: isReturn,
            erasedOwners: erasedOwners ?? [], hasErasedToken: hasErasedToken)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] { [.claim(self)] }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.claim(self)] }

    var signedEvidence: LedgerSequence? { evidence }
}

extension OwnershipDecision: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let cause = try visitor.value("cause", \.cause)
        let from = try visitor.value("from", \.from)
        guard let outcome = ClaimOutcome(code: try visitor.value("outcome", \.outcome.code))
        else {
            throw PayloadError("outcome")
        }
        let ownersAfter = try visitor.value("ownersAfter", \.ownersAfter)
        let ownersBefore = try visitor.value("ownersBefore", \.ownersBefore)
        let policy = try visitor.value("policy", \.policy)
        let rule = try visitor.value("rule", \.rule)
        let rules = try visitor.rules(\.rules)
        let transactionID = try visitor.value("transactionId", \.transactionID)
        return Self(
            cause: cause, unit: try visitor.value("unit", \.unit), transactionID: transactionID,
            outcome: outcome, rule: rule, policy: policy, rules: rules,
            ownersBefore: ownersBefore, ownersAfter: ownersAfter, from: from)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] { [.decision(self)] }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.decision(self)] }
}

extension PayloadVisitor {
    /// True, or not there.
    mutating func mark(
        _ name: StaticString, _ get: (Root) -> Bool
    ) throws(PayloadError) -> Bool {
        let isMarked = try optional(name) { get($0) ? true : nil }
        guard isMarked != false else { throw PayloadError(name) }
        return isMarked ?? false
    }

    /// The version of the rules that something was decided by; the first has no number.
    mutating func rules(_ get: (Root) -> Int64) throws(PayloadError) -> Int64 {
        let rules = try optional("rules") { get($0) == 1 ? nil : get($0) }
        guard let rules else { return 1 }
        guard rules > 1 || !isReading else { throw PayloadError("rules") }
        return rules
    }
}

extension Ruling: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.optional("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let claim = try visitor.optional("claim", \.claim)
        let decision = try visitor.optional("decision", \.decision)
        let reason = try visitor.value("reason", \.reason)
        let isReturn = try visitor.mark("returns", \.isReturn)
        let unit = try visitor.value("unit", \.unit)
        var ruling = Self(
            verb: try visitor.value("verb", \.verb), unit: unit, claim: claim, decision: decision,
            account: account, actor: actor, reason: reason)
        ruling.isReturn = isReturn
        return ruling
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unit(unit, accounts: account.map { [$0] } ?? [])]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.unit(unit)] + (account.map { [.account($0)] } ?? [])
    }
}

extension RuleReference: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let file = try visitor.value("file", \.file)
        let line = try visitor.value("line") { Int64($0.line) }
        return Self(name: try visitor.value("name", \.name), file: file, line: Int(line))
    }
}

extension TransactionKey: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let environment = try visitor.value("environment", \.environment)
        return Self(environment, try visitor.value("transactionId", \.transactionID))
    }
}

extension OwnedUnit: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let environment = try visitor.value("environment", \.environment)
        let lineage = try visitor.optional("lineage") { unit in
            if case .lineage(let key) = unit { key.originalTransactionID } else { nil }
        }
        if let lineage { return .lineage(LineageKey(environment, lineage)) }
        let purchase = try visitor.optional("purchase") { unit in
            if case .purchase(let key) = unit { key.transactionID } else { nil }
        }
        guard let purchase else { throw PayloadError("purchase") }
        return .purchase(TransactionKey(environment, purchase))
    }
}
