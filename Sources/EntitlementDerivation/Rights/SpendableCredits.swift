package import EntitlementModel

/// The credits of one account, for spending. Equal to `CreditStanding` at the instant that it was
/// advanced to; time, spends and holds change it without a new derivation, and any other fact about
/// the account makes it invalid.
///
/// A spend is recorded after all known facts, and is last in its instant (spec 1.7): of the past
/// only the remaining lots matter.
package struct SpendableCredits: Sendable {
    fileprivate struct Pool {
        let key: CreditKey
        var lots = CreditLots()
        /// Future changes, the next one last.
        var coming: [CreditEvent]
        let freezes: [CreditFreeze]
    }

    /// An account has few credits: they are searched, not hashed.
    private var pools: [Pool]
    private let stops: [CreditStop]
    /// The last instant of which something is in it: it says nothing of earlier ones.
    package private(set) var reached = Instant.distantPast

    init(_ ledgers: [Credits.Ledger], stops: [CreditStop], at instant: Instant) {
        self.stops = stops
        pools = ledgers.map { ledger in
            Pool(
                key: ledger.key,
                coming: ledger.events.sorted(by: CreditEvent.isEarlier).reversed(),
                freezes: ledger.freezes)
        }
        advance(to: instant)
    }

    /// The memory used: lots, holds and future changes.
    package var weight: Int {
        pools.indices.reduce(1 + stops.count) { sum, place in
            sum + pools[place].lots.weight + pools[place].coming.count
                + pools[place].freezes.count
        }
    }

    /// What happens by time until then has happened.
    package mutating func advance(to instant: Instant) {
        precondition(instant >= reached, "what is recorded is in the order of time")
        for place in pools.indices {
            guard let last = pools[place].advance(to: instant) else { continue }
            reached = max(reached, last)
        }
    }

    /// The spendable amount.
    package func balance(_ key: CreditKey) -> Int128 {
        place(of: key).map { pools[$0].lots.sum } ?? 0
    }

    /// The held amount, not part of the balance.
    package func held(_ key: CreditKey) -> Int128 {
        place(of: key).map { pools[$0].lots.held } ?? 0
    }

    package func isFrozen(_ key: CreditKey, at instant: Instant) -> Bool {
        guard let place = place(of: key) else { return false }
        return pools[place].freezes.contains { $0.interval.contains(instant) }
    }

    /// Whether a block stops the credit.
    package func isBlocked(_ credit: CreditName, at instant: Instant) -> Bool {
        stops.contains { $0.stops(credit, at: instant) }
    }

    /// Takes what a spend of the account took, which is the newest entry.
    package mutating func spend(_ spend: Recorded<CreditSpend>) {
        advance(to: spend.recordedAt)
        reached = spend.recordedAt
        for part in spend.value.parts {
            let key = CreditKey(spend.value.environment, part.credit)
            change(key) { $0.apply(CreditEvent(of: spend, part)) }
        }
    }

    /// The same for a hold, which has an end.
    package mutating func hold(_ hold: Recorded<CreditHold>) {
        advance(to: hold.recordedAt)
        reached = hold.recordedAt
        for part in hold.value.parts {
            let key = CreditKey(hold.value.environment, part.credit)
            let (hold, release) = CreditEvent.events(of: hold, part)
            change(key) {
                $0.apply(hold)
                $0.expect(release)
            }
        }
    }

    /// By place: a loop over the pools would copy each of them.
    private func place(of key: CreditKey) -> Int? {
        pools.indices.first { pools[$0].key == key }
    }

    private mutating func change(_ key: CreditKey, _ change: (inout Pool) -> Void) {
        let found = place(of: key)
        if found == nil { pools.append(Pool(key: key, coming: [], freezes: [])) }
        change(&pools[found ?? pools.count - 1])
    }
}

extension SpendableCredits.Pool {
    /// - Returns: when the last of it happened; nil where nothing did.
    fileprivate mutating func advance(to instant: Instant) -> Instant? {
        var last: Instant?
        while let next = coming.last, next.entry.occurredAt <= instant {
            lots.apply(next)
            last = next.entry.occurredAt
            coming.removeLast()
        }
        if last != nil { lots.forgetPast() }
        return last
    }

    fileprivate mutating func apply(_ event: CreditEvent) {
        lots.apply(event)
        lots.forgetPast()
    }

    fileprivate mutating func expect(_ event: CreditEvent) {
        let place = coming.firstIndex { CreditEvent.isEarlier($0, event) }
        coming.insert(event, at: place ?? coming.endIndex)
    }
}

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
        let index = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        let credits = Credits(
            account: account, units: index.units, gifts: Gifts(to: account, in: view.facts),
            view: view)
        return (credits, Blocks(on: account, in: view).creditStops)
    }
}
