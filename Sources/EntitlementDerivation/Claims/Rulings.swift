package import EntitlementModel

/// What became of a ruling by a person (spec 1.6).
package enum RulingOutcome: Hashable, Sendable {
    /// The decisions to append after the ruling: its own first, then the refusals of other
    /// waiting claims of the unit.
    case decided([RuledDecision])
    case impossible(RulingObstacle)
}

/// One decision that follows from a ruling.
package struct RuledDecision: Hashable, Sendable {
    /// The waiting claim that this refuses; nil for the ruling's own decision.
    package var deniedClaim: LedgerSequence?
    package var unit: OwnedUnit
    package var transactionID: TransactionID
    package var outcome: ClaimOutcome
    package var rule: RuleReference
    package var ownersBefore: [AccountID]
    package var ownersAfter: [AccountID]
    package var from: Instant

    /// The fact to append. `ruling` is the ledger entry of the ruling.
    package func decision(ruling: LedgerSequence, policy: Digest256) -> OwnershipDecision {
        OwnershipDecision(
            cause: deniedClaim ?? ruling, unit: unit, transactionID: transactionID,
            outcome: outcome, rule: rule, policy: policy, ownersBefore: ownersBefore,
            ownersAfter: ownersAfter, from: from)
    }
}

/// Why a ruling cannot be.
package enum RulingObstacle: String, CaseIterable, Hashable, Sendable {
    case unknownUnit = "unknown-unit"
    /// Approve and refuse need a claim of this unit that waits.
    case notWaiting = "not-waiting"
    /// A transfer needs an account.
    case missingAccount = "missing-account"
    /// It would change nothing: the account is the only owner as it is.
    case alreadyOwner = "already-owner"
    case unowned
    /// Only an owner can be taken out of several.
    case notOwner = "not-owner"
    /// Undo needs a decision that changed the owners of this unit.
    case nothingToUndo = "nothing-to-undo"
    /// Undo is refused once the unit is not where the decision put it. Moves that were themselves
    /// undone do not count.
    case movedSince = "moved-since"
}

/// Judges a ruling by the facts recorded before it.
package func rule(
    _ ruling: Ruling, recordedAt: Instant, policies: PolicyHistory, facts: FactSet
) -> RulingOutcome {
    Deriver(policies: policies).rule(ruling, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `rule(_:recordedAt:policies:facts:)`.
    package func rule(
        _ ruling: Ruling, recordedAt: Instant, _ facts: FactSet
    ) -> RulingOutcome {
        var ruling = ruling
        ruling.account = ruling.account.map(policy.policy.name)
        let view = FactView(facts, policy: policy)
        guard let evaluation = RulingEvaluation(ruling, recordedAt: recordedAt, view: view) else {
            return .impossible(.unknownUnit)
        }
        return evaluation.outcome
    }
}

/// What an undo of a claim takes back (spec 1.6).
package enum UndoneDecision: Hashable, Sendable {
    /// The newest change of owners in effect: the claim's own, or a ruling.
    case decision(LedgerSequence)
    /// All is as the first owning left it, or as it was before.
    case nothing
    /// The newest one in effect followed from something else.
    case another(newest: LedgerSequence)
}

extension Deriver {
    /// The subject of a ruling on a claim: the unit, under its current name, and what an undo
    /// reverts. Nil if the claim was never decided.
    package func subject(
        ofClaim claim: LedgerSequence, _ facts: FactSet
    ) -> (unit: OwnedUnit, undone: UndoneDecision)? {
        let decided = facts.decisions.last { $0.value.cause == claim }
        guard let decided else { return nil }
        let view = FactView(facts, policy: policy)
        let unit = view.currentName(
            of: decided.value.unit, presenting: decided.value.transactionID)
        let ownership = OwnershipIndex(view).ownership(of: unit)
        let places = OwnershipPlaces(ownership)
        guard let newest = places.standing, newest.sequence != ownership.changes.first?.sequence
        else { return (unit, .nothing) }
        let isMeant = newest.value.cause == claim || newest.value.rule == .byHand
        return (
            unit, isMeant ? .decision(newest.sequence) : .another(newest: newest.sequence)
        )
    }

    /// For each transaction, by whichever of its names (spec 1.2), its unit and the owners;
    /// transactions without effect are missing.
    package func holdings(
        of transactions: [TransactionKey], _ facts: FactSet
    ) -> [TransactionKey: (unit: OwnedUnit, owners: [AccountID])] {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        var holdings: [TransactionKey: (unit: OwnedUnit, owners: [AccountID])] = [:]
        for key in Set(transactions) {
            guard let unit = view.unit(of: key)?.unit else { continue }
            holdings[key] = (unit, ownerships.ownership(of: unit).owners)
        }
        return holdings
    }

    /// Who owns any of what these lineages consist of. Sorted.
    package func owners(
        ofPurchasesIn lineages: Set<LineageKey>, _ facts: FactSet
    ) -> [AccountID] {
        let view = FactView(facts, policy: policy)
        let ownerships = OwnershipIndex(view)
        let units = ownerships.units.filter { unit in
            switch unit {
            case .lineage(let key): lineages.contains(key)
            case .purchase(let key):
                view.lineage(of: key).map { lineages.contains($0.key) } ?? false
            }
        }
        return Set(units.flatMap { ownerships.ownership(of: $0).owners }).sorted()
    }
}

extension Deriver {
    /// When a claim that was denied by a limit on moves may succeed, if nothing moves meanwhile;
    /// nil for other denials.
    package func limitEnd(of decision: OwnershipDecision, _ facts: FactSet) -> Instant? {
        guard [.denied(.cooldown), .denied(.limit)].contains(decision.outcome),
            let rule = policy.policy.claimRules.first(where: { $0.reference == decision.rule })
        else { return nil }
        let view = FactView(facts, policy: policy)
        let unit = view.currentName(of: decision.unit, presenting: decision.transactionID)
        let moves = OwnershipPlaces(OwnershipIndex(view).ownership(of: unit))
            .moves.map(\.recordedAt).sorted()
        var ends: [Instant] = []
        if let cooldown = rule.limits.cooldown, let last = moves.last {
            ends.append(cooldown.end(from: last))
        }
        if let limit = rule.limits.moves, moves.count >= limit.count {
            ends.append(limit.window.end(from: moves[moves.count - limit.count]))
        }
        return ends.max()
    }

    /// The decision by which a unit came to its current owners; nil if they never changed.
    ///
    /// - Parameter decision: one on the unit.
    package func lastChange(
        ofWhat decision: OwnershipDecision, _ facts: FactSet
    ) -> Recorded<OwnershipDecision>? {
        let view = FactView(facts, policy: policy)
        let unit = view.currentName(of: decision.unit, presenting: decision.transactionID)
        return OwnershipIndex(view).ownership(of: unit).changes.last
    }
}
