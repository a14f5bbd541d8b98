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
        let isGranted = answer["decision"]?.bool == true
        let phrase: Phrase = isGranted ? .mayUse : .mayNotUse
        let text = phrase.text(language, account, answer.word("entitlement") ?? "")
        let until = answer.date("until").map { Phrase.until.text(language, $0) } ?? ""
        return paint(text, isGranted ? .good : .bad) + until
            + ExplainPhrase.asked.text(language, answer.word("environment") ?? "", date ?? "")
    }

    private func group(_ title: ExplainPhrase, _ branches: [Branch]) -> Branch? {
        branches.isEmpty ? nil : Branch(paint(title.text(language), .strong), branches)
    }

    /// The rule first: it is what decided.
    private func why(_ answer: JSONValue, _ explanation: JSONValue) -> Branch {
        var branches: [Branch] = []
        if let state = state(answer) {
            branches.append(Branch(ExplainPhrase.stateIs.text(language, state)))
        }
        branches += [source(answer), payment(answer)].compactMap(\.self)
        if let stretch = explanation["stretch"] {
            branches.append(Branch(ExplainPhrase.holds.text(language, span(stretch))))
        }
        let rule = answer["rule"].map(rule) ?? ""
        return Branch(ExplainPhrase.because.text(language, paint(rule, .strong)), branches)
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
        let paid = answer.date("paid_until").map { ExplainPhrase.paidUntil.text(language, $0) }
        let parts = [paid, renewal].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(parts.joined(separator: "; "))
    }

    private func purchases(_ explanation: JSONValue) -> Branch {
        let units = explanation.list("units").map { unit in
            var branches = [state(unit)].compactMap(\.self).map { state in
                let paid = unit.date("paid_until").map {
                    "; " + ExplainPhrase.paidUntil.text(language, $0)
                }
                return Branch(ExplainPhrase.stateIs.text(language, state) + (paid ?? ""))
            }
            branches += owners(of: unit)
            if unit["owned"]?.bool == false {
                branches.append(Branch(paint(ExplainPhrase.notOwned.text(language), .bad)))
            }
            return Branch("\(unit.word("product") ?? ""), \(unitName(unit))", branches)
        }
        return group(.purchases, units) ?? Branch(ExplainPhrase.noPurchases.text(language))
    }

    private func claims(_ explanation: JSONValue) -> Branch {
        group(.claims, explanation.list("claims").map(claim))
            ?? Branch(ExplainPhrase.noClaims.text(language))
    }
}
