internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer

/// `usher explain ACCOUNT ENTITLEMENT`: why the answer is what it is (spec 1.10).
struct Explain: LedgerReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why an account may or may not use an entitlement.",
        discussion: """
            Prints the deciding rule with its file and line, the purchases and claims, the facts \
            with their evidence and dates, and the smallest change that would change the answer. \
            The exit code is that of 'check': 0 yes, 1 no.

            Example: usher explain mallory premium --at 2026-02-20
            """)

    @OptionGroup var right: RightOptions
    @OptionGroup var assumed: AssumeOption

    var reading: ReadingOptions { right.reading }
    var path: String {
        "/v1/accounts/\(right.account.inPath)/explain/\(right.entitlement.inPath)"
    }
    var query: Parameters { right.query + [("assume", assumed.text)] }

    func report(from ledger: LedgerQuestions) throws(EngineError) -> Explanation? {
        let instant = reading.instant(of: ledger)
        return try assumed.applied(to: ledger, at: instant, in: right.environment).explain(
            right.key, of: right.account, at: instant, through: right.appleID.key)
    }

    func isYes(_ explanation: Explanation) -> Bool { explanation.answer.decision }

    func write(_ explanation: Explanation, to page: inout Page) {
        page.write(explanation: explanation)
    }
}

extension Identifier {
    /// As one segment of a path.
    var inPath: String { LocalClient.encoded(text) }
}

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
                    purchases(explanation),
                    group(.memberships, (explanation.memberships ?? []).map(membership)),
                    claims(explanation),
                    group(.grants, explanation.grants.map(grant)),
                    group(.blocks, explanation.blocks.map(block)),
                    group(.unclaimed, explanation.unclaimed.map { finding($0) }),
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
        if let state = standing(explanation) {
            branches.append(branch(ExplainPhrase.stateIs, state))
        }
        branches += [source(answer), successor(explanation), payment(explanation)]
            .compactMap(\.self)
        branches.append(
            Branch(
                explanation.stretch == .always
                    ? ExplainPhrase.holdsAlways.text(language)
                    : ExplainPhrase.holds.text(language, span(explanation.stretch))))
        return Branch(
            ExplainPhrase.because.text(language, paint(rule(answer.rule), .strong)), branches)
    }

    /// The state, with what is known of how it came to that.
    func standing(_ explanation: Explanation) -> String? {
        let answer = explanation.answer
        return state(
            answer.state, answer.expiryReason,
            because: revocation(explanation) ?? silence(explanation) ?? later(explanation))
    }

    /// When and how Apple took back what the answer comes from.
    private func revocation(_ explanation: Explanation) -> String? {
        guard explanation.answer.state == .revoked,
            case .purchase(_, let transaction, _)? = explanation.answer.source
        else { return nil }
        let purchase = explanation.facts.map(\.purchase).last {
            $0.transaction == transaction.transactionID
        }
        return takenBack(purchase?.takenBack, on: purchase?.revokedAt)
    }

    /// Of an end whose reason Apple has signed only after the instant of the question.
    private func later(_ explanation: Explanation) -> String? {
        guard let reason = explanation.answer.expiryReason,
            let signed = lastRenewal(explanation)?.signedAt, signed > explanation.at
        else { return nil }
        return ExplainPhrase.saidLater.text(language, reason.text(language), signed.date)
    }

    /// What Apple has said last of the renewals of what the answer comes from.
    private func lastRenewal(_ explanation: Explanation) -> FactAnswer? {
        guard case .purchase(_, _, let lineage)? = explanation.answer.source else { return nil }
        return explanation.facts.filter {
            $0.renewal.lineage == lineage.originalTransactionID
        }.max { ($0.signedAt ?? .distantPast) < ($1.signedAt ?? .distantPast) }
    }

    /// Of a subscription that ended without Apple saying why: when Apple last said anything.
    private func silence(_ explanation: Explanation) -> String? {
        guard explanation.answer.expiryReason == .unknown else { return nil }
        let isSubscription = explanation.facts.contains { $0.purchase.expiresAt?.value != nil }
        guard isSubscription, let newest = explanation.facts.compactMap(\.signedAt).max() else {
            return nil
        }
        return ExplainPhrase.silentSince.text(language, newest.date)
    }

    private func source(_ answer: Answer) -> Branch? {
        switch answer.source {
        case nil: nil
        case .grant(let id): branch(ExplainPhrase.granted, id.text)
        case .purchase(let product, let transaction, let lineage):
            branch(
                ExplainPhrase.source, name(product), transaction.transactionID.text,
                lineage.originalTransactionID.text)
        }
    }

    /// Of a right that ended because its subscription is of another product now.
    private func successor(_ explanation: Explanation) -> Branch? {
        guard !explanation.answer.decision,
            case .purchase(let product, _, let lineage)? = explanation.answer.source,
            let unit = explanation.units.first(where: { $0.unit == .lineage(lineage) }),
            let current = unit.product, current != product
        else { return nil }
        return branch(ExplainPhrase.becameProduct, name(product), name(current), as: .bad)
    }

    /// What has ended does not renew, but may still be set to.
    private func payment(_ explanation: Explanation) -> Branch? {
        let answer = explanation.answer
        let isStillSet =
            answer.state?.isRunning == false
            && lastRenewal(explanation)?.renewal.willRenew == true
        let parts = [
            answer.paidUntil.map { AccountPhrase.paidUntil.text(language, $0.date) },
            isStillSet
                ? ExplainPhrase.stillRenews.text(language) : answer.willRenew.map(renewal),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : Branch(language.clauses(parts))
    }

    func renewal(_ willRenew: Bool) -> String {
        (willRenew ? ExplainPhrase.renews : .doesNotRenew).text(language)
    }

    private func membership(_ membership: MembershipAnswer) -> Branch {
        let group = membership.group.text
        guard let since = membership.since else {
            return branch(ExplainPhrase.neverMember, group)
        }
        let gaps = membership.gaps.map { branch(ExplainPhrase.gap, span($0)) }
        return Branch(
            ExplainPhrase.member.text(language, group, "\(membership.days)", since.date), gaps)
    }

    private func purchases(_ explanation: Explanation) -> Branch {
        let units = explanation.units.map { unit in
            var branches: [Branch] = []
            var detail: String?
            if case .purchase(_, _, let lineage)? = explanation.answer.source,
                unit.unit == .lineage(lineage), unit.state == .revoked
            {
                detail = revocation(explanation)
            }
            let standing = standing(
                unit.state, unit.expiryReason, because: detail, paidUntil: unit.paidUntil)
            if let standing {
                branches.append(branch(ExplainPhrase.stateIs, standing))
            }
            if let offer = unit.offer { branches.append(Branch(self.offer(offer))) }
            if let outlook = unit.renewal {
                branches.append(Branch(renewal(outlook, of: unit.product)))
            }
            let claim = explanation.claims.last { $0.decision?.unit == unit.unit }?.claim
            branches += owners(unit.owners, because: explanation.facts, on: claim)
            if !unit.isOwned {
                branches.append(branch(ExplainPhrase.notOwned, as: .bad))
            }
            return Branch(
                language.list([unit.product.map { name($0) } ?? "", unitName(unit.unit)]),
                branches)
        }
        return group(.purchases, units) ?? branch(ExplainPhrase.noPurchases)
    }

    private func order(_ order: AccountOrder) -> Branch {
        let line = ExplainPhrase.order.text(
            language, paint(order.id.text, .strong), name(order.product), state(order.state),
            order.madeAt.date)
        let payment = order.transaction.map { OrderPhrase.payment.text(language) + " " + $0.text }
        let command = "usher orders show " + ShellCommand.quoted(order.id.text)
        return Branch(
            line, (payment.map { [Branch($0)] } ?? []) + [Branch(command: command, language)])
    }

    private func claims(_ explanation: Explanation) -> Branch {
        group(.claims, explanation.claims.map(claim))
            ?? branch(ExplainPhrase.noClaims)
    }
}

