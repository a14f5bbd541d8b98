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
        policy: Digest256, revision: LedgerSequence
    ) {
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
    /// Nothing renews what has ended, whatever Apple last said of the setting.
    package var answeredRenewal: Bool? {
        willRenew.map { $0 && state != .expired && state != .revoked }
    }
}
