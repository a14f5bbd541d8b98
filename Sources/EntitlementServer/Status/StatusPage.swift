internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import Synchronization

extension ServiceStatus {
    /// `/status`: one look at whether the service is well, and what it stands on. Blocks.
    func json(_ engine: EntitlementEngine) -> [UInt8] {
        let condition = try? engine.ledgerCondition()
        var writer = AnswerWriter(reserving: 2_048)
        writer.object { writer in
            writer.member("status", engine.isReady ? "ready" : "read-only")
            writer.member("degraded", list: shortcomings(engine, condition)) { $0.appendText($1) }
            writer.member("version", version)
            writer.member("started_at", startedAt)
            writer.member("now", engine.clock.now())
            writer.member("policy", engine.policy.digest)
            writer.member("policy_since", engine.policy.activatedAt)
            writer.member("policy_refused", list: engine.policyProblems) { $0.append($1) }
            if let waiting = engine.waitingPolicy {
                writer.member("policy_waiting") { $0.appendMembers(of: waiting) }
            }
            writer.member("trust", list: engine.policy.trustFingerprints) { writer, digest in
                writer.append("\"")
                writer.appendHexadecimal(digest)
                writer.append("\"")
            }
            writer.member("revision", engine.revision.number)
            writer.member("accepts_writes", engine.isReady)
            if let condition {
                writer.member("ledger") { $0.appendMembers(of: condition) }
            }
            writer.appendMembers(of: self, engine)
        }
        return writer.bytes
    }
}

extension ServiceStatus {
    /// What an operator should look at, in words for programs. Most important first.
    private func shortcomings(
        _ engine: EntitlementEngine, _ condition: LedgerCondition?
    ) -> [String] {
        var words: [String] = []
        if engine.isLedgerReplaced { words.append("ledger-replaced") }
        if !engine.acceptsWrites { words.append("ledger-read-only") }
        if engine.isDiskFull { words.append("ledger-disk-full") }
        if condition == nil { words.append("ledger-unreadable") }
        if engine.isClockBehind { words.append("clock-behind") }
        if hasClockStepped(to: engine.clock.now()) { words.append("clock-stepped") }
        if !engine.policyProblems.isEmpty { words.append("policy-refused") }
        if engine.waitingPolicy != nil { words.append("policy-waiting") }
        if condition?.isStoreCurrent == false { words.append("sqlite-outdated") }
        return words
    }
}

extension AnswerWriter {
    fileprivate mutating func appendMembers(
        of status: ServiceStatus, _ engine: EntitlementEngine
    ) {
        let counts = status.counts
        let judged = counts.evidence["judged"] ?? 0
        member("evidence") { writer in
            writer.member("judged", Int64(judged))
            writer.member("refused", Int64(counts.evidence.values.reduce(0, +) - judged))
            writer.member("quarantined", Int64(counts.quarantined.values.reduce(0, +)))
            writer.member("refusals_unrecorded", engine.refusalsLeftOut)
        }
        member("connections") { writer in
            writer.member("query", Int64(status.queryConnections.load(ordering: .relaxed)))
            writer.member("usher", Int64(status.operationsConnections.load(ordering: .relaxed)))
            writer.member("turned_away", Int64(counts.turnedAway.values.reduce(0, +)))
        }
        member("in_flight", Int64(status.callsInFlight))
        member("questions", Int64(status.questions.load(ordering: .relaxed)))
        member("accounts_in_memory", Int64(engine.accountsInMemory))
        member("accounts_to_derive_again", Int64(engine.rederivationProgress.left))
        member("log_lines_lost", Int64(status.linesLost()))
    }

    fileprivate mutating func appendMembers(of condition: LedgerCondition) {
        member("head", condition.head.sequence.number)
        member("hash", condition.head.hash)
        member("recorded_at", condition.head.recordedAt)
        member("file_bytes", condition.fileBytes)
        member("log_bytes", condition.logBytes)
        member("waiting_writes", Int64(condition.waitingWrites))
        member("sqlite", condition.storeVersion)
        // Read back when it was opened; it is not opened otherwise.
        member("synchronous", "full")
    }

    fileprivate mutating func append(_ trouble: PolicyProblem) {
        object { writer in
            writer.member("id", trouble.id)
            writer.member("file", trouble.file)
            writer.member("line", Int64(trouble.line))
            writer.member("column", Int64(trouble.column))
        }
    }
}
