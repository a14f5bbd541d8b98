internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification
internal import TestSupport

/// What services and people do with credits. A service is judged before it is recorded; here all
/// of it is recorded, since a fact that comes late may leave too little for any of it.
extension Playback {
    mutating func follow(_ action: HistoryCredit, recordedAt instant: Instant) {
        let specification = Specification(policies: policies, facts: facts)
        switch action {
        case .spend(let account, let environment, let parts):
            let spend = CreditSpend(
                account: specification.account(standingFor: account), environment: environment,
                parts: parts, key: "\(nextSequence)", actor: "uid:7")
            facts.creditSpends.append(next(spend, instant))
            coverage.visit("a spend")
        case .hold(let account, let environment, let parts, let until):
            let hold = CreditHold(
                account: specification.account(standingFor: account), environment: environment,
                parts: parts, until: until, key: "\(nextSequence)", actor: "uid:7")
            facts.creditHolds.append(next(hold, instant))
            coverage.visit("a hold")
        case .endHold(let back, let captured):
            endHold(back: back, captured: captured, instant)
        case .reverse(let back, let units):
            reverse(back: back, units: units, specification, instant)
        case .thaw(let account): thaw(account, instant)
        case .gift(let account, let environment, let gift, let until):
            let grant = Grant(
                id: GrantID(unchecked: "order:\(nextSequence)"),
                account: specification.account(standingFor: account), environment: environment,
                gift: gift, from: instant, until: until, actor: "uid:0", reason: "a test")
            facts.grants.append(next(grant, instant))
            coverage.visit("a gift")
        case .endGift(let back, let purchase):
            endGift(back: back, purchase: purchase, specification, instant)
        }
    }

    /// Gifts go on under other names where accounts were merged.
    private mutating func endGift(
        back: Int, purchase: Int?, _ specification: Specification, _ instant: Instant
    ) {
        let ended = Set(facts.grantRevocations.map(\.value.grant))
        let gifts = facts.grants.filter { grant in
            ["order:", "merge-"].contains { grant.value.id.text.hasPrefix($0) }
                && !ended.contains(grant.value.id)
        }
        guard back < gifts.count else { return }
        let gift = gifts[gifts.count - 1 - back].value
        var revocation = GrantRevocation(
            grant: gift.id, account: gift.account, actor: "uid:0", reason: "order",
            effect: .undone)
        if let purchase {
            let owned = facts.transactions.compactMap { transaction -> TransactionKey? in
                let key = TransactionKey(
                    transaction.value.environment, transaction.value.transactionID)
                let payment = specification.payment(key)
                return payment?.owners.contains(gift.account) == true ? payment?.name : nil
            }
            guard purchase < owned.count else { return }
            revocation.effect = .paid(owned[owned.count - 1 - purchase], given: gift.from)
        }
        facts.grantRevocations.append(next(revocation, instant))
        coverage.visit(purchase == nil ? "a gift undone" : "a gift that is paid")
    }

    private mutating func endHold(back: Int, captured: Int64, _ instant: Instant) {
        let open = facts.creditHolds.filter { hold in
            instant < hold.value.until
                && !facts.holdEnds.contains { $0.value.hold == hold.sequence }
        }
        guard back < open.count else { return }
        let hold = open[open.count - 1 - back]
        let parts = hold.value.parts.map { CreditPart($0.credit, min($0.units, captured)) }
        let end = HoldEnd(
            hold: hold.sequence, account: hold.value.account,
            captured: captured == 0 ? [] : parts, actor: "uid:7")
        facts.holdEnds.append(next(end, instant))
        coverage.visit(captured == 0 ? "a release" : "a capture")
    }

    private mutating func reverse(
        back: Int, units: Int64, _ specification: Specification, _ instant: Instant
    ) {
        let captures = facts.holdEnds.filter { !$0.value.captured.isEmpty }.map { end in
            let hold = facts.creditHolds.first { $0.sequence == end.value.hold }?.value
            return end.with(
                CreditSpend(
                    account: end.value.account, environment: hold?.environment ?? .production,
                    parts: end.value.captured, key: "", actor: ""))
        }
        let spends = (facts.creditSpends + captures).sorted { $0.sequence < $1.sequence }
        guard back < spends.count else { return }
        let spend = spends[spends.count - 1 - back]
        let parts = spend.value.parts.compactMap { part -> CreditPart? in
            let reversed = facts.spendReversals.filter { $0.value.spend == spend.sequence }
                .flatMap(\.value.parts).filter { $0.credit == part.credit }
            let left = part.units - reversed.reduce(0) { $0 + $1.units }
            return left > 0 ? CreditPart(part.credit, min(left, units)) : nil
        }
        guard !parts.isEmpty else { return }
        let reversal = SpendReversal(
            spend: spend.sequence,
            account: specification.account(
                standingFor: spend.value.account, boughtAt: spend.recordedAt),
            spender: spend.value.account, environment: spend.value.environment, parts: parts,
            key: "\(nextSequence)", actor: "uid:7")
        facts.spendReversals.append(next(reversal, instant))
        coverage.visit(
            reversal.account == reversal.spender ? "a reversal" : "a reversal after a merge")
    }

    private mutating func thaw(_ account: AccountID, _ instant: Instant) {
        let timeline = deriveAccount(account, policies: policies, facts: facts)
        for (key, credit) in timeline.balances.sorted(by: { $0.key.credit < $1.key.credit }) {
            for freeze in credit.freezes where freeze.interval.contains(instant) {
                let thaw = CreditThaw(
                    account: account, environment: key.environment, credit: key.credit,
                    transaction: freeze.transaction, refundedAt: freeze.refundedAt,
                    actor: "uid:0", reason: "a test")
                facts.creditThaws.append(next(thaw, instant))
                coverage.visit("a lifted freeze")
            }
        }
    }
}
