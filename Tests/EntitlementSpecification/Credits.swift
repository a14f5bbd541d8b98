package import EntitlementModel

/// Deliveries, grants, spends, holds, claw-backs and expiries (spec 1.7).
extension Specification {
    /// What an account can spend of a credit at an instant; negative where it owes.
    package func balance(of account: AccountID, key: CreditKey, at instant: Instant) -> Int64 {
        purse(of: account, key: key, at: instant).balance
    }

    /// What is held of it then, besides.
    package func held(by account: AccountID, key: CreditKey, at instant: Instant) -> Int64 {
        purse(of: account, key: key, at: instant).held
    }

    /// What an account had spent of a purchase's delivery of a credit, in the purchase's own
    /// environment; nil where none of it had come to the account (spec 1.12).
    func spent(
        of purchase: Purchase, _ credit: CreditName, by account: AccountID, at instant: Instant
    ) -> ConsumedPart? {
        let key = CreditKey(purchase.lineage.environment, credit)
        guard let delivery = deliveries(of: credit).first(where: { $0.purchases == [purchase] })
        else { return nil }
        let hasCome = deliveries(to: account, key: key).contains { movement in
            guard case .comes(_, delivery.pile) = movement.what else { return false }
            return movement.at <= instant
        }
        guard hasCome else { return nil }
        let spent = purse(of: account, key: key, at: instant).spent(of: delivery.pile)
        return ConsumedPart(spent, of: delivery.units)
    }

    private func purse(of account: AccountID, key: CreditKey, at instant: Instant) -> CreditPurse {
        let movements =
            deliveries(to: account, key: key) + gifts(to: account, key: key)
            + actions(of: account, key: key) + carried(by: account, key: key)
        var purse = CreditPurse()
        for movement in movements.sorted(by: CreditMovement.comesBefore)
        where movement.at <= instant {
            purse.follow(movement)
        }
        return purse
    }

    /// Whether a refund keeps an account from spending a credit until a person lifts it.
    package func isFrozen(_ account: AccountID, key: CreditKey, at instant: Instant) -> Bool {
        deliveries(of: key.credit).contains { delivery in
            guard delivery.onRefund == .freeze, delivery.refundedUnits > 0,
                let refundedAt = delivery.refundedAt, refundedAt <= instant,
                delivery.holders.last(where: { $0.since <= instant })?.account == account,
                counts(delivery.purchases[0], in: key.environment, for: account)
            else { return false }
            return !facts.creditThaws.contains { thaw in
                thaw.value.environment == key.environment && thaw.value.credit == key.credit
                    && delivery.isPaid(by: thaw.value.transaction)
                    && delivery.purchases.contains {
                        $0.refundDates.contains(thaw.value.refundedAt)
                    }
                    && thaw.recordedAt <= instant
            }
        }
    }

    /// What the first policy says that was in force at or after the refund and has the credit.
    package func onRefund(
        of credit: CreditName, at revocationDate: Instant
    ) -> CreditDefinition.OnRefund {
        let activations = policies.activations
        let since = activations.indices.filter { index in
            index == activations.count - 1 || activations[index + 1].activatedAt > revocationDate
        }
        return since.lazy.compactMap { activations[$0].policy.credits[credit]?.onRefund }.first
            ?? .debt
    }

    /// To the account that has each of them first; balances never move between accounts but by a
    /// merge of the two or by a person.
    private func deliveries(to account: AccountID, key: CreditKey) -> [CreditMovement] {
        deliveries(of: key.credit).filter { delivery in
            delivery.holders.contains { $0.account == account }
                && counts(delivery.purchases[0], in: key.environment, for: account)
        }.flatMap { delivery in
            let gifts = facts.grants.filter { grant in
                grant.value.account == account && grant.value.environment == key.environment
                    && grant.value.gift.credit == key.credit
                    && isPaid(grant, by: delivery)
            }
            return movements(of: delivery, for: account, replacing: gifts)
        }
    }

    /// Whether the purchase has taken the place of a gift, and the account of the gift had what
    /// the purchase delivers then: gift and purchase are one delivery.
    private func isPaid(_ gift: Recorded<Grant>, by delivery: SpecifiedDelivery) -> Bool {
        guard delivery.isFirst, let end = end(of: gift), let payment = end.value.payment,
            delivery.isPaid(by: payment)
        else { return false }
        return delivery.holders.contains {
            $0.account == gift.value.account && $0.since <= end.recordedAt
        }
    }

    /// What ended a grant before its time.
    private func end(of grant: Recorded<Grant>) -> Recorded<GrantRevocation>? {
        facts.grantRevocations.filter {
            $0.value.grant == grant.value.id && $0.value.account == grant.value.account
                && $0.sequence > grant.sequence
        }.min { $0.sequence < $1.sequence }
    }

