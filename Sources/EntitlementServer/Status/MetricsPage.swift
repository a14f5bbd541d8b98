internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

extension ServiceStatus {
    /// `/metrics`, in Prometheus' text format. Blocks.
    func metrics(_ engine: EntitlementEngine) -> [UInt8] {
        var text = MetricsText()
        appendService(engine, to: &text)
        appendSchedules(engine, to: &text)
        appendErasures(engine, to: &text)
        appendFeed(engine, to: &text)
        appendTraffic(to: &text)
        appendEvidence(engine, to: &text)
        if let reconciler { text.append(reconciler) }
        if let pusher { text.append(standings(of: pusher, engine)) }
        if let condition = try? engine.ledgerCondition() { text.append(condition) }
        text.append(ProcessMeasures.now, startedAt: startedAt)
        return Array(text.text.utf8)
    }

    private func appendService(_ engine: EntitlementEngine, to text: inout MetricsText) {
        text.family("usher_build_info", "gauge", "The version, in a label.")
        text.sample("usher_build_info{version=\"\(version)\"}", 1)
        text.single(
            "usher_ready", "gauge", "Whether evidence is taken and questions answered.",
            engine.isReady ? 1 : 0)
        text.single(
            "usher_ledger_replaced", "gauge",
            "Whether the ledger is not the file that was opened, so that nothing is recorded.",
            engine.isLedgerReplaced ? 1 : 0)
        text.single(
            "usher_ledger_disk_full", "gauge", "Whether the last write found no room on the disk.",
            engine.isDiskFull ? 1 : 0)
        if let fleet = engine.fleet {
            text.single(
                "usher_fleet_leads", "gauge", "Whether this node of the fleet writes.",
                fleet.leads ? 1 : 0)
            text.single(
                "usher_fleet_epoch", "gauge", "How often the fleet's leader has changed.",
                fleet.epoch)
            text.single(
                "usher_fleet_resignations_total", "counter",
                "How often this node has left the lead to others because its clock is behind.",
                fleet.resignations)
            text.single(
                "usher_fleet_unreachable", "gauge",
                "Whether the fleet's database cannot be asked.", fleet.isUnreachable ? 1 : 0)
            text.single(
                "usher_fleet_halted", "gauge",
                "Whether nothing is answered, since what another node wrote cannot be read.",
                engine.answersQuestions ? 0 : 1)
        }
        text.single(
            "usher_policy_refused", "gauge", "Errors that keep a changed policy out.",
            Int64(engine.policyProblems.count))
        text.single(
            "usher_policy_waiting", "gauge",
            "What a changed policy may take away, while it waits to be accepted.",
            Int64(engine.waitingPolicy?.losses.count ?? 0))
        text.single(
            "usher_ledger_revision", "gauge", "The newest ledger entry in answers.",
            engine.revision.number)
        text.single(
            "usher_accounts_in_memory", "gauge", "Accounts whose rights are in memory.",
            Int64(engine.accountsInMemory))
        text.single(
            "usher_accounts_to_derive_again", "gauge",
            "Accounts that a policy change dropped, or that a start loads, and that are not back.",
            Int64(engine.rederivationProgress.left))
        let findings = engine.findingCounts(at: engine.now())
        appendOrders(engine, to: &text)
        text.family("usher_findings", "gauge", "Findings that stand, by kind.")
        for kind in Finding.Kind.allCases {
            text.sample(
                "usher_findings{kind=\"\(kind.rawValue)\"}", Int64(findings.counts[kind] ?? 0))
        }
        text.single(
            "usher_findings_complete", "gauge",
            "Whether all of the ledger has been looked at for findings.",
            findings.isComplete ? 1 : 0)
        appendCells(engine, to: &text)
        text.single(
            "usher_log_lines_lost_total", "counter", "Log lines that could not be written.",
            Int64(linesLost()))
    }

