internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import Synchronization

/// A fleet in memory: nodes that share a ledger, of which one leads. A node may be deposed and not
/// know it.
final class MemoryFleet: Sendable {
    let memory = MemoryLedger()
    private let leader = Mutex<(node: String?, epoch: Int64)>((nil, 0))

    func node(_ name: String) -> Node { Node(name, self) }

    fileprivate func leads(_ node: String) -> Bool { leader.withLock { $0.node == node } }

    /// From now on only what this node writes is kept.
    ///
    /// - Parameter old: the one before, if it hears of it.
    func lead(_ node: Node, after old: Node? = nil) {
        let epoch = leader.withLock { leader in
            leader = (node.name, leader.epoch + 1)
            return leader.epoch
        }
        old?.believe(false, epoch)
        node.believe(true, epoch)
    }

    final class Node: FleetLedger, LedgerLocation {
        private struct State {
            var condition: FleetCondition
            var watchers: [@Sendable (Bool) -> Void] = []
        }

        let name: String
        private let shared: MemoryFleet
        private let state: Mutex<State>

        fileprivate init(_ name: String, _ fleet: MemoryFleet) {
            self.name = name
            shared = fleet
            state = Mutex(State(condition: FleetCondition(node: name)))
        }

        fileprivate func believe(_ leads: Bool, _ epoch: Int64) {
            let watchers = state.withLock { state in
                state.condition.leads = leads
                state.condition.epoch = epoch
                return state.watchers
            }
            for tell in watchers { tell(leads) }
        }

        var fleet: FleetCondition { state.withLock(\.condition) }

        func watchLead(_ tell: @escaping @Sendable (_ leads: Bool) -> Void) {
            let leads = state.withLock { state in
                state.watchers.append(tell)
                return state.condition.leads
            }
            tell(leads)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
            committed: @escaping @Sendable (Value, LedgerHead) -> Void
        ) async throws -> Value {
            try await shared.memory.write(
                { [shared, name] transaction in
                    // As the database has it: whoever leads when it is kept.
                    guard shared.leads(name) else { throw LedgerError(FleetError.notLeader) }
                    return try body(transaction)
                }, committed: committed)
        }
    }
}

/// What is asked of every ledger.
extension MemoryFleet.Node {
    func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        guard shared.leads(name) else { throw LedgerError(FleetError.notLeader) }
        return try await shared.memory.rehearse(body)
    }

    func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try shared.memory.read(body)
    }

    func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
        shared.memory.follow(follower)
    }

    func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
        tell(try? read { try $0.head().sequence })
    }

    func forwardToLeader(_ call: [UInt8]) async throws(LedgerError) -> [UInt8] {
        throw LedgerError(FleetError.notLeader)
    }

    func setEligible(_ isEligible: Bool) {}
    func resign() {}
    func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {}
    func watchChanges(_ tell: @escaping @Sendable (ClosedRange<Int64>) -> Void) {}

    func journal(
        _ journal: SharedJournal, before: (any JournalStore)?
    ) -> any ReconciliationStore {
        KeptInMemory()
    }

    func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {}
    var stopped: LedgerError? { nil }
    var isFull: Bool { false }
    func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {}
    func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {}
    func condition() throws(LedgerError) -> LedgerCondition { try shared.memory.condition() }
    func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] { [] }
    func close() throws(LedgerError) {}
    var isVacant: Bool { shared.memory.isVacant }
    func open() throws(LedgerError) -> any Ledger { self }
}
