internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Histories of the App Store in a box", .timeLimit(.minutes(5)))
struct HistoryCallTests {
    /// The ids of a history page by page, from a revision on.
    private func ids(
        _ bench: BoxBench, _ target: String, from revision: String? = nil
    ) throws -> (ids: [String], pages: Int, revision: String) {
        var (ids, pages, revision) = ([String](), 0, revision)
        while true {
            let mark = target.contains("?") ? "&" : "?"
            let page = try bench.json(
                "GET", target + (revision.map { mark + "revision=" + $0 } ?? ""))
            ids += try bench.payloads(page["signedTransactions"]).compactMap {
                $0["transactionId"]?.string
            }
            pages += 1
            revision = page["revision"]?.string
            guard page["hasMore"]?.bool == true else { break }
        }
        return (ids, pages, try #require(revision))
    }

    @Test("a year of renewals is three pages of two, and the last revision brings only news")
    func paging() throws {
        let bench = try BoxBench()
        for number in 1...25 { try bench.box.say("alice buys coins as C\(number) token") }
        try bench.box.say("alice buys gold as G token")
        bench.box.advance(to: bench.days(360))
        let own = bench.box.transactionIDs(of: "G")
        #expect(own.count == 12)
        let target = "/production/inApps/v2/history/\(own[0])"
        let all = try ids(bench, target)
        #expect(all.ids.count == 37 && all.pages == 2)
        #expect(try ids(bench, target, from: all.revision).ids == [])
        try bench.box.say("C3 is refunded")
        bench.box.advance(to: bench.days(370))
        let news = try ids(bench, target, from: all.revision)
        let newest = bench.box.transactionIDs(of: "G").last
        #expect(news.ids == [bench.box.transactionIDs(of: "C3")[0], newest])
    }

    @Test("what changes between two pages comes at the end, and nothing is lost")
    func modificationInBetween() throws {
        let bench = try BoxBench()
        for number in 1...45 { try bench.box.say("alice buys coins as C\(number)") }
        let id = { (number: Int) in bench.box.transactionIDs(of: "C\(number)")[0] }
        let target = "/production/inApps/v2/history/\(id(1))"
        let first = try bench.json("GET", target)
        try bench.box.say("C2 is refunded")
        try bench.box.say("C30 is refunded")
        let rest = try ids(bench, target, from: first["revision"]?.string)
        #expect(rest.ids.count == 26)
        #expect(rest.ids.suffix(2) == [id(2), id(30)])
        #expect(rest.ids.filter { $0 == id(30) }.count == 1)
        let descending = try ids(bench, target + "?sort=DESCENDING")
        #expect(descending.ids.count == 45)
        #expect(descending.ids.first == id(30))
    }

    @Test(
        "filters",
        arguments: [
            ("productType=CONSUMABLE", 2), ("productType=CONSUMABLE&productType=NON_CONSUMABLE", 3),
            ("productId=com.example.reader.gold.monthly", 2), ("revoked=True", 1),
            ("revoked=false", 4), ("inAppOwnershipType=FAMILY_SHARED", 0),
            ("subscriptionGroupIdentifier=20000001", 2), ("startDate=1767225600001", 2),
            ("endDate=1767225600001", 3), ("excludeRevoked=true", 4),
        ])
    func filters(query: String, count: Int) throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("alice buys coins as C")
        try bench.box.say("alice buys forever as F")
        bench.box.advance(to: bench.days(2))
        try bench.box.say("alice buys coins as D")
        try bench.box.say("D is refunded")
        bench.box.advance(to: bench.days(32))
        let id = bench.box.transactionIDs(of: "G")[0]
        let target = "/production/inApps/v2/history/\(id)?" + query
        #expect(try ids(bench, target).ids.count == count)
    }

    @Test("version 1 leaves out consumables that are finished")
    func versionOne() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys coins as C")
        try bench.box.say("alice buys coins as D")
        let id = bench.box.transactionIDs(of: "C")[0]
        let finished = try bench.send("POST", "/production/inApps/v1/transactions/\(id)/finish")
        #expect(finished.status == 200 && finished.body.isEmpty)
        #expect(try ids(bench, "/production/inApps/v1/history/\(id)").ids.count == 1)
        #expect(try ids(bench, "/production/inApps/v2/history/\(id)").ids.count == 2)
    }

    @Test("refunds in their order, without what a family lost")
    func refunds() throws {
        let bench = try BoxBench()
        for number in 1...23 {
            try bench.box.say("alice buys coins as C\(number)")
            try bench.box.say("C\(number) is refunded percent 50")
        }
        try bench.box.say("alice buys gold as G")
        try bench.box.say("G is shared with bob as GB")
        try bench.box.say("G is refunded")
        try bench.box.say("C1 refund is reversed")
        let id = bench.box.transactionIDs(of: "G")[0]
        let all = try ids(bench, "/production/inApps/v2/refund/lookup/\(id)")
        #expect(all.ids.count == 23 && all.pages == 2 && all.ids.last == id)
        let member = bench.box.transactionIDs(of: "GB")[0]
        #expect(try ids(bench, "/production/inApps/v2/refund/lookup/\(member)").ids == [])
        let lost = try bench.json("GET", "/production/inApps/v1/transactions/\(member)")
        let payload = try bench.payload(lost["signedTransactionInfo"]?.string)
        #expect(payload["revocationType"]?.string == "FAMILY_REVOKE")
    }

    @Test("any id of a customer finds the same customer, and no other customer's")
    func anyID() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G on A1")
        try bench.box.say("bob buys coins as C on A1")
        try bench.box.say("alice buys gold as G2 on A2")
        let id = bench.box.transactionIDs(of: "C")[0]
        let info = try bench.json("GET", "/production/inApps/v1/transactions/\(id)")
        let payload = try bench.payload(info["signedTransactionInfo"]?.string)
        let customer = try #require(payload["appTransactionId"]?.string)
        for any in [id, customer, bench.box.transactionIDs(of: "G")[0]] {
            #expect(try ids(bench, "/production/inApps/v2/history/\(any)").ids.count == 2)
        }
        let app = try bench.json(
            "GET", "/production/inApps/v1/transactions/appTransactions/\(customer)")
        let said = try bench.payload(app["signedAppTransactionInfo"]?.string)
        #expect(said["appTransactionId"]?.string == customer)
    }
}
