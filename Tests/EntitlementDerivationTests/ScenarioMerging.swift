internal import EntitlementDerivation
internal import EntitlementModel

/// Lines about accounts that become one.
extension ScenarioWorld {
    /// `merge guest into alice @10`; `unmerge guest into alice @12` undoes their last merge.
    mutating func merge(_ words: inout ScenarioWords) throws -> String {
        let isUndo = words.take("unmerge")
        if !isUndo { try words.expect("merge") }
        let from = try words.account()
        try words.expect("into")
        let into = try words.account()
        let instant = try words.at()
        let last = facts.accountMerges.last {
            $0.value.from == from && $0.value.into == into && $0.value.undoes == nil
        }
        let cause = AccountMerge(
            from: from, into: into, undoes: isUndo ? last?.sequence ?? .zero : nil,
            actor: "support", reason: "told to")
        let outcome = deriver.merge(
            cause, sequence: LedgerSequence(lastSequence.number + 1), recordedAt: instant,
            facts)
        switch outcome {
        case .impossible(let obstacle): return obstacle.rawValue
        case .standing: return "merged already"
        case .decided(let merged):
            append(merged, cause: cause, at: instant)
            return isUndo ? "undone" : "merged"
        }
    }

    private mutating func append(
        _ merged: MergedFacts, cause: AccountMerge, at instant: Instant
    ) {
        var merge = cause
        merge.credits = merged.credits
        let place = record(merge, at: instant)
        facts.accountMerges.append(place)
        for decided in merged.decisions { append(decided, place.sequence, at: instant) }
        for moved in merged.claims {
            let claim = record(moved.claim, at: instant)
            facts.claims.append(claim)
            append(moved.decision, claim.sequence, at: instant)
        }
        for revocation in merged.grantRevocations {
            facts.grantRevocations.append(record(revocation, at: instant))
        }
        for grant in merged.grants { facts.grants.append(record(grant, at: instant)) }
        for registration in merged.accountTokens {
            facts.accountTokens.append(record(registration, at: instant))
        }
        for end in merged.holdEnds { facts.holdEnds.append(record(end, at: instant)) }
        for hold in merged.holds { facts.creditHolds.append(record(hold, at: instant)) }
    }

    private mutating func append(
        _ decided: RuledDecision, _ cause: LedgerSequence, at instant: Instant
    ) {
        let decision = decided.decision(ruling: cause, policy: history.current.digest)
        facts.decisions.append(record(decision, at: instant))
    }
}
