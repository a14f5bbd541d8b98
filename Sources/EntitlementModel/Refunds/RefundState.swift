/// Where a refund request stands (spec 1.12).
package enum RefundState: String, CaseIterable, LocalizedText, Sendable {
    /// Apple still takes an answer.
    case open
    case sent
    /// Apple rejects what it was told.
    case refused
    /// A person has answered.
    case answered
    /// Apple has decided before anything was said.
    case decided
    /// A reminder has come, and is answered instead.
    case superseded
    case lapsed
}

/// What Apple has decided.
package enum RefundDecision: String, CaseIterable, LocalizedText, Sendable {
    case refunded
    case declined
}
