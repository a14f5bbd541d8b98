internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let question = WireRequest.get("/v1/accounts/alice/entitlements")
private let badEvidence = WireRequest.post("/v1/evidence", #"{"payload":"a.b.c"}"#)

@Suite("Overload", .timeLimit(.minutes(20)))
struct OverloadTests {
    /// Whoever watches the service hears of it, by a connection of its own.
    @Test("sheds questions beyond the connection limit, and never health")
    func connections() async throws {
        try await ServedShop().serving {
            $0.connectionLimit = 1
            $0.reservedConnections = 2
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let first = try LocalConnection(path: socket, secondsToWait: 600)
                try first.write(Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                _ = try first.readSome()
                for path in ["/livez", "/readyz"] {
                    let answer = try shop.wireAnswer(socket, .get(path))
                    #expect(answer.response.status == 200)
                    #expect(answer.has("Connection: close"))
                }
                let shed = try shop.wireAnswer(socket, question)
                #expect(shed.response.status == 503)
                #expect(shed.response.text.contains("service.overloaded"))
                #expect(shed.has("Retry-After: 1"))
                first.close()
            }
        }
    }

    /// They could be anybody's who has opened as many as there are places.
    @Test("answers health however many connections beyond the limit say nothing")
    func silence() async throws {
        try await ServedShop().serving {
            $0.connectionLimit = 2
            $0.reservedConnections = 4
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let silent = try (0..<100).map { _ in
                    try LocalConnection(path: socket, secondsToWait: 600)
                }
                defer { for connection in silent { connection.close() } }
                for path in ["/livez", "/readyz", "/livez"] {
                    #expect(try shop.exchange(socket, .get(path)).status == 200)
                }
                // Whoever had to go was told: the first have the places, the last are still heard.
                let told = String(decoding: try silent[50].readToEnd(), as: UTF8.self)
                #expect(statuses(in: told) == [503])
            }
        }
    }

    /// A peer that sends before it reads finds an open connection.
    @Test("lets whoever is turned away say all of it, and read why")
    func turnedAway() async throws {
        try await ServedShop().serving {
            $0.access = PeerAccess(entries: [])
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                defer { connection.close() }
                let head = "POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"
                try connection.writeAll(Array(head.utf8))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(statuses(in: text) == [403])
                try connection.writeAll([UInt8](repeating: 0x20, count: 300_000))
            }
        }
    }

    @Test("says what it is about on usher.sock: status and metrics are health too")
    func operators() async throws {
        try await ServedShop().serving {
            $0.inFlightLimit = 0
        } _: { (shop: ServedShop) throws in
            for path in ["/livez", "/readyz", "/status", "/metrics"] {
                #expect(try shop.exchange(shop.operationsSocket, .get(path)).status == 200)
            }
            for request in [question, badEvidence, .get("/openapi.json"), .get("/v1/claims")] {
                let answer = try shop.wireAnswer(shop.operationsSocket, request)
                #expect(answer.response.status == 503, "\(request.testDescription)")
                #expect(answer.has("Retry-After: 1"))
            }
        }
    }

    @Test("turns everybody away once the reserved connections are taken, and recovers")
    func noRoom() async throws {
        try await ServedShop().serving {
            $0.connectionLimit = 1
            $0.reservedConnections = 0
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let first = try LocalConnection(path: socket, secondsToWait: 600)
                try first.write(Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                _ = try first.readSome()
                #expect(try shop.exchange(socket, .get("/livez")).status == 503)
                first.close()
                try waitUntil("there is room again") {
                    try shop.exchange(socket, .get("/livez")).status != 503
                }
            }
            var metrics = ""
            try waitUntil("it is counted") {
                metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
                return metrics.contains("usher_turned_away_total{")
            }
            for socket in ["query", "usher"] {
                let name = "usher_turned_away_total{socket=\"\(socket)\","
                #expect(metrics.contains(name + "code=\"service.overloaded\"}"))
            }
        }
    }

    @Test("is one user's own where one user makes it")
    func onePeer() async throws {
        try await ServedShop().serving {
            $0.inFlightLimitPerPeer = 0
        } _: { (shop: ServedShop) throws in
            let answer = try shop.wireAnswer(shop.operationsSocket, question)
            #expect(answer.response.status == 429)
            #expect(answer.response.text.contains("peer.too-many"))
            #expect(answer.has("Retry-After: 1"))
            #expect(try shop.exchange(shop.operationsSocket, .get("/livez")).status == 200)
        }
    }

    /// A web tier is one user, whoever sends what it passes on.
    @Test("takes what is genuine from a user whose strangers send junk, and Apple's notifications")
    func badEvidenceFlood() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let junk = [String](repeating: #"{"payload":"a.b.c"}"#, count: 1_000)
            let list = WireRequest.post("/v1/evidence", "[\(junk.joined(separator: ","))]")
            let purchase = try shop.purchase("archive", .nonConsumable, id: "40")
            let genuine = WireRequest.post("/v1/evidence", #"{"payload":"\#(purchase)"}"#)
            for _ in 0..<3 {
                #expect(try shop.exchange(shop.operationsSocket, list).status == 200)
                #expect(try shop.exchange(shop.operationsSocket, genuine).status == 200)
                let told = try shop.exchange(
                    shop.operationsSocket, .post("/v1/notifications", try shop.notification()))
                #expect(told.status == 200)
            }
        }
    }

    @Test("ends for what a user's refused evidence costs, where nobody has the time for it")
    func dearEvidenceFlood() async throws {
        let shop = try await ServedShop(processorClock: SteppingClock(milliseconds: 100))
        try await shop.serving {
            $0.processors = 0
        } _: { (shop: ServedShop) throws in
            for _ in 0..<2 {
                #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
            }
            let answer = try shop.wireAnswer(shop.operationsSocket, badEvidence)
            #expect(answer.response.status == 429)
            #expect(answer.has("Retry-After: 1"))
            // Notifications have a budget of their own, and questions cost nothing that was used.
            let told = try shop.exchange(
                shop.operationsSocket, .post("/v1/notifications", try shop.notification()))
            #expect(told.status == 200)
            #expect(try shop.exchange(shop.operationsSocket, question).status == 200)
            shop.clock.instant.set(shop.clock.now().advanced(byMilliseconds: 1_000))
            #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
        }
    }

    @Test("passes no evidence by where a processor is free, whatever others' has cost")
    func timeToSpare() async throws {
        let shop = try await ServedShop(processorClock: SteppingClock(milliseconds: 10_000))
        try await shop.serving {
            $0.processors = 1
        } _: { (shop: ServedShop) throws in
            for _ in 0..<5 {
                #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
            }
        }
    }

    /// All of one user's calls may be busy with junk.
    @Test("leaves notifications calls of their own")
    func lanes() {
        let budget = PeerBudget(callLimit: 1, refusalMilliseconds: 1)
        #expect(budget.beginCall(of: "uid:1", in: .calls))
        #expect(!budget.beginCall(of: "uid:1", in: .calls))
        #expect(budget.beginCall(of: "uid:1", in: .notifications))
    }

    @Test("keeps the memory for bodies within its limit, whatever is announced")
    func bodies() async throws {
        try await ServedShop().serving {
            $0.bufferedBytes = 1_024
        } _: { (shop: ServedShop) throws in
            var large = badEvidence
            large.body = #"{"payload":"\#(String(repeating: "a", count: 1_024))"}"#
            let answer = try shop.wireAnswer(shop.operationsSocket, large)
            #expect(answer.response.status == 503)
            #expect(answer.has("Retry-After: 1"))
            #expect(answer.has("Connection: close"))
            #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
            #expect(try shop.exchange(shop.operationsSocket, question).status == 200)
        }
    }
}

