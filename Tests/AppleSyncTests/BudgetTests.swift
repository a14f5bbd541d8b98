internal import EntitlementEngine
internal import EntitlementModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AppleSync

@Suite("How much is asked at once", .timeLimit(.minutes(5)))
struct BudgetTests {
    /// When calls start that all come at one instant. Milliseconds.
    private func starts(
        _ rate: Double, limit: Double, count: Int, longestWait: Int64 = .max / 4_000
    ) -> [Int64] {
        let budget = RateBudget(callsPerSecond: rate, longestPause: 3_600_000)
        return (0..<count).compactMap { _ in
            let start = budget.start(limit: limit, at: Sample.now, longestWait: longestWait)
            return (try? start.get())?.milliseconds(since: Sample.now)
        }
    }

    @Test("a second's worth at once, then one after the other")
    func average() {
        #expect(starts(10, limit: 50, count: 12) == Array(repeating: 0, count: 10) + [100, 200])
        #expect(starts(1, limit: 5, count: 3) == [0, 1_000, 2_000])
        #expect(starts(0.5, limit: 5, count: 3) == [0, 2_000, 4_000])
    }

    @Test("calls that Apple limits more take more of it")
    func limitedCalls() {
        #expect(starts(10, limit: 1, count: 3).suffix(2) == [100, 1_100])
        #expect(starts(50, limit: 10, count: 14).suffix(3) == [120, 220, 320])
    }

    @Test("whoever would wait too long is told when there is room, and takes none")
    func patience() throws {
        let budget = RateBudget(callsPerSecond: 1, longestPause: 3_600_000)
        for _ in 0..<11 {
            _ = try budget.start(limit: 50, at: Sample.now, longestWait: 10_000).get()
        }
        for _ in 0..<3 {
            #expect(throws: RateBudget.Later.self) {
                try budget.start(limit: 50, at: Sample.now, longestWait: 10_000).get()
            }
        }
        let later = Sample.now.advanced(byMilliseconds: 1_000)
        #expect(
            try budget.start(limit: 50, at: later, longestWait: 10_000).get()
                == later.advanced(byMilliseconds: 10_000))
    }

    @Test("a clock that is set back stops nothing, and a pause of Apple's ends in time")
    func clockSetBack() throws {
        let budget = RateBudget(callsPerSecond: 1, longestPause: 60_000)
        let back = Sample.now.advanced(byMilliseconds: -86_400_000 * 1_000)
        _ = budget.start(limit: 50, at: Sample.now, longestWait: 0)
        #expect(
            try budget.start(limit: 50, at: back, longestWait: 1_000).get()
                == back.advanced(byMilliseconds: 1_000))
        budget.pause(until: Sample.now)
        let later = try #require(throws: RateBudget.Later.self) {
            try budget.start(limit: 50, at: back, longestWait: 10_000).get()
        }
        #expect(later.startsAt == back.advanced(byMilliseconds: 60_000))
    }

    @Test("after a pause calls start one after the other, not all at once")
    func afterPause() throws {
        let budget = RateBudget(callsPerSecond: 2, longestPause: 3_600_000)
        budget.pause(until: Sample.now.advanced(byMilliseconds: 5_000))
        let starts = try (0..<4).map { _ in
            try budget.start(limit: 50, at: Sample.now, longestWait: 10_000).get()
                .milliseconds(since: Sample.now)
        }
        #expect(starts == [5_000, 5_000, 5_500, 6_000])
    }

    @Test(
        "the client keeps to it, in the sandbox to a tenth",
        arguments: [
            (StoreEnvironment.production, 9_000), (.sandbox, 99_000),
        ] as [(StoreEnvironment, Int64)])
    func client(environment: StoreEnvironment, atLeast: Int64) async throws {
        let context = VirtualContext()
        let client = try Sample.client(
            ScriptedServers(always: .status(200)), context
        ) { $0.callsPerSecond = 10 }
        for _ in 0..<100 { try await client.finish(Sample.id, in: environment) }
        let passed = context.now().milliseconds(since: Sample.now)
        #expect(passed >= atLeast && passed <= atLeast + 1_000)
    }

    @Test("no more calls under way than places, and everybody comes in")
    func concurrency() async throws {
        let servers = SlowServers()
        var configuration = try Sample.configuration()
        configuration.concurrency = 3
        let client = AppStoreClient(
            configuration, transport: servers, context: VirtualContext())
        try await withThrowingTaskGroup { group in
            for _ in 0..<60 {
                group.addTask { try await client.finish(Sample.id, in: .production) }
            }
            try await group.waitForAll()
        }
        let seen = servers.seen
        #expect(seen.total == 60)
        #expect(seen.most == 3)
    }

    @Test("who is cancelled at the gate leaves his place to the others")
    func cancelledAtTheGate() async throws {
        let gate = CallGate(places: 1)
        try await gate.enter()
        let waiting = Task { try await gate.enter() }
        let next = Task { try await gate.enter() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.leave()
        try await next.value
        gate.leave()
        try await gate.enter()
    }
}

/// Answers when as many are under way as there are places, or after a while.
private final class SlowServers: AppStoreTransport {
    struct Seen {
        var underWay = 0
        var most = 0
        var total = 0
    }

    private let state = Mutex(Seen())

    var seen: Seen { state.withLock(\.self) }

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        state.withLock { seen in
            seen.underWay += 1
            seen.total += 1
            seen.most = max(seen.most, seen.underWay)
        }
        for _ in 0..<1_000 where state.withLock({ $0.most < 3 }) { await Task.yield() }
        for _ in 0..<20 { await Task.yield() }
        state.withLock { $0.underWay -= 1 }
        return TransportResponse(status: 200)
    }
}
