internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("Other calls of the App Store Server API in a box", .timeLimit(.minutes(5)))
struct ServerCallTests {
    private let day: Int64 = 86_400_000

    @Test("a token that is wrong in any way is not let in")
    func tokens() throws {
        let bench = try BoxBench()
        let now = bench.box.now.milliseconds / 1_000
        let target = "/production/inApps/v1/transactions/1"
        let wrong: [(header: [String: JSONValue], claims: [String: JSONValue])] = [
            (["kid": "AAAAAAAAAA"], [:]), (["alg": "HS256"], [:]), ([:], ["iss": "other"]),
            ([:], ["aud": "appstoreconnect-v2"]), ([:], ["bid": "com.example.other"]),
            ([:], ["exp": .integer(now + 3_700)]), ([:], ["exp": .integer(now - 120)]),
            ([:], ["iat": .integer(now + 120)]), ([:], ["exp": nil]),
        ]
        for (header, claims) in wrong {
            let token = try bench.token(header: header, claims: claims)
            #expect(try bench.send("GET", target, token: token).status == 401)
        }
        let good = try bench.token()
        #expect(try bench.send("GET", target, token: good + "A").status == 401)
        #expect(try bench.send("GET", target, token: good).status == 404)
        let bare = AppStoreRequest(method: "GET", target: target)
        #expect(bench.box.answer(bare).status == 401)
        let old = try bench.token(claims: ["iat": nil])
        #expect(try bench.send("GET", target, token: old).status == 404)
        bench.box.advance(to: bench.days(1))
        #expect(try bench.send("GET", target, token: good).status == 401)
    }