/// A clock of processor time that passes as often as it is read.
final class SteppingClock: ProcessorClock {
    private let step: Int64
    private let nanoseconds = Atomic<Int64>(0)

    init(milliseconds: Int64) {
        step = milliseconds * 1_000_000
    }

    func now() -> Int64 { nanoseconds.add(step, ordering: .relaxed).newValue }
}

@Suite("Evidence that is verified at once", .timeLimit(.minutes(20)))
struct EvidenceMemoryTests {
    /// So many are at it at once, and not one more; each gets its turn.
    @Test("is as much as there is room for", arguments: [1, 2])
    func room(processors: Int) async {
        let room = EvidenceMemory(bytes: 10, processors: processors)
        let counts = Locked((now: 0, at: 0, tooMany: 0, done: 0))
        await withTaskGroup { tasks in
            for bytes in [4, 4, 4, 1, 1, 20, 4, 6] {
                tasks.addTask {
                    await room.verify(bytes) {
                        counts.change {
                            $0.now += bytes
                            $0.at += 1
                            // The one that is larger than the room is there alone.
                            if $0.now > 10, $0.now != 20 { $0.tooMany += 1 }
                            if $0.at > processors { $0.tooMany += 1 }
                        }
                        for _ in 0..<100 { sched_yield() }
                        counts.change {
                            $0.now -= bytes
                            $0.at -= 1
                            $0.done += 1
                        }
                    }
                }
            }
        }
        #expect(counts.value.done == 8)
        #expect(counts.value.tooMany == 0)
        #expect(room.hasTime)
    }
}

