internal import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
internal import PolicyLoading

/// What came of a scheduled policy that was due.
package enum DueScheduleReport: Sendable {
    case applied(ScheduledPolicy, ActivationNotes)
    /// The policy in force stays.
    case ended(ScheduledPolicy, PolicyScheduleEnd)
    /// Something has changed meanwhile: to be tried again.
    case changed
}

extension EntitlementEngine {
    /// Puts the first due scheduled policy into force, after it was checked and compared again; if
    /// that finds a loss without consent, it is refused for good (spec 2.6). Both are durable then.
    ///
    /// - Returns: nil where none is due.
    package func applyDueSchedule() async throws(EngineError) -> DueScheduleReport? {
        guard let scheduled = schedules.current.due(at: now()) else { return nil }
        let texts = try ledger.reading { reader throws(LedgerError) in
            try reader.scheduledTexts(scheduled.place)
        }
        let base = policy
        let load = cache.beginLoad()
        defer { cache.abandonLoad() }
        let judged = try await judge(scheduled, texts, replacing: base, since: load)
        guard let judged else { return .changed }
        switch judged {
        case .refused(let end):
            return try await append(end, of: scheduled, base) ? .ended(scheduled, end) : .changed
        case .allowed(let entry, let next, let difference, let notes):
            let isApplied = try await append(entry, next, difference, of: scheduled, base)
            return isApplied ? .applied(scheduled, notes) : .changed
        }
    }

    private enum Judged {
        case allowed(PolicyActivation, Policy, PolicyDifference?, ActivationNotes)
        case refused(PolicyScheduleEnd)
    }

    /// - Parameter load: of the account cache, under way.
    /// - Returns: nil if the result is not needed any more.
    private func judge(
        _ scheduled: ScheduledPolicy, _ texts: [PolicyText]?, replacing base: ActivePolicy,
        since load: UInt64
    ) async throws(EngineError) -> Judged? {
        func refused(
            _ obstacle: PolicyScheduleEnd.Obstacle, losing: Int64? = nil
        ) -> Judged {
            .refused(
                PolicyScheduleEnd(
                    schedule: scheduled.place, outcome: .refused, obstacle: obstacle,
                    base: base.digest, losing: losing))
        }
        guard let texts else { return refused(.erased) }
        let report = loadNewPolicy(texts)
        guard let policy = report.policy else { return refused(.errors) }
        if policy.digest == base.digest {
            return .refused(
                PolicyScheduleEnd(
                    schedule: scheduled.place, outcome: .alreadyInForce, base: base.digest))
        }
        let rollback = try ledger.reading { reader throws(LedgerError) in
            try reader.policyStack().rollback(of: policy.digest)
        }
        if let rollback, rollback > scheduled.place { return refused(.rolledBack) }
        let incoming = IncomingPolicy(
            policy: policy, texts: texts, acceptance: report.acceptance,
            consent: scheduled.consent(replacing: base.digest, policyGuard))
        var verdict = incoming.verdict(replacing: base.history.current)
        var losing: Int64?
        var difference: PolicyDifference?
        if case .depends = verdict {
            let collector = DifferenceCollector(from: base, to: policy, load: load)
            let impact = try await impact(of: policy, collector) { [schedules, jobs] _ in
                schedules.current.pending(scheduled.place) != nil && !jobs.hasStopped
            }
            guard let impact else { return nil }
            losing = impact.losingEver
            difference = collector?.difference(since: impact.revision)
            verdict = incoming.verdict(replacing: base.history.current, losing: losing)
        }
        switch verdict {
        case .allowed(var entry, let losses):
            entry.schedule = scheduled.place
            return .allowed(
                entry, policy, difference,
                ActivationNotes(
                    warnings: report.diagnostics, losses: losses, acceptance: entry.acceptance,
                    losing: losing))
        case .waits(let waiting), .depends(let waiting):
            return refused(scheduled.obstacle(waiting), losing: losing)
        }
    }

    /// - Returns: whether it holds: nothing has ended it, and the same policy is in force.
    private func append(
        _ end: PolicyScheduleEnd, of scheduled: ScheduledPolicy, _ base: ActivePolicy
    ) async throws(EngineError) -> Bool {
        let now = now()
        let appended = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> PolicySchedules? in
                var schedules = try schedules.current(for: transaction)
                guard schedules.pending(scheduled.place) != nil,
                    try active.policy(for: transaction).mark == base.mark
                else { return nil }
                _ = try transaction.append(.policyScheduleEnd(end), at: now)
                try schedules.catchUp(with: transaction)
                return schedules
            },
            committed: { [self] schedules, head in
                guard let schedules else { return }
                self.schedules.take(schedules)
                publish(touched: [], head: head.sequence)
            })
        return appended != nil
    }

    /// - Returns: whether it is in force: nothing has ended it, and the same policy was in force.
    private func append(
        _ activation: PolicyActivation, _ policy: Policy, _ difference: PolicyDifference?,
        of scheduled: ScheduledPolicy, _ base: ActivePolicy
    ) async throws(EngineError) -> Bool {
        typealias Applied = (next: ActivePolicy, schedules: PolicySchedules)
        let now = now()
        let applied = try await ledger.writing(
            { [self] transaction throws(LedgerError) -> Applied? in
                var schedules = try schedules.current(for: transaction)
                let before = try active.policy(for: transaction)
                guard schedules.pending(scheduled.place) != nil, before.mark == base.mark else {
                    return nil
                }
                var entry = activation
                entry.heldBack = active.waiting?.digest
                let place = try transaction.append(.policyActivation(entry), at: now)
                try schedules.catchUp(with: transaction)
                var history = before.history
                history.activate(policy, at: try transaction.head().recordedAt)
                let next = ActivePolicy(history, after: difference)
                active.append(next, at: place)
                return (next, schedules)
            },
            committed: { [self] applied, head in
                guard let applied else { return }
                putIntoForce(applied.next, at: head)
                schedules.take(applied.schedules)
            })
        return applied != nil
    }
}

extension ScheduledPolicy {
    /// Consent counts only against the policy that it was given against.
    func consent(replacing base: Digest256, _ policyGuard: PolicyGuard) -> PolicyConsent {
        guard let accountsAtMost, base == self.base else { return PolicyConsent(policyGuard) }
        return .person(actor: actor, reason: reason, accountsAtMost: accountsAtMost)
    }

    /// Why it does not come into force.
    func obstacle(_ waiting: WaitingPolicy) -> PolicyScheduleEnd.Obstacle {
        if waiting.acceptedAtMost != nil { return .tooManyLosing }
        let isForOther = accountsAtMost != nil && waiting.replaces != base
        return isForOther || waiting.acceptedAfter != nil ? .otherBase : .losses
    }
}