    private func appendCells(_ engine: EntitlementEngine, to text: inout MetricsText) {
        text.family(
            "usher_policy_cell_accounts", "gauge",
            "Accounts with a production purchase of a kind in a state, as last counted.")
        for cell in engine.policyCounts?.cells ?? [] {
            let labels = "kind=\"\(cell.kind.rawValue)\",state=\"\(cell.state.rawValue)\""
            text.sample("usher_policy_cell_accounts{\(labels)}", cell.accounts)
        }
    }

    private func appendSchedules(_ engine: EntitlementEngine, to text: inout MetricsText) {
        if let losing = engine.waitingPolicy?.losing {
            text.single(
                "usher_policy_waiting_losing", "gauge",
                "Accounts that lose something by the changed policy that waits, as last counted.",
                losing)
        }
        let schedules = engine.policySchedules
        text.single(
            "usher_policies_scheduled", "gauge", "Policies that wait for their instant.",
            Int64(schedules.pending.count))
        if let next = schedules.pending.first {
            text.single(
                "usher_policy_scheduled_next_seconds", "gauge",
                "Until the next scheduled policy is due; negative while it is late.",
                next.due.milliseconds(since: engine.now()) / 1_000)
        }
        let outcomes = schedules.ended.map { EndedScheduleAnswer($0).outcome }
        text.family(
            "usher_policy_schedules_ended_total", "counter",
            "Scheduled policies that wait no more, by outcome, in all time.")
        for outcome in EndedScheduleAnswer.Outcome.allCases {
            text.sample(
                "usher_policy_schedules_ended_total{outcome=\"\(outcome.rawValue)\"}",
                Int64(outcomes.count { $0 == outcome }))
        }
        text.single(
            "usher_policy_schedule_refused", "gauge",
            "Whether the last scheduled policy that was due was refused, and nothing came since.",
            engine.isScheduleRefused ? 1 : 0)
    }

    private func appendErasures(_ engine: EntitlementEngine, to text: inout MetricsText) {
        guard let counts = try? engine.erasureCounts() else { return }
        text.single(
            "usher_erasures_waiting", "gauge",
            "Accounts that are closed until they are erased, overdue ones too.", counts.waiting)
        text.single(
            "usher_erasures_overdue", "gauge",
            "Accounts whose hold is over, and that are not erased yet.", counts.overdue)
    }

    private func appendFeed(_ engine: EntitlementEngine, to text: inout MetricsText) {
        text.single(
            "usher_feed_followers", "gauge", "Callers that follow the change feed as a stream.",
            Int64(broadcast.followers))
        guard let feed = try? engine.questions.feedStatus(at: engine.now()) else { return }
        text.single(
            "usher_feed_changes_total", "counter", "Changes that the feed has told, in all time.",
            feed.head)
        text.single(
            "usher_feed_revision", "gauge", "The newest ledger entry that the feed has told.",
            feed.revision.number)
        text.single(
            "usher_feed_lag_milliseconds", "gauge",
            "How long something has waited to be told; 0 where nothing does.",
            feed.lagMilliseconds)
        text.single(
            "usher_feed_ahead_milliseconds", "gauge",
            "How far the newest change is ahead of the clock; 0 where it is not.",
            feed.aheadMilliseconds)
    }

    private func appendOrders(_ engine: EntitlementEngine, to text: inout MetricsText) {
        if let counts = try? engine.orderCounts() {
            text.family("usher_orders", "gauge", "Orders by where they stand, whatever the time.")
            for state in OrderState.allCases where state != .abandoned {
                text.sample("usher_orders{state=\"\(state.rawValue)\"}", counts[state] ?? 0)
            }
        }
        guard let lost = try? engine.lostCounts(at: engine.now()) else { return }
        text.family(
            "usher_orders_lost", "gauge",
            "Orders, and payments without one, that somebody has to look at, by reason.")
        for reason in LostOrderReason.allCases {
            text.sample(
                "usher_orders_lost{kind=\"\(reason.rawValue)\"}", lost[reason]?.count ?? 0)
        }
        text.family(
            "usher_orders_lost_oldest_seconds", "gauge",
            "How long the oldest of them has been so, by reason.")
        for reason in LostOrderReason.allCases {
            text.sample(
                "usher_orders_lost_oldest_seconds{kind=\"\(reason.rawValue)\"}",
                lost[reason]?.oldestSeconds ?? 0)
        }
    }

