internal import EntitlementAnswers
internal import EntitlementModel

/// The page of `usher explain`: the answer, and the tree of its reasons (spec 1.10).
extension Page {
    mutating func write(explanation: Explanation) {
        let answer = explanation.answer
        add(
            verdict(answer, of: explanation.account.text)
                + ExplainPhrase.asked.text(
                    language, answer.environment.rawValue, explanation.at.date))
        tree(
            [why(explanation)]
                + [
                    purchases(explanation), claims(explanation),
                    group(.grants, explanation.grants.map(grant)),
                    group(.blocks, explanation.blocks.map(block)),
                    group(.unclaimed, explanation.unclaimed.map(finding)),
                    group(.orders, explanation.orders.map(order)),
                    facts(explanation),
                ].compactMap(\.self) + [
                    nearestMiss(
                        explanation.nearestMiss, of: explanation.account, answer.entitlement)
                ])
    }

    private func group(_ title: ExplainPhrase, _ branches: [Branch]) -> Branch? {
        branches.isEmpty ? nil : Branch(paint(title.text(language), .strong), branches)
    }

    /// The rule first: it is what decided.
    private func why(_ explanation: Explanation) -> Branch {
        let answer = explanation.answer
        var branches: [Branch] = []
        if let state = state(answer.state, answer.expiryReason) {
            let text = revocation(explanation, state) ?? silence(explanation) ?? state
            branches.append(Branch(ExplainPhrase.stateIs.text(language, text)))
        }
        branches += [source(answer), successor(explanation), payment(answer)].compactMap(\.self)
        branches.append(
            Branch(
                explanation.stretch == .always
                    ? ExplainPhrase.holdsAlways.text(language)
                    : ExplainPhrase.holds.text(language, span(explanation.stretch))))
        return Branch(
            ExplainPhrase.because.text(language, paint(rule(answer.rule), .strong)), branches)
    }

    /// When and how Apple took back what the answer comes from.
    private func revocation(_ explanation: Explanation, _ state: String) -> String? {
        guard explanation.answer.state == .revoked,
            case .purchase(_, let transaction, _)? = explanation.answer.source
        else { return nil }
        let purchase = explanation.facts.map(\.purchase).last {
            $0.transaction == transaction.transactionID
        }
        guard let purchase, let date = purchase.revokedAt?.date else { return nil }
        return purchase.revocationType == RevocationType.family.rawValue
            ? paint(ExplainPhrase.leftFamilyAt.text(language, date), .bad)
            : ExplainPhrase.revokedAt.text(language, state, date)
    }

    /// Of a subscription that ended without Apple saying why: when Apple last said anything.
    private func silence(_ explanation: Explanation) -> String? {
        guard explanation.answer.expiryReason == .unknown else { return nil }
        let isSubscription = explanation.facts.contains { $0.purchase.expiresAt?.value != nil }
        guard isSubscription, let newest = explanation.facts.compactMap(\.signedAt).max() else {
            return nil
        }
        let reason = ExplainPhrase.silentSince.text(language, newest.date)
        let state = EntitlementState.expired.text(language)
        return paint(AccountPhrase.expiredBecause.text(language, state, reason), .bad)
    }

    private func source(_ answer: Answer) -> Branch? {
        switch answer.source {
        case nil: nil
        case .grant(let id): Branch(ExplainPhrase.granted.text(language, id.text))
        case .purchase(let product, let transaction, let lineage):
            Branch(
                ExplainPhrase.source.text(
                    language, product.text, transaction.transactionID.text,
                    lineage.originalTransactionID.text))
        }
    }

    /// Of a right that ended because its subscription is of another product now.
    private func successor(_ explanation: Explanation) -> Branch? {
        guard !explanation.answer.decision,
            case .purchase(let product, _, let lineage)? = explanation.answer.source,
            let unit = explanation.units.first(where: { $0.unit == .lineage(lineage) }),
            let current = unit.product, current != product
        else { return nil }
        return Branch(
            paint(
                ExplainPhrase.becameProduct.text(language, product.text, current.text), .bad))
    }

    private func payment(_ answer: Answer) -> Branch? {
        let parts = [
            answer.paidUntil.map { AccountPhrase.paidUntil.text(language, $0.date) },
            answer.willRenew.map(renewal),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(language.clauses(parts))
    }

    func renewal(_ willRenew: Bool) -> String {
        (willRenew ? ExplainPhrase.renews : .doesNotRenew).text(language)
    }

    private func purchases(_ explanation: Explanation) -> Branch {
        let units = explanation.units.map { unit in
            var branches: [Branch] = []
            let standing = standing(unit.state, unit.expiryReason, paidUntil: unit.paidUntil)
            if let standing {
                branches.append(Branch(ExplainPhrase.stateIs.text(language, standing)))
            }
            if let offer = unit.offer { branches.append(Branch(self.offer(offer))) }
            if let outlook = unit.renewal {
                branches.append(Branch(renewal(outlook, of: unit.product)))
            }
            branches += owners(unit.owners)
            if !unit.isOwned {
                branches.append(Branch(paint(ExplainPhrase.notOwned.text(language), .bad)))
            }
            return Branch(
                language.list([unit.product?.text ?? "", unitName(unit.unit)]), branches)
        }
        return group(.purchases, units) ?? Branch(ExplainPhrase.noPurchases.text(language))
    }

    private func order(_ order: AccountOrder) -> Branch {
        let line = ExplainPhrase.order.text(
            language, paint(order.id.text, .strong), order.product.text, state(order.state),
            order.madeAt.date)
        let payment = order.transaction.map { OrderPhrase.payment.text(language) + " " + $0.text }
        let command = "usher orders show " + ShellCommand.quoted(order.id.text)
        return Branch(
            line, (payment.map { [Branch($0)] } ?? []) + [Branch(command: command, language)])
    }

    private func claims(_ explanation: Explanation) -> Branch {
        group(.claims, explanation.claims.map(claim))
            ?? Branch(ExplainPhrase.noClaims.text(language))
    }
}
