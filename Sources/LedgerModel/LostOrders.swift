package import EntitlementModel

/// Orders, or payments, that somebody may have to look at for one reason and by one time limit:
/// those that have been so for longest are due first.
package struct LostGroup: Hashable, Sendable {
    package var reason: LostOrderReason
    /// The policy under which the orders were made; nil for payments without an order.
    package var policy: Digest256?

    package init(_ reason: LostOrderReason, policy: Digest256?) {
        self.reason = reason
        self.policy = policy
    }

    package static let unclaimed = LostGroup(.unclaimedPayment, policy: nil)
    package static let waitingForApple = LostGroup(.waitsForApple, policy: nil)
}

/// What somebody may have to look at.
package enum LostSubject: Hashable, Sendable {
    case order(OrderID)
    /// Nobody has claimed anything of it.
    case lineage(LineageKey)
    /// Evidence that waits for Apple.
    case ticket(LedgerSequence)
}
