internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

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
    ///
    /// - Parameters:
    ///   - environment: Nil for all of them.
    ///   - appleID: Nil for all that the account has; else what came through this Apple ID.
    package func report(
        on account: AccountID, at instant: Instant, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> AccountReport {
        let report = try report(on: policy.name(account), at: instant, through: appleID)
        guard let environment else { return report }
        return report.limited(to: environment, by: policy.history.current)
    }

    private func report(
        on account: AccountID, at instant: Instant, through appleID: AppleIDKey?
    ) throws(EngineError) -> AccountReport {
        try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
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

extension AccountReport {
    /// What it says of one environment. A block is of no environment: it stays.
    fileprivate func limited(to environment: StoreEnvironment, by policy: Policy) -> AccountReport {
        var timeline = view.timeline
        timeline.rights = timeline.rights.filter { $0.key.environment == environment }
        timeline.balances = timeline.balances.filter { $0.key.environment == environment }
        timeline.units.removeAll { $0.unit.environment != environment }
        timeline.findings.removeAll { $0.environment != environment }
        return AccountReport(
            at: at, view: AccountView(timeline: timeline, policy: policy), appleIDs: appleIDs,
            grants: grants.filter { $0.grant.value.environment == environment }, blocks: blocks,
            claims: claims.filter { $0.claim.value.transaction.environment == environment },
            revision: revision)
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
