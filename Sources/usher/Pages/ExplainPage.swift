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
                    group(.blocks, explanation.list("blocks").map(block)), facts(explanation),
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
            let text = revocation(explanation).map {
                ExplainPhrase.revokedAt.text(language, state, $0)
            }
            branches.append(Branch(ExplainPhrase.stateIs.text(language, text ?? state)))
        }
        branches += [source(answer), payment(answer)].compactMap(\.self)
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

    /// When Apple took back what the answer comes from.
    private func revocation(_ explanation: JSONValue) -> String? {
        let answer = explanation["answer"]
        guard answer?.word("state") == "revoked",
            let transaction = answer?["source"]?.word("transaction")
        else { return nil }
        return explanation.list("facts").last { $0.word("transaction") == transaction }?
            .date("revoked_at")
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
