internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Testing

@testable internal import EntitlementEngine

@Suite("Threads that give way", .timeLimit(.minutes(20)))
struct ThreadTests {
    /// What the calling thread's precedence comes to.
    private static func niceness() -> CInt {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    }

    /// Done on a thread of its own.
    private static func onThread(
        taking precedence: ThreadPrecedence?, _ body: @escaping @Sendable () -> CInt
    ) throws -> CInt {
        let outcome = Outcome()
        try #require(
            DetachedThread.start(taking: precedence) {
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
        let after = try Self.onThread(taking: .afterQuestions) { Self.niceness() }
        #expect(after == max(10, before))
        // SCHED_IDLE (sched(7)).
        let last = try Self.onThread(taking: .last) {
            ThreadPrecedence.afterQuestions.take()
            return sched_getscheduler(0)
        }
        #expect(last == 5)
        #expect(Self.niceness() == before)
    }

    @Test("a task of a thread that gives way is as urgent as whoever keeps the thread for it")
    func background() throws {
        let before = Self.niceness()
        let background = BackgroundThread()
        let found = try Self.onThread(taking: .last) { background.run { Self.niceness() } }
        #expect(found == before)
    }

    @Test("every task gets its own answer, whoever else sends some")
    func answers() async {
        let background = BackgroundThread()
        await withTaskGroup(of: Bool.self) { tasks in
            for number in 0..<200 { tasks.addTask { background.run { number } == number } }
            for await isRight in tasks { #expect(isRight) }
        }
    }
}
