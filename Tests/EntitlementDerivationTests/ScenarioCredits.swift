internal import EntitlementDerivation
internal import EntitlementModel

/// Lines about credits that are spent, held and given back. They are recorded as they stand: what
/// a service would be refused is the engine's affair.
extension ScenarioWorld {
    static let creditVerbs = ["spend", "hold", "capture", "free", "return", "thaw"]

    mutating func credits(_ words: inout ScenarioWords) throws {
        switch words.peek {
        case "spend", "hold": try take(&words)
        case "capture", "free": try endHold(&words)
        case "return": try giveBack(&words)
        default: try thaw(&words)
        }
    }

    /// `spend 30 coins of alice @3`, `hold 30 coins of alice [3,9)`.
    private mutating func take(_ words: inout ScenarioWords) throws {
        let isHold = words.take("hold")
        if !isHold { try words.expect("spend") }
        let parts = [try part(&words)]
        try words.expect("of")
        let account = try words.account()
        let key = "\(lastSequence)"
        guard isHold else {
            let spend = CreditSpend(account: account, parts: parts, key: key, actor: "uid:7")
            facts.creditSpends.append(record(spend, at: try words.at()))
            return
        }
        let interval = try words.interval("a hold")
        guard let until = interval.end else { throw words.mistake("a hold has an end") }
        let hold = CreditHold(
            account: account, parts: parts, until: until, key: key, actor: "uid:7")
        facts.creditHolds.append(record(hold, at: interval.start))
    }

    /// `capture 20 coins of hold 1 @5`, `free hold 1 @5`.
    private mutating func endHold(_ words: inout ScenarioWords) throws {
        var captured: [CreditPart] = []
        if words.take("capture") {
            captured = [try part(&words)]
            try words.expect("of")
        } else {
            try words.expect("free")
        }
        try words.expect("hold")
        let number = Int(try words.number("a hold")) - 1
        let origins = facts.creditHolds.filter { $0.value.origin == nil }
        guard origins.indices.contains(number) else { throw words.mistake("no such hold") }
        let hold = facts.creditHolds.last {
            ($0.value.origin ?? $0.sequence) == origins[number].sequence
        }
        guard let hold else { throw words.mistake("no such hold") }
        let end = HoldEnd(
            hold: hold.sequence, account: hold.value.account, captured: captured, actor: "uid:7")
        facts.holdEnds.append(record(end, at: try words.at()))
    }

    /// `return 10 coins of spend 1 @6`: captures count with the spends, in the order of the lines.
    private mutating func giveBack(_ words: inout ScenarioWords) throws {
        try words.expect("return")
        let parts = [try part(&words)]
        for word in ["of", "spend"] { try words.expect(word) }
        let number = Int(try words.number("a spend")) - 1
        let captures = facts.holdEnds.filter { !$0.value.captured.isEmpty }.map {
            ($0.sequence, $0.value.account)
        }
        let spends = (facts.creditSpends.map { ($0.sequence, $0.value.account) } + captures)
            .sorted { $0.0 < $1.0 }
        guard spends.indices.contains(number) else { throw words.mistake("no such spend") }
        let (spend, spender) = spends[number]
        let merge = facts.accountMerges.last { $0.value.from == spender }
        let isMerged = merge.map { $0.value.undoes == nil } ?? false
        let reversal = SpendReversal(
            spend: spend, account: isMerged ? merge?.value.into ?? spender : spender,
            spender: spender, parts: parts, key: "\(lastSequence)", actor: "uid:7")
        facts.spendReversals.append(record(reversal, at: try words.at()))
    }

    /// `thaw coins of alice @7`.
    private mutating func thaw(_ words: inout ScenarioWords) throws {
        try words.expect("thaw")
        guard let credit = CreditName(try words.next("a credit")) else {
            throw words.mistake("credit")
        }
        try words.expect("of")
        let account = try words.account()
        let instant = try words.at()
        let balances = deriver.deriveAccount(account, facts).balances
        let freezes = balances[CreditKey(.production, credit)]?.freezes ?? []
        for freeze in freezes where freeze.interval.contains(instant) {
            let thaw = CreditThaw(
                account: account, environment: .production, credit: credit,
                transaction: freeze.transaction, refundedAt: freeze.refundedAt,
                actor: "support", reason: "told to")
            facts.creditThaws.append(record(thaw, at: instant))
        }
    }

    private func part(_ words: inout ScenarioWords) throws -> CreditPart {
        let units = try words.number("units")
        guard let credit = CreditName(try words.next("a credit")) else {
            throw words.mistake("credit")
        }
        return CreditPart(credit, units)
    }
}
