internal import EntitlementModel
internal import StrictJSON

/// What several pages say in the same way.
extension Page {
    /// `until …`, `for ever` and the like, of an object with `from` and `until`.
    func span(_ value: JSONValue) -> String {
        switch (value.date("from"), value.date("until")) {
        case (nil, nil): AccountPhrase.always.text(language)
        case (let from?, nil): AccountPhrase.since.text(language, from)
        case (nil, let until?): AccountPhrase.until.text(language, until)
        case (let from?, let until?): AccountPhrase.fromUntil.text(language, from, until)
        }
    }

    /// `rule 'name' at file:line`; built-in rules have no line.
    func rule(_ rule: JSONValue) -> String {
        let name = rule.word("name") ?? ""
        guard let line = rule["line"]?.int64, line > 0 else {
            return Phrase.builtInRule.text(language, name)
        }
        return Phrase.rule.text(language, name, "\(rule.word("file") ?? ""):\(line)")
    }

    /// The state with the reason of an expiry, coloured by what it usually gives.
    func state(_ value: JSONValue) -> String? {
        guard let code = value.word("state") else { return nil }
        var text = CodeWords.state(code, language)
        if let reason = value.word("expiry_reason") {
            text = AccountPhrase.expiredBecause.text(
                language, text, CodeWords.expiryReason(reason, language))
        }
        switch code {
        case "active", "renewing": return paint(text, .good)
        case "grace", "billing-retry": return paint(text, .care)
        default: return paint(text, .bad)
        }
    }

    /// The state, and until when it is paid for.
    func standing(_ value: JSONValue) -> String? {
        guard let state = state(value) else { return nil }
        let paid = value.date("paid_until").map { AccountPhrase.paidUntil.text(language, $0) }
        return language.clauses([state, paid].compactMap(\.self))
    }

    /// The name of a unit: a lineage, or a single transaction.
    func unitName(_ unit: JSONValue) -> String {
        let name =
            unit.word("lineage").map { AccountPhrase.lineage.text(language, $0) }
            ?? AccountPhrase.transaction.text(language, unit.word("transaction") ?? "")
        guard let environment = unit.word("environment"), environment != "production" else {
            return name
        }
        return language.list([name, environment])
    }

    func owners(of unit: JSONValue) -> [Branch] {
        let owners = unit.list("owners").map { owner in
            Branch(
                AccountPhrase.ownedBy.text(
                    language, owner.word("account") ?? "", span(owner),
                    owner.number("decision") ?? ""))
        }
        return owners.isEmpty ? [Branch(AccountPhrase.ownedByNobody.text(language))] : owners
    }

    func claim(_ claim: JSONValue) -> Branch {
        let line = AccountPhrase.claim.text(
            language, paint(claim.number("claim") ?? "", .strong), claim.word("account") ?? "",
            claim.word("transaction") ?? "",
            CodeWords.moment(claim.word("moment") ?? "", language),
            claim.date("recorded_at") ?? "")
        var branches = [Branch(outcome(claim.word("outcome") ?? ""))]
        if let approval = claim["approval"] { branches.append(action(approval)) }
        if let decision = claim["decision"] {
            if let rule = decision["rule"] { branches.append(Branch(self.rule(rule))) }
            let owners = decision.words("owners_after")
            branches.append(
                Branch(
                    owners.isEmpty
                        ? AccountPhrase.noOwner.text(language)
                        : AccountPhrase.owners.text(language, language.list(owners))))
        }
        return Branch(line, branches)
    }

    /// How a claim stands: in words, and by its code.
    func outcome(_ code: String) -> String {
        let words = CodeWords.outcome(code, language)
        let text = words == code ? code : "\(words) [\(code)]"
        switch code {
        case "accepted", "already-owned", "approved": return paint(text, .good)
        case "waiting", "unknown-transaction": return paint(text, .care)
        default: return paint(text, .bad)
        }
    }

    func grant(_ record: JSONValue) -> Branch {
        let gift =
            record.word("entitlement")
            ?? "\(record.number("units") ?? "") \(record.word("credit") ?? "")"
        var branches = [action(record)]
        if let end = record["revoked"] {
            branches.append(Branch(paint(over(.grantOver, end), .care)))
        }
        let line = AccountPhrase.given.text(
            language, gift, span(record), record.word("grant") ?? "")
        return Branch(line, branches)
    }

    func block(_ record: JSONValue) -> Branch {
        let line = AccountPhrase.blockStanding.text(
            language, record.date("recorded_at") ?? "", record.word("block") ?? "")
        var branches = [action(record)]
        if let end = record["lifted"] {
            branches.append(Branch(over(.blockOver, end)))
            return Branch(line, branches)
        }
        return Branch(paint(line, .bad), branches)
    }

    /// Who did something, and why.
    func action(_ record: JSONValue) -> Branch {
        Branch(
            AccountPhrase.givenBy.text(
                language, record.word("actor") ?? "", record.word("reason") ?? ""))
    }

    private func over(_ phrase: AccountPhrase, _ end: JSONValue) -> String {
        phrase.text(
            language, end.date("at") ?? "", end.word("actor") ?? "", end.word("reason") ?? "")
    }
}
