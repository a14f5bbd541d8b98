package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Synchronization

extension ScheduledPolicyAnswer {
    package init(_ scheduled: ScheduledPolicy) {
        self.init(
            schedule: scheduled.place, policy: scheduled.digest, due: scheduled.due,
            replaces: scheduled.base, recordedAt: scheduled.recordedAt, actor: scheduled.actor,
            reason: scheduled.reason, acceptLoss: scheduled.accountsAtMost)
    }
}

extension EndedScheduleAnswer {
    package init(_ ended: EndedSchedule) {
        let scheduled = ended.scheduled
        self.init(
            schedule: scheduled.place, policy: scheduled.digest, due: scheduled.due, at: ended.at,
            outcome: .applied)
        guard case .ended(let end) = ended.ending else { return }
        outcome =
            switch end.outcome {
            case .takenBack: .takenBack
            case .refused: .refused
            case .alreadyInForce: .alreadyInForce
            }
        (obstacle, losing, actor, reason) = (end.obstacle, end.losing, end.actor, end.reason)
    }
}

extension PolicySchedules {
    /// The last one that was due; those that were taken back were not.
    package var lastDue: EndedSchedule? {
        ended.last { schedule in
            guard case .ended(let end) = schedule.ending else { return true }
            return end.outcome != .takenBack
        }
    }
}

extension LedgerQuestions {
    /// How many ended ones are listed.
    private static var endedSchedules: Int { 20 }

    /// The scheduled policies with their effects as of today, and the ended ones. Blocks.
    ///
    /// - Parameter count: how many accounts lose something by the step from one policy to another;
    ///   nil where that is not known yet.
    package func policySchedules(
        _ policyGuard: PolicyGuard = .refuse,
        losing count: (_ old: Policy, _ new: Policy) throws(EngineError) -> Int64?
    ) throws(EngineError) -> PolicySchedulesAnswer {
        let (schedules, stack) = try ledger.reading { reader throws(LedgerError) in
            (try PolicySchedules(recordedIn: reader), try reader.policyStack())
        }
        var base = policy.history.current
        var between: [Policy] = []
        var scheduled: [ScheduledPolicyAnswer] = []
        for pending in schedules.pending {
            let texts = try ledger.reading { reader throws(LedgerError) in
                try reader.scheduledTexts(pending.place)
            }
            let report = texts.map { loadNewPolicy($0) }
            var answer = ScheduledPolicyAnswer(pending)
            if let report, let texts, let policy = report.policy {
                let incoming = IncomingPolicy(
                    policy: policy, texts: texts, acceptance: report.acceptance,
                    consent: pending.consent(replacing: base.digest, policyGuard))
                let rollback = stack.rollback(of: policy.digest)
                try answer.compare(pending, incoming, replacing: base, losing: count)
                if let rollback, rollback > pending.place { answer.obstacle = .rolledBack }
                let edits = self.policy.history.edits(from: base, to: policy, between: between)
                answer.edits = edits.isEmpty ? nil : edits
                between.append(base)
                base = policy
            } else {
                answer.obstacle = texts == nil ? .erased : .errors
            }
            scheduled.append(answer)
        }
        return PolicySchedulesAnswer(
            scheduled: scheduled,
            ended: schedules.ended.suffix(Self.endedSchedules).reversed().map(
                EndedScheduleAnswer.init))
    }

    /// The same from a ledger file, where every account is counted.
    package func policySchedules(at now: Instant) throws(EngineError) -> PolicySchedulesAnswer {
        try policySchedules { old, new throws(EngineError) in
            try impact(of: new, replacing: old, at: now)?.losingEver
        }
    }
}

extension ScheduledPolicyAnswer {
    /// How many losses are named.
    private static var namedLosses: Int { 5 }

    fileprivate mutating func compare(
        _ pending: ScheduledPolicy, _ incoming: IncomingPolicy, replacing base: Policy,
        losing count: (_ old: Policy, _ new: Policy) throws(EngineError) -> Int64?
    ) throws(EngineError) {
        guard incoming.policy.digest != base.digest else {
            losses = 0
            return
        }
        var verdict = incoming.verdict(replacing: base)
        if case .depends = verdict {
            losing = try count(base, incoming.policy)
            verdict = incoming.verdict(replacing: base, losing: losing)
        }
        switch verdict {
        case .allowed(_, let lost): (losses, firstLosses) = (Int64(lost.count), nil)
        // Not counted yet.
        case .depends(let waiting): losses = Int64(waiting.losses.count)
        case .waits(let waiting):
            losses = Int64(waiting.losses.count)
            firstLosses = waiting.namedLosses(Self.namedLosses)
            obstacle = pending.obstacle(waiting)
        }
    }
}

/// How many accounts lose something by scheduled policies, as last counted: one count runs at a
/// time, and other callers get the last one.
final class ScheduleCounts: Sendable {
    struct Step: Hashable {
        let old: Digest256
        let new: Digest256
    }

    private struct State {
        var counted: [Step: (losing: Int64, at: Instant)] = [:]
        var isCounting = false
    }

    /// How long a count is valid. Milliseconds.
    private static let freshness: Int64 = 60_000

    private let state = Mutex(State())

    /// - Parameter count: blocks; nil where it was ended.
    func losing(
        _ step: Step, at now: Instant, _ count: () throws(EngineError) -> Int64?
    ) throws(EngineError) -> Int64? {
        let (known, isBegun) = state.withLock { state in
            let known = state.counted[step]
            let isFresh = known.map {
                (0..<Self.freshness).contains(now.milliseconds(since: $0.at))
            }
            guard isFresh != true, !state.isCounting else { return (known?.losing, false) }
            state.isCounting = true
            return (known?.losing, true)
        }
        guard isBegun else { return known }
        let losing: Int64?
        do throws(EngineError) {
            losing = try count()
        } catch {
            state.withLock { $0.isCounting = false }
            throw error
        }
        state.withLock { state in
            state.isCounting = false
            // No more steps than there are schedules are asked about for long.
            if state.counted.count > ScheduleLimits.pending { state.counted = [:] }
            if let losing { state.counted[step] = (losing, now) }
        }
        return losing ?? known
    }
}

extension EntitlementEngine {
    /// The scheduled policies with their effects as of today, and the ended ones. Blocks, at low
    /// priority.
    package func policyScheduleReport() throws(EngineError) -> PolicySchedulesAnswer {
        let (questions, now, impacts) = (questions, now(), impacts)
        return try questions.policySchedules(policyGuard) {
            [scheduleCounts] old, new throws(EngineError) in
            let step = ScheduleCounts.Step(old: old.digest, new: new.digest)
            return try scheduleCounts.losing(step, at: now) { () throws(EngineError) in
                var options = ImpactOptions { _ in !impacts.hasStopped }
                options.priority = .idle
                return try questions.impact(of: new, replacing: old, at: now, options)?.losingEver
            }
        }
    }
}
