internal import EntitlementModel
internal import StrictJSON

/// The facts of an explanation, and what would change it.
extension Page {
    func facts(_ explanation: JSONValue) -> Branch {
        let facts = explanation.list("facts").map(fact)
        return facts.isEmpty
            ? Branch(ExplainPhrase.noFacts.text(language))
            : Branch(paint(ExplainPhrase.facts.text(language), .strong), facts)
    }

    private func fact(_ fact: JSONValue) -> Branch {
        var branches: [Branch] = []
        let dates = [
            ("purchased_at", ExplainPhrase.factBought), ("expires_at", .factPaidUntil),
            ("revoked_at", .factRevoked), ("signed_at", .factSigned),
            ("recorded_at", .factRecorded),
        ].compactMap { member, phrase in
            fact.date(member).map { phrase.text(language, $0) }
        }
        if let renewal = renewal(fact) { branches.append(renewal) }
        branches.append(Branch(language.clauses(dates)))
        if fact["actor"] != nil {
            branches.append(action(fact))
        } else if let rule = fact["rule"] {
            branches.append(Branch(self.rule(rule)))
        }
        let owners = fact.words("owners_after")
        if !owners.isEmpty {
            branches.append(
                Branch(AccountPhrase.owners.text(language, language.list(owners))))
        }
        if let evidence = fact["evidence"] {
            branches.append(
                Branch(
                    ExplainPhrase.evidence.text(
                        language, evidence.number("sequence") ?? "", evidence.word("kind") ?? "",
                        "\((evidence.word("sha256") ?? "").prefix(16))…")))
        }
        return Branch(title(of: fact), branches)
    }

    private func title(of fact: JSONValue) -> String {
        let place = fact.number("sequence") ?? ""
        let reason = fact.word("reason") ?? ""
        return switch fact.word("fact") {
        case "transaction":
            ExplainPhrase.factTransaction.text(
                language, place, fact.word("transaction") ?? "", fact.word("product") ?? "")
        case "renewal":
            ExplainPhrase.factRenewal.text(language, place, fact.word("lineage") ?? "")
        case "decision":
            decision(fact, at: place)
        case "grant":
            ExplainPhrase.factGrant.text(language, place, fact.word("grant") ?? "", reason)
        case "grant-revocation":
            ExplainPhrase.factGrantRevocation.text(
                language, place, fact.word("grant") ?? "", reason)
        case "block":
            ExplainPhrase.factBlock.text(language, place, fact.word("block") ?? "", reason)
        default: ExplainPhrase.factOther.text(language, place)
        }
    }

    /// What was decided: somebody's claim, or what a person did.
    private func decision(_ fact: JSONValue, at place: String) -> String {
        if let claim = fact.number("claim") {
            return ExplainPhrase.factClaimDecision.text(
                language, place, claim, fact.word("account") ?? "",
                outcome(fact.word("outcome") ?? ""))
        }
        if let verb = fact.word("verb") {
            return ExplainPhrase.factRuling.text(
                language, place, CodeWords.ruling(verb, language))
        }
        guard let from = fact.word("from"), let into = fact.word("into") else {
            return ExplainPhrase.factOther.text(language, place)
        }
        let phrase: ExplainPhrase = fact["undoes"] == nil ? .factMerge : .factUnmerge
        return phrase.text(language, place, from, into)
    }

    /// What Apple said of the renewals to come.
    private func renewal(_ fact: JSONValue) -> Branch? {
        let parts = [
            fact["auto_renew"]?.bool.map {
                ($0 ? ExplainPhrase.renews : .doesNotRenew).text(language)
            },
            fact["billing_retry"]?.bool == true ? ExplainPhrase.retries.text(language) : nil,
            fact.date("grace_until").map { ExplainPhrase.graceUntil.text(language, $0) },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(language.clauses(parts))
    }

    /// The smallest thing that would change the answer, and the command that does it where a
    /// person can.
    func nearestMiss(_ explanation: JSONValue) -> Branch {
        let miss = explanation["nearest_miss"] ?? .null
        let line = ExplainPhrase.wouldChange.text(language, paint(change(miss), .strong))
        guard let command = command(miss, for: explanation) else { return Branch(line) }
        return Branch(line, [Branch(ExplainPhrase.command.text(language, command))])
    }

    private func change(_ miss: JSONValue) -> String {
        let lineage = miss.word("lineage") ?? ""
        let product = miss.word("product") ?? ""
        let transaction = miss.word("transaction") ?? ""
        let claim = miss.number("claim") ?? ""
        let grant = miss.word("grant") ?? ""
        return switch miss.word("change") {
        case "time": ExplainPhrase.missTime.text(language, miss.date("at") ?? "")
        case "lift-block": ExplainPhrase.missLiftBlock.text(language, miss.word("block") ?? "")
        case "approve-claim": ExplainPhrase.missApproveClaim.text(language, claim)
        case "transfer-claim": ExplainPhrase.missTransferClaim.text(language, claim)
        case "extend-grant": ExplainPhrase.missExtendGrant.text(language, grant)
        case "renew": ExplainPhrase.missRenew.text(language, lineage, product)
        case "reverse-refund": ExplainPhrase.missReverseRefund.text(language, transaction)
        case "buy": ExplainPhrase.missBuy.text(language, product)
        case "refund": ExplainPhrase.missRefund.text(language, transaction)
        case "revoke-grant": ExplainPhrase.missRevokeGrant.text(language, grant)
        case "block": ExplainPhrase.missBlock.text(language)
        case "policy": ExplainPhrase.missPolicy.text(language)
        case let other: other ?? ""
        }
    }

    private func command(_ miss: JSONValue, for explanation: JSONValue) -> String? {
        let account = explanation.word("account") ?? ""
        let entitlement = explanation["answer"]?.word("entitlement") ?? ""
        let command: ShellCommand? =
            switch miss.word("change") {
            case "lift-block": miss.word("block").map { ShellCommand("unblock", $0) }
            case "approve-claim": miss.number("claim").map { ShellCommand("claims approve", $0) }
            case "transfer-claim": miss.number("claim").map { ShellCommand("claims transfer", $0) }
            case "extend-grant": ShellCommand("grant", account, entitlement)
            case "revoke-grant": miss.word("grant").map { ShellCommand("revoke", $0) }
            default: nil
            }
        return command?.text
    }
}
