package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel
package import PolicyLoading

/// A policy to be activated later.
package struct ScheduleRequest: Sendable {
    package var texts: [PolicyText]
    package var due: Instant
    /// How many accounts may lose something by it; nil to accept no loss.
    package var acceptLoss: Int64?
    package var cause: AdminActionCause

    package init(
        files: [PolicyActivation.File], due: Instant, acceptLoss: Int64?, cause: AdminActionCause
    ) {
        self.init(
            texts: files.map { PolicyText(path: $0.path, bytes: $0.bytes) }, due: due,
            acceptLoss: acceptLoss, cause: cause)
    }

    package init(
        texts: [PolicyText], due: Instant, acceptLoss: Int64? = nil, cause: AdminActionCause
    ) {
        self.texts = texts
        self.due = due
        self.acceptLoss = acceptLoss
        self.cause = cause
    }
}

/// What came of it. Only `scheduled` has written anything.
package enum ScheduleReport: Sendable {
    case scheduled(
        ScheduledPolicy, losses: [PolicyLoss], losing: Int64?, edits: [PolicyEditAnswer])
    /// It has errors.
    case rejected([Diagnostic])
    /// An account may lose something by it without consent.
    case loses(WaitingPolicy)
    case denied(ScheduleDenial)
}

/// Why a policy is not scheduled, or not taken back.
package enum ScheduleDenial: String, CaseIterable, Sendable {
    case past
    case tooFar = "too-far"
    case tooMany = "too-many"
    /// Another policy is scheduled for the same instant.
    case instantTaken = "instant-taken"
    /// The policy that is in force then is the same.
    case unchanged
    /// The policy that it was compared with has changed meanwhile.
    case changed
    case unknown
    /// It came into force, was refused or was taken back.
    case ended
}

/// What bounds what can be scheduled.
package enum ScheduleLimits {
    /// How many may wait.
    package static let pending = 32
    /// How far ahead: five years of 365 days and a day. Milliseconds.
    package static let ahead: Int64 = (5 * 365 + 1) * 86_400_000
}

extension EntitlementEngine {
    /// The scheduled policies, and the ended ones.
    package var policySchedules: PolicySchedules { schedules.current }

    /// Whether a scheduled policy is due.
    package var hasDueSchedule: Bool { schedules.current.isDue(at: now()) }

    /// Records a policy that comes into force at an instant (spec 2.6). It is checked like a
    /// folder, and compared with the policy expected then, by the accounts that lose something
    /// today or when it is due, which may take long.
    package func schedulePolicy(
        _ request: ScheduleRequest
    ) async throws(EngineError) -> ScheduleReport {
        if let denial = schedules.current.denial(of: request.due, at: now()) {
            return .denied(denial)
        }
        let report = loadNewPolicy(request.texts)
        guard let policy = report.policy else { return .rejected(report.diagnostics) }
        let base = try expectedPolicy(at: request.due)
        guard policy.digest != base.digest else { return .denied(.unchanged) }
        let incoming = IncomingPolicy(
            policy: policy, texts: request.texts, acceptance: report.acceptance,
            consent: request.acceptLoss.map {
                .person(
                    actor: request.cause.actor, reason: request.cause.reason, accountsAtMost: $0)
            } ?? PolicyConsent(policyGuard))
        let intent = request.cause.intent
        var verdict = incoming.verdict(replacing: base)
        var counted: (losing: Int64, due: PolicyImpactAnswer)?
        if case .depends = verdict {
            counted = try await accountsLosing(by: policy, replacing: base, due: request.due)
            verdict = incoming.verdict(replacing: base, losing: counted?.losing)
        }
        guard case .allowed(_, let losses) = verdict else {
            guard case .waits(let waiting) = verdict else { return .denied(.changed) }
            return .loses(waiting)
        }
        let files = PolicyActivation(policy, texts: request.texts).files
        let missing = try missingFiles(among: files.map(\.path)).map {
            PolicyEditAnswer(section: "files", change: .removed, name: $0, keys: [])
        }
        let schedule = PolicySchedule(
            digest: policy.digest, files: files, dueDate: request.due, base: base.digest,
            accountsAtMost: request.acceptLoss, actor: request.cause.actor,
            reason: request.cause.reason)
        switch try await append(schedule, meant: intent) {
        case .success(let scheduled):
            if !intent.acts, counted == nil {
                counted = try await accountsLosing(by: policy, replacing: base, due: request.due)
            }
            if let counted {
                note(
                    counted.due, losing: counted.losing,
                    undo: ["usher", "policy", "unschedule", "\(scheduled.place)"], for: intent)
            }
            return .scheduled(
                scheduled, losses: losses, losing: counted?.losing,
                edits: missing + self.policy.history.edits(from: base, to: policy))
        case .failure(let denial): return .denied(denial)
        }
    }

    /// The files of the policy in force that are none of these.
    func missingFiles(among paths: [String]) throws(EngineError) -> [String] {
        (try questions.policyInForce()?.files ?? []).map(\.path).filter { !paths.contains($0) }
    }

    /// How many accounts lose something by it: today, and when it is due as far as known. Renewals
    /// are unknown, so today counts too.
    ///
    /// - Returns: the greater number, and who loses and gains what when it is due; nil where the
    ///   engine stops.
    private func accountsLosing(
        by policy: Policy, replacing base: Policy, due: Instant
    ) async throws(EngineError) -> (losing: Int64, due: PolicyImpactAnswer)? {
        let today = try await impact(of: policy, replacing: base) { _ in true }
        let then = try await impact(of: policy, replacing: base, at: due) { _ in true }
        guard let today, let then else { return nil }
        return (max(today.losingEver, then.losingEver), then)
    }

