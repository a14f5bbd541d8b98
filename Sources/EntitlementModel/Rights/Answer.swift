/// The answer to "may this account, or this Apple ID, use this entitlement at this instant,
/// and why?" (spec 1.10).
package struct Answer: Hashable, Sendable {
    package var entitlement: EntitlementName
    package var environment: StoreEnvironment
    package var decision: Bool
    package var state: EntitlementState?
    package var expiryReason: ExpiryReason?
    /// The instant at which the decision next changes, as far as known; nil for never.
    package var until: Instant?
    /// The paid end, without leeway or grace.
    package var paidUntil: Instant?
    package var willRenew: Bool?
    package var source: RightSource?
    package var rule: RuleReference
    package var policy: Digest256
    /// The ledger entry up to which facts are reflected.
    package var revision: LedgerSequence
    /// True where it is the answer as if something had happened; else nil.
    package var isAssumed: Bool?

    /// Reads a timeline at an instant.
    package init(
        key: RightKey, timeline: RightTimeline, at instant: Instant, policy: Digest256,
        revision: LedgerSequence
    ) {
        let span = timeline.span(at: instant)
        entitlement = key.entitlement
        environment = key.environment
        decision = span.isGranted
        state = span.state
        expiryReason = span.expiryReason
        until = timeline.decisionChange(after: instant)
        paidUntil = span.paidUntil
        willRenew = span.verdict.answeredRenewal
        source = span.source
        rule = span.rule
        self.policy = policy
        self.revision = revision
    }
}

extension Answer {
    package init(
        entitlement: EntitlementName, environment: StoreEnvironment, decision: Bool,
        state: EntitlementState?, expiryReason: ExpiryReason?, until: Instant?,
        paidUntil: Instant?, willRenew: Bool?, source: RightSource?, rule: RuleReference,
        policy: Digest256, revision: LedgerSequence, isAssumed: Bool? = nil
    ) {
        self.isAssumed = isAssumed
        self.entitlement = entitlement
        self.environment = environment
        self.decision = decision
        self.state = state
        self.expiryReason = expiryReason
        self.until = until
        self.paidUntil = paidUntil
        self.willRenew = willRenew
        self.source = source
        self.rule = rule
        self.policy = policy
        self.revision = revision
    }
}

extension RightVerdict {
    /// An ended subscription does not renew, whatever Apple last said about the setting.
    package var answeredRenewal: Bool? {
        willRenew.map { $0 && state?.isRunning ?? true }
    }
}

/// The rules by which answers follow from a policy, facts and an instant.
package enum DerivationRules {
    /// Raised whenever the same question, as of the same entry, is answered otherwise than by the
    /// program before. An answer that can be made again says it (spec 1.10).
    package static let version: Int64 = 1
}

/// The state of a unit at an instant (spec 1.4). Consumables have none.
package enum EntitlementState: String, CaseIterable, Hashable, ModelText, Sendable {
    case active
    /// The paid end is past and the renewal is in flight: the policy's leeway.
    case renewing
    case grace
    case billingRetry = "billing-retry"
    case expired
    case revoked

    /// Whether the purchase is held: neither expired nor revoked.
    package var isRunning: Bool { self != .expired && self != .revoked }

    package var english: String {
        switch self {
        case .active: "active"
        case .renewing: "renewing"
        case .grace: "grace period"
        case .billingRetry: "billing retry"
        case .expired: "expired"
        case .revoked: "revoked"
        }
    }
}

/// Why a subscription expired.
package enum ExpiryReason: String, CaseIterable, Hashable, ModelText, Sendable {
    case cancelled
    case billingError = "billing-error"
    case priceNotAccepted = "price-not-accepted"
    case productUnavailable = "product-unavailable"
    case other
    case upgraded
    case unknown

    package var english: String {
        switch self {
        case .cancelled: "cancelled by the customer"
        case .billingError: "payment failed"
        case .priceNotAccepted: "price increase not accepted"
        case .productUnavailable: "product no longer available"
        case .other: "another reason"
        case .upgraded: "replaced by an upgrade"
        case .unknown: "ended, and no renewal was received"
        }
    }
}

/// The answer during a span of a right, and why.
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
        isGranted: false, state: nil, source: nil, rule: .builtIn(.nothing))

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
