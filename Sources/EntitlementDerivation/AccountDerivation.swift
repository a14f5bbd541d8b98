internal import EntitlementModel

/// Joins what an account owns, was given and is denied into its timeline (spec 1.6).
struct AccountDerivation {
    let account: AccountID
    let view: FactView
    /// All units that can concern the account; more does no harm.
    let units: [DerivedUnit]

    /// With the rights as they can be added to.
    var timelineAndRights: (timeline: AccountTimeline, rights: AccountRights) {
        let owned = units.filter { unit in
            unit.ownership.spans.contains { $0.account == account }
        }
        let gifts = Gifts(to: account, in: view.facts)
        var timeline = AccountTimeline(account: account)
        let blocks = Blocks(on: account, in: view.facts)
        let rights = rights(of: owned, gifts, blocks)
        timeline.rights = rights.timelines
        timeline.balances =
            Credits(account: account, units: units, gifts: gifts, view: view).balances
        timeline.creditStops = blocks.creditStops
        timeline.units = owned.map(\.timeline).sorted { OwnedUnit.precedes($0.unit, $1.unit) }
        timeline.findings = findings(owned, timeline.balances)
        return (timeline, rights)
    }

    private func rights(
        of owned: [DerivedUnit], _ gifts: Gifts, _ blocks: Blocks
    ) -> AccountRights {
        var others = view.policy.openContributions
        for unit in owned {
            let rights = UnitRights(unit: unit, view: view, account: account)
            others += rights.contributions(in: stretches(of: unit))
        }
        return AccountRights(of: account, gifts: gifts, others: others, blocks: blocks)
    }

    private func stretches(of unit: DerivedUnit) -> [OwnedStretch] {
        let spans = unit.ownership.spans.filter { $0.account == account }
        return spans.enumerated().map { index, span in
            OwnedStretch(
                interval: span.interval, decision: span.decision, isFirst: index == 0)
        }
    }

    private func findings(
        _ owned: [DerivedUnit], _ balances: [CreditKey: CreditTimeline]
    ) -> [Finding] {
        var findings = owned.flatMap { catalogueFindings(of: $0, view: view) }
        findings += owned.flatMap { missingSuccessorFindings(of: $0) }
        findings += deniedClaims(concerning: account, units: units, view: view)
        findings += deniedSuccessions(concerning: account, units: units, view: view)
        findings += foreignPurchases(concerning: account, units: units, view: view)
        findings += caseConflicts(of: account, view: view)
        findings += splits.filter { $0.accounts.contains(account) }
        findings += duplicates(of: account, owned: owned, view: view)
        findings += invalidProducts(of: account, view: view)
        findings += creditFindings(of: account, balances)
        findings += quarantineFindings(view.facts).filter { $0.accounts.contains(account) }
        return findings.listedOnce()
    }

    private var splits: [Finding] {
        view.splits.isEmpty
            ? []
            : view.splits.map { splitTransaction($0, ownerships: OwnershipIndex(view), view) }
    }
}

/// The rights of an Apple ID: the union over its lineages of Apple-ID-scoped kinds, whoever owns
/// them, without rules that name an account and without blocks (spec 1.6).
struct AppleIDDerivation {
    let key: AppleIDKey
    let appleIDs: AppleIDs
    let view: FactView
    let units: [DerivedUnit]

    var timeline: AppleIDTimeline {
        let lineages = appleIDs.lineages(of: key)
        // An account-scoped purchase lies in the stacks of an account, not of an Apple ID.
        let own = units.filter {
            lineages.contains($0.lineage) && $0.kind.known?.isAccountScoped != true
        }
        var timeline = AppleIDTimeline(key: key, lineages: lineages)
        let contributions = own.flatMap {
            UnitRights(unit: $0, view: view, account: nil).contributions(in: [.always])
        }
        for source in (contributions + view.policy.openContributions).byRight {
            timeline.rights[source.right] = source.timeline
        }
        timeline.units = own.map(\.timeline).sorted { OwnedUnit.precedes($0.unit, $1.unit) }
        timeline.findings = findings(own, lineages)
        return timeline
    }

    private func findings(_ own: [DerivedUnit], _ lineages: [LineageKey]) -> [Finding] {
        var findings = own.flatMap { catalogueFindings(of: $0, view: view) }
        findings += own.flatMap { missingSuccessorFindings(of: $0) }
        findings += appleIDs.conflicts.filter { lineages.contains($0.lineage) }
            .map { appleIDConflict($0, view: view) }
        findings += view.splits.filter { lineages.contains($0.lineages[0]) }
            .map { splitTransaction($0, ownerships: OwnershipIndex(view), view) }
        return findings.listedOnce()
    }
}
