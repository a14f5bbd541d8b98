internal import EntitlementDerivation
internal import EntitlementModel

/// Lines that tell what people and services did. What is decided then and there is told after
/// `->`, and is checked.
extension ScenarioWorld {
    mutating func play(_ line: String) throws {
        let halves = line.components(around: "->")
        var words = ScenarioWords(halves.first)
        let told = try play(&words)
        guard words.isAtEnd else { throw words.unknown() }
        guard let expected = halves.second else { return }
        guard let told else { throw words.mistake("nothing is decided here") }
        if told != expected {
            throw ScenarioMistake("'\(halves.first)' came to '\(told)', not '\(expected)'")
        }
    }

    /// What was decided, if anything is.
    private mutating func play(_ words: inout ScenarioWords) throws -> String? {
        if ScenarioWords.transaction(words.peek) != nil {
            try addTransaction(&words)
            return nil
        }
        switch words.peek {
        case "R": try addRenewal(&words)
        case "grant": try addGrant(&words)
        case "revoke": try addGrantRevocation(&words)
        case "block": try addBlock(&words)
        case "unblock": try addBlockRemoval(&words)
        case "register": try addToken(&words)
        case "promise": try addPromise(&words)
        case "policy":
            try words.expect("policy")
            try activate(try words.number("a policy"), at: try words.at())
        case "quarantine": try addQuarantine(&words)
        case let verb? where Self.creditVerbs.contains(verb): try credits(&words)
        case "approve", "refuse", "transfer", "release", "undo": return try rule(&words)
        case "merge", "unmerge": return try merge(&words)
        case "notification":
            try words.expect("notification")
            return try present(&words, account: nil)
        default: return try claim(&words)
        }
        return nil
    }

    /// `bob claims T1 @10 restore`, `bob presents T1 T5 @10 receipt`.
    private mutating func claim(_ words: inout ScenarioWords) throws -> String {
        let account = try words.account()
        if words.peek == "presents" { return try present(&words, account: account) }
        try words.expect("claims")
        let transaction = try key(try words.transaction())
        let instant = try words.at()
        let moment = words.isAtEnd ? .purchase : try words.named(ClaimMoment.self, "moment")
        let claim = Claim(account: account, transaction: transaction, moment: moment)
        return try text(of: submit(claim, at: instant), claimant: account)
    }

    private func text(of judged: [JudgedClaim], claimant: AccountID) -> String {
        guard !judged.isEmpty else { return "nothing" }
        return judged.map { one in
            let name =
                [claimant, claimant.folded].contains(one.claim.account)
                ? "" : "\(one.claim.account) "
            let isAnswered = one.isRecorded ? "" : " (not recorded)"
            return "\(name)\(one.outcome.code) by \"\(one.rule.name)\"\(isAnswered)"
        }.joined(separator: "; ")
    }

    private mutating func present(
        _ words: inout ScenarioWords, account: AccountID?
    ) throws -> String {
        try words.expect("presents")
        var snapshots: [TransactionSnapshot] = []
        while ScenarioWords.transaction(words.peek) != nil {
            let id = try words.transaction()
            let newest = facts.transactions.last { $0.value.transactionID == id }
            guard let newest else { throw words.mistake("T\(id) is not known") }
            snapshots.append(newest.value)
        }
        let instant = try words.at()
        // Of a receipt as of anything else: each purchase once.
        _ = words.take("receipt")
        var presentation = Presentation(
            account: account, transactions: snapshots, evidence: lastSequence)
        if words.take("as") { presentation.moment = try words.named(ClaimMoment.self, "moment") }
        if words.take("order") { presentation.orderedTransaction = try key(words.transaction()) }
        let claims = deriver.claims(presentedBy: presentation, recordedAt: instant, facts)
        guard !claims.isEmpty else { return "nothing" }
        return try claims.map { claim in
            let name = account == nil ? "\(claim.account) " : ""
            let outcome = try submit(claim, at: instant).first?.outcome.code ?? "nothing"
            return "\(name)T\(claim.transaction.transactionID) \(claim.moment.rawValue) \(outcome)"
        }.joined(separator: "; ")
    }

    /// `approve bob T1 @12`, `transfer T1 to bob @12`, `release T1 @12`, `undo 2 T1 @12`.
    private mutating func rule(_ words: inout ScenarioWords) throws -> String {
        let verb = try words.named(Ruling.Verb.self, "ruling")
        let account =
            ScenarioWords.transaction(words.peek) == nil && verb != .undo
            ? try words.account() : nil
        let number = verb == .undo ? try words.number("the number of a change") : nil
        let transaction = try words.transaction()
        var ruling = Ruling(
            verb: verb, unit: try ownedUnit(transaction), actor: "support", reason: "told to")
        if let account {
            ruling.claim =
                facts.claims.last {
                    $0.value.account == account && $0.value.transaction.transactionID == transaction
                }?.sequence
        }
        if words.take("to") || words.take("from") { ruling.account = try words.account() }
        if let number {
            let changes = facts.decisions.filter {
                $0.value.unit == ruling.unit && $0.value.ownersBefore != $0.value.ownersAfter
            }
            guard changes.indices.contains(Int(number) - 1) else {
                throw words.mistake("the owners did not change so often")
            }
            ruling.decision = changes[Int(number) - 1].sequence
        }
        return switch submit(ruling, at: try words.at()) {
        case .decided(let decisions): "decided \(decisions.count)"
        case .impossible(let obstacle): obstacle.rawValue
        }
    }

