internal import EntitlementModel

/// Joins what an account owns, was given and is denied into its timeline (spec 1.6).
struct AccountDerivation {
    let account: AccountID
    let view: FactView
    /// All units that can concern the account; more does no harm.
    let units: [DerivedUnit]

    var timeline: AccountTimeline {
        let owned = units.filter { unit in
            unit.ownership.spans.contains { $0.account == account }
        }
        let gifts = Gifts(to: account, in: view.facts)
        var timeline = AccountTimeline(account: account)
        timeline.rights = rights(of: owned, gifts)
        timeline.balances =
            Credits(account: account, units: units, gifts: gifts, view: view).balances
        timeline.creditStops = Blocks(on: account, in: view.facts).creditStops
        timeline.units = owned.map(\.timeline).sorted { OwnedUnit.precedes($0.unit, $1.unit) }
        timeline.findings = findings(owned, timeline.balances)
        return timeline
    }

    private func rights(
        of owned: [DerivedUnit], _ gifts: Gifts
    ) -> [RightKey: RightTimeline] {
        var contributions = gifts.contributions + view.policy.openContributions
        for unit in owned {
            let rights = UnitRights(unit: unit, view: view, account: account)
            contributions += rights.contributions(in: stretches(of: unit))
        }
        let timelines = timelines(of: contributions)
        let blocks = Blocks(on: account, in: view.facts)
        guard !blocks.isEmpty else { return timelines }
        return timelines.reduce(into: [:]) { stopped, right in
            stopped[right.key] = blocks.applied(to: right.value, of: right.key.entitlement)
        }
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
        timeline.rights = timelines(
            of: own.flatMap {
                UnitRights(unit: $0, view: view, account: nil).contributions(in: [.always])
            } + view.policy.openContributions)
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

/// The contributions to one right.
private struct RightDraft {
    let bucket: RightBucket
    var contributions: [Contribution]
}

/// One timeline for each environment and entitlement that anything was said about.
private func timelines(of contributions: [Contribution]) -> [RightKey: RightTimeline] {
    var drafts: [RightDraft] = []
    for contribution in contributions {
        if let index = drafts.firstIndex(where: { $0.bucket == contribution.bucket }) {
            drafts[index].contributions.append(contribution)
        } else {
            drafts.append(RightDraft(bucket: contribution.bucket, contributions: [contribution]))
        }
    }
    var timelines: [RightKey: RightTimeline] = [:]
    timelines.reserveCapacity(drafts.count)
    for draft in drafts {
        let key = RightKey(draft.bucket.environment, draft.bucket.entitlement)
        timelines[key] = union(draft.contributions)
    }
    return timelines
}