    @Test("a sandbox id asked at production, and other ids that are not found")
    func notFound() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G", in: .sandbox)
        try bench.box.say("bob buys gold as B")
        let id = bench.box.transactionIDs(of: "G", in: .sandbox)[0]
        #expect(try bench.code("GET", "/production/inApps/v1/transactions/\(id)") == 4_040_010)
        #expect(try bench.code("GET", "/production/inApps/v2/history/\(id)") == 4_040_010)
        let found = try bench.json("GET", "/sandbox/inApps/v1/transactions/\(id)")
        let payload = try bench.payload(found["signedTransactionInfo"]?.string)
        #expect(payload["environment"]?.string == "Sandbox")
        #expect(try bench.code("GET", "/sandbox/inApps/v1/transactions/x") == 4_000_006)
        let own = bench.box.transactionIDs(of: "B")[0]
        try bench.box.say("Apple deletes bob")
        #expect(try bench.code("GET", "/production/inApps/v1/subscriptions/\(own)") == 4_040_001)
        #expect(try bench.send("GET", "/elsewhere/inApps/v1/transactions/1").status == 404)
        #expect(try bench.send("DELETE", "/sandbox/inApps/v1/transactions/\(id)").status == 404)
    }

    @Test(
        "bad parameters of the history have codes of their own",
        arguments: [
            ("sort=UP", 4_000_021), ("productType=COINS", 4_000_022), ("productId=", 4_000_023),
            ("subscriptionGroupIdentifier=", 4_000_024), ("inAppOwnershipType=MINE", 4_000_026),
            ("revoked=maybe", 4_000_030), ("startDate=x", 4_000_015), ("endDate=-1", 4_000_016),
            ("startDate=5&endDate=5", 4_000_013), ("revision=r5_00000000", 4_000_005),
            ("excludeRevoked=2", 4_000_025),
        ] as [(String, Int64)])
    func badFilters(query: String, code: Int64) throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        let id = bench.box.transactionIDs(of: "G")[0]
        let target = "/production/inApps/v2/history/\(id)?" + query
        #expect(try bench.code("GET", target) == code)
    }

    @Test("an account token is set for the running period and those to come")
    func accountToken() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        bench.box.advance(to: bench.days(32))
        let ids = bench.box.transactionIDs(of: "G")
        let target = "/production/inApps/v1/transactions/\(ids[0])/appAccountToken"
        let token: JSONValue = ["appAccountToken": "6F9619FF-8B86-4011-B42D-00CF4FC964FF"]
        #expect(try bench.send("PUT", target, token).status == 200)
        bench.box.advance(to: bench.days(62))
        let tokens = try bench.box.transactionIDs(of: "G").map { id in
            let info = try bench.json("GET", "/production/inApps/v1/transactions/\(id)")
            return try bench.payload(info["signedTransactionInfo"]?.string)["appAccountToken"]?
                .string
        }
        let set = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
        #expect(tokens == [nil, set, set])
        let other = "/production/inApps/v1/transactions/\(ids[1])/appAccountToken"
        #expect(try bench.code("PUT", other, token) == 4_000_187)
        #expect(try bench.code("PUT", target, ["appAccountToken": "alice"]) == 4_000_183)
    }

    @Test("a renewal date is extended twice a year")
    func extension_() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys gold as G")
        try bench.box.say("bob buys gold as B offer 1 free 1w")
        let id = bench.box.transactionIDs(of: "G")[0]
        let target = "/production/inApps/v1/subscriptions/extend/\(id)"
        let body: JSONValue = [
            "extendByDays": 10, "extendReasonCode": 1, "requestIdentifier": "r1",
        ]
        let answer = try bench.json("PUT", target, body)
        #expect(answer["effectiveDate"]?.int64 == bench.days(41).milliseconds)
        #expect(answer["success"]?.bool == true)
        _ = try bench.json("PUT", target, body)
        #expect(try bench.code("PUT", target, body) == 4_030_005)
        let trial = bench.box.transactionIDs(of: "B")[0]
        let other = "/production/inApps/v1/subscriptions/extend/\(trial)"
        #expect(try bench.code("PUT", other, body) == 4_030_004)
        #expect(
            try bench.code("PUT", "/production/inApps/v1/subscriptions/extend/77", body)
                == 4_040_005)
        for (name, value, code) in [
            ("extendByDays", 91, 4_000_009), ("extendReasonCode", 4, 4_000_010),
            ("requestIdentifier", 5, 4_000_011),
        ] as [(String, Int64, Int64)] {
            var bad = body
            bad[name] = .integer(value)
            #expect(try bench.code("PUT", target, bad) == code)
        }
        bench.box.advance(to: bench.days(50))
        #expect(bench.box.transactionIDs(of: "G").count == 1)
        bench.box.advance(to: bench.days(52))
        #expect(bench.box.transactionIDs(of: "G").count == 2)
    }

    @Test("all subscribers of a product are extended, and the summary counts them")
    func massExtension() throws {
        let bench = try BoxBench()
        for name in ["A", "B", "C"] { try bench.box.say("\(name) buys gold as \(name)") }
        try bench.box.say("D buys gold as D offer 1 free 1w")
        try bench.box.say("E buys gold as E in CHN")
        let target = "/production/inApps/v1/subscriptions/extend/mass"
        var body: JSONValue = [
            "extendByDays": 3, "extendReasonCode": 3, "requestIdentifier": "mass-1",
            "productId": "com.example.reader.gold.monthly", "storefrontCountryCodes": ["USA"],
        ]
        _ = try bench.json("POST", target, body)
        let status = target + "/com.example.reader.gold.monthly/mass-1"
        #expect(try bench.json("GET", status)["complete"]?.bool == false)
        bench.box.advance(to: bench.days(1))
        let done = try bench.json("GET", status)
        #expect(done["succeededCount"]?.int64 == 3 && done["failedCount"]?.int64 == 1)
        let told = try bench.told()
        #expect(told.filter { $0 == "RENEWAL_EXTENDED" }.count == 3)
        #expect(told.suffix(2) == ["RENEWAL_EXTENSION/FAILURE", "RENEWAL_EXTENSION/SUMMARY"])
        #expect(try bench.code("GET", target + "/gold/mass-1") == 4_040_009)
        body["storefrontCountryCodes"] = []
        #expect(try bench.code("POST", target, body) == 4_000_027)
        body["storefrontCountryCodes"] = ["usa"]
        #expect(try bench.code("POST", target, body) == 4_000_028)
        body["productId"] = "unknown"
        #expect(try bench.code("POST", target, body) == 4_000_023)
    }

    @Test("consumption information, in both versions")
    func consumption() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys coins as C")
        try bench.box.say("alice buys gold as G")
        let coins = bench.box.transactionIDs(of: "C")[0]
        let gold = bench.box.transactionIDs(of: "G")[0]
        let target = "/production/inApps/v2/transactions/consumption/"
        let body: JSONValue = [
            "customerConsented": true, "deliveryStatus": "DELIVERED",
            "sampleContentProvided": false, "refundPreference": "GRANT_PRORATED",
            "consumptionPercentage": 50_000,
        ]
        #expect(try bench.send("PUT", target + coins, body).status == 202)
        for (name, value, code) in [
            ("customerConsented", false, 4_000_035), ("deliveryStatus", "LOST", 4_000_036),
            ("sampleContentProvided", nil, 4_000_041),
            ("consumptionPercentage", nil, 4_000_000), ("refundPreference", "MAYBE", 4_000_000),
        ] as [(String, JSONValue, Int64)] {
            var bad = body
            bad[name] = value
            #expect(try bench.code("PUT", target + coins, bad) == code, "\(name)")
        }
        var whole = body
        whole["consumptionPercentage"] = nil
        #expect(try bench.send("PUT", target + gold, whole).status == 202)
        let old = "/production/inApps/v1/transactions/consumption/" + coins
        let fields: JSONValue = ["customerConsented": true, "platform": 1, "playTime": 7]
        #expect(try bench.send("PUT", old, fields).status == 202)
        var bad = fields
        bad["playTime"] = 8
        #expect(try bench.code("PUT", old, bad) == 4_000_040)
    }

    @Test("an order of the customer's mail, in production only")
    func orders() throws {
        let bench = try BoxBench()
        try bench.box.say("alice buys coins as C")
        let id = bench.box.transactionIDs(of: "C")[0]
        let order = bench.box.orderID(of: id)
        let found = try bench.json("GET", "/production/inApps/v1/lookup/\(order)")
        #expect(found["status"]?.int64 == 0)
        #expect(try bench.payloads(found["signedTransactions"]).count == 1)
        let unknown = try bench.json("GET", "/production/inApps/v1/lookup/MXXXX")
        #expect(unknown["status"]?.int64 == 1)
        #expect(try bench.send("GET", "/sandbox/inApps/v1/lookup/\(order)").status == 404)
    }

    @Test("the history of notifications: pages, filters and how far back it goes")
    func notificationHistory() throws {
        let bench = try BoxBench()
        for number in 1...30 { try bench.box.say("alice buys coins as C\(number)") }
        try bench.box.say("bob buys gold as G")
        bench.box.advance(to: bench.days(170))
        let target = "/production/inApps/v1/notifications/history"
        let now = bench.box.now.milliseconds
        let range: JSONValue = [
            "startDate": .integer(now - 180 * day), "endDate": .integer(now + 1),
        ]
        let first = try bench.json("POST", target, range)
        #expect(first["notificationHistory"]?.elements?.count == 20)
        let token = try #require(first["paginationToken"]?.string)
        let second = try bench.json("POST", target + "?paginationToken=" + token, range)
        #expect(second["notificationHistory"]?.elements?.count == 16)
        #expect(second["hasMore"]?.bool == false && second["paginationToken"] == nil)
        var body = range
        body["notificationType"] = "DID_RENEW"
        #expect(try bench.json("POST", target, body)["notificationHistory"]?.elements?.count == 5)
        #expect(
            try bench.code("POST", target + "?paginationToken=" + token, body) == 4_000_014)
        body["transactionId"] = .string(bench.box.transactionIDs(of: "G")[0])
        #expect(try bench.code("POST", target, body) == 4_000_019)
        body["notificationType"] = nil
        #expect(try bench.json("POST", target, body)["notificationHistory"]?.elements?.count == 6)
        for (name, value, code) in [
            ("startDate", now - 181 * day, 4_000_012), ("startDate", now + 2, 4_000_013),
            ("startDate", -1, 4_000_015), ("endDate", -1, 4_000_016),
        ] as [(String, Int64, Int64)] {
            var bad = range
            bad[name] = .integer(value)
            #expect(try bench.code("POST", target, bad) == code)
        }
        var odd = range
        odd["notificationType"] = "NEWS"
        #expect(try bench.code("POST", target, odd) == 4_000_018)
        let sandbox = "/sandbox/inApps/v1/notifications/history"
        #expect(try bench.code("POST", sandbox, range) == 4_000_012)
    }

    @Test("notifications that are sent: retries after 1, 12, 24, 48 and 72 hours")
    func retries() throws {
        let bench = try BoxBench { $0.notifies = true }
        let target = "/production/inApps/v1/notifications/test"
        let token = try #require(
            try bench.json("POST", target)["testNotificationToken"]?.string)
        #expect(try bench.code("GET", target + "/" + token) == 4_040_008)
        #expect(try bench.code("GET", target + "/1") == 4_000_020)
        var attempts: [Int64] = []
        while !bench.box.advance(to: bench.days(20)) {
            let delivery = try #require(bench.box.deliveries.first)
            let now = bench.box.now.milliseconds - Play.start.milliseconds
            attempts.append(now / 3_600_000)
            bench.box.report(.unsuccessfulStatus, of: delivery)
        }
        #expect(attempts == [0, 1, 13, 37, 85, 157])
        let status = try bench.json("GET", target + "/" + token)
        #expect(status["sendAttempts"]?.elements?.count == 6)
        #expect(
            try bench.payload(status["signedPayload"]?.string)["notificationType"]?.string
                == "TEST")
        let silent = try BoxBench()
        #expect(try silent.code("POST", target) == 4_040_007)
    }
}
