internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerStore

/// Everything that support needs to know of an account (spec 3.1).
package struct AccountReport: Sendable {
    package let at: Instant
    package let view: AccountView
    /// The Apple IDs of the lineages that it owns or has owned.
    package let appleIDs: [LineageKey: AppleIDKey]
    package let grants: [GrantRecord]
    package let blocks: [BlockRecord]
    /// Its own claims, and those of others on what it owns or has owned.
    package let claims: [ClaimRecord]
    package let revision: LedgerSequence

    package var account: AccountID { view.account }
}

/// A grant, and the end that a person put to it.
package struct GrantRecord: Hashable, Sendable {
    package let grant: Recorded<Grant>
    package let revocation: Recorded<GrantRevocation>?
}

/// A block, and its lifting.
package struct BlockRecord: Hashable, Sendable {
    package let block: Recorded<Block>
    package let removal: Recorded<BlockRemoval>?

    package func isStanding(at instant: Instant) -> Bool {
        Interval(from: block.recordedAt, to: removal?.recordedAt)?.contains(instant) ?? false
    }
}

extension LedgerQuestions {
    /// Reads and derives the account anew; nothing is kept. Blocks.
    package func report(
        on account: AccountID, at instant: Instant
    ) throws(EngineError) -> AccountReport {
        try ledger.reading { reader throws(LedgerStoreError) in
            let facts = try reader.facts(forAccount: account)
            let view = policy.view(of: account, facts: facts)
            return AccountReport(
                at: instant, view: view, appleIDs: appleIDs(of: view, facts),
                grants: facts.grantRecords(of: account), blocks: facts.blockRecords(of: account),
                claims: facts.claimRecords.filter { $0.concerns(view.timeline) },
                revision: try reader.head().sequence)
        }
    }

    private func appleIDs(of view: AccountView, _ facts: FactSet) -> [LineageKey: AppleIDKey] {
        var keys: [LineageKey: AppleIDKey] = [:]
        for case .lineage(let lineage) in view.timeline.units.map(\.unit) {
            keys[lineage] = policy.deriver.deriveAppleID(holding: lineage, facts)?.key
        }
        return keys
    }
}

extension ClaimRecord {
    fileprivate func concerns(_ timeline: AccountTimeline) -> Bool {
        if claim.value.account == timeline.account { return true }
        guard let unit = decision?.value.unit else { return false }
        return timeline.units.contains { $0.unit == unit }
    }
}

extension FactSet {
    func grantRecords(of account: AccountID) -> [GrantRecord] {
        grants.filter { $0.value.account == account }.map { grant in
            let revocation = grantRevocations.first {
                $0.value.grant == grant.value.id && $0.sequence > grant.sequence
            }
            return GrantRecord(grant: grant, revocation: revocation)
        }
    }

    func blockRecords(of account: AccountID) -> [BlockRecord] {
        blocks.filter { $0.value.account == account }.map { block in
            let removal = blockRemovals.first {
                $0.value.block == block.value.id && $0.sequence > block.sequence
            }
            return BlockRecord(block: block, removal: removal)
        }
    }
}
