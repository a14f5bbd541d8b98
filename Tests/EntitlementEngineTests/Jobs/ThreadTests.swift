internal import Dispatch
internal import EntitlementAnswers
internal import EntitlementModel
internal import Glibc
internal import LedgerModel
internal import Synchronization
internal import Testing

@testable internal import EntitlementEngine

@Suite("Threads that give way", .timeLimit(.minutes(20)))
struct ThreadTests {
    /// What the calling thread's priority comes to.
    private static func niceness() -> CInt {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    }

    /// Done on a thread of its own.
    private static func onThread(
        with priority: ThreadPriority?, _ body: @escaping @Sendable () -> CInt
    ) throws -> CInt {
        let outcome = Outcome()
        try #require(
            WorkerThread.start("test", priority: priority) {
                let value = body()
                outcome.value.withLock { $0 = value }
                outcome.isThere.signal()
            })
        outcome.isThere.wait()
        return outcome.value.withLock { $0 }
    }

    private final class Outcome: Sendable {
        let value = Mutex<CInt>(-1)
        let isThere = DispatchSemaphore(value: 0)
    }

    @Test("each takes its place, and none goes before one that it has given way to")
    func places() throws {
        let before = Self.niceness()
        let after = try Self.onThread(with: .background) { Self.niceness() }
        #expect(after == max(10, before))
        // SCHED_IDLE (sched(7)).
        let last = try Self.onThread(with: .idle) {
            ThreadPriority.background.apply()
            return sched_getscheduler(0)
        }
        #expect(last == 5)
        #expect(Self.niceness() == before)
    }

    @Test("a task of a thread that gives way is as urgent as whoever keeps the thread for it")
    func background() throws {
        let before = Self.niceness()
        let background = WorkerThread("test", priority: nil)
        let found = try Self.onThread(with: .idle) { background.run { Self.niceness() } }
        #expect(found == before)
    }

    @Test("every task gets its own answer, whoever else sends some")
    func answers() async {
        let background = WorkerThread("test", priority: nil)
        await withTaskGroup(of: Bool.self) { tasks in
            for number in 0..<200 { tasks.addTask { background.run { number } == number } }
            for await isRight in tasks { #expect(isRight) }
        }
    }

    @Test("tasks that block leave the cooperative pool with all their parts, and give way")
    func blocking() async {
        #expect(MayBlock.isOnPool)
        let before = Self.niceness()
        let executor = WorkerThread("test", priority: .background)
        await withTaskExecutorPreference(executor) {
            #expect(!MayBlock.isOnPool)
            #expect(Self.niceness() == max(10, before))
            await withTaskGroup(of: Bool.self) { tasks in
                for _ in 0..<8 {
                    tasks.addTask {
                        await Task.yield()
                        return MayBlock.isOnPool
                    }
                }
                for await isOnPool in tasks { #expect(!isOnPool) }
            }
        }
        #expect(MayBlock.isOnPool)
        #expect(Self.niceness() == before)
    }

    @Test("what blocks on the cooperative pool ends a debug build that serves")
    func caught() async {
        await #expect(processExitsWith: .failure) {
            MayBlock.beginCheck()
            MayBlock.check()
        }
        await #expect(processExitsWith: .success) {
            MayBlock.beginCheck()
            let worker = WorkerThread("test", priority: .background)
            await withTaskExecutorPreference(worker) { MayBlock.check() }
        }
    }

    @Test("whoever asks for findings does not wait for a thread that is still reading")
    func findings() async throws {
        let shop = try await Shop()
        let gold = try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20")
        try await shop.present(gold, as: nil)
        let (policy, now) = (shop.engine.policy, shop.clock.now())
        let findings = LedgerFindings(privacyKey: nil)
        let held = HeldLedger(shop.engine.ledger)
        let outcome = Outcome()
        try #require(
            WorkerThread.start("test", priority: .idle) {
                let isMore = try? findings.advance(held, by: policy, at: now)
                outcome.value.withLock { $0 = isMore == true ? 1 : 0 }
                outcome.isThere.signal()
            })
        held.hasBegun.wait()
        while try findings.advance(shop.engine.ledger, by: policy, at: now) {}
        #expect(findings.counts(at: now).counts == [.unclaimedPayment: 1])
        held.mayGoOn.signal()
        outcome.isThere.wait()
        // What it has found is older than what is there; it looks whether there is more.
        #expect(outcome.value.withLock(\.self) == 1)
        #expect(findings.counts(at: now).counts == [.unclaimedPayment: 1])
        #expect(try !findings.advance(shop.engine.ledger, by: policy, at: now))
    }
}

/// A ledger that is not read before it may go on.
private final class HeldLedger: ReadableLedger {
    private let ledger: any Ledger
    let hasBegun = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)

    init(_ ledger: any Ledger) {
        self.ledger = ledger
    }

    func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
        hasBegun.signal()
        mayGoOn.wait()
        return try ledger.read(body)
    }

    func verify(
        anchor: LedgerHead?, progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
    ) throws(LedgerError) -> [LedgerProblem] {
        try ledger.verify(anchor: anchor, progress: progress)
    }

    func close() throws(LedgerError) {}
}
