internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

extension ServiceStatus {
    /// `/status`: whether the service is well, and its basis. Blocks.
    func report(_ engine: EntitlementEngine) -> StatusReport {
        let condition = try? engine.ledgerCondition()
        let counts = counts
        let feed = try? engine.questions.feedStatus(
            at: engine.now(), followers: Int64(broadcast.followers))
        let judged = counts.evidence["judged"] ?? 0
        let waiting = counts.evidence["waiting"] ?? 0
        return StatusReport(
            status: engine.isReady ? .ready : engine.answersQuestions ? .readOnly : .halted,
            degraded: shortcomings(engine, condition, feed), version: version, startedAt: startedAt,
            now: engine.clock.now(), policy: engine.policy.digest,
            policySince: engine.policy.activatedAt,
            policyRefused: engine.policyProblems.map(PolicyTrouble.init),
            policyWaiting: engine.waitingPolicy.map(WaitingPolicyAnswer.init),
            policyScheduled: ScheduleStatusAnswer(engine.policySchedules),
            trust: engine.policy.trustFingerprints, revision: engine.revision,
            acceptsWrites: engine.isReady && !engine.lacksLeader,
            ledger: condition.map { LedgerConditionAnswer($0, engine) },
            evidence: EvidenceCounts(
                judged: Int64(judged),
                refused: Int64(counts.evidence.values.reduce(0, +) - judged - waiting),
                quarantined: Int64(counts.quarantined.values.reduce(0, +)),
                refusalsUnrecorded: engine.refusalsLeftOut),
            waiting: engine.appStoreQueueReport(at: engine.now()),
            connections: ConnectionCounts(
                query: Int64(queryConnections.load(ordering: .relaxed)),
                usher: Int64(operationsConnections.load(ordering: .relaxed)),
                rejected: Int64(counts.rejectedConnections.values.reduce(0, +))),
            inFlight: Int64(callsInFlight), questions: Int64(questions.load(ordering: .relaxed)),
            accountsInMemory: Int64(engine.accountsInMemory),
            accountsToDeriveAgain: Int64(engine.rederivationProgress.left),
            logLinesLost: Int64(linesLost()), reconciliation: reconciler?.last,
            feed: feed, push: pusher.map { standings(of: $0, engine) } ?? [])
    }

    /// The state of the subscriptions relative to the feed. Blocks.
    func standings(of pusher: Pusher, _ engine: EntitlementEngine) -> [PushStanding] {
        let feed = try? engine.questions.feedStatus(at: engine.now())
        return pusher.standings(upTo: feed?.head, engine.policy.knownEntitlements)
    }

    /// How far changes may be ahead of the clock, in milliseconds: as far as entries may.
    private static var feedLeeway: Int64 { 300_000 }

    /// What an operator should look at, most important first.
    private func shortcomings(
        _ engine: EntitlementEngine, _ condition: LedgerCondition?, _ feed: FeedStatusAnswer?
    ) -> [StatusReport.Shortcoming] {
        var found: [StatusReport.Shortcoming] = []
        if engine.unreadablePolicy != nil { found.append(.policyUnreadable) }
        if engine.isLedgerReplaced { found.append(.ledgerReplaced) }
        if engine.lacksLeader { found.append(.noLeader) }
        if !engine.acceptsWrites { found.append(.ledgerReadOnly) }
        if engine.isDiskFull { found.append(.diskFull) }
        let isUnread = !engine.answersQuestions && engine.unreadablePolicy == nil
        if condition == nil || isUnread { found.append(.ledgerUnreadable) }
        if engine.isClockBehind { found.append(.clockBehind) }
        if hasClockStepped(to: engine.clock.now()) { found.append(.clockStepped) }
        // A clock that is behind the entries is behind the changes too, and says so.
        if !engine.isClockBehind, let feed, feed.aheadMilliseconds > Self.feedLeeway {
            found.append(.feedAhead)
        }
        if engine.isFeedBehind { found.append(.feedBehind) }
        if !engine.policyProblems.isEmpty { found.append(.policyRefused) }
        if engine.waitingPolicy != nil { found.append(.policyWaiting) }
        if engine.isScheduleRefused { found.append(.scheduleRefused) }
        if condition?.hasErasures == true {
            if !engine.knowsErased { found.append(.noPrivacyKey) }
            if let counts = try? engine.erasureCounts(), counts.overdue > 0 {
                found.append(.erasureOverdue)
            }
        }
        if engine.isAppStoreOutOfReach { found.append(.appStore) }
        if condition?.isStoreCurrent == false { found.append(.outdatedSQLite) }
        return found
    }
}

