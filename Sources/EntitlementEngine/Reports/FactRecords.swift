package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import Synchronization

/// A grant, and the end that a person put to it.
package struct GrantRecord: Hashable, Sendable {
    package let grant: Recorded<Grant>
    package let revocation: Recorded<GrantRevocation>?

    package var answer: GrantAnswer { GrantAnswer(grant, revocation: revocation) }
}

/// A block, and its end.
package struct BlockRecord: Hashable, Sendable {
    package let block: Recorded<Block>
    package let removal: Recorded<BlockRemoval>?

    package var answer: BlockAnswer { BlockAnswer(block, removal: removal) }

    package func isStanding(at instant: Instant) -> Bool {
        Interval(from: block.recordedAt, to: removal?.recordedAt)?.contains(instant) ?? false
    }
}

/// A claim with what became of it so far.
package struct ClaimRecord: Hashable, Sendable {
    package let claim: Recorded<Claim>
    /// The newest decision on it; nil for a claim whose transaction was not known yet.
    package let decision: Recorded<OwnershipDecision>?
    /// The ruling that approved it; its effect is in a decision of its own.
    package let approval: Recorded<Ruling>?
    /// The decision by which the purchase has changed owners since.
    package var supersededBy: LedgerSequence?

    /// Whether a person has to rule on it (spec 1.6).
    package var isWaiting: Bool {
        approval == nil && decision?.value.outcome == .denied(.waiting)
    }

    package var answer: ClaimAnswer {
        ClaimAnswer(
            claim, outcome: standing, decision: decision.map(DecisionAnswer.init),
            approval: approval.map {
                Ending(at: $0.recordedAt, actor: $0.value.actor, reason: $0.value.reason)
            }, supersededBy: supersededBy)
    }

    private var standing: ClaimStanding {
        if approval != nil { return .approved }
        return decision.map { ClaimStanding($0.value.outcome) } ?? .unknownTransaction
    }
}

extension FactSet {
    func grantRecords(of account: AccountID) -> [GrantRecord] {
        let revocations = Dictionary(grouping: grantRevocations, by: \.value.grant)
        return grants.filter { $0.value.account == account }.map { grant in
            let revocation = revocations[grant.value.id]?.first { $0.sequence > grant.sequence }
            return GrantRecord(grant: grant, revocation: revocation)
        }
    }

    func blockRecords(of account: AccountID) -> [BlockRecord] {
        let removals = Dictionary(grouping: blockRemovals, by: \.value.block)
        return blocks.filter { $0.value.account == account }.map { block in
            let removal = removals[block.value.id]?.first { $0.sequence > block.sequence }
            return BlockRecord(block: block, removal: removal)
        }
    }

    /// All claims, in the ledger's order.
    var claimRecords: [ClaimRecord] {
        var newest: [LedgerSequence: Recorded<OwnershipDecision>] = [:]
        var moves: [OwnedUnit: LedgerSequence] = [:]
        for decision in decisions.sorted(by: { $0.sequence < $1.sequence }) {
            let value = decision.value
            newest[value.cause] = decision
            if value.ownersBefore != value.ownersAfter { moves[value.unit] = decision.sequence }
        }
        var approvals: [LedgerSequence: Recorded<Ruling>] = [:]
        for ruling in rulings where ruling.value.verb == .approve {
            if let claim = ruling.value.claim { approvals[claim] = ruling }
        }
        return claims.sorted { $0.sequence < $1.sequence }.map { claim in
            let (decision, approval) = (newest[claim.sequence], approvals[claim.sequence])
            let decisive = approval.flatMap { newest[$0.sequence] } ?? decision
            return ClaimRecord(
                claim: claim, decision: decision, approval: approval,
                supersededBy: decisive.flatMap { decisive in
                    moves[decisive.value.unit].flatMap { $0 > decisive.sequence ? $0 : nil }
                })
        }
    }

    /// The newest of what persons have decided of units and credits, in the ledger's order.
    func actions(
        on units: [OwnedUnit], _ reader: any LedgerReading
    ) throws(LedgerError) -> [FactAnswer] {
        let causes = Set(rulings.map(\.sequence)).union(accountMerges.map(\.sequence))
        let units = Set(units)
        let decided = decisions.filter {
            causes.contains($0.value.cause) && units.contains($0.value.unit)
        }
        let places = decided.map(\.sequence) + creditThaws.map(\.sequence)
        var told: [FactAnswer] = []
        for place in places.sorted().suffix(100) {
            if let entry = try reader.entry(place) { told.append(try reader.told(entry)) }
        }
        return told
    }
}

