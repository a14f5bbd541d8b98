package import EntitlementModel

/// Every instant at which anything could change, and some at which nothing does.
extension Specification {
    /// Over all units, accounts and rules; ascending.
    package func boundaries() -> [Instant] {
        var instants = Set(units.flatMap { boundaries(of: $0) + ageBoundaries(of: $0) })
        instants.formUnion(recordings)
        instants.formUnion(ruleDates)
        instants.formUnion(loyaltyBoundaries)
        instants.formUnion(deliveryInstants)
        for purchase in purchases {
            instants.insert(purchase.start)
            if let revocation = purchase.current.revocation { instants.insert(revocation.date) }
        }
        return instants.filter { $0 > .distantPast }.sorted()
    }

    /// The instants at which a unit's state, period or renewal can change; ascending.
    func boundaries(of unit: OwnedUnit) -> [Instant] {
        var instants: Set<Instant> = []
        for purchase in purchasesOfUnit[unit] ?? [] {
            instants.insert(purchase.start)
            if let revocation = purchase.current.revocation { instants.insert(revocation.date) }
        }
        if case .lineage(let lineage) = unit, let subscription = subscriptions[lineage] {
            instants.formUnion(subscription.boundaries(leeway: policy.leeway))
        }
        instants.formUnion((stretches[unit] ?? []).flatMap(\.boundaries))
        return instants.sorted()
    }

    /// The same, and those at which a unit's bearing on a right of an account can change.
    func boundaries(of unit: OwnedUnit, on key: RightKey, for account: AccountID?) -> [Instant] {
        let all = Set(boundaries(of: unit) + ageBoundaries(of: unit))
        return all.union(ruleDates).union(loyaltyBoundaries)
            .union(decisions(on: unit).map(\.value.from)).sorted()
    }

    /// When a unit reaches an age in its state that a rule names.
    private func ageBoundaries(of unit: OwnedUnit) -> [Instant] {
        let conditions = policy.accessRules.flatMap { [$0.when] + ($0.unless.map { [$0] } ?? []) }
        let ages = conditions.flatMap { ($0.stateAges ?? []) + ($0.unpaidFor ?? []) }.flatMap {
            bound in
            switch bound {
            case .under(let period), .atLeast(let period): [period]
            case .between(let least, let end): [least, end]
            }
        }
        guard !ages.isEmpty else { return [] }
        return boundaries(of: unit).flatMap { start in ages.map { $0.end(from: start) } }
    }

    private var ruleDates: [Instant] {
        openDates
            + policy.accessRules.flatMap { ($0.when.at ?? []) + ($0.unless?.at ?? []) }.flatMap {
                bound in
                switch bound {
                case .before(let instant), .from(let instant): [instant]
                case .within(let start, let end): [start, end]
                }
            }
    }

    private var openDates: [Instant] {
        policy.openRights.flatMap(\.windows).flatMap { [$0.start] + ($0.end.map { [$0] } ?? []) }
    }

    /// When grants, blocks and owners begin and end.
    private var recordings: [Instant] {
        facts.decisions.map(\.value.from) + facts.blocks.map(\.recordedAt)
            + facts.blockRemovals.map(\.recordedAt) + facts.grantRevocations.map(\.recordedAt)
            + facts.grants.map(\.value.from) + facts.grants.compactMap(\.value.until)
            + facts.creditSpends.map(\.recordedAt) + facts.creditHolds.map(\.recordedAt)
            + facts.creditHolds.map(\.value.until) + facts.holdEnds.map(\.recordedAt)
            + facts.spendReversals.map(\.recordedAt) + facts.creditThaws.map(\.recordedAt)
    }
}

extension Subscription {
    fileprivate func boundaries(leeway: Period) -> [Instant] {
        periods.flatMap { period in
            [period.start, period.end, period.paidEnd]
                + [period.renewingUntil(leeway: leeway), period.graceUntil, period.retryUntil]
                .compactMap { $0 }
        } + infos.map(\.signedDate)
    }
}

extension Stretch {
    fileprivate var boundaries: [Instant] {
        [start, end] + (revokedAt.map { [$0] } ?? [])
            + replacements.flatMap { [$0.start] + ($0.revokedAt.map { [$0] } ?? []) }
    }
}
