/// The policies that have been in force, oldest first, and the one that is now.
///
/// What was sold is not rewritten by a later catalogue: the duration of a non-renewing purchase
/// and the units of a consumable are those of the first policy in force at or after the
/// purchaseDate that has the product (spec 1.4). Nor is what a refund took (spec 1.7).
package struct PolicyHistory: Sendable {
    package struct Activation: Sendable {
        package var policy: Policy
        package var activatedAt: Instant

        package init(policy: Policy, activatedAt: Instant) {
            self.policy = policy
            self.activatedAt = activatedAt
        }
    }

    /// Never empty; by `activatedAt`, then in the ledger's order.
    package private(set) var activations: [Activation]

    package init(_ first: Activation) {
        activations = [first]
    }

    /// The policy in force.
    package var current: Policy { activations[activations.count - 1].policy }

    package mutating func activate(_ policy: Policy, at instant: Instant) {
        precondition(
            instant >= activations[activations.count - 1].activatedAt,
            "policies are activated in the order of time")
        activations.append(Activation(policy: policy, activatedAt: instant))
    }

    /// The product as it was sold at `purchaseDate`; nil where no policy since then has it.
    package func product(_ id: ProductID, soldAt purchaseDate: Instant) -> Product? {
        first(since: purchaseDate) { $0.products[id] }
    }

    /// The credit as it was when a purchase of it was refunded; nil where no policy since then
    /// has it (spec 1.7).
    package func credit(
        _ name: CreditName, refundedAt revocationDate: Instant
    ) -> CreditDefinition? {
        first(since: revocationDate) { $0.credits[name] }
    }

    /// What the first policy says that was in force at or after the instant and says anything.
    private func first<Said>(since instant: Instant, _ say: (Policy) -> Said?) -> Said? {
        for (index, activation) in activations.enumerated() {
            let isLast = index == activations.count - 1
            if !isLast, activations[index + 1].activatedAt <= instant { continue }
            if let said = say(activation.policy) { return said }
        }
        return nil
    }
}
