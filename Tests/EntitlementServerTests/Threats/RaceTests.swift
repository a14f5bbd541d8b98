internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// Rows E of THREATS.md that callers can bring about: the same thing at once, from everywhere.
@Suite("Races on the sockets", .timeLimit(.minutes(20)))
struct RaceTests {
    private static let callers = 32

    private static func submission(
        _ shop: ServedShop, coins id: Int, for account: String = "bob"
    ) throws -> WireRequest {
        let purchase = try shop.purchase("coins", .consumable, id: "\(id)")
        let body: JSONValue = ["account": .string(account), "payload": .string(purchase)]
        return .post("/v1/evidence", body.text)
    }

    @Test("E1: one purchase on many connections is one, and all hear the same")
    func sameEvidence() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            var entries: Set<Int64> = []
            for round in 0..<10 {
                let before = shop.engine.revision.number
                let count = round == 0 ? 1 : Self.callers
                let request = try Self.submission(shop, coins: 100 + round)
                let answers = try shop.atOnce(Array(repeating: request, count: count))
                // Only why differs: the owner's own claim changes nothing.
                let words = answers.map { answer in
                    answer.text.replacing(
                        "the owner's own claim changes nothing",
                        with: "the first accepted claim owns it")
                }
                #expect(Set(words).count == 1)
                #expect(answers.allSatisfy { $0.status == 200 })
                if round > 0 { entries.insert(shop.engine.revision.number - before) }
            }
            // Each round leaves what one submission leaves.
            #expect(entries.count == 1)
            let coins = try shop.exchange(shop.querySocket, .get("/v1/accounts/bob/credits"))
            #expect(try parseJSON(coins.body)["balances"]?.elements?.first?["balance"] == 1_000)
        }
    }

    @Test("E2: a purchase that its buyer and Apple hand in at once is delivered once")
    func evidenceAndNotification() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for round in 0..<20 {
                let purchase = try shop.purchase("coins", .consumable, id: "\(200 + round)")
                let notification = WireRequest.post(
                    "/v1/notifications", try shop.notification(of: purchase), contentType: nil)
                let submission = try Self.submission(shop, coins: 200 + round)
                let answers = try shop.atOnce(
                    Array(repeating: [submission, notification], count: 4).flatMap { $0 })
                #expect(answers.allSatisfy { $0.status == 200 })
                let coins = try shop.exchange(shop.querySocket, .get("/v1/accounts/bob/credits"))
                let balance = try parseJSON(coins.body)["balances"]?.elements?.first?["balance"]
                #expect(balance?.int64 == Int64(round + 1) * 100)
            }
        }
    }

    @Test("E4, E5: one Idempotency-Key at once is one admin action, and another body is a conflict")
    func sameKey() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for round in 0..<10 {
                var grant = WireRequest.post(
                    "/v1/grants", #"{"account":"bob","credit":"coins","units":5,"reason":"a"}"#)
                grant.fields = ["Idempotency-Key: promotion-\(round)"]
                var other = grant
                other.body = #"{"account":"carol","credit":"coins","units":5,"reason":"a"}"#
                _ = try shop.exchange(shop.operationsSocket, grant)
                let answers = try shop.atOnce(
                    Array(repeating: [grant, other], count: Self.callers / 2).flatMap { $0 })
                let (own, others) = (answers.filter { $0.status == 200 }, answers.count)
                #expect(own.count == others / 2 && Set(own.map(\.text)).count == 1)
                #expect(answers.count { $0.status == 409 } == others / 2)
                // A conflict tells nothing of what the key stands for.
                #expect(!answers.contains { $0.status == 409 && $0.text.contains("bob") })
            }
            let coins = try shop.exchange(shop.querySocket, .get("/v1/accounts/bob/credits"))
            #expect(try parseJSON(coins.body)["balances"]?.elements?.first?["balance"] == 50)
            #expect(
                try shop.exchange(shop.querySocket, .get("/v1/accounts/carol/credits"))
                    .text.contains("\"balances\":[]"))
        }
    }

    @Test(
        "E5: the first admin actions under one Idempotency-Key, all at once, are one admin action")
    func firstAdminActions() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for round in 0..<10 {
                let before = shop.engine.revision.number
                var grant = WireRequest.post(
                    "/v1/grants", #"{"account":"bob","credit":"coins","units":5,"reason":"a"}"#)
                grant.fields = ["Idempotency-Key: promotion-\(round)"]
                let answers = try shop.atOnce(Array(repeating: grant, count: Self.callers))
                #expect(answers.map(\.status) == Array(repeating: 200, count: Self.callers))
                #expect(Set(answers.map(\.text)).count == 1)
                #expect(shop.engine.revision.number == before + 1)
            }
            let coins = try shop.exchange(shop.querySocket, .get("/v1/accounts/bob/credits"))
            #expect(try parseJSON(coins.body)["balances"]?.elements?.first?["balance"] == 50)
        }
    }

    @Test("E10: whoever has seen an admin action never reads what was before it, on either socket")
    func readYourWrites() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let reason = #""reason":"a test""#
            for round in 0..<50 {
                var grant = WireRequest.post(
                    "/v1/grants", #"{"account":"bob","entitlement":"archive",\#(reason)}"#)
                grant.fields = ["Idempotency-Key: round-\(round)"]
                let revoke = WireRequest.delete("/v1/grants/round-\(round)", "{\(reason)}")
                for (action, decision) in [(grant, true), (revoke, false)] {
                    let done = try shop.exchange(shop.operationsSocket, action)
                    #expect(done.status == 200)
                    let seen = shop.engine.revision.number
                    let question = WireRequest.get(
                        "/v1/accounts/bob/entitlements/archive?min_revision=\(seen)")
                    for socket in shop.sockets {
                        let answer = try parseJSON(shop.exchange(socket, question).body)
                        #expect(answer["decision"]?.bool == decision)
                        #expect((answer["revision"]?.int64 ?? 0) >= seen)
                    }
                }
            }
        }
    }
}

extension ServedShop {
    /// Writes each request to a connection of its own before any answer is read.
    func atOnce(_ requests: [WireRequest]) throws -> [LocalClient.Response] {
        let connections = try requests.map { _ in
            try LocalConnection(path: operationsSocket, secondsToWait: 600)
        }
        for (connection, request) in zip(connections, requests) {
            try connection.write(request.bytes)
        }
        return try connections.map { connection in
            defer { connection.close() }
            return try ResponseReader.read(connection.readToEnd(), hasBody: true)
        }
    }
}
