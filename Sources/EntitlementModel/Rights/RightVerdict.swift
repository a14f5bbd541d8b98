/// What is answered during a span of a right, and why.
///
/// A class, because the several entitlements of one purchase share it: timelines of a million
/// accounts stay small, and copying a span is cheap.
package final class RightVerdict: Hashable, Sendable {
    package let isGranted: Bool
    package let state: EntitlementState?
    package let expiryReason: ExpiryReason?
    /// Nil where nothing was ever known to give the right.
    package let source: RightSource?
    package let rule: RuleReference
    package let paidUntil: Instant?
    package let willRenew: Bool?
    /// The ledger entries that it follows from, ascending.
    package let facts: [LedgerSequence]

    package init(
        isGranted: Bool, state: EntitlementState?, expiryReason: ExpiryReason? = nil,
        source: RightSource?, rule: RuleReference, paidUntil: Instant? = nil,
        willRenew: Bool? = nil, facts: [LedgerSequence] = []
    ) {
        self.isGranted = isGranted
        self.state = state
        self.expiryReason = expiryReason
        self.source = source
        self.rule = rule
        self.paidUntil = paidUntil
        self.willRenew = willRenew
        self.facts = facts
    }

    /// No fact gives the right, so no rule was asked.
    package static let nothing = RightVerdict(
        isGranted: false, state: nil, source: nil, rule: .builtIn("nothing gives it"))

    package static func == (left: RightVerdict, right: RightVerdict) -> Bool {
        left === right
            || left.isGranted == right.isGranted && left.state == right.state
                && left.paidUntil == right.paidUntil && left.facts == right.facts
                && left.willRenew == right.willRenew
                && left.expiryReason == right.expiryReason && left.rule == right.rule
                && left.source == right.source
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(isGranted)
        hasher.combine(state)
        hasher.combine(source)
        hasher.combine(paidUntil)
        hasher.combine(facts)
    }
}
