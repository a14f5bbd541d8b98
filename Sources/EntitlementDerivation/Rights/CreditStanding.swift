package import EntitlementModel

/// The credits of one account: what a spend is judged by.
package struct CreditStanding: Sendable {
    package let balances: [CreditKey: CreditTimeline]
    package let stops: [CreditStop]

    package func timeline(_ key: CreditKey) -> CreditTimeline {
        balances[key] ?? CreditTimeline(entries: [])
    }

    /// Whether a block stops the credit.
    package func isBlocked(_ credit: CreditName, at instant: Instant) -> Bool {
        stops.contains { $0.stops(credit, at: instant) }
    }
}

extension Deriver {
    /// The credits of an account, from the facts that it is derived from, without its rights.
    package func credits(of account: AccountID, _ facts: FactSet) -> CreditStanding {
        let (credits, stops) = history(of: account, facts)
        return CreditStanding(balances: credits.balances, stops: stops)
    }

    /// The same as of an instant, by which everything was recorded that the facts hold.
    package func spendableCredits(
        of account: AccountID, _ facts: FactSet, at instant: Instant
    ) -> SpendableCredits {
        let (credits, stops) = history(of: account, facts)
        return SpendableCredits(credits.ledgers, stops: stops, at: instant)
    }

    private func history(
        of account: AccountID, _ facts: FactSet
    ) -> (credits: Credits, stops: [CreditStop]) {
        let account = policy.policy.name(account)
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        let book = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        let credits = Credits(
            account: account, units: book.units, gifts: Gifts(to: account, in: view.facts),
            view: view)
        return (credits, Blocks(on: account, in: view.facts).creditStops)
    }
}