    private func append(
        _ schedule: PolicySchedule, meant intent: ActionIntent
    ) async throws(EngineError) -> Result<ScheduledPolicy, ScheduleDenial> {
        try await write(meant: intent) { [self] transaction, schedules in
            let now = try transaction.recordingInstant(at: now())
            if let denial = schedules.denial(of: schedule.dueDate, at: now) {
                return .failure(denial)
            }
            let inForce = try active.policy(for: transaction).digest
            let before = schedules.preceding(schedule.dueDate)?.digest
            guard (before ?? inForce) == schedule.base else { return .failure(.changed) }
            let place = try transaction.append(.policySchedule(schedule), at: now)
            try schedules.catchUp(with: transaction)
            guard let scheduled = schedules.pending(place) else {
                preconditionFailure("what was just scheduled waits")
            }
            return .success(scheduled)
        }
    }

    /// Takes a scheduled policy back: it does not come into force.
    package func takeBackSchedule(
        _ place: LedgerSequence, _ cause: AdminActionCause
    ) async throws(EngineError) -> Result<ScheduledPolicy, ScheduleDenial> {
        let result = try await write(meant: cause.intent) { [self] transaction, schedules in
            guard let scheduled = schedules.pending(place) else {
                let hasEnded = schedules.ended.contains { $0.scheduled.place == place }
                return .failure(hasEnded ? .ended : .unknown)
            }
            let end = PolicyScheduleEnd(
                schedule: place, outcome: .takenBack, actor: cause.actor, reason: cause.reason)
            _ = try transaction.append(.policyScheduleEnd(end), at: now())
            try schedules.catchUp(with: transaction)
            return .success(scheduled)
        }
        if !cause.intent.acts, case .success(let scheduled) = result {
            note(try await impact(ofTakingBack: scheduled), undo: nil, for: cause.intent)
        }
        return result
    }

    /// Who loses and who gains what when it was due; nil where it would not come into force.
    private func impact(
        ofTakingBack scheduled: ScheduledPolicy
    ) async throws(EngineError) -> PolicyImpactAnswer? {
        let texts = try ledger.reading { reader throws(LedgerError) in
            try reader.scheduledTexts(scheduled.place)
        }
        guard let texts, let policy = loadOldPolicy(texts) else { return nil }
        let due = max(scheduled.due, now())
        return try await impact(
            of: try expectedPolicy(at: scheduled.due), replacing: policy, at: due
        ) { _ in true }
    }

    /// Records something of the schedules; a preview records nothing.
    private func write(
        meant intent: ActionIntent,
        _ body:
            @escaping @Sendable (any LedgerWriting, inout PolicySchedules) throws
            -> Result<ScheduledPolicy, ScheduleDenial>
    ) async throws(EngineError) -> Result<ScheduledPolicy, ScheduleDenial> {
        typealias Appended = (Result<ScheduledPolicy, ScheduleDenial>, PolicySchedules)
        let append: @Sendable (any LedgerWriting) throws -> Appended = { [self] transaction in
            let changed = try transaction.schedules(forbiddenBy: intent)
            guard changed.isEmpty else { throw EngineError.changedSince(changed) }
            var schedules = try schedules.current(for: transaction)
            let result = try body(transaction, &schedules)
            return (result, schedules)
        }
        do {
            guard intent.acts else { return try await ledger.rehearse(append).0 }
            return try await ledger.write(append) { [self] appended, head in
                schedules.take(appended.1)
                publish(touched: [], head: head.sequence)
            }.0
        } catch {
            throw EngineError(thrown: error)
        }
    }
}

extension LedgerReading {
    /// What was recorded of policies and their schedules after the entry that an action names; empty
    /// where it names none.
    fileprivate func schedules(
        forbiddenBy intent: ActionIntent
    ) throws(LedgerError) -> [ChangedEntry] {
        guard case .actUnlessChanged(let revision) = intent else { return [] }
        var changed = try activations(forbiddenBy: intent)
        for place in try scheduleEntries(after: revision, limit: ActionIntent.mostChanged)
        where !changed.contains(where: { $0.entry == place }) {
            let kind = try entry(place)?.value.registered.kind
            changed.append(
                ChangedEntry(entry: place, kind: kind.map { "\($0.name)" }, account: nil))
        }
        return Array(changed.sorted { $0.entry < $1.entry }.prefix(ActionIntent.mostChanged))
    }
}

extension PolicySchedules {
    /// Why nothing can be scheduled for an instant.
    fileprivate func denial(of due: Instant, at now: Instant) -> ScheduleDenial? {
        if due <= now { return .past }
        if due.milliseconds(since: now) > ScheduleLimits.ahead { return .tooFar }
        if pending.contains(where: { $0.due == due }) { return .instantTaken }
        return pending.count < ScheduleLimits.pending ? nil : .tooMany
    }
}

extension ScheduleDenial: Error {}

extension EntitlementEngine {
    /// The policy that is going to be in force at an instant: the last one scheduled before it, or
    /// the one in force now.
    func expectedPolicy(at due: Instant) throws(EngineError) -> Policy {
        guard let before = schedules.current.preceding(due) else {
            return policy.history.current
        }
        let texts = try ledger.reading { reader throws(LedgerError) in
            try reader.scheduledTexts(before.place)
        }
        // A scheduled text that cannot be read any more is refused when it is due.
        return texts.flatMap { loadOldPolicy($0) } ?? policy.history.current
    }
}

extension LedgerReading {
    /// The text of a scheduled policy; nil where it was erased.
    func scheduledTexts(_ place: LedgerSequence) throws(LedgerError) -> [PolicyText]? {
        guard case .policySchedule(let schedule)? = try entry(place)?.value else { return nil }
        return schedule.files.map { PolicyText(path: $0.path, bytes: $0.bytes) }
    }
}
