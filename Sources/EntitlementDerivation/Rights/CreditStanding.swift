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
        let account = policy.policy.name(account)
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        let book = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        let credits = Credits(
            account: account, units: book.units, gifts: Gifts(to: account, in: view.facts),
            view: view)
        return CreditStanding(
            balances: credits.balances, stops: Blocks(on: account, in: view.facts).creditStops)
    }
}