    /// The delivery, its refund for whoever holds it then, and what goes from hand to hand. Where
    /// it takes the place of a gift, it comes when the gift came, if that was sooner.
    private func movements(
        of delivery: SpecifiedDelivery, for account: AccountID, replacing gifts: [Recorded<Grant>]
    ) -> [CreditMovement] {
        let (holders, pile) = (delivery.holders, delivery.pile)
        var movements: [CreditMovement] = []
        func comes(_ units: Int64, to place: Int) {
            var instant = place == 0 ? delivery.at : max(holders[place].since, delivery.at)
            if let first = gifts.min(by: { $0.value.from < $1.value.from }),
                let ended = end(of: first)?.recordedAt,
                place == holders.lastIndex(where: { $0.account == account && $0.since <= ended })
            {
                instant = min(instant, first.value.from)
            }
            movements.append(
                CreditMovement(at: instant, stage: .given(pile), what: .comes(units, pile)))
        }
        if holders.first?.account == account { comes(delivery.units, to: 0) }
        if let refundedAt = delivery.refundedAt,
            holders.last(where: { $0.since <= refundedAt })?.account == account
        {
            let units = delivery.refundedUnits
            movements.append(
                CreditMovement(
                    at: refundedAt, stage: .refunded(pile),
                    what: delivery.onRefund == .floor
                        ? .isRefundedIfThere(units, pile) : .isRefunded(units, pile)))
        }
        for (place, (former, next)) in zip(holders, holders.dropFirst()).enumerated() {
            let isRefunded = delivery.refundedAt.map { $0 < next.since } ?? false
            let left = delivery.units - (isRefunded ? delivery.refundedUnits : 0)
            let instant = max(next.since, delivery.at)
            if former.account == account {
                movements.append(
                    CreditMovement(at: instant, stage: .done(next.by), what: .goes(left, pile)))
            }
            if next.account == account { comes(left, to: place + 1) }
        }
        if let until = pile.until {
            movements.append(CreditMovement(at: until, stage: .ended, what: .expires(pile)))
        }
        return movements
    }

    /// A delivery counts in its own environment, and in another where the first access rule
    /// that names its environment and matches grants it: it has no state, and is judged as
    /// active when it is bought, of the product of today or, where that is gone, of its sale.
    /// Unknown ownership never grants.
    func counts(
        _ purchase: Purchase, in environment: StoreEnvironment, for account: AccountID
    ) -> Bool {
        let own = purchase.lineage.environment
        let product =
            policy.products[purchase.current.productID] ?? purchase.sold(under: policies)
        let subject = RuleCase(
            kind: purchase.kind?.known, state: .active, environment: own,
            ownership: purchase.current.ownership,
            offer: purchase.current.offer.map(\.word) ?? OfferWord.none,
            autoRenew: .unknown, product: purchase.current.productID, account: account,
            ignoresCase: policy.app.accountToken == .isAccountID,
            group: product?.group, level: product?.level,
            storefront: purchase.current.storefront, stateAge: 0, purchased: purchase.soldAt,
            firstPurchased: firstPurchased(purchase.unit), at: purchase.start)
        if own == environment {
            if case .unknown = purchase.current.ownership { return false }
            return true
        }
        return product != nil
            && policy.accessRules.first {
                $0.when.environments?.contains(own) == true && $0.matches(subject)
            }?.effect == .grant
    }

    /// A grant that a merge ends goes on for the other account: all of it goes there, whatever
    /// of it was spent.
    private func gifts(to account: AccountID, key: CreditKey) -> [CreditMovement] {
        facts.grants.filter { $0.value.account == account }.flatMap { grant -> [CreditMovement] in
            guard case .credit(key.credit, let units) = grant.value.gift,
                grant.value.environment == key.environment
            else { return [] }
            let isReplaced = deliveries(of: key.credit).contains { delivery in
                isPaid(grant, by: delivery)
                    && counts(delivery.purchases[0], in: key.environment, for: account)
            }
            if isReplaced { return [] }
            let revocation = end(of: grant)
            let ends = [grant.value.until, revocation?.recordedAt].compactMap { $0 }
            if let end = ends.min(), end <= grant.value.from { return [] }
            let pile = CreditPile(
                name: grant.value.id.text, kind: "", since: grant.value.from,
                until: grant.value.until)
            var movements = [
                CreditMovement(
                    at: grant.value.from, stage: .given(pile), what: .comes(units, pile))
            ]
            if let until = grant.value.until {
                movements.append(CreditMovement(at: until, stage: .ended, what: .expires(pile)))
            }
            if let revocation, revocation.recordedAt == ends.min(),
                revocation.recordedAt != grant.value.until
            {
                // A merge takes all of it along, and an undone gift is taken back whole.
                let isMoved =
                    movedGrants(of: account).contains(revocation.sequence)
                    || revocation.value.effect == .undone
                movements.append(
                    CreditMovement(
                        at: revocation.recordedAt, stage: .done(revocation.sequence),
                        what: isMoved ? .goes(units, pile) : .expires(pile)))
            }
            return movements
        }
    }

