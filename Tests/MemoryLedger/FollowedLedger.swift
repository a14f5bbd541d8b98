package import EntitlementModel
package import LedgerModel
internal import Synchronization

/// What a node of a fleet sees of its ledger while another node leads: what is written to the
/// ledger beneath it comes from there. Or of a ledger that it leads by itself.
package final class FollowedLedger: FleetLedger, LedgerLocation {
    private struct State {
        var condition = FleetCondition(node: "follower")
        var isEligible = true
        var readsToFail = 0
        var passedOn = 0
    }

    private let ledger: MemoryLedger
    private let state = Mutex(State())

    package init(_ ledger: MemoryLedger, leads: Bool = false) {
        self.ledger = ledger
        state.withLock { state in
            state.condition.leads = leads
            state.condition.leader = leads ? state.condition.node : "leader"
            state.condition.promise = FleetCondition.Promise(
                durability: .replicated, synchronousCommit: "remote_apply", standbys: "ANY 1 (*)")
        }
    }

    package var fleet: FleetCondition { state.withLock(\.condition) }

    /// Whether the engine may lead.
    package var isEligible: Bool { state.withLock(\.isEligible) }

    /// How many calls were passed on.
    package var passedOn: Int { state.withLock(\.passedOn) }

    package func failNextReads(_ count: Int) { state.withLock { $0.readsToFail = count } }

    package func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        let fails = state.withLock { state in
            state.readsToFail -= 1
            return state.readsToFail >= 0
        }
        if fails { throw LedgerError(MemoryFailure.duplicate) }
        return try ledger.read(body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws -> Value {
        guard fleet.leads else { throw LedgerError(FleetError.notLeader) }
        return try await ledger.write(body, committed: committed)
    }

    package func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        guard fleet.leads else { throw LedgerError(FleetError.notLeader) }
        return try await ledger.rehearse(body)
    }

    package func watchLead(_ tell: @escaping @Sendable (_ leads: Bool) -> Void) {
        tell(fleet.leads)
    }

    package func setEligible(_ isEligible: Bool) {
        state.withLock { $0.isEligible = isEligible }
    }

    package func resign() { state.withLock { $0.condition.resignations += 1 } }

    package func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
        tell(try? ledger.read { try $0.head() }.sequence)
    }

    package func forwardToLeader(_ call: [UInt8]) async throws(LedgerError) -> [UInt8] {
        state.withLock { $0.passedOn += 1 }
        return Array("200\njson\n0\n{}".utf8)
    }

    package func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {}
    package func watchChanges(_ tell: @escaping @Sendable (ClosedRange<Int64>) -> Void) {}

    package func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
        ledger.follow(follower)
    }

    package func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
        ledger.prepareWritingThreads(prepare)
    }

    package func condition() throws(LedgerError) -> LedgerCondition {
        var condition = try ledger.condition()
        condition.fleet = fleet
        return condition
    }

    package func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try ledger.verify(anchor: anchor, progress: progress)
    }

    package func journal(
        _ journal: SharedJournal, before: (any JournalStore)?
    ) -> any ReconciliationStore {
        KeptInMemory()
    }

    package func close() throws(LedgerError) {}
    package var stopped: LedgerError? { nil }
    package var isFull: Bool { false }
    package func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {}
    package func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {}
    package var isVacant: Bool { ledger.isVacant }
    package func open() throws(LedgerError) -> any Ledger { self }
}

extension MemoryLedger {
    /// Writes an activation of texts that no version of this program can read, as a newer one may.
    package func activateUnreadablePolicy(at instant: Instant) async throws -> LedgerSequence {
        let file = PolicyActivation.File(path: "policy.yaml", bytes: Array("usher: 9\n".utf8))
        let entry = PolicyActivation(digest: EntryHash.genesis, files: [file])
        return try await write { transaction in
            _ = try transaction.append(.policyActivation(entry), at: instant)
            return try transaction.head().sequence
        }
    }
}