extension ScheduleStatusAnswer {
    /// Nil where nothing was ever scheduled.
    fileprivate init?(_ schedules: PolicySchedules) {
        guard !schedules.pending.isEmpty || !schedules.ended.isEmpty else { return nil }
        let next = schedules.pending.first
        self.init(
            count: Int64(schedules.pending.count), next: next?.place, nextDue: next?.due,
            last: schedules.lastDue.map(EndedScheduleAnswer.init))
    }
}

extension EntitlementEngine {
    /// Whether this is a node of a fleet that no node leads as far as it knows: it answers questions,
    /// and refuses writes.
    fileprivate var lacksLeader: Bool {
        guard let fleet else { return false }
        return fleet.knownLeader == nil
    }

    /// Whether the last scheduled policy that was due was refused, and the policy in force is still
    /// the one that stayed.
    var isScheduleRefused: Bool {
        guard let last = policySchedules.lastDue, case .ended(let end) = last.ending else {
            return false
        }
        return end.outcome == .refused && policy.activatedAt <= last.at
    }
}

extension PolicyTrouble {
    fileprivate init(_ problem: PolicyProblem) {
        self.init(
            id: problem.id, file: problem.file, line: Int64(problem.line),
            column: Int64(problem.column))
    }
}

extension WaitingPolicyAnswer {
    /// How many of the losses are named, for a page that a person reads.
    private static var namedLosses: Int { 20 }

    init(_ waiting: WaitingPolicy) {
        self.init(
            policy: waiting.digest, replaces: waiting.replaces,
            acceptedAfter: waiting.acceptedAfter, losses: Int64(waiting.losses.count),
            firstLosses: waiting.namedLosses(Self.namedLosses), losing: waiting.losing,
            acceptedAtMost: waiting.acceptedAtMost,
            isRolledBack: waiting.isRolledBack ? true : nil,
            isSuperseded: waiting.isSuperseded ? true : nil,
            missingFiles: waiting.missingFiles.isEmpty ? nil : waiting.missingFiles)
    }
}

extension LedgerConditionAnswer {
    fileprivate init(_ condition: LedgerCondition, _ engine: EntitlementEngine) {
        self.init(
            head: condition.head.sequence, hash: condition.head.hash,
            recordedAt: condition.head.recordedAt, fileBytes: condition.fileBytes,
            logBytes: condition.logBytes,
            waitingWrites: Int64(condition.waitingWrites), sqlite: condition.storeVersion,
            fleet: condition.fleet.map { FleetAnswer($0, engine) })
    }
}

extension FleetAnswer {
    fileprivate init(_ fleet: FleetCondition, _ engine: EntitlementEngine) {
        self.init(
            node: fleet.node, leads: fleet.leads, leader: fleet.knownLeader,
            epoch: fleet.epoch,
            ledger: try? engine.questions.feedName(),
            durability: fleet.promise?.durability.rawValue,
            synchronousCommit: fleet.promise?.synchronousCommit,
            synchronousStandbys: fleet.promise?.standbys, problem: fleet.problem?.code,
            answeredAt: fleet.answeredAt,
            unreadablePolicy: engine.unreadablePolicy)
    }
}
