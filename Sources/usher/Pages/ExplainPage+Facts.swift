internal import EntitlementAnswers
internal import EntitlementModel

/// The facts of an explanation, and what would change it.
extension Page {
    func facts(_ explanation: Explanation) -> Branch {
        let facts = explanation.facts.map(fact)
        return facts.isEmpty
            ? Branch(ExplainPhrase.noFacts.text(language))
            : Branch(paint(ExplainPhrase.facts.text(language), .strong), facts)
    }

    private func fact(_ fact: FactAnswer) -> Branch {
        let dates: [(Instant?, ExplainPhrase)] = [
            (fact.purchase.purchasedAt, .factBought),
            (fact.purchase.expiresAt?.value, .factPaidUntil),
            (fact.purchase.revokedAt, .factRevoked), (fact.signedAt, .factSigned),
            (fact.recordedAt, .factRecorded),
        ]
        var branches = [renewal(fact.renewal)].compactMap(\.self)
        branches.append(
            Branch(
                language.clauses(
                    dates.compactMap { date, phrase in
                        date.map { phrase.text(language, $0.date) }
                    })))
        if let actor = fact.action.actor {
            branches.append(action(actor, fact.action.reason ?? ""))
        } else if let rule = fact.decision.rule {
            branches.append(Branch(self.rule(rule)))
        }
        let owners = fact.decision.ownersAfter?.map(\.text) ?? []
        if !owners.isEmpty {
            branches.append(
                Branch(AccountPhrase.owners.text(language, language.list(owners))))
        }
        if let evidence = fact.evidence {
            branches.append(
                Branch(
                    ExplainPhrase.evidence.text(
                        language, "\(evidence.sequence)", evidence.kind.rawValue,
                        "\(evidence.sha256.hexadecimal.prefix(16))…")))
        }
        return Branch(title(of: fact), branches)
    }

    private func title(of fact: FactAnswer) -> String {
        let place = "\(fact.sequence)"
        let reason = fact.action.reason ?? ""
        return switch fact.kind {
        case .transaction:
            ExplainPhrase.factTransaction.text(
                language, place, fact.purchase.transaction?.text ?? "",
                fact.purchase.product?.text ?? "")
        case .renewal:
            ExplainPhrase.factRenewal.text(language, place, fact.renewal.lineage?.text ?? "")
        case .decision: decision(fact.decision, at: place)
        case .grant:
            ExplainPhrase.factGrant.text(language, place, fact.grant?.text ?? "", reason)
        case .grantRevocation:
            ExplainPhrase.factGrantRevocation.text(
                language, place, fact.grant?.text ?? "", reason)
        case .block:
            ExplainPhrase.factBlock.text(language, place, fact.block?.text ?? "", reason)
        case .other: ExplainPhrase.factOther.text(language, place)
        }
    }

    /// What was decided: somebody's claim, or what a person did.
    private func decision(_ fact: DecisionFact, at place: String) -> String {
        if let claim = fact.claim, let outcome = fact.outcome {
            return ExplainPhrase.factClaimDecision.text(
                language, place, "\(claim)", fact.account?.text ?? "",
                self.outcome(ClaimStanding(outcome)))
        }
        if let verb = fact.verb {
            return ExplainPhrase.factRuling.text(
                language, place, verb.text(language))
        }
        guard let from = fact.from, let into = fact.into else {
            return ExplainPhrase.factOther.text(language, place)
        }
        let phrase: ExplainPhrase = fact.undoes == nil ? .factMerge : .factUnmerge
        return phrase.text(language, place, from.text, into.text)
    }

    /// What Apple said of the renewals to come.
    private func renewal(_ fact: RenewalAnswer) -> Branch? {
        let parts = [
            fact.willRenew.map(renewal),
            fact.isRetrying == true ? ExplainPhrase.retries.text(language) : nil,
            fact.graceUntil.map { ExplainPhrase.graceUntil.text(language, $0.date) },
            fact.next.map { ExplainPhrase.renewsAs.text(language, $0.text) },
            fact.price.map { RenewalPhrase.price.text(language, $0.price.text) },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(language.clauses(parts))
    }

    /// The smallest thing that would change the answer, and the command that does it where a
    /// person can.
    func nearestMiss(
        _ miss: NearestMissAnswer, of account: AccountID, _ entitlement: EntitlementName
    ) -> Branch {
        let line = ExplainPhrase.wouldChange.text(language, paint(change(miss), .strong))
        guard let command = command(miss, account, entitlement) else { return Branch(line) }
        return Branch(line, [Branch(command: command.text, language)])
    }

    private func change(_ miss: NearestMissAnswer) -> String {
        let product = miss.product?.text ?? ""
        let transaction = miss.transaction?.text ?? ""
        let claim = miss.claim.map { "\($0)" } ?? ""
        let grant = miss.grant?.text ?? ""
        return switch miss.change {
        case .time: ExplainPhrase.missTime.text(language, miss.at?.date ?? "")
        case .liftBlock: ExplainPhrase.missLiftBlock.text(language, miss.block?.text ?? "")
        case .approveClaim: ExplainPhrase.missApproveClaim.text(language, claim)
        case .transferClaim:
            miss.at.map { ExplainPhrase.missTransferOrWait.text(language, claim, $0.date) }
                ?? ExplainPhrase.missTransferClaim.text(language, claim)
        case .extendGrant: ExplainPhrase.missExtendGrant.text(language, grant)
        case .renew: ExplainPhrase.missRenew.text(language, miss.lineage?.text ?? "", product)
        case .reverseRefund: ExplainPhrase.missReverseRefund.text(language, transaction)
        case .shareAgain: ExplainPhrase.missShareAgain.text(language, transaction)
        case .assignAgain: ExplainPhrase.missAssignAgain.text(language, transaction)
        case .buy: ExplainPhrase.missBuy.text(language, product)
        case .refund: ExplainPhrase.missRefund.text(language, transaction)
        case .revokeGrant: ExplainPhrase.missRevokeGrant.text(language, grant)
        case .block: ExplainPhrase.missBlock.text(language)
        case .policy: ExplainPhrase.missPolicy.text(language)
        case .merged: ExplainPhrase.missMerged.text(language, miss.account?.text ?? "")
        }
    }

    private func command(
        _ miss: NearestMissAnswer, _ account: AccountID, _ entitlement: EntitlementName
    ) -> ShellCommand? {
        switch miss.change {
        case .liftBlock: miss.block.map { ShellCommand("unblock", $0.text) }
        case .approveClaim: miss.claim.map { ShellCommand("claims approve", "\($0)") }
        case .transferClaim: miss.claim.map { ShellCommand("claims transfer", "\($0)") }
        case .extendGrant:
            ShellCommand("grant", account.text, entitlement.text)
        case .revokeGrant: miss.grant.map { ShellCommand("revoke", $0.text) }
        case .merged:
            miss.account.map { ShellCommand(asking: "explain", $0.text, entitlement.text) }
        case .time, .renew, .reverseRefund, .shareAgain, .assignAgain, .buy, .refund, .block,
            .policy:
            nil
        }
    }
}
