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
    /// What it may take away from those who have it by the policy expected to be in force then.
    package var losses: Int64?
    package var firstLosses: [LossAnswer]?
    /// How many accounts would lose something today; nil where nobody has counted them.
    package var losing: Int64?
    /// Why it would not come into force today; nil where it would.
    package var obstacle: PolicyScheduleEnd.Obstacle?
    /// What it writes otherwise than the policy expected to be in force then.
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

    package static var shapeName: String { "ScheduledPolicy" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ScheduledPolicyAnswer {
        ScheduledPolicyAnswer(
            schedule: try visitor.value("schedule", \.schedule),
            policy: try visitor.value("policy", \.policy), due: try visitor.value("due", \.due),
            replaces: try visitor.value("replaces", \.replaces),
            recordedAt: try visitor.value("recorded_at", \.recordedAt),
            actor: try visitor.value("actor", \.actor),
            reason: try visitor.value("reason", \.reason),
            acceptLoss: try visitor.optional("accept_loss", \.acceptLoss),
            losses: try visitor.optional("losses", \.losses),
            firstLosses: try visitor.optional("first_losses", \.firstLosses),
            losing: try visitor.optional("losing", \.losing),
            obstacle: try visitor.optional("obstacle", \.obstacle),
            edits: try visitor.optional("edits", \.edits))
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
    /// How many accounts would have lost something; nil where nobody counted them.
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> EndedScheduleAnswer {
        EndedScheduleAnswer(
            schedule: try visitor.value("schedule", \.schedule),
            policy: try visitor.value("policy", \.policy), due: try visitor.value("due", \.due),
            at: try visitor.value("at", \.at), outcome: try visitor.value("outcome", \.outcome),
            obstacle: try visitor.optional("obstacle", \.obstacle),
            losing: try visitor.optional("losing", \.losing),
            actor: try visitor.optional("actor", \.actor),
            reason: try visitor.optional("reason", \.reason))
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

    package static var shapeName: String { "PolicySchedules" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PolicySchedulesAnswer {
        PolicySchedulesAnswer(
            scheduled: try visitor.value("scheduled", \.scheduled),
            ended: try visitor.value("ended", \.ended))
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

    package static var shapeName: String { "ScheduleStatus" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ScheduleStatusAnswer {
        ScheduleStatusAnswer(
            count: try visitor.value("count", \.count),
            next: try visitor.optional("next", \.next),
            nextDue: try visitor.optional("next_due", \.nextDue),
            last: try visitor.optional("last", \.last))
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
    /// What is written before and after, of a time zone.
    package var before: String?
    package var after: String?
    /// Whether it is written as an earlier policy had it: it undoes what was changed since.
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> PolicyEditAnswer {
        PolicyEditAnswer(
            section: try visitor.value("section", \.section),
            change: try visitor.value("change", \.change),
            name: try visitor.optional("name", \.name),
            keys: try visitor.value("keys", \.keys),
            before: try visitor.optional("before", \.before),
            after: try visitor.optional("after", \.after),
            isUndoing: try visitor.optional("undoes", \.isUndoing))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ScheduleBody {
        ScheduleBody(
            files: try visitor.value("files", \.files), due: try visitor.value("due", \.due),
            reason: try visitor.value("reason", \.reason),
            acceptLoss: try visitor.optional("accept_loss", \.acceptLoss))
    }
}
