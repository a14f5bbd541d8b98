package import EntitlementModel

/// What became of a merge, or of taking one back (spec 1.6).
package enum MergeOutcome: Hashable, Sendable {
    case decided(MergedFacts)
    /// The same merge again: it stands, and there is nothing that came since.
    case standing(Recorded<AccountMerge>)
    case impossible(MergeObstacle)
}

/// The facts to append after a merge, in its commit: all that follows the account. Tokens follow
/// by themselves, for as long as the merge stands.
package struct MergedFacts: Hashable, Sendable {
    /// Waiting claims are presented again by the other account, and go on waiting.
    package struct MovedClaim: Hashable, Sendable {
        package var claim: Claim
        package var decision: RuledDecision
    }

    /// Units first, then the refusals of the waiting claims that moved.
    package var decisions: [RuledDecision] = []
    package var claims: [MovedClaim] = []
    package var grantRevocations: [GrantRevocation] = []
    package var grants: [Grant] = []
    /// Of an undo: tokens that the merge registered anew, as merges once did.
    package var accountTokens: [AccountTokenRegistration] = []

    package var isEmpty: Bool { self == MergedFacts() }
}

/// Why a merge cannot be.
package enum MergeObstacle: String, CaseIterable, Hashable, Sendable {
    case sameAccount = "same-account"
    /// A block stands: nothing leaves a blocked account, else a merge would lift the block.
    case blocked
    /// The account has nothing that could follow.
    case nothingToMerge = "nothing-to-merge"
    /// Undo needs a merge of these two accounts.
    case unknownMerge = "unknown-merge"
    /// Whatever the merge moved is back, or has moved since.
    case nothingToUndo = "nothing-to-undo"
}

/// Judges a merge, or an undo, by the facts recorded before it: those of both accounts.
/// `sequence` is the ledger entry that the merge will have.
package func merge(
    _ merge: AccountMerge, sequence: LedgerSequence, recordedAt: Instant,
    policies: PolicyHistory, facts: FactSet
) -> MergeOutcome {
    Deriver(policies: policies).merge(
        merge, sequence: sequence, recordedAt: recordedAt, facts)
}

extension Deriver {
    /// As the free function `merge(_:sequence:recordedAt:policies:facts:)`.
    package func merge(
        _ merge: AccountMerge, sequence: LedgerSequence, recordedAt: Instant, _ facts: FactSet
    ) -> MergeOutcome {
        var merge = merge
        merge.from = policy.policy.name(merge.from)
        merge.into = policy.policy.name(merge.into)
        guard merge.from != merge.into else { return .impossible(.sameAccount) }
        let plan = MergePlan(
            cause: merge, sequence: sequence, recordedAt: recordedAt,
            view: FactView(facts, policy: policy))
        return merge.undoes == nil ? outcome(of: merge, plan) : outcome(ofUndo: merge, plan)
    }

    private func outcome(of merge: AccountMerge, _ plan: MergePlan) -> MergeOutcome {
        let merged = plan.facts
        if merged.isEmpty {
            if let standing = plan.standing.merge(of: merge.from, into: merge.into) {
                return .standing(standing)
            }
            guard plan.hasNames else { return .impossible(.nothingToMerge) }
        }
        guard !plan.isGiverBlocked else { return .impossible(.blocked) }
        return .decided(merged)
    }

    /// One that moves nothing back is worth while where evidence still claims for the other
    /// account because of the merge.
    private func outcome(ofUndo merge: AccountMerge, _ plan: MergePlan) -> MergeOutcome {
        let undone = plan.merges.first { $0.sequence == merge.undoes }
        let isOfThese = undone.map {
            $0.value.from == merge.from && $0.value.into == merge.into
                && $0.value.undoes == nil
        }
        guard isOfThese == true else { return .impossible(.unknownMerge) }
        let merged = plan.facts
        let isInEffect =
            plan.standing.merge(of: merge.from, into: merge.into)?.sequence == merge.undoes
            && plan.standing.account(standingFor: merge.from) == merge.into
        guard !merged.isEmpty || isInEffect else { return .impossible(.nothingToUndo) }
        return .decided(merged)
    }
}

extension OwnershipDecision {
    /// Whether it followed from a merge, or from the undo of one.
    package var isOfMerge: Bool { rule == .merged }
}
