internal import EntitlementEngine
internal import EntitlementModel
internal import MemoryLedger
internal import StoreBox
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// Threats G14: a service whose clock was set says so, and gives nobody back what has ended.
@Suite("A service whose clock is set", .timeLimit(.minutes(20)))
struct ClockTests {
    /// Signed a day after the newest entry of the ledger.
    private func purchaseOfTheFuture(_ shop: ServedShop) throws -> String {
        let transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "archive", kind: .nonConsumable,
            transactionID: "99", purchaseDate: try #require(Instant(rfc3339: "2026-03-02")),
            expiresDate: nil)
        return String(decoding: shop.store.sign(transaction.payload), as: UTF8.self)
    }

    @Test(
        "says on its status page how it stands with the time",
        arguments: [
            ("2026-03-01T00:04:00Z", []), ("2026-02-28T23:56:00Z", []),
            ("2026-03-01T00:06:00Z", ["clock-stepped"]),
            ("2026-02-28T23:54:00Z", ["clock-behind", "clock-stepped"]),
            ("2025-03-01", ["clock-behind", "clock-stepped"]),
        ])
    func status(shown: String, words: [String]) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            shop.clock.instant.set(try #require(Instant(rfc3339: shown)))
            let answer = try shop.exchange(shop.operationsSocket, .get("/status"))
            let told = try parseJSON(answer.body)["degraded"]?.elements?.compactMap(\.string)
            #expect(told?.filter { $0.hasPrefix("clock") } == words)
        }
    }

    @Test("says that changes were told up to an instant that its clock has not reached")
    func feedAhead() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func lead() throws -> (words: [String]?, milliseconds: Int64?, metric: String?) {
                let page = try parseJSON(
                    try shop.exchange(shop.operationsSocket, .get("/status")).body)
                let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
                return (
                    page["degraded"]?.elements?.compactMap(\.string).filter {
                        $0 == "feed-ahead"
                    }, page["feed"]?["ahead_milliseconds"]?.int64,
                    metrics.split(separator: "\n").last {
                        $0.hasPrefix("usher_feed_ahead_milliseconds ")
                    }.map(String.init)
                )
            }
            _ = try shop.caughtUp()
            let calm = try lead()
            #expect(calm.words == [] && calm.milliseconds == 0)
            #expect(calm.metric == "usher_feed_ahead_milliseconds 0")
            // A jump ahead has told that her right has ended; then somebody corrects the clock.
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-04-02")))
            shop.engine.clockWasSet()
            let told = try #require(try shop.caughtUp()["changes"]?.elements)
            let last = try #require(told.last?["at"]?.string.flatMap { Instant(rfc3339: $0) })
            let corrected = try #require(Instant(rfc3339: "2026-03-01T00:01:00Z"))
            shop.clock.instant.set(corrected)
            let ahead = try lead()
            #expect(last > corrected.advanced(byMilliseconds: 300_000))
            #expect(ahead.words == ["feed-ahead"])
            #expect(ahead.milliseconds == last.milliseconds(since: corrected))
            #expect(ahead.metric == "usher_feed_ahead_milliseconds \(ahead.milliseconds ?? -1)")
            shop.clock.instant.set(last)
            #expect(try lead().words == [])
        }
    }

    @Test("asks for evidence again where only its clock says that it is of the future")
    func future() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let purchase = try purchaseOfTheFuture(shop)
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            func code() throws -> String? {
                let body: JSONValue = ["account": "bob", "payload": .string(purchase)]
                let answer = try client.post("/v1/evidence", json: body.serialized())
                return try parseJSON(answer.body)["code"]?.string
            }
            #expect(try code() == "chain.time")
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-02-01")))
            #expect(try code() == "service.clock")
            #expect(try client.post("/v1/notifications", json: Array(purchase.utf8)).status == 503)
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-03-02")))
            #expect(try code() == nil)
        }
    }

    @Test("of a fleet's leader, lets another node lead once it has to ask for evidence again")
    func resignation() async throws {
        let ledger = FollowedLedger(MemoryLedger(), leads: true)
        try await ServedShop(keptIn: ledger).serving { (shop: ServedShop) throws in
            let purchase = try purchaseOfTheFuture(shop)
            func status() throws -> Int {
                try shop.exchange(shop.operationsSocket, .post("/v1/notifications", purchase))
                    .status
            }
            func resignations() throws -> String? {
                try shop.exchange(shop.operationsSocket, .get("/metrics")).text
                    .split(separator: "\n").map(String.init)
                    .last { $0.hasPrefix("usher_fleet_resignations_total ") }
            }
            // A clock that is behind turns nothing away by itself, and one that is not is believed.
            #expect(try status() == 422)
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-02-01")))
            #expect(try resignations() == "usher_fleet_resignations_total 0")
            #expect(try status() == 503)
            #expect(try resignations() == "usher_fleet_resignations_total 1")
        }
    }

    @Test("answers on query.sock as of no earlier than the ledger, whatever the clock shows")
    func answers() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let client = LocalClient(socketPath: shop.querySocket, secondsToWait: 600)
            func mayUse() throws -> Bool? {
                let answer = try client.get("/v1/accounts/alice/entitlements/premium")
                return try parseJSON(answer.body)["decision"]?.bool
            }
            #expect(try mayUse() == true)
            // Before she bought it: as of the ledger she has it still.
            shop.clock.instant.set(try #require(Instant(rfc3339: "2025-03-01")))
            #expect(try mayUse() == true)
            shop.clock.instant.set(try #require(Instant(rfc3339: "2026-04-01")))
            #expect(try mayUse() == false)
        }
    }
}
