internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Statuses and the virtual clock of the App Store in a box", .timeLimit(.minutes(5)))
struct StatusAndClockTests {
    private func status(_ bench: BoxBench, _ name: String = "G") throws -> (Int64, JSONValue) {
        let ids = bench.box.transactionIDs(of: name)
        let target = "/production/inApps/v1/subscriptions/\(ids[0])"
        let data = try bench.json("GET", target)["data"]?.elements?.first
        let items = try #require(data?["lastTransactions"]?.elements)
        let item = try #require(items.first { $0["originalTransactionId"]?.string == ids[0] })
        let transaction = try bench.payload(item["signedTransactionInfo"]?.string)
        #expect(transaction["transactionId"]?.string == ids.last)
        return (
            try #require(item["status"]?.int64),
            try bench.payload(item["signedRenewalInfo"]?.string)
        )
    }

    @Test("a year renews twelve times at the right days")
    func aYear() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        bench.box.advance(to: Instant.day(2027, 1, 1))
        #expect(bench.box.transactionIDs(of: "G").count == 13)
        #expect(
            try bench.told() == ["SUBSCRIBED/INITIAL_BUY"]
                + [String](repeating: "DID_RENEW", count: 12))
        let (state, renewal) = try status(bench)
        #expect(state == 1)
        #expect(renewal["renewalDate"]?.int64 == Instant.day(2027, 2, 1).milliseconds)
    }

    @Test("a card that fails: grace, retry, the end after sixty days")
    func failure() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("G loses its card")
        bench.box.advance(to: bench.days(32))
        #expect(try status(bench).0 == 4)
        #expect(
            try status(bench).1["gracePeriodExpiresDate"]?.int64
                == bench.days(47).milliseconds)
        bench.box.advance(to: bench.days(48))
        #expect(try status(bench).0 == 3)
        bench.box.advance(to: bench.days(92))
        #expect(try status(bench).0 == 2)
        #expect(
            try bench.told() == [
                "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY",
            ])
    }

    @Test("a new card: in grace the cycle goes on, after it a new one begins")
    func recovery() throws {
        for (day, start) in [(40.0, 31.0), (50.0, 50.0)] {
            let bench = try BoxBench()
            try bench.box.say("alice buys gold as G")
            try bench.box.say("G loses its card")
            bench.box.advance(to: bench.days(day))
            try bench.box.say("G gets a card")
            let signed = try #require(bench.box.signedPurchase("G"))
            let payload = try bench.payload(signed.transaction)
            #expect(payload["purchaseDate"]?.int64 == bench.days(start).milliseconds)
            #expect(try bench.told().last == "DID_RENEW/BILLING_RECOVERY")
            #expect(try status(bench).0 == 1)
        }
    }

    @Test("cancelled, too dear, downgraded, refunded")
    func otherEnds() throws {
        let bench = try BoxBench()
        for name in ["A", "B", "C", "D"] { try bench.box.say("\(name) buys gold as \(name)") }
        try bench.box.say("A cancels")
        try bench.box.say("B price rises")
        try bench.box.say("C downgrades to silver")
        try bench.box.say("D is refunded")
        bench.box.advance(to: bench.days(70))
        #expect(try status(bench, "A").0 == 2)
        #expect(try status(bench, "B").1["expirationIntent"]?.int64 == 3)
        let signed = try #require(bench.box.signedPurchase("C"))
        let payload = try bench.payload(signed.transaction)
        #expect(payload["productId"]?.string == "com.example.reader.silver.monthly")
        #expect(payload["transactionReason"]?.string == "RENEWAL")
        #expect(try status(bench, "D").0 == 5)
        #expect(bench.box.transactionIDs(of: "D").count == 1)
        let told = try bench.told()
        #expect(told.contains("EXPIRED/VOLUNTARY") && told.contains("EXPIRED/PRICE_INCREASE"))
    }

    @Test("a family follows the purchaser until the refund")
    func family() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("G is shared with bob as GB")
        bench.box.advance(to: bench.days(62))
        #expect(bench.box.transactionIDs(of: "GB").count == 3)
        try bench.box.say("G is refunded")
        #expect(try status(bench, "GB").0 == 5)
        #expect(try bench.told().suffix(2) == ["REFUND", "REVOKE"])
        let id = bench.box.transactionIDs(of: "GB")[0]
        let token: JSONValue = ["appAccountToken": "6f9619ff-8b86-4011-b42d-00cf4fc964ff"]
        let target = "/production/inApps/v1/transactions/\(id)/appAccountToken"
        #expect(try bench.code("PUT", target, token) == 4_000_185)
    }

    @Test("twelve months of a commitment: a cancellation counts at the end only")
    func commitment() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G commitment")
        bench.box.advance(to: bench.days(40))
        try bench.box.say("G cancels")
        let (state, renewal) = try status(bench)
        #expect(state == 1 && renewal["autoRenewStatus"]?.int64 == 1)
        #expect(renewal["commitmentInfo"]?["commitmentAutoRenewStatus"]?.int64 == 0)
        bench.box.advance(to: bench.days(400))
        #expect(bench.box.transactionIDs(of: "G").count == 12)
        let signed = try #require(bench.box.signedPurchase("G"))
        let payload = try bench.payload(signed.transaction)
        #expect(payload["billingPlanType"]?.string == "MONTHLY")
        #expect(payload["commitmentInfo"]?["billingPeriodNumber"]?.int64 == 12)
        #expect(
            payload["commitmentInfo"]?["commitmentExpiresDate"]?.int64
                == payload["expiresDate"]?.int64)
        #expect(try bench.told().last == "EXPIRED/VOLUNTARY")
    }

    @Test("a commitment to a yearly product is charged a month at a time")
    func yearlyCommitment() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold-yearly as Y token commitment in CHN")
        bench.box.advance(to: bench.days(70))
        #expect(bench.box.transactionIDs(of: "Y").count == 3)
        let signed = try #require(bench.box.signedPurchase("Y"))
        let payload = try bench.payload(signed.transaction)
        #expect(payload["storefrontId"]?.string == "143465")
        #expect(payload["price"]?.int64 == 8_332)
        let renewal = try bench.payload(signed.renewal)
        #expect(renewal["appAccountToken"] == payload["appAccountToken"])
        #expect(renewal["recentSubscriptionStartDate"]?.int64 == bench.days(0).milliseconds)
    }

    @Test("seats are added to the running period and taken back one transaction at a time")
    func seats() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as T seats 10")
        bench.box.advance(to: bench.days(5))
        try bench.box.say("T adds seats 5")
        let ids = bench.box.transactionIDs(of: "T")
        #expect(ids.count == 2)
        let read = { (id: String) in
            let info = try bench.json("GET", "/production/inApps/v1/transactions/\(id)")
            return try bench.payload(info["signedTransactionInfo"]?.string)
        }
        let addition = try #require(ids.first { $0 != bench.box.transactionIDs(of: "T").last })
        #expect(try read(addition)["additionalTransactionReason"]?.string == "SEAT_ADDITION")
        #expect(try read(addition)["quantity"]?.int64 == 5)
        try bench.box.say("T loses seats 7")
        #expect(try read(addition)["revocationDate"] != nil)
        let first = try read(try #require(ids.first { $0 != addition }))
        #expect(first["multiSeatInfo"]?["revokedSeatQuantity"]?.int64 == 2)
        // Which one was there first, the reason does not tell.
        #expect(first["additionalTransactionReason"]?.string == "SEAT_ADDITION")
        #expect(first["revocationDate"] == nil)
        #expect(throws: PlayMistake.self) { try bench.box.say("T loses seats 9") }
        bench.box.advance(to: bench.days(32))
        let signed = try #require(bench.box.signedPurchase("T"))
        #expect(try bench.payload(signed.transaction)["quantity"]?.int64 == 8)
    }

    @Test("a free trial, an old app's null token, and Ask to Buy")
    func odds() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G offer 1 free 1w token null")
        let signed = try #require(bench.box.signedPurchase("G"))
        let payload = try bench.payload(signed.transaction)
        #expect(payload["offerDiscountType"]?.string == "FREE_TRIAL")
        #expect(payload["offerPeriod"]?.string == "P1W")
        #expect(payload["price"]?.int64 == 0)
        #expect(payload["appAccountToken"]?.isNull == true)
        #expect(payload["expiresDate"]?.int64 == bench.days(7).milliseconds)
        try bench.box.say("emil asks to buy forever as F")
        #expect(bench.box.transactionIDs(of: "F").isEmpty)
        try bench.box.say("F is approved @3")
        bench.box.advance(to: bench.days(8))
        #expect(bench.box.transactionIDs(of: "F").count == 1)
        #expect(bench.box.transactionIDs(of: "G").count == 2)
    }

    @Test("ten thousand customers: each has a history of its own, and nothing is signed unread")
    func manyCustomers() throws {
        let bench = try BoxBench()
        for number in 0..<10_000 { try bench.box.say("c\(number) buys gold as G\(number)") }
        bench.box.advance(to: bench.days(45))
        for number in [0, 5_000, 9_999] {
            let ids = bench.box.transactionIDs(of: "G\(number)")
            let page = try bench.json("GET", "/production/inApps/v2/history/\(ids[0])")
            let found = try bench.payloads(page["signedTransactions"])
            #expect(found.map { $0["transactionId"]?.string } == ids && ids.count == 2)
        }
    }

    @Test("two boxes that hear the same answer the same, signatures apart")
    func deterministic() throws {
        func run() throws -> [JSONValue] {
            let bench = try BoxBench(seed: 11)
            try bench.box.say("alice buys gold as G token")
            bench.box.advance(to: bench.days(45))
            let id = bench.box.transactionIDs(of: "G")[0]
            let now = bench.box.now.milliseconds
            let range: JSONValue = [
                "startDate": .integer(now - 80 * 86_400_000), "endDate": .integer(now),
            ]
            return try [
                bench.json("GET", "/production/inApps/v2/history/\(id)"),
                bench.json("GET", "/production/inApps/v1/subscriptions/\(id)"),
                bench.json("POST", "/production/inApps/v1/notifications/history", range),
            ].map(bench.unsigned)
        }
        #expect(try run() == run())
    }
}
