internal import EntitlementModel
internal import StrictJSON

/// The page of `usher explain`: the answer, and the tree of its reasons (spec 1.10).
extension Page {
    mutating func write(explanation: JSONValue) {
        let answer = explanation["answer"] ?? .null
        add(verdict(answer, of: explanation.word("account") ?? "", at: explanation.date("at")))
        tree(
            [why(answer, explanation)]
                + [
                    purchases(explanation), claims(explanation),
                    group(.grants, explanation.list("grants").map(grant)),
                    group(.blocks, explanation.list("blocks").map(block)),
                    group(.unclaimed, explanation.list("unclaimed").map(finding)),
                    facts(explanation),
                ].compactMap(\.self) + [nearestMiss(explanation)])
    }

    private func verdict(_ answer: JSONValue, of account: String, at date: String?) -> String {
        verdict(answer, of: account)
            + ExplainPhrase.asked.text(language, answer.word("environment") ?? "", date ?? "")
    }

    private func group(_ title: ExplainPhrase, _ branches: [Branch]) -> Branch? {
        branches.isEmpty ? nil : Branch(paint(title.text(language), .strong), branches)
    }

    /// The rule first: it is what decided.
    private func why(_ answer: JSONValue, _ explanation: JSONValue) -> Branch {
        var branches: [Branch] = []
        if let state = state(answer) {
            let text = revocation(explanation, state) ?? silence(explanation) ?? state
            branches.append(Branch(ExplainPhrase.stateIs.text(language, text)))
        }
        branches += [source(answer), successor(explanation), payment(answer)].compactMap(\.self)
        if let stretch = explanation["stretch"] {
            let isAlways = stretch.date("from") == nil && stretch.date("until") == nil
            branches.append(
                Branch(
                    isAlways
                        ? ExplainPhrase.holdsAlways.text(language)
                        : ExplainPhrase.holds.text(language, span(stretch))))
        }
        let rule = answer["rule"].map(rule) ?? ""
        return Branch(ExplainPhrase.because.text(language, paint(rule, .strong)), branches)
    }

    /// When and how Apple took back what the answer comes from.
    private func revocation(_ explanation: JSONValue, _ state: String) -> String? {
        let answer = explanation["answer"]
        guard answer?.word("state") == "revoked",
            let transaction = answer?["source"]?.word("transaction")
        else { return nil }
        let fact = explanation.list("facts").last { $0.word("transaction") == transaction }
        guard let fact, let date = fact.date("revoked_at") else { return nil }
        return fact.word("revocation_type") == "FAMILY_REVOKE"
            ? paint(ExplainPhrase.leftFamilyAt.text(language, date), .bad)
            : ExplainPhrase.revokedAt.text(language, state, date)
    }

    /// Of a subscription that ended without Apple saying why: when Apple last said anything.
    private func silence(_ explanation: JSONValue) -> String? {
        guard explanation["answer"]?.word("expiry_reason") == "unknown" else { return nil }
        let facts = explanation.list("facts")
        let isSubscription = facts.contains { $0.word("expires_at") != nil }
        let newest = facts.filter { $0.word("signed_at") != nil }
            .max { ($0.word("signed_at") ?? "") < ($1.word("signed_at") ?? "") }
        guard isSubscription, let date = newest?.date("signed_at") else { return nil }
        let reason = ExplainPhrase.silentSince.text(language, date)
        let state = CodeWords.state("expired", language)
        return paint(AccountPhrase.expiredBecause.text(language, state, reason), .bad)
    }

    private func source(_ answer: JSONValue) -> Branch? {
        guard let source = answer["source"], !source.isNull else { return nil }
        if let grant = source.word("grant") {
            return Branch(ExplainPhrase.granted.text(language, grant))
        }
        return Branch(
            ExplainPhrase.source.text(
                language, source.word("product") ?? "", source.word("transaction") ?? "",
                source.word("lineage") ?? ""))
    }

    /// Of a right that ended because its subscription is of another product now.
    private func successor(_ explanation: JSONValue) -> Branch? {
        let answer = explanation["answer"]
        guard answer?["decision"]?.bool == false, let source = answer?["source"],
            let lineage = source.word("lineage"), let product = source.word("product"),
            let unit = explanation.list("units").first(where: { $0.word("lineage") == lineage }),
            let current = unit.word("product"), current != product
        else { return nil }
        return Branch(
            paint(ExplainPhrase.becameProduct.text(language, product, current), .bad))
    }

    private func payment(_ answer: JSONValue) -> Branch? {
        let renewal = answer["will_renew"]?.bool.map {
            ($0 ? ExplainPhrase.renews : .doesNotRenew).text(language)
        }
        let paid = answer.date("paid_until").map { AccountPhrase.paidUntil.text(language, $0) }
        let parts = [paid, renewal].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(language.clauses(parts))
    }

    private func purchases(_ explanation: JSONValue) -> Branch {
        let units = explanation.list("units").map { unit in
            var branches = [standing(unit)].compactMap(\.self).map {
                Branch(ExplainPhrase.stateIs.text(language, $0))
            }
            branches += owners(of: unit)
            if unit["owned"]?.bool == false {
                branches.append(Branch(paint(ExplainPhrase.notOwned.text(language), .bad)))
            }
            return Branch(language.list([unit.word("product") ?? "", unitName(unit)]), branches)
        }
        return group(.purchases, units) ?? Branch(ExplainPhrase.noPurchases.text(language))
    }

    private func claims(_ explanation: JSONValue) -> Branch {
        group(.claims, explanation.list("claims").map(claim))
            ?? Branch(ExplainPhrase.noClaims.text(language))
    }
}
