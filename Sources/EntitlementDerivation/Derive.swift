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
