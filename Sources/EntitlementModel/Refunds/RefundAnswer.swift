/// That a refund request was answered, once at most, or what it is going to be answered, once at most
/// too (spec 1.12).
package struct RefundAnswer: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// What Apple is told stands from here on; whether it was told is not known.
        case begun
        /// This program has told Apple.
        case sent
        /// Apple rejects what it was told, and would again.
        case refused
        /// A person has told Apple, or has decided not to.
        case byPerson = "by-person"
    }

    /// The entry of the notification.
    package var request: LedgerSequence
    package var outcome: Outcome
    /// What Apple was told; nil where a person says that they did it.
    package var statement: RefundStatement?
    /// By which it was told.
    package var rule: RuleReference?
    package var policy: Digest256?
    /// Why Apple rejects it: a code of an `AppStoreFailure`.
    package var code: String?
    /// Apple's own number for it.
    package var status: Int64?
    /// Where a person did it.
    package var actor: String?
    package var reason: String?

    package init(
        request: LedgerSequence, outcome: Outcome, statement: RefundStatement? = nil,
        rule: RuleReference? = nil, policy: Digest256? = nil, code: String? = nil,
        status: Int64? = nil, actor: String? = nil, reason: String? = nil
    ) {
        self.request = request
        self.outcome = outcome
        self.statement = statement
        self.rule = rule
        self.policy = policy
        self.code = code
        self.status = status
        self.actor = actor
        self.reason = reason
    }
}