    private func appendTraffic(to text: inout MetricsText) {
        let counts = counts
        text.single(
            "usher_questions_total", "counter", "Answers on query.sock.",
            Int64(questions.load(ordering: .relaxed)))
        text.family("usher_answers_total", "counter", "Answers on usher.sock by status.")
        for (status, count) in counts.answers.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_answers_total{status=\"\(status)\"}", Int64(count))
        }
        text.append(counts.durations)
        text.family("usher_connections", "gauge", "Open connections by socket.")
        for (socket, count) in [
            ("query", queryConnections.load(ordering: .relaxed)),
            ("usher", operationsConnections.load(ordering: .relaxed)),
        ] {
            text.sample("usher_connections{socket=\"\(socket)\"}", Int64(count))
        }
        text.family(
            "usher_turned_away_total", "counter", "Connections refused, by socket and code.")
        let rejectedConnections = counts.rejectedConnections.map { key, count in
            ("socket=\"\(key.socket.name)\",code=\"\(key.code.rawValue)\"", count)
        }
        for (labels, count) in rejectedConnections.sorted(by: { $0.0 < $1.0 }) {
            text.sample("usher_turned_away_total{\(labels)}", Int64(count))
        }
        text.single(
            "usher_calls_in_flight", "gauge", "Calls of usher.sock that are worked on.",
            Int64(callsInFlight))
        text.single(
            "usher_body_bytes", "gauge", "Memory set aside for bodies on usher.sock.",
            Int64(bytesHeld))
    }

    private func appendEvidence(_ engine: EntitlementEngine, to text: inout MetricsText) {
        let counts = counts
        text.family("usher_evidence_total", "counter", "Pieces of evidence by verdict.")
        for (verdict, count) in counts.evidence.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_evidence_total{verdict=\"\(verdict)\"}", Int64(count))
        }
        text.family(
            "usher_quarantined_total", "counter", "Genuine but impossible parts, kept aside.")
        for (code, count) in counts.quarantined.sorted(by: { $0.key < $1.key }) {
            text.sample("usher_quarantined_total{code=\"\(code)\"}", Int64(count))
        }
        appendWaiting(engine, to: &text)
        appendRefunds(engine, to: &text)
        text.family(
            "usher_failed_payments_total", "counter",
            "Payments that clients reported as failed or cancelled, without an order.")
        for outcome in FailedPayment.Outcome.allCases {
            text.sample(
                "usher_failed_payments_total{outcome=\"\(outcome.rawValue)\"}",
                Int64(counts.payments[outcome] ?? 0))
        }
        text.single(
            "usher_refusals_unrecorded_total", "counter", "Refusals without an audit line.",
            engine.refusalsLeftOut)
    }
}

extension ServiceStatus {
    fileprivate func appendWaiting(_ engine: EntitlementEngine, to text: inout MetricsText) {
        let counts = engine.waitingTicketCounts
        text.family("usher_tickets", "gauge", "What waits for Apple, by what is asked.")
        for form in EvidenceTicket.Form.allCases {
            text.sample("usher_tickets{form=\"\(form.rawValue)\"}", counts[form] ?? 0)
        }
        text.single(
            "usher_tickets_oldest_seconds", "gauge", "How long the oldest of them has waited.",
            engine.appStoreQueueReport(at: engine.now()).oldestSeconds)
        let attempts = engine.appStoreAttempts
        text.family(
            "usher_app_store_attempts_total", "counter", "Attempts to ask Apple, by outcome.")
        for outcome in AttemptOutcome.all {
            text.sample(
                "usher_app_store_attempts_total{outcome=\"\(outcome.word)\"}",
                attempts[outcome] ?? 0)
        }
    }
}