/// The facts of an explanation, and what would change it.
extension Page {
    func facts(_ explanation: Explanation) -> Branch {
        let facts = explanation.facts.map(fact)
        return facts.isEmpty
            ? branch(ExplainPhrase.noFacts)
            : Branch(paint(ExplainPhrase.facts.text(language), .strong), facts)
    }

    func fact(_ fact: FactAnswer) -> Branch {
        let dates: [(Instant?, ExplainPhrase)] = [
            (fact.purchase.purchasedAt, .factBought),
            (fact.purchase.expiresAt?.value, .factPaidUntil),
            (fact.purchase.revokedAt, .factRevoked), (fact.signedAt, .factSigned),
            (fact.recordedAt, .factRecorded),
        ]
        var branches = [renewal(fact.renewal)].compactMap(\.self)
        if let version = fact.purchase.firstVersion {
            branches.append(branch(ExplainPhrase.factVersion, version.shown))
        }
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
                branch(AccountPhrase.owners, language.list(owners)))
        }
        if let evidence = fact.evidence {
            branches.append(
                branch(
                    ExplainPhrase.evidence, "\(evidence.sequence)", evidence.kind.rawValue,
                    "\(evidence.sha256.hexadecimal.prefix(16))…"))
        }
        return Branch(title(of: fact), branches)
    }

    func title(of fact: FactAnswer) -> String {
        let place = "\(fact.sequence)"
        let reason = fact.action.reason ?? ""
        return switch fact.kind {
        case .transaction:
            ExplainPhrase.factTransaction.text(
                language, place, fact.purchase.transaction?.text ?? "",
                fact.purchase.product.map { name($0) } ?? "")
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
        case .thaw:
            ExplainPhrase.factThaw.text(language, place, fact.purchase.transaction?.text ?? "")
        case .other: ExplainPhrase.factOther.text(language, place)
        }
    }

    /// What was decided: somebody's claim, or what a person did.
    private func decision(_ fact: DecisionFact, at place: String) -> String {
        if let verb = fact.verb {
            return ExplainPhrase.factRuling.text(
                language, place, verb.text(language))
        }
        if let claim = fact.claim, let outcome = fact.outcome {
            return ExplainPhrase.factClaimDecision.text(
                language, place, "\(claim)", fact.account?.text ?? "",
                self.outcome(ClaimStanding(outcome)))
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
            fact.next.map { ExplainPhrase.renewsAs.text(language, name($0)) },
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
        let product = miss.product.map { name($0) } ?? ""
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

/// What `usher explain` says.
enum ExplainPhrase: String, CaseIterable, UsherText, Wording {
    case asked = " ({0}, at {1})"
    case because = "why: {0}"
    case stateIs = "state: {0}"
    case takenBackOn = "{0} on {1}"
    case saidLater = "{0}, as Apple said on {1}"
    case stillRenews = "Apple still shows it as renewing"
    case silentSince = "no message from Apple since {0}"
    case becameProduct = "the subscription changed from {0} to {1}"
    case holds = "unchanged {0}"
    case holdsAlways = "the same at all times"
    case memberships = "paid membership"
    case member = "{0}: {1} days in all, since {2}"
    case neverMember = "{0}: never paid"
    case gap = "gap: {0}"
    case source = "source: {0}, transaction {1} of original transaction {2}"
    case granted = "source: grant {0}"
    case renews = "renews automatically"
    case renewsAs = "as {0}"
    case doesNotRenew = "does not renew"
    case retries = "Apple is retrying the payment"
    case graceUntil = "grace period until {0}"
    case purchases = "purchases that can give it"
    case noPurchases = "this account has never had a purchase that gives it"
    case notOwned = "not owned by this account at that instant"
    case claims = "claims on them"
    case noClaims = "no account has presented such a purchase"
    case grants = "manual grants"
    case blocks = "blocks on the account"
    case unclaimed = "payments on this Apple ID that no account has claimed"
    case facts = "based on these facts"
    case noFacts = "no fact gives it"
    case factTransaction = "{0}: Apple signed transaction {1} of {2}"
    case factBought = "bought {0}"
    case factVersion = "first version {0}"
    case factPaidUntil = "paid until {0}"
    case factRevoked = "refunded or revoked {0}"
    case factSigned = "signed {0}"
    case factRecorded = "recorded {0}"
    case factRenewal = "{0}: Apple signed how original transaction {1} renews"
    case factClaimDecision = "{0}: claim {1} of {2} was decided: {3}"
    case factRuling = "{0}: manual ruling: {1}"
    case factGiven = "{0}: given manually; it pays order {1}"
    case factMerge = "{0}: account {1} was merged into {2}"
    case factUnmerge = "{0}: the merge of {1} into {2} was undone"
    case factGrant = "{0}: manual grant {1}: {2}"
    case factGrantRevocation = "{0}: grant {1} was revoked: {2}"
    case factBlock = "{0}: the account was blocked, block {1}: {2}"
    case factThaw = "{0}: the freeze by the refund of {1} was lifted"
    case factOther = "{0}: another kind of fact"
    case evidence = "evidence {0} ({1}), SHA-256 {2}"
    case wouldChange = "what would change it: {0}"
    case missTime = "waiting until {0}"
    case missLiftBlock = "lifting block {0}"
    case missApproveClaim = "approving claim {0}"
    case missTransferClaim = "transferring the purchase of claim {0} to this account"
    case missExtendGrant = "extending grant {0}"
    case missRenew = "a renewal of original transaction {0} ({1})"
    case missShareAgain = "the purchaser sharing transaction {0} with the family again"
    case missAssignAgain = "the company assigning the seat of transaction {0} again"
    case missTransferOrWait = """
        transferring the purchase of claim {0} to this account; or presenting it again from {1} \
        on, when it has not moved too lately any more
        """
    case missReverseRefund = "Apple reversing the refund of transaction {0}"
    case missBuy = "buying {0}"
    case missRefund = "a refund of transaction {0}"
    case missRevokeGrant = "revoking grant {0}"
    case missBlock = "blocking the account"
    case missPolicy = "only another policy: no product on sale gives it"
    case missMerged = "nothing: the account was merged into {0}, which has what it had"
    case command = "command: {0}"
    case orders = "orders for products that give it"
    case order = "order {0} of {1}: {2}, made {3}"
}