@Suite("What one user may cost", .timeLimit(.minutes(20)))
struct PeerBudgetTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    @Test("is counted for each user alone")
    func calls() {
        let budget = PeerBudget(callLimit: 2, refusalMilliseconds: 10)
        #expect(budget.beginCall(of: "uid:1", in: .calls))
        #expect(budget.beginCall(of: "uid:1", in: .calls))
        #expect(!budget.beginCall(of: "uid:1", in: .calls))
        #expect(budget.beginCall(of: "uid:2", in: .calls))
        budget.endCall(of: "uid:1", in: .calls)
        #expect(budget.beginCall(of: "uid:1", in: .calls))
    }

    @Test("is paid back at the rate allowed, and not by a clock that is set back")
    func refusals() {
        let budget = PeerBudget(callLimit: 1, refusalMilliseconds: 10)
        func admits(afterMilliseconds milliseconds: Int64) -> Bool {
            budget.isWithinBudget(
                "uid:1", in: .calls, at: now.advanced(byMilliseconds: milliseconds))
        }
        #expect(admits(afterMilliseconds: 0))
        budget.charge(40_000_000, to: "uid:1", in: .calls, at: now)
        #expect(!admits(afterMilliseconds: 0))
        #expect(!admits(afterMilliseconds: 2_000))
        #expect(!admits(afterMilliseconds: -10_000))
        #expect(!admits(afterMilliseconds: -9_000))
        #expect(admits(afterMilliseconds: -8_900))
        #expect(budget.isWithinBudget("uid:2", in: .calls, at: now))
        #expect(budget.isWithinBudget("uid:1", in: .notifications, at: now))
    }

    /// Delegates can ask for anybody.
    @Test("is kept of those only who have calls open or owe something")
    func bounded() {
        let budget = PeerBudget(callLimit: 1, refusalMilliseconds: 10)
        let instant = now
        for number in 0..<3_000 {
            let user = "person:\(number),via:user:console"
            #expect(budget.beginCall(of: user, in: .calls))
            let instant = instant.advanced(byMilliseconds: Int64(number))
            if number.isMultiple(of: 2) { budget.charge(10_000, to: user, in: .calls, at: instant) }
            budget.endCall(of: user, in: .calls)
        }
        #expect(budget.known <= 1_025)
        let last = instant.advanced(byMilliseconds: 3_000)
        budget.charge(40_000_000, to: "uid:1", in: .calls, at: last)
        #expect(!budget.isWithinBudget("uid:1", in: .calls, at: last))
    }
}
