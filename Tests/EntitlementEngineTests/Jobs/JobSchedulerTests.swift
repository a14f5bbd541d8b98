internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

@Suite("Jobs", .timeLimit(.minutes(20)))
struct JobSchedulerTests {
    /// A job that pauses as it is told, and counts.
    private struct Counted: Job {
        var kind = JobKind.refunds
        let runs: Mutexed<Int>
        let pause: @Sendable (_ run: Int) -> JobPause

        func run() async -> JobPause {
            pause(
                runs.value.withLock { runs in
                    runs += 1
                    return runs
                })
        }
    }

    private final class Mutexed<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }

        var now: Value { value.withLock(\.self) }
    }

    private let shown = Mutexed(Instant(milliseconds: 1_000))
    private let jobs: JobScheduler

    init() {
        jobs = JobScheduler { [shown] in shown.now }
    }

    /// Starts one, and waits for its first run and its pause.
    private func start(
        _ kind: JobKind = .refunds, _ pause: @escaping @Sendable (Int) -> JobPause
    ) async throws -> Mutexed<Int> {
        let runs = Mutexed(0)
        jobs.start(Counted(kind: kind, runs: runs, pause: pause))
        try await yieldUntil("it has run") { runs.now > 0 }
        return runs
    }

    @Test("one without an instant runs when it is woken, and at no other time")
    func woken() async throws {
        let runs = try await start { _ in JobPause() }
        let others = try await start(.feed) {
            $0 < 50 ? JobPause(longest: .milliseconds(2)) : JobPause()
        }
        try await yieldUntil("another one has run often") { others.now == 50 }
        #expect(runs.now == 1)
        jobs.wake([.refunds])
        try await yieldUntil("it has run again") { runs.now == 2 }
        await jobs.stopped()
        jobs.wake([.refunds])
        #expect(runs.now == 2)
    }

    @Test("what is due by the engine's clock runs then, wherever somebody sets it")
    func due() async throws {
        let runs = try await start { run in
            JobPause(due: Instant(milliseconds: run == 1 ? 3_600_000 : 7_200_000))
        }
        shown.value.withLock { $0 = Instant(milliseconds: 3_599_999) }
        // Another one begins and ends: the clock is looked at.
        _ = try await start(.feed) { _ in JobPause() }
        #expect(runs.now == 1)
        shown.value.withLock { $0 = Instant(milliseconds: 3_600_000) }
        jobs.wake([.feed])
        try await yieldUntil("it is due") { runs.now == 2 }
        jobs.stop()
    }

    @Test("a wake while it runs lets it run again, and one while it rests waits for that")
    func wokenMeanwhile() async throws {
        let jobs = jobs
        let runs = try await start { run in
            if run == 1 { jobs.wake([.refunds]) }
            return run == 2 ? JobPause(rest: .milliseconds(200)) : JobPause()
        }
        try await yieldUntil("it runs again") { runs.now == 2 }
        let begun = ContinuousClock.now
        jobs.wake([.refunds])
        try await yieldUntil("it has rested") { runs.now == 3 }
        #expect(ContinuousClock.now - begun > .milliseconds(100))
        jobs.stop()
    }

    @Test("a file that can be read wakes it once")
    func readable() async throws {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        defer { for end in [reading, writing] { close(end) } }
        let runs = try await start { _ in
            var byte: UInt8 = 0
            while read(reading, &byte, 1) > 0 {}
            return JobPause(descriptor: reading)
        }
        _ = write(writing, "abc", 3)
        try await yieldUntil("it has heard") { runs.now == 2 }
        let others = try await start(.feed) {
            $0 < 20 ? JobPause(longest: .milliseconds(2)) : JobPause()
        }
        try await yieldUntil("another one has run often") { others.now == 20 }
        #expect(runs.now == 2)
        jobs.stop()
    }

    @Test("one that has more to do is busy for all that time, and ends all the same")
    func busy() async throws {
        let runs = try await start { _ in .none }
        try await yieldUntil("it runs often") { runs.now > 100 }
        #expect(jobs.busyFor(.refunds).map { $0 > .zero } == true)
        jobs.stop()
        let last = runs.now
        #expect(jobs.hasStopped && runs.now == last)
        // Nothing begins any more.
        let late = Mutexed(0)
        jobs.start(Counted(kind: .feed, runs: late) { _ in JobPause() })
        #expect(late.now == 0)
    }

    @Test("an end cancels what is under way")
    func cancelled() async throws {
        struct Endless: Job {
            let hasBegun: Mutexed<Bool>
            var kind: JobKind { .push }

            func run() async -> JobPause {
                hasBegun.value.withLock { $0 = true }
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
                return .none
            }
        }
        let hasBegun = Mutexed(false)
        jobs.start(Endless(hasBegun: hasBegun))
        try await yieldUntil("it has begun") { hasBegun.now }
        await jobs.stopped()
        #expect(jobs.hasStopped)
    }
}

@Suite("What an engine does by itself", .timeLimit(.minutes(20)))
struct EngineJobTests {
    private final class Reports: Sendable {
        private let all = Mutex<[JobReport]>([])

        func add(_ report: JobReport) { all.withLock { $0.append(report) } }

        /// How often a folder came into force.
        var activations: Int {
            all.withLock { all in
                all.count { if case .policyFolder(.activated) = $0 { true } else { false } }
            }
        }
    }

    @Test("answers what Apple asks about a refund once it is recorded, and as soon as it may")
    func refunds() async throws {
        let folder = try TemporaryFolder()
        let bench = try await RefundShop()
        let coins = try await bench.buy("coins", .consumable, id: "10", as: "ana")
        var jobs = EngineJobs(policyFolder: folder.path) { _ in }
        jobs.addAppleSync(of: bench.engine)
        bench.engine.start(jobs)
        try await bench.ask(about: coins)
        try await yieldUntil("it was looked at") { bench.engine.nextRefundLook != nil }
        // Without consent it is looked at again within a minute of this clock, which stands.
        #expect(try bench.first.state == .open)
        try await bench.consent("ana")
        try await yieldUntil("Apple was told") { try bench.first.state == .sent }
        #expect(bench.appStore.consumption["10"]?.count == 1)
        await bench.engine.stopJobs()
        try bench.engine.close()
    }

    @Test("asks Apple about what is handed in")
    func tickets() async throws {
        let folder = try TemporaryFolder()
        let shop = try await WaitingShop()
        var jobs = EngineJobs(policyFolder: folder.path) { _ in }
        jobs.addAppleSync(of: shop.engine)
        shop.engine.start(jobs)
        let report = try await shop.ask(Array("4711".utf8))
        let ticket = try #require(report.ticket)
        try await yieldUntil("Apple was asked") {
            let answer = try shop.ticket(ticket)
            return answer.attempts > 0 || answer.closedAt != nil
        }
        await shop.engine.stopJobs()
        try shop.engine.close()
    }

    @Test("puts a changed folder into force, and hears of the change")
    func folder() async throws {
        let bench = try await ReloadBench()
        let (engine, reports) = (bench.shop.engine, Reports())
        engine.start(EngineJobs(policyFolder: bench.folder) { reports.add($0) })
        try bench.write(leeway: "2h")
        try await yieldUntil("it is in force") { reports.activations == 1 }
        engine.lookAtPolicyFolderAgain()
        try bench.write(leeway: "3h")
        try await yieldUntil("the next one is") { reports.activations == 2 }
        await engine.stopJobs()
        try engine.close()
    }
}
