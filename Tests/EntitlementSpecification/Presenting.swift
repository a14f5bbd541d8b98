package import EntitlementModel

/// What evidence claims (spec 1.6).
extension Specification {
    /// - Parameter account: nil for a notification, and for evidence that nobody presents.
    package func claims(
        presenting keys: [TransactionKey], by account: AccountID?, moment: ClaimMoment?,
        at instant: Instant
    ) -> [Claim] {
        guard let account else { return claimsOfNotification(keys, at: instant) }
        let named = keys.compactMap { key in purchase(named: key).map { (key, $0) } }
        var units: [OwnedUnit] = []
        for (_, purchase) in named where !units.contains(purchase.unit) {
            units.append(purchase.unit)
        }
        let chosen = units.compactMap { unit -> (TransactionKey, Purchase)? in
            let own = named.filter { $0.1.unit == unit }
            let new = own.filter { isNew($0.1, at: instant) }
            let newest = (new.isEmpty ? own : new).map(\.1).max { isBefore($0, $1) }
            return own.first { $0.1 == newest }
        }
        return chosen.sorted { isBefore($0.1, $1.1) }.map { key, purchase in
            Claim(
                account: self.account(standingFor: account, boughtAt: bought(purchase)),
                transaction: key,
                moment: moment ?? (isNew(purchase, at: instant) ? .purchase : .listed))
        }
    }

    private func isBefore(_ one: Purchase, _ other: Purchase) -> Bool {
        if one.start != other.start { return one.start < other.start }
        return TransactionID.precedesByLength(one.key.transactionID, other.key.transactionID)
    }

    private func isNew(_ purchase: Purchase, at instant: Instant) -> Bool {
        guard isCustomerMade(purchase), instant.milliseconds(since: purchase.start) < 86_400_000
        else { return false }
        return !facts.claims.contains { claim in
            purchase.includes(claim.value.transaction)
                && facts.decisions.contains {
                    $0.value.cause == claim.sequence && $0.value.outcome == .accepted
                }
        }
    }

    private func claimsOfNotification(_ keys: [TransactionKey], at instant: Instant) -> [Claim] {
        var claims: [Claim] = []
        var claimed: [OwnedUnit] = []
        for key in keys {
            guard let purchase = purchase(named: key), lastOwners(of: purchase.unit).isEmpty,
                !claimed.contains(purchase.unit)
            else { continue }
            let isAccountScoped = purchase.kind?.known?.isAccountScoped == true
            if isAccountScoped, let first = policy.claimsFrom, purchase.start < first { continue }
            guard
                let account = accountNamed(by: purchase)
                    ?? inheriting(purchase, key, at: instant),
                !isStopped(account, at: instant), !released(purchase.unit).contains(account)
            else { continue }
            claimed.append(purchase.unit)
            claims.append(Claim(account: account, transaction: key, moment: .notification))
        }
        return claims
    }

    /// The heir, if the first rule about it says so.
    private func inheriting(
        _ purchase: Purchase, _ key: TransactionKey, at instant: Instant
    ) -> AccountID? {
        guard let heir = heir(of: purchase.unit) else { return nil }
        let claim = Claim(account: heir, transaction: key, moment: .notification)
        guard purchase.kind?.known?.isAccountScoped != true else { return nil }
        let subject = claimCase(of: purchase, claim: claim, recordedAt: instant)
        let rule = policy.claimRules.first {
            [.deny, .inherit].contains($0.verb) && $0.matches(subject)
        }
        return rule?.verb == .inherit ? heir : nil
    }

    /// Whether a block stops everything, or one for this purpose.
    func isStopped(
        _ account: AccountID, for purpose: Block.Purpose? = nil, at instant: Instant
    ) -> Bool {
        facts.blocks.contains { block in
            block.value.account == account && block.value.purpose == purpose ?? block.value.purpose
                && block.recordedAt <= instant
                && block.value.scope.entitlements.isEmpty && block.value.scope.credits.isEmpty
                && !facts.blockRemovals.contains {
                    $0.value.block == block.value.id && $0.value.account == account
                        && $0.sequence > block.sequence && $0.recordedAt <= instant
                }
        }
    }
}
