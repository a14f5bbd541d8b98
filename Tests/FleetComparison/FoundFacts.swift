package import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
package import HistoryComparison
package import LedgerModel

/// What is derived from what a ledger finds for each account and each Apple ID, where that differs
/// from what all facts at once come to.
package func differences(
    in ledger: any LedgerReading, from derived: DerivedTimelines, by deriver: Deriver
) throws(LedgerError) -> [Disagreement] {
    var found: [Disagreement] = []
    for (account, timeline) in derived.accounts.sorted(by: { $0.key < $1.key }) {
        let alone = deriver.deriveAccount(account, try ledger.facts(about: account))
        if alone != timeline {
            found.append(
                Disagreement(
                    "account \(account), from what the ledger finds", derived: "\(alone)",
                    specified: "\(timeline)"))
        }
    }
    for (lineage, key) in derived.appleIDOfLineage {
        let facts = try ledger.facts(forLineage: lineage)
        let alone = deriver.deriveAppleID(holding: lineage, facts)
        if alone != derived.appleIDs[key] {
            found.append(
                Disagreement(
                    "Apple ID of \(OwnedUnit.lineage(lineage).text), from what the ledger finds",
                    derived: alone.map { "\($0)" } ?? "none",
                    specified: derived.appleIDs[key].map { "\($0)" } ?? "none"))
        }
    }
    return found
}
