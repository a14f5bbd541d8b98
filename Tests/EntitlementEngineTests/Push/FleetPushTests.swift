internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import Testing

@testable internal import EntitlementEngine

/// What is pushed by a fleet: the node that leads sends, whichever it is.
@Suite("Pushed changes of a fleet", .timeLimit(.minutes(5)))
struct FleetPushTests {
    /// What runs until it is cancelled.
    private func run(
        _ pusher: Pusher, until isDone: @escaping @Sendable () -> Bool
    ) async {
        let task = Task { await pusher.run() }
        while !isDone() { await Task.yield() }
        task.cancel()
        await task.value
    }

    private func cursor(in lines: SharedLines) throws -> Int64? {
        try DeliveryJournal(Copy(texts: lines.texts))["app"].cursor?.number
    }

    /// What is kept, for a look at it.
    private struct Copy: JournalStore {
        let texts: [String]

        func lines() -> [[UInt8]] { texts.map { Array($0.utf8) } }
        func append(_ lines: [[UInt8]]) {}
        func replace(with lines: [[UInt8]]) {}
    }

    @Test("go on at the next node where the last one was")
    func changesOfLead() async throws {
        let lines = SharedLines()
        let world = PushedWorld(changes: 400)
        let pushers = try ["a", "b", "c"].map { try world.makePusher(lines.node($0)) }
        var turns = 0
        while Set(world.received).count < 400 {
            let name = ["a", "b", "c"][turns % 3]
            lines.lead(name)
            // The next one is under way when the lead changes.
            let goal = min(37 * (turns + 1), 400)
            world.transport.answers(upTo: Int64(goal))
            await run(pushers[turns % 3]) { Set(world.received).count >= goal }
            turns += 1
        }
        #expect(turns > 5)
        #expect(Set(world.received) == Set(1...400))
        var last: Int64 = 0
        for number in world.received {
            #expect(number <= last + 1)
            last = max(last, number)
        }
        // Who does not send knows how far it is, and that another one does.
        let follower = pushers[turns % 3]
        let task = Task { await follower.follow() }
        while follower.standings.first?.cursor?.number != (try cursor(in: lines)) {
            await Task.yield()
        }
        #expect(follower.standings.first?.state == .elsewhere)
        task.cancel()
        await task.value
    }

    @Test("are not moved back or forward by a node that was deposed")
    func deposed() async throws {
        let lines = SharedLines()
        let world = PushedWorld(changes: 200)
        let old = try world.makePusher(lines.node("old"))
        lines.lead("old")
        // It is in the middle of its changes when another one takes over, and knows nothing of it.
        let next = try world.makePusher(lines.node("next"))
        world.transport.answers(upTo: 130)
        let stale = Task { await old.run() }
        while world.received.count < 130 { await Task.yield() }
        lines.lead("next")
        world.transport.answers(upTo: .max)
        await run(next) { Set(world.received).count == 200 }
        let place = try cursor(in: lines)
        let kept = lines.texts
        let told = world.received.count
        while old.journal.takesLines {
            // What it repeats is no more than what it has read.
            #expect(world.received.count <= told + 64)
            await Task.yield()
        }
        #expect(try cursor(in: lines) == place)
        let back = DeliveryLine(
            subscription: "app", cursor: FeedCursor(ledger: nil, number: 1))
        await #expect {
            try await old.write(inReading: try await old.prepare()) { _ in (back, ()) }
        } throws: {
            ($0 as? EngineError)?.code == "ledger.not-leader"
        }
        #expect(lines.texts == kept)
        stale.cancel()
        await stale.value
    }

    @Test("are not moved back by one that leads once more and has not looked")
    func leadsAgain() async throws {
        let lines = SharedLines()
        let node = try DeliveryJournal(lines.node("a"))
        let other = try DeliveryJournal(lines.node("b"))
        @Sendable func line(_ number: Int64) -> DeliveryLine {
            DeliveryLine(subscription: "app", cursor: FeedCursor(ledger: nil, number: number))
        }
        lines.lead("a")
        let reading = try await node.prepare()
        try await node.write(inReading: reading) { _ in (line(10), ()) }
        lines.lead("b")
        try await other.write(inReading: try await other.prepare()) { _ in (line(50), ()) }
        lines.lead("a")
        // It has read before, and does not know what has happened.
        for _ in 1...2 {
            await #expect(throws: LedgerError(FleetError.notLeader)) {
                try await node.write(inReading: reading) { _ in (line(11), ()) }
            }
        }
        // Somebody else's look does not make an old decision a new one.
        let again = try await node.prepare()
        await #expect(throws: LedgerError(FleetError.notLeader)) {
            try await node.write(inReading: reading) { _ in (line(11), ()) }
        }
        #expect(node["app"].cursor?.number == 50)
        try await node.write(inReading: again) { _ in (line(51), ()) }
        #expect(try cursor(in: lines) == 51)
    }

    @Test("wait while nothing can be kept, and nothing is lost")
    func databaseGone() async throws {
        let lines = SharedLines()
        let world = PushedWorld(changes: 300)
        let pusher = try world.makePusher(lines.node("a"))
        lines.lead("a")
        world.transport.answers(upTo: 100)
        let task = Task { await pusher.run() }
        while world.received.count < 100 { await Task.yield() }
        lines.isGone = true
        world.transport.answers(upTo: .max)
        while !world.events.contains(.ledger("app", code: "ledger.database-unreachable")) {
            await Task.yield()
        }
        let sent = world.received.count
        #expect(sent < 300)
        // Time passes, and it goes on asking.
        let start = world.context.now()
        while world.context.now().milliseconds(since: start) < 600_000 {
            await Task.yield()
        }
        #expect(world.received.count == sent)
        await #expect(throws: EngineError.self) {
            try await pusher.undelivered(of: nil, skip: 0, limit: 10)
        }
        lines.isGone = false
        while Set(world.received).count < 300 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(Set(world.received) == Set(1...300))
    }

    @Test("are kept once where the outcome of a write is lost")
    func lostOutcomes() async throws {
        let lines = SharedLines()
        let world = PushedWorld(changes: 10)
        let pusher = try world.makePusher(lines.node("a"))
        lines.lead("a")
        world.transport.answer = { _, number in
            .success(TransportResponse(status: number == 4 ? 400 : 200))
        }
        await run(pusher) { world.received.contains(10) }
        lines.losesOutcomes(1)
        await #expect {
            try await pusher.discard(4, of: "app", cause("uid:0", "by hand"))
        } throws: {
            ($0 as? EngineError)?.code == "ledger.outcome-unknown"
        }
        #expect(try await pusher.discard(4, of: "app", cause("uid:0", "by hand")) == nil)
        let list = try await pusher.undelivered(of: nil, skip: 0, limit: 10)
        #expect(list.changes == [] && list.discarded.map(\.number) == [4])
    }
}