    /// The revocations by which merges took grants from an account: each is followed, in its
    /// commit, by the grant that takes the place of the one that ended.
    private func movedGrants(of account: AccountID) -> Set<LedgerSequence> {
        let merges = facts.accountMerges.filter {
            ($0.value.undoes == nil ? $0.value.from : $0.value.into) == account
        }
        return Set(
            facts.grantRevocations.filter { revocation in
                let ended = facts.grants.first { $0.value.id == revocation.value.grant }
                return merges.contains {
                    $0.recordedAt == revocation.recordedAt && $0.sequence < revocation.sequence
                        && $0.value.reason == revocation.value.reason
                        && $0.value.actor == revocation.value.actor
                        && isOlder(ended, than: $0.sequence)
                }
            }.map(\.sequence))
    }

    private func isOlder(_ grant: Recorded<Grant>?, than merge: LedgerSequence) -> Bool {
        grant.map { $0.sequence < merge } ?? false
    }
}

/// What services do.
extension Specification {
    private func actions(of account: AccountID, key: CreditKey) -> [CreditMovement] {
        spends(of: account, key: key) + holds(of: account, key: key)
            + reversals(for: account, key: key)
    }

    private func spends(of account: AccountID, key: CreditKey) -> [CreditMovement] {
        facts.creditSpends.filter {
            $0.value.account == account && $0.value.environment == key.environment
        }.flatMap { spend in
            spend.value.parts.filter { $0.credit == key.credit }.map {
                CreditMovement(
                    at: spend.recordedAt, stage: .done(spend.sequence),
                    what: .isSpent($0.units, spend.sequence))
            }
        }
    }

    /// A hold ends at its end, unless somebody ended it sooner.
    private func holds(of account: AccountID, key: CreditKey) -> [CreditMovement] {
        facts.creditHolds.filter {
            $0.value.account == account && $0.value.environment == key.environment
                && $0.recordedAt < $0.value.until
        }.flatMap { hold in
            hold.value.parts.filter { $0.credit == key.credit }.flatMap { part in
                let ends = facts.holdEnds.filter { $0.value.hold == hold.sequence }.map { end in
                    let units = end.value.captured.first { $0.credit == key.credit }?.units
                    return CreditMovement(
                        at: end.recordedAt, stage: .done(end.sequence),
                        what: .isCaptured(units ?? 0, hold.sequence, end.sequence))
                }
                return [
                    CreditMovement(
                        at: hold.recordedAt, stage: .done(hold.sequence),
                        what: .isHeld(part.units, hold.sequence)),
                    CreditMovement(
                        at: hold.value.until, stage: .freed,
                        what: .isCaptured(0, hold.sequence, hold.sequence)),
                ] + ends
            }
        }
    }

    private func reversals(for account: AccountID, key: CreditKey) -> [CreditMovement] {
        facts.spendReversals.filter {
            $0.value.account == account && $0.value.environment == key.environment
        }.flatMap { reversal in
            reversal.value.parts.filter { $0.credit == key.credit }.map {
                CreditMovement(
                    at: reversal.recordedAt, stage: .done(reversal.sequence),
                    what: .comesBack($0.units, reversal.value.spend, reversal.sequence))
            }
        }
    }

    /// What merges move besides purchases, grants and holds.
    private func carried(by account: AccountID, key: CreditKey) -> [CreditMovement] {
        facts.accountMerges.flatMap { merge -> [CreditMovement] in
            // Two spellings of one account have nothing to move.
            let sign: Int64 =
                (merge.value.into == account ? 1 : 0) - (merge.value.from == account ? 1 : 0)
            return merge.value.credits.filter {
                CreditKey($0.environment, $0.credit) == key && sign != 0
            }.map {
                CreditMovement(
                    at: merge.recordedAt, stage: .done(merge.sequence),
                    what: .isCarried(sign * $0.units, merge.sequence))
            }
        }
    }
}

extension GrantedGift {
    fileprivate var credit: CreditName? {
        guard case .credit(let credit, _) = self else { return nil }
        return credit
    }
}
