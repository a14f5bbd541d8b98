package import EntitlementModel

/// A policy that is to come into force at an instant (spec 2.6).
package struct ScheduledPolicyAnswer: WireObject {
    /// What names it.
    package var schedule: LedgerSequence
    package var policy: Digest256
    package var due: Instant
    /// The policy that it was compared with.
    package var replaces: Digest256
    package var recordedAt: Instant
    package var actor: String
    package var reason: String
    /// How many accounts may lose something; nil where nothing was accepted.
    package var acceptLoss: Int64?
    /// What it may take away compared with the policy expected to be in force then.
    package var losses: Int64?
    package var firstLosses: [LossAnswer]?
    /// How many accounts would lose something today; nil if not counted.
    package var losing: Int64?
    /// Why it would not come into force today; nil where it would.
    package var obstacle: PolicyScheduleEnd.Obstacle?
    /// Its differences from the policy expected to be in force then.
    package var edits: [PolicyEditAnswer]?

    package init(
        schedule: LedgerSequence, policy: Digest256, due: Instant, replaces: Digest256,
        recordedAt: Instant, actor: String, reason: String, acceptLoss: Int64?,
        losses: Int64? = nil, firstLosses: [LossAnswer]? = nil, losing: Int64? = nil,
        obstacle: PolicyScheduleEnd.Obstacle? = nil, edits: [PolicyEditAnswer]? = nil
    ) {
        self.edits = edits
        self.schedule = schedule
        self.policy = policy
        self.due = due
        self.replaces = replaces
        self.recordedAt = recordedAt
        self.actor = actor
        self.reason = reason
        self.acceptLoss = acceptLoss
        self.losses = losses
        self.firstLosses = firstLosses
        self.losing = losing
        self.obstacle = obstacle
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ScheduledPolicyAnswer(
            schedule: try shape.value("schedule", \.schedule),
            policy: try shape.value("policy", \.policy), due: try shape.value("due", \.due),
            replaces: try shape.value("replaces", \.replaces),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason),
            acceptLoss: try shape.optional("accept_loss", \.acceptLoss),
            losses: try shape.optional("losses", \.losses),
            firstLosses: try shape.optional("first_losses", \.firstLosses),
            losing: try shape.optional("losing", \.losing),
            obstacle: try shape.optional("obstacle", \.obstacle),
            edits: try shape.optional("edits", \.edits))
    }
}

/// What became of a scheduled policy.
package struct EndedScheduleAnswer: WireObject {
    package enum Outcome: String, WireWord {
        case applied
        case takenBack = "taken-back"
        case refused
        case alreadyInForce = "already-in-force"
    }

    package var schedule: LedgerSequence
    package var policy: Digest256
    package var due: Instant
    /// When it came into force, or ended otherwise.
    package var at: Instant
    package var outcome: Outcome
    /// Why it was refused.
    package var obstacle: PolicyScheduleEnd.Obstacle?
    /// How many accounts would have lost something; nil if not counted.
    package var losing: Int64?
    /// Who took it back, and why.
    package var actor: String?
    package var reason: String?

    package init(
        schedule: LedgerSequence, policy: Digest256, due: Instant, at: Instant, outcome: Outcome,
        obstacle: PolicyScheduleEnd.Obstacle? = nil, losing: Int64? = nil, actor: String? = nil,
        reason: String? = nil
    ) {
        self.schedule = schedule
        self.policy = policy
        self.due = due
        self.at = at
        self.outcome = outcome
        self.obstacle = obstacle
        self.losing = losing
        self.actor = actor
        self.reason = reason
    }

    package static var shapeName: String { "EndedSchedule" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EndedScheduleAnswer(
            schedule: try shape.value("schedule", \.schedule),
            policy: try shape.value("policy", \.policy), due: try shape.value("due", \.due),
            at: try shape.value("at", \.at), outcome: try shape.value("outcome", \.outcome),
            obstacle: try shape.optional("obstacle", \.obstacle),
            losing: try shape.optional("losing", \.losing),
            actor: try shape.optional("actor", \.actor),
            reason: try shape.optional("reason", \.reason))
    }
}

/// `GET /v1/policy/scheduled`.
package struct PolicySchedulesAnswer: WireObject {
    /// By when they are due.
    package var scheduled: [ScheduledPolicyAnswer]
    /// The newest first.
    package var ended: [EndedScheduleAnswer]

    package init(scheduled: [ScheduledPolicyAnswer], ended: [EndedScheduleAnswer]) {
        self.scheduled = scheduled
        self.ended = ended
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicySchedulesAnswer(
            scheduled: try shape.value("scheduled", \.scheduled),
            ended: try shape.value("ended", \.ended))
    }
}

/// What `/status` says of scheduled policies.
package struct ScheduleStatusAnswer: WireObject {
    /// How many wait.
    package var count: Int64
    /// The one that is due next; nil where none is.
    package var next: LedgerSequence?
    package var nextDue: Instant?
    /// The last one that was due, and what became of it.
    package var last: EndedScheduleAnswer?

    package init(
        count: Int64, next: LedgerSequence?, nextDue: Instant?, last: EndedScheduleAnswer?
    ) {
        self.count = count
        self.next = next
        self.nextDue = nextDue
        self.last = last
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ScheduleStatusAnswer(
            count: try shape.value("count", \.count),
            next: try shape.optional("next", \.next),
            nextDue: try shape.optional("next_due", \.nextDue),
            last: try shape.optional("last", \.last))
    }
}

/// One thing that a policy writes otherwise than the one whose place it takes (spec 2.4).
package struct PolicyEditAnswer: WireObject {
    package enum Change: String, WireWord {
        case added, removed, changed, reordered
    }

    /// The key of the section in a policy file.
    package var section: String
    package var change: Change
    /// Of the rule, product, entitlement, credit or group; nil for settings and whole lists.
    package var name: String?
    /// The keys that differ, where it was changed.
    package var keys: [String]
    /// The texts before and after, of a time zone and of the credits that a product gives.
    package var before: String?
    package var after: String?
    /// Whether the new text equals an earlier policy's: it undoes later changes.
    package var isUndoing: Bool?

    package init(
        section: String, change: Change, name: String?, keys: [String], before: String? = nil,
        after: String? = nil, isUndoing: Bool? = nil
    ) {
        self.section = section
        self.change = change
        self.name = name
        self.keys = keys
        self.before = before
        self.after = after
        self.isUndoing = isUndoing
    }

    package static var shapeName: String { "PolicyEdit" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyEditAnswer(
            section: try shape.value("section", \.section),
            change: try shape.value("change", \.change),
            name: try shape.optional("name", \.name),
            keys: try shape.value("keys", \.keys),
            before: try shape.optional("before", \.before),
            after: try shape.optional("after", \.after),
            isUndoing: try shape.optional("undoes", \.isUndoing))
    }
}

/// `POST /v1/policy/schedule`.
package struct ScheduleBody: WireObject {
    package var files: [PolicyTextAnswer.File]
    package var due: Instant
    package var reason: Reason
    /// How many accounts may lose something; nil to accept no loss.
    package var acceptLoss: Int64?

    package init(
        files: [PolicyTextAnswer.File], due: Instant, reason: Reason, acceptLoss: Int64?
    ) {
        self.files = files
        self.due = due
        self.reason = reason
        self.acceptLoss = acceptLoss
    }

    package static var shapeName: String { "ScheduleRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ScheduleBody(
            files: try shape.value("files", \.files), due: try shape.value("due", \.due),
            reason: try shape.value("reason", \.reason),
            acceptLoss: try shape.optional("accept_loss", \.acceptLoss))
    }
}
