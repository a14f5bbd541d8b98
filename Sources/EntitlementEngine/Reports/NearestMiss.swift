package import EntitlementModel

/// The smallest single thing that would change an answer (spec 1.10).
package struct NearestMiss: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Nothing but waiting, or having asked earlier.
        case time(Instant)
        case liftBlock(BlockID)
        case approveClaim(LedgerSequence)
        /// Rule for a claim that was refused: it belongs to others.
        case transferClaim(LedgerSequence)
        /// A grant that ended, or was ended, goes on.
        case extendGrant(GrantID)
        /// One more period of a lineage.
        case renew(LineageKey, ProductID)
        case reverseRefund(TransactionKey)
        case buy(ProductID)
        case refund(TransactionKey)
        case revokeGrant(GrantID)
        case block
        /// Nothing that is sold gives it: the policy would have to change.
        case policy

        /// The word for programs.
        package var word: String {
            switch self {
            case .time: "time"
            case .liftBlock: "lift-block"
            case .approveClaim: "approve-claim"
            case .transferClaim: "transfer-claim"
            case .extendGrant: "extend-grant"
            case .renew: "renew"
            case .reverseRefund: "reverse-refund"
            case .buy: "buy"
            case .refund: "refund"
            case .revokeGrant: "revoke-grant"
            case .block: "block"
            case .policy: "policy"
            }
        }
    }

    package let change: Change
    /// What the answer would be.
    package let decision: Bool

    package init(change: Change, decision: Bool) {
        self.change = change
        self.decision = decision
    }
}