extension ServiceStatus {
    fileprivate func appendRefunds(_ engine: EntitlementEngine, to text: inout MetricsText) {
        let open = engine.openRefunds
        text.family(
            "usher_refund_requests", "gauge",
            "Refund requests that Apple takes an answer to, by why nothing was sent yet.")
        text.sample("usher_refund_requests{obstacle=\"\"}", open[nil] ?? 0)
        for obstacle in RefundObstacle.allCases {
            text.sample(
                "usher_refund_requests{obstacle=\"\(obstacle.rawValue)\"}", open[obstacle] ?? 0)
        }
        text.single(
            "usher_refund_request_seconds_left", "gauge",
            "Until the first of them lapses to which an answer is wanted; 0 for none.",
            engine.secondsUntilRefundLapses(at: engine.now()) ?? 0)
        let outcomes = engine.refundOutcomes
        text.family(
            "usher_refund_outcomes_total", "counter", "What became of refund requests.")
        for outcome in RefundOutcome.allCases {
            text.sample(
                "usher_refund_outcomes_total{outcome=\"\(outcome.rawValue)\"}",
                outcomes[outcome] ?? 0)
        }
    }
}

extension PeerAccess.Socket {
    fileprivate var name: String {
        switch self {
        case .query: "query"
        case .operations: "usher"
        }
    }
}

extension MetricsText {
    /// Results of the reconciliations since the start.
    fileprivate mutating func append(_ reconciler: some ReconciliationRunner) {
        let (counts, last) = (reconciler.counts, reconciler.last)
        single(
            "usher_reconciliation_running", "gauge", "Whether a reconciliation is running.",
            last?.state == .running ? 1 : 0)
        family("usher_reconciliations_total", "counter", "Reconciliations, by how they ended.")
        for state in ReconciliationAnswer.State.allCases where state != .running {
            sample(
                "usher_reconciliations_total{state=\"\(state.rawValue)\"}",
                counts.runs[state] ?? 0)
        }
        single(
            "usher_reconciliation_calls_total", "counter", "Calls of Apple's servers by them.",
            counts.calls)
        single(
            "usher_reconciliation_last_end_seconds", "gauge",
            "When the last one ended, since 1970; 0 for none.",
            (counts.lastEndedAt?.milliseconds ?? 0) / 1_000)
        family(
            "usher_reconciliation_drift_total", "counter",
            "Differences between the ledger and Apple, by cause.")
        for cause in DriftCause.allCases {
            sample(
                "usher_reconciliation_drift_total{cause=\"\(cause.rawValue)\"}",
                counts.drift[cause] ?? 0)
        }
    }
}

extension MetricsText {
    /// How far changes are delivered, by subscription.
    fileprivate mutating func append(_ standings: [PushStanding]) {
        family("usher_push_delivered_total", "counter", "Changes delivered, by subscription.")
        for standing in standings {
            sample(
                "usher_push_delivered_total{subscription=\"\(standing.subscription)\"}",
                standing.delivered)
        }
        family(
            "usher_push_failures_total", "counter", "Attempts to deliver a change that failed.")
        for standing in standings {
            sample(
                "usher_push_failures_total{subscription=\"\(standing.subscription)\"}",
                standing.failures)
        }
        family("usher_push_failing", "gauge", "Whether the last attempt failed.")
        for standing in standings {
            sample(
                "usher_push_failing{subscription=\"\(standing.subscription)\"}",
                standing.trouble == nil ? 0 : 1)
        }
        family(
            "usher_push_undelivered", "gauge", "Changes given up after several attempts.")
        for standing in standings {
            sample(
                "usher_push_undelivered{subscription=\"\(standing.subscription)\"}",
                standing.undelivered)
        }
        family(
            "usher_push_number", "gauge", "The number of the change up to which all is done.")
        for standing in standings {
            sample(
                "usher_push_number{subscription=\"\(standing.subscription)\"}",
                standing.cursor?.number ?? 0)
        }
        family("usher_push_waiting", "gauge", "Changes of the feed behind it.")
        for standing in standings {
            sample(
                "usher_push_waiting{subscription=\"\(standing.subscription)\"}",
                standing.waiting ?? 0)
        }
    }
}