/// The claims that wait for a person (spec 1.6).
///
/// Folded from the ledger, and kept: each update reads only new entries.
final class WaitingClaims: Sendable {
    /// The same claim again (spec 1.6).
    private struct ClaimIdentity: Hashable {
        let account: AccountID
        let transaction: TransactionKey
        let moment: ClaimMoment

        init(_ claim: Claim) {
            (account, transaction, moment) = (claim.account, claim.transaction, claim.moment)
        }
    }

    /// A claim that has waited: from a decision on, until an entry that ended it.
    private struct Past {
        let claim: LedgerSequence
        let decision: LedgerSequence
        let end: LedgerSequence
    }

    private struct Fold {
        var place = LedgerSequence.zero
        /// The newest of each that waits.
        var newest: [ClaimIdentity: LedgerSequence] = [:]
        /// Claims that may come to wait; of the rest of the ledger only what waited once, and when.
        var waiting: [LedgerSequence: ClaimRecord] = [:]
        var past: [Past] = []
        /// The claims of a commit come before their decisions.
        var undecided: [LedgerSequence: Recorded<Claim>] = [:]

        mutating func insert(_ entry: Recorded<LedgerEntry>) {
            switch entry.value {
            case .claim(let claim): undecided[entry.sequence] = entry.with(claim)
            case .decision(let decision): insert(entry.with(decision))
            case .ruling(let ruling) where ruling.verb == .approve:
                if let claim = ruling.claim { _ = end(claim, at: entry.sequence) }
            default: break
            }
        }

        private mutating func insert(_ decision: Recorded<OwnershipDecision>) {
            let cause = decision.value.cause
            let waited = end(cause, at: decision.sequence)
            guard let claim = undecided.removeValue(forKey: cause) ?? waited?.claim else { return }
            // A claim that was judged again replaces the earlier one.
            let identity = ClaimIdentity(claim.value)
            if let earlier = newest.removeValue(forKey: identity) {
                _ = end(earlier, at: decision.sequence)
            }
            guard decision.value.outcome == .denied(.waiting) else { return }
            newest[identity] = cause
            waiting[cause] = ClaimRecord(claim: claim, decision: decision, approval: nil)
        }

        private mutating func end(
            _ claim: LedgerSequence, at end: LedgerSequence
        ) -> ClaimRecord? {
            let record = waiting.removeValue(forKey: claim)
            if let decision = record?.decision?.sequence {
                past.append(Past(claim: claim, decision: decision, end: end))
            }
            return record
        }
    }

    private let fold = Mutex(Fold())

    /// Folds what is new. The ledger is read without the lock: others are answered meanwhile.
    private func follow(
        _ reader: any ReadableLedger, through last: LedgerSequence?
    ) throws(EngineError) {
        while true {
            let place = fold.withLock { $0.place }
            guard last.map({ place < $0 }) ?? true else { return }
            let page = try reader.reading { reader throws(LedgerError) in
                try reader.entries(after: place, limit: 1_000)
            }
            guard let newest = page.last else { return }
            fold.withLock { fold in
                // Another one may have been faster.
                guard fold.place == place else { return }
                for entry in page { fold.insert(entry) }
                fold.place = newest.sequence
            }
        }
    }

    /// In the ledger's order; of a ledger as it was, those that waited then.
    func all(
        in reader: any ReadableLedger, through last: LedgerSequence?
    ) throws(EngineError) -> (claims: [ClaimRecord], revision: LedgerSequence) {
        try follow(reader, through: last)
        let (claims, past, place) = fold.withLock { fold in
            let waiting = fold.waiting.values.filter { record in
                last.map { record.decision?.sequence ?? .zero <= $0 } ?? true
            }
            let past = last.map { last in
                fold.past.filter { $0.decision <= last && last < $0.end }
            }
            return (waiting, past ?? [], last ?? fold.place)
        }
        let ended = try reader.reading { reader throws(LedgerError) in
            var ended: [ClaimRecord] = []
            for past in past {
                guard let entry = try reader.entry(past.claim),
                    case .claim(let claim) = entry.value,
                    let decided = try reader.entry(past.decision),
                    case .decision(let decision) = decided.value
                else { continue }
                ended.append(
                    ClaimRecord(
                        claim: entry.with(claim), decision: decided.with(decision), approval: nil))
            }
            return ended
        }
        return ((claims + ended).sorted { $0.claim.sequence < $1.claim.sequence }, place)
    }
}
