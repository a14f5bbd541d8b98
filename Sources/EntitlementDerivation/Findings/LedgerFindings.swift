package import EntitlementModel

/// The findings of a whole ledger, a part at a time. Each is found in one part only.
extension Deriver {
    /// What is to be said of lineages that may be one Apple ID's, whoever owns them.
    ///
    /// `facts` hold everything that is known of these lineages.
    package func findings(aboutLineagesOf facts: FactSet) -> [Finding] {
        let view = FactView(facts, policy: policy)
        let appleIDs = AppleIDs(view)
        let units = UnitIndex(view, ownerships: OwnershipIndex(view)) { _ in true }.units
        var findings = units.flatMap { catalogueFindings(of: $0, view: view) }
        findings += units.flatMap { missingSuccessorFindings(of: $0) }
        findings += appleIDs.conflicts.map { appleIDConflict($0, view: view) }
        findings += unclaimedPayments(of: units, view: view)
        findings += implausibleFindings(view.facts)
        findings += deniedClaims(concerning: nil, units: units, view: view)
        findings += foreignPurchases(concerning: nil, units: units, view: view)
        findings += caseConflicts(of: nil, view: view)
        return findings.listedOnce()
    }

    /// What is to be said of an account because of all that it owns: duplicates.
    ///
    /// `facts` are those that the account is derived from.
    package func findings(aboutHoldingsOf account: AccountID, _ facts: FactSet) -> [Finding] {
        let account = policy.policy.name(account)
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let decided = ownerships.lineages(in: view)
        guard decided.count > 1 else { return [] }
        let book = UnitIndex(view, ownerships: ownerships) { decided.contains($0) }
        let owned = book.units.filter { unit in
            unit.ownership.spans.contains { $0.account == account }
        }
        return duplicates(of: account, owned: owned, view: view).listedOnce()
    }

    /// What is to be said of something that was quarantined.
    package func finding(aboutQuarantine quarantine: Recorded<Quarantine>) -> Finding {
        var facts = FactSet()
        facts.quarantines = [quarantine]
        return quarantineFindings(FactView(facts, policy: policy).facts)[0]
    }
}
