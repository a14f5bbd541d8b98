package import EntitlementModel

/// Everything that follows from a set of facts.
package struct DerivedTimelines: Sendable {
    package var accounts: [AccountID: AccountTimeline] = [:]
    package var appleIDs: [AppleIDKey: AppleIDTimeline] = [:]
    package var appleIDOfLineage: [LineageKey: AppleIDKey] = [:]
    /// All findings, those of no account among them.
    package var findings: [Finding] = []
}

/// Derives the timelines of all accounts and Apple IDs that the facts name (spec 1.4, 1.5,
/// 1.6).
///
/// The result depends on the set of facts only, never on their order in the lists.
package func derive(policies: PolicyHistory, facts: FactSet) -> DerivedTimelines {
    Deriver(policies: policies).derive(facts)
}

/// Derives one account. `facts` hold everything that is known of the Apple IDs of the lineages
/// that it owns and, for a non-renewing purchase that has changed hands, its first owner's.
package func deriveAccount(
    _ account: AccountID, policies: PolicyHistory, facts: FactSet
) -> AccountTimeline {
    Deriver(policies: policies).deriveAccount(account, facts)
}

/// Derives the Apple ID that a lineage belongs to; nil for a lineage that is not known.
package func deriveAppleID(
    holding lineage: LineageKey, policies: PolicyHistory, facts: FactSet
) -> AppleIDTimeline? {
    Deriver(policies: policies).deriveAppleID(holding: lineage, facts)
}

/// Derives under policies that are compiled once: keep one of these to derive often.
package struct Deriver: Sendable {
    let policy: CompiledPolicy

    package init(policies: PolicyHistory) {
        policy = CompiledPolicy(policies)
    }

    package func derive(_ facts: FactSet) -> DerivedTimelines {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let index = UnitIndex(view, ownerships: ownerships) { _ in true }
        let appleIDs = AppleIDs(view)
        var derived = DerivedTimelines()
        for account in view.facts.accounts {
            derived.accounts[account] =
                AccountDerivation(
                    account: account, view: view, units: index.units
                ).timelineAndRights.timeline
        }
        for (lineage, key) in zip(view.lineages, appleIDs.keys) {
            derived.appleIDOfLineage[lineage.key] = key
        }
        for key in Set(appleIDs.keys) {
            derived.appleIDs[key] =
                AppleIDDerivation(
                    key: key, appleIDs: appleIDs, view: view, units: index.units
                ).timeline
        }
        derived.findings = allFindings(of: derived, view: view, units: index.units)
        return derived
    }

    package func deriveAccount(_ account: AccountID, _ facts: FactSet) -> AccountTimeline {
        deriveAccountWithRights(account, facts).timeline
    }

    /// Derives an account, with its rights as they can be added to.
    package func deriveAccountWithRights(
        _ account: AccountID, _ facts: FactSet
    ) -> (timeline: AccountTimeline, rights: AccountRights) {
        let account = policy.policy.name(account)
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        let index = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        return AccountDerivation(account: account, view: view, units: index.units)
            .timelineAndRights
    }

    package func deriveAppleID(
        holding lineage: LineageKey, _ facts: FactSet
    ) -> AppleIDTimeline? {
        let view = FactView(facts, policy: policy)
        let appleIDs = AppleIDs(view)
        guard let key = appleIDs.key(of: lineage) else { return nil }
        let lineages = Set(appleIDs.lineages(of: key))
        let index = UnitIndex(view, ownerships: OwnershipIndex(view)) { lineages.contains($0) }
        return AppleIDDerivation(
            key: key, appleIDs: appleIDs, view: view, units: index.units
        ).timeline
    }

    private func allFindings(
        of derived: DerivedTimelines, view: FactView, units: [DerivedUnit]
    ) -> [Finding] {
        var findings = Set(derived.accounts.values.flatMap(\.findings))
        findings.formUnion(derived.appleIDs.values.flatMap(\.findings))
        // Accounts get their part of the findings.
        for account in derived.accounts.keys {
            findings.subtract(deniedClaims(concerning: account, units: units, view: view))
        }
        findings.formUnion(deniedClaims(concerning: nil, units: units, view: view))
        findings.formUnion(unclaimedPayments(of: units, view: view))
        findings.formUnion(quarantineFindings(view.facts))
        findings.formUnion(implausibleFindings(view.facts))
        for unit in units { findings.formUnion(catalogueFindings(of: unit, view: view)) }
        return findings.sorted(by: Finding.isListedEarlier)
    }
}

extension FactSet {
    /// Every account that owns, claims, is given or is refused something.
    var accounts: Set<AccountID> {
        var accounts = Set(claims.map(\.value.account))
        for decision in decisions {
            accounts.formUnion(decision.value.ownersBefore)
            accounts.formUnion(decision.value.ownersAfter)
        }
        accounts.formUnion(grants.map(\.value.account))
        accounts.formUnion(blocks.map(\.value.account))
        accounts.formUnion(creditSpends.map(\.value.account))
        accounts.formUnion(creditHolds.map(\.value.account))
        accounts.formUnion(spendReversals.map(\.value.account))
        accounts.formUnion(
            accountMerges.filter { !$0.value.credits.isEmpty }.map(\.value.into))
        return accounts
    }
}

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
        let blocks = Blocks(on: account, in: view)
        let memberships = Memberships(of: account, in: owned, view: view)
        let rights = rights(of: owned, memberships, gifts, blocks)
        timeline.rights = rights.timelines
        timeline.balances =
            Credits(account: account, units: units, gifts: gifts, view: view).balances
        timeline.creditStops = blocks.creditStops
        timeline.units = owned.map(\.timeline).sorted { OwnedUnit.precedes($0.unit, $1.unit) }
        timeline.findings = findings(owned, timeline.balances)
        timeline.memberTimes = memberships.times
        return (timeline, rights)
    }

    private func rights(
        of owned: [DerivedUnit], _ memberships: Memberships, _ gifts: Gifts, _ blocks: Blocks
    ) -> AccountRights {
        var others = view.policy.openContributions
        for unit in owned {
            let rights = UnitRights(
                unit: unit, view: view, account: account, memberships: memberships)
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
        let memberships = Memberships(of: own, view: view) { _ in [.always] }
        let contributions = own.flatMap {
            UnitRights(unit: $0, view: view, account: nil, memberships: memberships)
                .contributions(in: [.always])
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
