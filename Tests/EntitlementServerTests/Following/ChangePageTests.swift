internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("Changes, served in pages", .timeLimit(.minutes(20)))
struct ChangePageTests {
    @Test("are told in pages, by filters, and a page waits for what has not happened yet")
    func pages() async throws {
        let shop = try await ServedShop()
        let payload = Array(try shop.purchase("archive", .nonConsumable, id: "7").utf8)
        try await shop.serving { (shop: ServedShop) throws in
            let all = try shop.caughtUp()
            let numbers = all["changes"]?.elements?.compactMap { $0["number"]?.int64 } ?? []
            #expect(numbers == Array(1...Int64(numbers.count)) && numbers.count > 5)
            let next = try #require(all["next"]?.string)
            var paged: [JSONValue] = []
            var place = "0"
            while paged.count < numbers.count {
                let page = try shop.changes("after=\(place)&limit=2")
                #expect(page["at_head"]?.bool == (page["next"]?.string == next))
                paged += page["changes"]?.elements ?? []
                place = try #require(page["next"]?.string)
            }
            #expect(paged == all["changes"]?.elements)
            #expect(place == next)
            let of = try shop.changes("account=alice&kind=right-gained&entitlement=premium")
            #expect(of["changes"]?.elements?.count == 1)
            #expect(try shop.changes("account=nobody")["changes"]?.elements?.count == 0)
            // It happens while somebody waits, or before: the answer is the same.
            Task {
                _ = try await shop.engine.submit([
                    EvidenceSubmission(payload: payload, account: AccountID("zoe"))
                ])
            }
            let told = try shop.changes("after=\(next)&wait=60s&kind=right-gained")
            let change = try #require(told["changes"]?.elements?.first)
            #expect(change["account"]?.string == "zoe")
            #expect(change["entitlement"]?.string == "archive")
            #expect(change["after"]?["decision"]?.bool == true)
            #expect(change["before"]?["decision"]?.bool == false)
            let waited = try shop.changes("after=\(try #require(told["next"]?.string))&wait=0s")
            #expect(waited["changes"]?.elements?.count == 0)
        }
    }

    @Test(
        "refuse what they do not know, and change nothing",
        arguments: [
            ("after=moon", 400, "input.value"), ("after=-1", 400, "input.value"),
            ("after=", 400, "input.value"), ("after=1000000", 409, "feed.future"),
            ("after=0000000000000000:0", 409, "feed.other-ledger"),
            ("after=0000000000000000:99999999", 409, "feed.other-ledger"),
            ("kind=moon", 400, "input.value"), ("entitlement=moon", 404, "entitlement.unknown"),
            ("entitlement=premium&kind=balance-changed", 400, "input.value"),
            ("account=", 400, "input.id"), ("account=a%20b", 400, "input.id"),
            ("limit=0", 400, "input.number"), ("limit=1001", 400, "input.number"),
            ("wait=61s", 400, "input.number"), ("wait=-1s", 400, "input.number"),
            ("wait=1m", 400, "input.number"), ("wait=s", 400, "input.number"),
            ("after=0&after=0", 400, "input.duplicate-parameter"),
            ("moon=1", 400, "input.unknown-parameter"),
        ])
    func refused(query: String, status: Int, code: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for fields in [[], ["Accept: text/event-stream"]] as [[String]] {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/changes?" + query, fields: fields))
                #expect(answer.status == status, "\(answer.text)")
                #expect(try parseJSON(Array(answer.body))["code"]?.string == code)
            }
        }
    }

    @Test("are on the operator's page and in the metrics")
    func watched() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let head = try #require(try shop.caughtUp()["head"]?.int64)
            let status = try parseJSON(
                Array(try shop.exchange(shop.operationsSocket, .get("/status")).body))
            #expect(status["feed"]?["head"]?.int64 == head)
            #expect(status["feed"]?["caught_up"]?.bool == true)
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics")).text
            #expect(metrics.contains("\nusher_feed_changes_total \(head)\n"))
            #expect(metrics.contains("\nusher_feed_lag_milliseconds 0\n"))
            #expect(metrics.contains("\nusher_feed_followers 0\n"))
        }
    }
}

extension ServedShop {
    func changes(_ query: String) throws -> JSONValue {
        let answer = try exchange(operationsSocket, .get("/v1/changes?" + query))
        #expect(answer.status == 200, "\(answer.text)")
        return try parseJSON(Array(answer.body))
    }

    /// All changes, once everything that has happened is told.
    func caughtUp() throws -> JSONValue {
        var page = JSONValue.null
        try waitUntil("the feed has caught up") {
            page = try changes("limit=1000")
            return page["caught_up"]?.bool == true
        }
        return page
    }
}
