package import EntitlementModel

/// What became of a merge, or of taking one back (spec 1.6).
package enum MergeOutcome: Hashable, Sendable {
    case decided(MergedFacts)
    case impossible(MergeObstacle)
}

/// The facts to append after a merge, in its commit: all that follows the account.
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

/// Judges a merge, or an undo, by the facts recorded before it: those of the account that is
/// left. `sequence` is the ledger entry that the merge will have.
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
        guard merge.from != merge.into else { return .impossible(.sameAccount) }
        let undone = facts.accountMerges.first { $0.sequence == merge.undoes }
        if merge.undoes != nil {
            let isOfThese = undone.map {
                $0.value.from == merge.from && $0.value.into == merge.into
                    && $0.value.undoes == nil
            }
            guard isOfThese == true else { return .impossible(.unknownMerge) }
        }
        let bench = MergeBench(
            cause: merge, undone: undone?.sequence, sequence: sequence, recordedAt: recordedAt,
            view: FactView(facts, policy: policy))
        if Blocks(on: bench.giver, in: facts).contains(recordedAt) {
            return .impossible(.blocked)
        }
        let merged = bench.facts
        if merged.isEmpty {
            return .impossible(undone == nil ? .nothingToMerge : .nothingToUndo)
        }
        return .decided(merged)
    }
}
