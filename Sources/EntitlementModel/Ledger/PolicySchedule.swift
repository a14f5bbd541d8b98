/// A policy that is to come into force later, with its full text (spec 2.6). It is named by its
/// place in the ledger.
package struct PolicySchedule: Hashable, Sendable {
    package var digest: Digest256
    /// By path.
    package var files: [PolicyActivation.File]
    package var dueDate: Instant
    /// The policy that it was compared with: the one that was expected to be in force when it is
    /// due.
    package var base: Digest256
    /// How many accounts may lose something against that one; nil where nothing was accepted.
    package var accountsAtMost: Int64?
    package var actor: String
    package var reason: String

    package init(
        digest: Digest256, files: [PolicyActivation.File], dueDate: Instant, base: Digest256,
        accountsAtMost: Int64? = nil, actor: String, reason: String
    ) {
        self.digest = digest
        self.files = files
        self.dueDate = dueDate
        self.base = base
        self.accountsAtMost = accountsAtMost
        self.actor = actor
        self.reason = reason
    }
}

/// The end of a scheduled policy that is not activated. An activated one ends by its activation.
package struct PolicyScheduleEnd: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        case takenBack = "taken-back"
        /// Found when it was due: `obstacle` says why.
        case refused
        /// When it was due, the policy in force was the same.
        case alreadyInForce = "already-in-force"
    }

    /// Why it was refused when it was due.
    package enum Obstacle: String, CaseIterable, Sendable {
        /// It has errors.
        case errors
        /// It may take something away without consent.
        case losses
        /// More accounts lose something than were accepted.
        case tooManyLosing = "too-many-losing"
        /// Consent was given against another policy than the one in force.
        case otherBase = "other-base"
        /// It was in force since it was scheduled, and a person took it back.
        case rolledBack = "rolled-back"
        /// Its text was erased.
        case erased
    }

    package var schedule: LedgerSequence
    package var outcome: Outcome
    package var obstacle: Obstacle?
    /// The policy in force that it was compared with when it was due.
    package var base: Digest256?
    /// How many accounts would have lost something then; nil if not counted.
    package var losing: Int64?
    /// Who took it back, and why.
    package var actor: String?
    package var reason: String?

    package init(
        schedule: LedgerSequence, outcome: Outcome, obstacle: Obstacle? = nil,
        base: Digest256? = nil, losing: Int64? = nil, actor: String? = nil, reason: String? = nil
    ) {
        self.schedule = schedule
        self.outcome = outcome
        self.obstacle = obstacle
        self.base = base
        self.losing = losing
        self.actor = actor
        self.reason = reason
    }
}