    private func ownedUnit(_ id: TransactionID) throws -> OwnedUnit {
        let known = facts.decisions.last { $0.value.transactionID == id }
        if let known { return known.value.unit }
        return try unit(id, in: deriver.derive(facts)).unit
    }
}

/// Lines about what is given and stopped by hand.
extension ScenarioWorld {
    /// `grant g1 premium to alice [0,30)`, `grant g1 100 coins to alice [0,)`.
    private mutating func addGrant(_ words: inout ScenarioWords) throws {
        try words.expect("grant")
        guard let id = GrantID(try words.next("a grant")) else { throw words.mistake("grant") }
        let gift: GrantedGift
        if let units = words.peek.flatMap({ Int64($0) }) {
            _ = try words.next("units")
            guard let credit = CreditName(try words.next("a credit")) else {
                throw words.mistake("credit")
            }
            gift = .credit(credit, units: units)
        } else {
            guard let entitlement = EntitlementName(try words.next("an entitlement")) else {
                throw words.mistake("entitlement")
            }
            gift = .entitlement(entitlement)
        }
        try words.expect("to")
        let account = try words.account()
        let (from, until) = try words.interval("the grant")
        let environment =
            words.take("in")
            ? try words.named(StoreEnvironment.self, "environment") : .production
        let grant = Grant(
            id: id, account: account, environment: environment, gift: gift, from: from,
            until: until, actor: "support", reason: "told to")
        facts.grants.append(record(grant, at: from))
    }

    private mutating func addGrantRevocation(_ words: inout ScenarioWords) throws {
        try words.expect("revoke")
        let id = try words.next("a grant")
        guard let grant = facts.grants.first(where: { $0.value.id.text == id })?.value else {
            throw words.mistake("no such grant")
        }
        let revocation = GrantRevocation(
            grant: grant.id, account: grant.account, actor: "support", reason: "told to")
        facts.grantRevocations.append(record(revocation, at: try words.at()))
    }

    private mutating func addBlock(_ words: inout ScenarioWords) throws {
        try words.expect("block")
        guard let id = BlockID(try words.next("a block")) else { throw words.mistake("block") }
        try words.expect("on")
        var block = Block(
            id: id, account: try words.account(), actor: "fraud", reason: "told to")
        if words.take("from") {
            guard let name = EntitlementName(try words.next("an entitlement")) else {
                throw words.mistake("entitlement")
            }
            block.scope = BlockScope(entitlements: [name], credits: [])
        } else if words.take("spending") {
            guard let name = CreditName(try words.next("a credit")) else {
                throw words.mistake("credit")
            }
            block.scope = BlockScope(entitlements: [], credits: [name])
        } else if words.take("closing") {
            block.purpose = .closure
        }
        facts.blocks.append(record(block, at: try words.at()))
    }

    private mutating func addBlockRemoval(_ words: inout ScenarioWords) throws {
        try words.expect("unblock")
        let id = try words.next("a block")
        guard let block = facts.blocks.first(where: { $0.value.id.text == id })?.value else {
            throw words.mistake("no such block")
        }
        let removal = BlockRemoval(
            block: block.id, account: block.account, actor: "fraud", reason: "told to")
        facts.blockRemovals.append(record(removal, at: try words.at()))
    }

    /// `register alice @0`: the token that stands for her names her.
    private mutating func addToken(_ words: inout ScenarioWords) throws {
        try words.expect("register")
        let account = try words.account()
        let registration = AccountTokenRegistration(
            token: try Self.token(account.text), account: account, actor: "orders",
            reason: "order")
        facts.accountTokens.append(record(registration, at: try words.at()))
    }

    /// `promise for T1 as of 0 @5`: the payment of an order that was made on day 0 came in time.
    private mutating func addPromise(_ words: inout ScenarioWords) throws {
        try words.expect("promise")
        try words.expect("for")
        let transaction = try key(try words.transaction())
        try words.expect("as")
        try words.expect("of")
        let promise = OrderPromise(
            transaction: transaction,
            order: OrderID(unchecked: "order-\(transaction.transactionID)"),
            soldAt: try words.instant("the order"))
        facts.orderPromises.append(record(promise, at: try words.at()))
    }

    private mutating func addQuarantine(_ words: inout ScenarioWords) throws {
        try words.expect("quarantine")
        let quarantine = Quarantine(
            evidence: lastSequence, code: try words.next("a code"), transaction: nil)
        facts.quarantines.append(record(quarantine, at: try words.at()))
    }
}

extension String {
    /// Both sides of the first separator, without the spaces around them.
    func components(around separator: String) -> (first: String, second: String?) {
        guard let range = firstRange(of: separator) else { return (trimmed, nil) }
        return (
            String(self[..<range.lowerBound]).trimmed, String(self[range.upperBound...]).trimmed
        )
    }

    private var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }),
            let last = lastIndex(where: { $0 != " " })
        else { return "" }
        return String(self[first...last])
    }
}
