internal import EntitlementModel
internal import Testing

@testable internal import EntitlementServer

private let question = WireRequest.get("/v1/accounts/alice/entitlements")
private let badEvidence = WireRequest.post("/v1/evidence", #"{"payload":"a.b.c"}"#)

@Suite("Overload")
struct OverloadTests {
    /// Whoever watches the service hears of it, by a connection of its own.
    @Test("sheds questions beyond the connection limit, and never health")
    func connections() async throws {
        try await ServedShop().serving {
            $0.connectionLimit = 1
            $0.reservedConnections = 2
        } _: { (shop: ServedShop) throws in
            for socket in shop.sockets {
                let first = try LocalConnection(path: socket, secondsToWait: 30)
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
                    try LocalConnection(path: socket, secondsToWait: 30)
                }
                defer { for connection in silent { connection.close() } }
                for path in ["/livez", "/readyz", "/livez"] {
                    #expect(try shop.exchange(socket, .get(path)).status == 200)
                }
                // Whoever had to go was told.
                let told = String(decoding: try silent[2].readToEnd(), as: UTF8.self)
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
                let connection = try LocalConnection(path: socket, secondsToWait: 30)
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
                let first = try LocalConnection(path: socket, secondsToWait: 30)
                try first.write(Array("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                _ = try first.readSome()
                #expect(try shop.exchange(socket, .get("/livez")).status == 503)
                first.close()
                while try shop.exchange(socket, .get("/livez")).status == 503 {}
            }
            var metrics = ""
            while !metrics.contains("usher_turned_away_total{") {
                metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
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

    @Test("ends for a user whose evidence was refused too often, once time has passed")
    func badEvidenceFlood() async throws {
        try await ServedShop().serving {
            $0.refusalsPerSecond = 3
        } _: { (shop: ServedShop) throws in
            for _ in 0..<3 {
                #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
            }
            let answer = try shop.wireAnswer(shop.operationsSocket, badEvidence)
            #expect(answer.response.status == 429)
            #expect(answer.has("Retry-After: 1"))
            // Questions cost nothing that was used up.
            #expect(try shop.exchange(shop.operationsSocket, question).status == 200)
            shop.clock.instant.set(shop.clock.now().advanced(byMilliseconds: 1_000))
            #expect(try shop.exchange(shop.operationsSocket, badEvidence).status == 422)
        }
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

@Suite("What one user may cost")
struct PeerBudgetTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    @Test("is counted for each user alone")
    func calls() {
        let budget = PeerBudget(callLimit: 2, refusalsPerSecond: 10)
        #expect(budget.beginCall(of: 1))
        #expect(budget.beginCall(of: 1))
        #expect(!budget.beginCall(of: 1))
        #expect(budget.beginCall(of: 2))
        budget.endCall(of: 1)
        #expect(budget.beginCall(of: 1))
    }

    @Test("is paid back at the rate allowed, and not by a clock that is set back")
    func refusals() {
        let budget = PeerBudget(callLimit: 1, refusalsPerSecond: 10)
        func admits(afterMilliseconds milliseconds: Int64) -> Bool {
            budget.admitsEvidence(of: 1, at: now.advanced(byMilliseconds: milliseconds))
        }
        #expect(admits(afterMilliseconds: 0))
        budget.countRefusals(40, of: 1, at: now)
        #expect(!admits(afterMilliseconds: 0))
        #expect(!admits(afterMilliseconds: 2_000))
        #expect(!admits(afterMilliseconds: -10_000))
        #expect(!admits(afterMilliseconds: -9_000))
        #expect(admits(afterMilliseconds: -8_900))
        #expect(budget.admitsEvidence(of: 2, at: now))
    }
}
