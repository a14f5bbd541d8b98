internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

/// What each call sends, and what it makes of a good answer.
@Suite("Calls", .timeLimit(.minutes(5)))
struct CallTests {
    private let page: JSONValue = [
        "revision": "r2", "hasMore": true, "bundleId": .string(Sample.bundleID.text),
        "environment": "Production", "signedTransactions": ["a.b.c", "d.e.f"], "more": 1,
    ]

    /// The request that a call makes: method, path and query, body.
    private func sent(
        _ answer: JSONValue,
        _ call: (AppStoreClient) async throws(AppStoreFailure) -> Void
    ) async throws -> (line: String, body: JSONValue?) {
        let servers = ScriptedServers(always: .json(answer))
        try await call(Sample.client(servers))
        let request = try #require(servers.requests.first)
        #expect(servers.requests.count == 1)
        let path = request.url.replacing(Sample.production, with: "")
            .replacing(Sample.sandbox, with: "(sandbox)")
        return (request.method + " " + path, try request.body.map { try parseJSON($0) })
    }

    @Test("transaction, history, refunds, statuses")
    func readings() async throws {
        let transaction = Sample.transaction()
        var sent = try await sent(transaction) { client throws(AppStoreFailure) in
            let found = try await client.transaction(Sample.id, in: nil)
            #expect(found.environment == .production)
            #expect(.string(found.signedTransaction) == transaction["signedTransactionInfo"])
        }
        #expect(sent.line == "GET /inApps/v1/transactions/2000000000000010")
        sent = try await self.sent(page) { client throws(AppStoreFailure) in
            let found = try await client.history(of: Sample.id, in: nil, after: "r 1")
            #expect(
                found
                    == FetchedHistory(
                        environment: .production, signedTransactions: ["a.b.c", "d.e.f"],
                        revision: "r2", hasMore: true))
        }
        #expect(
            sent.line
                == "GET /inApps/v2/history/2000000000000010?sort=ASCENDING&revision=r%201")
        sent = try await self.sent(page) { client throws(AppStoreFailure) in
            _ = try await client.refunds(of: Sample.id, in: .production, after: nil)
        }
        #expect(sent.line == "GET /inApps/v2/refund/lookup/2000000000000010")
    }

    @Test("statuses of all groups")
    func statuses() async throws {
        let item: JSONValue = [
            "status": 4, "originalTransactionId": "7", "signedTransactionInfo": "a.b.c",
        ]
        var renewing = item
        renewing["signedRenewalInfo"] = "d.e.f"
        let answer: JSONValue = [
            "environment": "Sandbox",
            "data": [["lastTransactions": [item]], ["lastTransactions": [renewing]], [:]],
        ]
        let sent = try await sent(answer) { client throws(AppStoreFailure) in
            let found = try await client.statuses(of: Sample.id, in: .sandbox)
            #expect(found.items.map(\.status) == [4, 4])
            #expect(found.items.map(\.signedRenewal) == [nil, "d.e.f"])
            #expect(found.items[0].lineage == TransactionID(unchecked: "7"))
        }
        #expect(sent.line == "GET (sandbox)/inApps/v1/subscriptions/2000000000000010")
    }

    @Test("notification history, with all filters")
    func notifications() async throws {
        let answer: JSONValue = [
            "paginationToken": "p2", "hasMore": true,
            "notificationHistory": [
                [
                    "signedPayload": "a.b.c",
                    "sendAttempts": [["attemptDate": 5, "sendAttemptResult": "SUCCESS"]],
                ]
            ],
        ]
        let end = Sample.now.advanced(byMilliseconds: 9)
        var sent = try await sent(answer) { client throws(AppStoreFailure) in
            let found = try await client.notifications(
                in: .production, from: Sample.now, to: end, after: "p1")
            #expect(found == FetchedNotifications(signedPayloads: ["a.b.c"], nextToken: "p2"))
        }
        #expect(sent.line == "POST /inApps/v1/notifications/history?paginationToken=p1")
        let dates: JSONValue = ["startDate": 1_790_000_000_000, "endDate": 1_790_000_000_009]
        #expect(sent.body == dates)
        sent = try await self.sent(answer) { client throws(AppStoreFailure) in
            var query = NotificationQuery(from: Sample.now, to: end)
            query.transaction = Sample.id
            query.type = "DID_RENEW"
            query.subtype = "BILLING_RECOVERY"
            query.onlyFailures = true
            let found = try await client.notificationRecords(query, in: .sandbox, after: nil)
            #expect(found.records[0].attempts[0].result == "SUCCESS")
        }
        #expect(sent.line == "POST (sandbox)/inApps/v1/notifications/history")
        var filtered = dates
        filtered["transactionId"] = "2000000000000010"
        filtered["notificationType"] = "DID_RENEW"
        filtered["notificationSubtype"] = "BILLING_RECOVERY"
        filtered["onlyFailures"] = true
        #expect(sent.body == filtered)
    }

    @Test("test notifications")
    func testNotifications() async throws {
        var sent = try await sent(["testNotificationToken": "t/1"]) {
            client throws(AppStoreFailure) in
            let token = try await client.requestTestNotification(in: .sandbox)
            #expect(token == "t/1")
        }
        #expect(sent.line == "POST (sandbox)/inApps/v1/notifications/test")
        #expect(sent.body == nil)
        sent = try await self.sent(["signedPayload": "a.b.c"]) { client throws(AppStoreFailure) in
            let found = try await client.testNotification("t/1", in: .sandbox)
            #expect(found.signedPayload == "a.b.c")
            #expect(found.attempts.isEmpty)
        }
        #expect(sent.line == "GET (sandbox)/inApps/v1/notifications/test/t%2F1")
    }

    @Test("account token and finish")
    func changes() async throws {
        var sent = try await sent([:]) { client throws(AppStoreFailure) in
            try await client.setAccountToken("u", for: Sample.id, in: .production)
        }
        #expect(sent.line == "PUT /inApps/v1/transactions/2000000000000010/appAccountToken")
        #expect(sent.body == ["appAccountToken": "u"])
        sent = try await self.sent([:]) { client throws(AppStoreFailure) in
            try await client.finish(TransactionID(unchecked: "../7?x"), in: .production)
        }
        #expect(sent.line == "POST /inApps/v1/transactions/..%2F7%3Fx/finish")
    }

    @Test("app transaction and order")
    func lookUps() async throws {
        let jws = Sample.jws(["bundleId": "com.example.reader", "receiptType": "Production"])
        var sent = try await sent(["signedAppTransactionInfo": .string(jws)]) {
            client throws(AppStoreFailure) in
            let found = try await client.appTransaction(of: Sample.id, in: nil)
            #expect(found.signedAppTransaction == jws)
        }
        #expect(
            sent.line == "GET /inApps/v1/transactions/appTransactions/2000000000000010")
        sent = try await self.sent(["status": 1, "signedTransactions": []]) {
            client throws(AppStoreFailure) in
            let found = try await client.lookUp(order: "MN0ABC")
            #expect(!found.isValid)
            #expect(found.signedTransactions.isEmpty)
        }
        #expect(sent.line == "GET /inApps/v1/lookup/MN0ABC")
    }

    @Test("consumption, in both versions")
    func consumption() async throws {
        var sent = try await sent([:]) { client throws(AppStoreFailure) in
            try await client.sendConsumption(
                ConsumptionReport(
                    delivery: .qualityIssue, hadSample: false, preference: .grantProrated,
                    consumedMilliPercent: 12_500), of: Sample.id, in: .production)
        }
        #expect(sent.line == "PUT /inApps/v2/transactions/consumption/2000000000000010")
        #expect(
            sent.body == [
                "customerConsented": true, "deliveryStatus": "UNDELIVERED_QUALITY_ISSUE",
                "sampleContentProvided": false, "refundPreference": "GRANT_PRORATED",
                "consumptionPercentage": 12_500,
            ])
        var report = FirstConsumptionReport(hadSample: true, appAccountToken: "u")
        let (isSet, isRefused) = (report.set(.platform, to: 1), !report.set(.platform, to: 3))
        #expect(isSet && isRefused)
        sent = try await self.sent([:]) { [report] client throws(AppStoreFailure) in
            try await client.sendConsumption(report, of: Sample.id, in: .production)
        }
        #expect(sent.line == "PUT /inApps/v1/transactions/consumption/2000000000000010")
        #expect(sent.body?["platform"] == 1)
        #expect(sent.body?["userStatus"] == 0)
        #expect(sent.body?.members?.count == 12)
    }

    @Test("extensions of renewal dates")
    func extensions() async throws {
        let extent = try #require(
            RenewalExtension(extraDays: 14, reason: .outage, requestID: "r1"))
        let body: JSONValue = [
            "extendByDays": 14, "extendReasonCode": 3, "requestIdentifier": "r1",
        ]
        var sent = try await sent(
            ["originalTransactionId": "2000000000000010", "success": true, "effectiveDate": 9]
        ) { client throws(AppStoreFailure) in
            let found = try await client.extend(Sample.id, by: extent, in: .production)
            #expect(found.succeeded)
            #expect(found.renewsAt == Instant(milliseconds: 9))
        }
        #expect(sent.line == "PUT /inApps/v1/subscriptions/extend/2000000000000010")
        #expect(sent.body == body)
        let product = ProductID(unchecked: "pro.month")
        sent = try await self.sent(["requestIdentifier": "r1"]) { client throws(AppStoreFailure) in
            _ = try await client.extendAll(
                of: product, by: extent, storefronts: ["USA"], in: .production)
        }
        #expect(sent.line == "POST /inApps/v1/subscriptions/extend/mass")
        var all = body
        all["productId"] = "pro.month"
        all["storefrontCountryCodes"] = ["USA"]
        #expect(sent.body == all)
        sent = try await self.sent(
            ["requestIdentifier": "r1", "complete": true, "succeededCount": 2, "failedCount": 1]
        ) { client throws(AppStoreFailure) in
            let found = try await client.statusOfExtension("r1", of: product, in: .production)
            #expect(found.isComplete)
            #expect(found.succeeded == 2)
            #expect(found.failed == 1)
        }
        #expect(sent.line == "GET /inApps/v1/subscriptions/extend/mass/pro.month/r1")
        #expect(RenewalExtension(extraDays: 91, reason: .other, requestID: "r") == nil)
        #expect(RenewalExtension(extraDays: 0, reason: .other, requestID: "r") == nil)
        #expect(RenewalExtension(extraDays: 1, reason: .other, requestID: "") == nil)
    }

    @Test("verifyReceipt sends the receipt and the shared secret")
    func verifyReceipt() async throws {
        let answer: JSONValue = ["status": 0, "environment": "Production", "receipt": [:]]
        let sent = try await sent(answer) { client throws(AppStoreFailure) in
            let found = try await client.verifyReceipt("MIIB")
            #expect(found.body == answer.serialized())
        }
        #expect(sent.line == "POST /verifyReceipt")
        #expect(
            sent.body == [
                "receipt-data": "MIIB", "password": .string(Sample.password),
                "exclude-old-transactions": false,
            ])
    }

    @Test("a walk goes on from page to page in the environment of the first")
    func walk() async throws {
        let servers = ScriptedServers { request, _ in
            guard request.url.hasPrefix(Sample.sandbox) else { return .error(4_040_010) }
            let isLast = request.url.hasSuffix("revision=r1")
            return .json([
                "revision": isLast ? "r2" : "r1", "hasMore": .bool(!isLast),
                "signedTransactions": ["a.b.c"],
            ])
        }
        let client = try Sample.client(servers)
        var pages: [FetchedHistory] = []
        let revision = try await client.walkHistory(of: Sample.id, in: nil) { page in
            pages.append(page)
            return true
        }
        #expect(revision == "r2")
        #expect(pages.map(\.environment) == [.sandbox, .sandbox])
        #expect(servers.count(to: Sample.production) == 1)
    }

    @Test("environments of Xcode have no server")
    func xcode() async throws {
        let servers = ScriptedServers(always: .status(200))
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.finish(Sample.id, in: .xcode)
        }
        #expect(failure?.kind == .rejected)
        #expect(servers.requests.isEmpty)
    }
}
