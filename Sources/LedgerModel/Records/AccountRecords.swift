internal import EntitlementModel

extension Grant: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let environment = try visitor.value("environment", \.environment)
        let from = try visitor.value("from", \.from)
        let gift = try visitor.value("gift", \.gift)
        let id = try visitor.value("id", \.id)
        let reason = try visitor.value("reason", \.reason)
        return Self(
            id: id, account: account, environment: environment, gift: gift, from: from,
            until: try visitor.optional("until", \.until), actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.unique(.grant, id.text), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension GrantedGift: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let entitlement = try visitor.optional("entitlement", \.givenEntitlement)
        if let entitlement { return .entitlement(entitlement) }
        guard let name = try visitor.optional("credit", { $0.givenCredit?.name }),
            let units = try visitor.optional("units", { $0.givenCredit?.units })
        else { throw PayloadError("credit") }
        return .credit(name, units: units)
    }

    private var givenEntitlement: EntitlementName? {
        if case .entitlement(let name) = self { name } else { nil }
    }

    private var givenCredit: (name: CreditName, units: Int64)? {
        if case .credit(let name, let units) = self { (name, units) } else { nil }
    }
}

extension GrantRevocation: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let given = try visitor.optional("given") { revocation in
            if case .paid(_, let given) = revocation.effect { given } else { nil }
        }
        let grant = try visitor.value("grant", \.grant)
        let payment = try visitor.optional("payment", \.payment)
        let reason = try visitor.value("reason", \.reason)
        let isUndone = try visitor.optional("undone") { $0.effect == .undone ? true : nil } ?? false
        let paid = payment.flatMap { payment in given.map { Effect.paid(payment, given: $0) } }
        return Self(
            grant: grant, account: account, actor: actor, reason: reason,
            effect: paid ?? (isUndone ? .undone : .ends))
    }

    /// A replacement for an item is read with the purchase.
    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [payment.map { .purchase($0, accounts: [account]) } ?? .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.account(account)] + (payment.map { [.unit(.purchase($0))] } ?? [])
    }
}

extension Block: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let closes = try visitor.mark("closes", \.purpose.closes)
        let credits = try visitor.optional("credits") {
            $0.scope.isEverything ? nil : $0.scope.credits
        }
        let due = try visitor.optional("dueDate", \.purpose.due)
        let entitlements = try visitor.optional("entitlements") {
            $0.scope.isEverything ? nil : $0.scope.entitlements
        }
        let scope = BlockScope(entitlements: entitlements ?? [], credits: credits ?? [])
        // A written entry has one of the two.
        guard (credits == nil) == (entitlements == nil),
            credits == nil
                || scope.credits == credits && scope.entitlements == entitlements
                    && !scope.isEverything && !closes
        else { throw PayloadError("credits") }
        let id = try visitor.value("id", \.id)
        let reason = try visitor.value("reason", \.reason)
        let reference = try visitor.optional("reference", \.purpose.reference)
        guard closes || due == nil, (due == nil) == (reference == nil) else {
            throw PayloadError("dueDate")
        }
        let held = due.flatMap { due in reference.map { Purpose.erasure(at: due, reference: $0) } }
        let purpose = held ?? (closes ? .closure : .stop)
        return Self(
            id: id, account: account, scope: scope, purpose: purpose, actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        var keys: [EntryKey] = [.unique(.block, id.text), .account(account)]
        if let due = purpose.due {
            keys.append(.unique(.erasure, Erasure.name(ofHold: sequence, due: due)))
        }
        return keys
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension BlockRemoval: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let block = try visitor.value("block", \.block)
        return Self(
            block: block, account: account, actor: actor,
            reason: try visitor.value("reason", \.reason))
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension AccountTokenRegistration: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let reason = try visitor.value("reason", \.reason)
        let token = try visitor.value("token", \.token)
        return Self(token: token, account: account, actor: actor, reason: reason)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.token(token), .account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.token(token), .account(account)]
    }
}

extension AccountMerge: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let actor = try visitor.value("actor", \.actor)
        let credits = try visitor.optional("credits") { $0.credits.isEmpty ? nil : $0.credits }
        // A written hold has credits.
        guard credits?.isEmpty != true else { throw PayloadError("credits") }
        let from = try visitor.value("from", \.from)
        let into = try visitor.value("into", \.into)
        let reason = try visitor.value("reason", \.reason)
        let rules = try visitor.rules(\.rules)
        let undoes = try visitor.optional("undoes", \.undoes)
        // Merges of before say nothing of it.
        let isUpToNow = try visitor.optional("upToNow") { $0.isUpToNow ? true : nil }
        guard isUpToNow != false else { throw PayloadError("upToNow") }
        return Self(
            from: from, into: into, undoes: undoes, isUpToNow: isUpToNow ?? false, actor: actor,
            reason: reason, credits: credits ?? [], rules: rules)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.account(from), .account(into)]
    }

    /// The tokens of both names now belong to the one account.
    func changes(at sequence: LedgerSequence) -> [EntryChange] {
        [.holdings(from), .holdings(into)]
    }
}

extension StoreReport: LedgerRecord {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let account = try visitor.value("account", \.account)
        let actor = try visitor.value("actor", \.actor)
        let environment = try visitor.value("environment", \.environment)
        let invalid = try visitor.value("invalid") { $0.invalidProducts ?? [] }
        // No list is something else than an empty one.
        let isListed = try visitor.value("listed") { $0.invalidProducts != nil }
        return Self(
            account: account, environment: environment,
            invalidProducts: isListed ? invalid : nil,
            payments: try visitor.value("payments", \.payments), actor: actor)
    }

    func keys(at sequence: LedgerSequence) -> [EntryKey] {
        [.account(account)]
    }

    func changes(at sequence: LedgerSequence) -> [EntryChange] { [.account(account)] }
}

extension FailedPayment: PayloadObject {
    static func members(_ visitor: inout some PayloadVisitor<Self>) throws(PayloadError) -> Self {
        let occurredAt = try visitor.optional("occurredDate", \.occurredAt)
        let outcome = try visitor.value("outcome", \.outcome)
        let product = try visitor.value("product", \.product)
        return Self(
            product: product, outcome: outcome,
            storeCode: try visitor.optional("storeCode", \.storeCode),
            occurredAt: occurredAt)
    }
}
