internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import Synchronization

/// A ledger in memory whose writes fail as often as a test wants.
final class FailingLedger: Ledger, LedgerLocation {
    private let memory = MemoryLedger()
    /// How many writes go well, and how many then fail.
    private let plan = Mutex((goWell: 0, fail: 0))

    func failsNextWrites(_ count: Int, after goWell: Int = 0) {
        plan.withLock { $0 = (goWell, count) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
        committed: @escaping @Sendable (Value, LedgerHead) -> Void
    ) async throws -> Value {
        let fails = plan.withLock { plan in
            if plan.goWell > 0 {
                plan.goWell -= 1
                return false
            }
            plan.fail -= 1
            return plan.fail >= 0
        }
        if fails { throw LedgerError(TestFailure.test) }
        return try await memory.write(body, committed: committed)
    }

    func rehearse<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
    ) async throws -> Value {
        try await memory.rehearse(body)
    }

    func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        try memory.read(body)
    }

    func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) { memory.follow(follower) }
    func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
        memory.prepareWritingThreads(prepare)
    }
    func close() throws(LedgerError) { try memory.close() }
    var stopped: LedgerError? { nil }
    var isFull: Bool { false }
    func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {}
    func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {}
    func condition() throws(LedgerError) -> LedgerCondition { try memory.condition() }
    func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] { [] }
    var isVacant: Bool { memory.isVacant }
    func open() throws(LedgerError) -> any Ledger { self }
}

private enum TestFailure: StoreFailure {
    case test

    var kind: LedgerError.Kind { .busy }
    var code: String { "ledger.test" }
    func template(in language: Language) -> String {
        switch language {
        case .english: "as the test wants"
        case .chinese: "按测试要求"
        }
    }
}
