internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@Suite("What Apple may answer", .timeLimit(.minutes(20)))
struct AppleSaysNoTests {
    private let text = String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)

    /// What a failure means for a ticket after its first attempt.
    static let failures: [(AppStoreFailure, TicketStanding, String?)] = [
        (AppStoreFailure(.rejected, code: 21_003), .refused, "app-store.rejected"),
        (AppStoreFailure(.rejected, code: 21_010), .refused, "app-store.rejected"),
        // Malformed, or a temporary problem: refused only after a day of it.
        (AppStoreFailure(.rejected, code: 21_002), .waiting, nil),
        (
            AppStoreFailure(.notFound, code: 4_040_010, httpStatus: 404), .refused,
            "app-store.not-found"
        ),
        // Our own fault: what was handed in is not lost by it.
        (AppStoreFailure(.rejected, code: 21_004), .waiting, nil),
        (AppStoreFailure(.unauthorized, code: 21_004), .waiting, nil),
        (AppStoreFailure(.rejected, code: 4_040_003, httpStatus: 404), .waiting, nil),
        (AppStoreFailure(.rejected, httpStatus: 403), .waiting, nil),
        (AppStoreFailure(.unauthorized, httpStatus: 401), .waiting, nil),
        (AppStoreFailure(.unavailable, code: 21_002), .waiting, nil),
        (AppStoreFailure(.unavailable, code: 21_005), .waiting, nil),
        (AppStoreFailure(.unavailable, code: 21_009), .waiting, nil),
        (AppStoreFailure(.unavailable, code: 21_100), .waiting, nil),
        (AppStoreFailure(.unavailable, code: 4_040_002, httpStatus: 404), .waiting, nil),
        (AppStoreFailure(.unavailable, httpStatus: 500), .waiting, nil),
        (AppStoreFailure(.network), .waiting, nil),
        (AppStoreFailure(.badAnswer, httpStatus: 302), .waiting, nil),
        (AppStoreFailure(.rateLimited, httpStatus: 429), .waiting, nil),
    ]

    @Test("a no closes the ticket with a finding, all else waits", arguments: failures.indices)
    func failure(_ index: Int) async throws {
        let (failure, state, code) = Self.failures[index]
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = failure }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        let told = try shop.ticket(report)
        #expect(told.state == state)
        #expect(told.code == code)
        #expect(shop.appStore.calls.count == 1)
        #expect(
            try shop.findings() == (state == .waiting ? [] : [.evidenceUnconfirmed]))
        if state == .waiting {
            #expect(told.failure?.code.rawValue == "app-store.\(failure.kind.rawValue)")
            #expect(told.failure?.status == failure.code.map(Int64.init))
            #expect(try #require(told.nextAttempt) > shop.clock.now())
        } else {
            #expect(told.status == failure.code.map(Int64.init))
            try shop.clock.set("2026-03-30T23:59:59Z")
            #expect(try shop.findings() == [.evidenceUnconfirmed])
            try shop.clock.set("2026-03-31")
            #expect(try shop.findings() == [])
        }
    }

    /// Production has answered, and the sandbox has not.
    private static let sandboxDown: AppStoreFailure = {
        var failure = AppStoreFailure(.unavailable, httpStatus: 503)
        failure.isAfterFallback = true
        return failure
    }()

    @Test(
        "a failure of one does not keep the others waiting; one of the service does",
        arguments: [
            (AppStoreFailure(.unavailable, code: 21_100), 2), (AppStoreFailure(.badAnswer), 2),
            (AppStoreFailure(.unavailable, code: 21_005), 1), (AppStoreFailure(.network), 1),
            (AppStoreFailure(.unauthorized), 1), (Self.sandboxDown, 2),
        ])
    func others(_ failure: AppStoreFailure, _ attempts: Int) async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = failure }
        _ = try await shop.ask(WaitingShop.oldReceipt("a"))
        await shop.drain()
        _ = try await shop.ask(WaitingShop.oldReceipt("b"))
        await shop.drain()
        #expect(shop.appStore.calls.count == attempts)
        #expect(shop.engine.isAppStoreOutOfReach == (attempts == 1))
        // Another service of Apple's is asked all the same.
        _ = try await shop.ask(Array("123".utf8))
        await shop.drain()
        #expect(shop.appStore.calls.count == attempts + 1)
    }

    @Test("nobody is asked before the instant that Apple names")
    func retryAfter() async throws {
        let shop = try await WaitingShop()
        let retryAt = shop.clock.now().advanced(byMilliseconds: 1_800_000)
        shop.appStore.change {
            $0.failure = AppStoreFailure(.rateLimited, httpStatus: 429, retryAt: retryAt)
        }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        #expect(try #require(shop.ticket(report).nextAttempt) >= retryAt)
        await shop.pass(1_799_000)
        #expect(shop.appStore.calls.count == 1)
        await shop.pass(1_000)
        #expect(shop.appStore.calls.count == 2)
    }

    @Test("a ticket that nobody asks about because Apple fails all others says so")
    func behindTheCircuit() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        _ = try await shop.ask(Array("40".utf8))
        await shop.drain()
        let second = try shop.ticket(try await shop.ask(Array("41".utf8)))
        #expect(second.attempts == 0)
        #expect(second.failure?.code == .network)
        #expect(try #require(second.nextAttempt) > shop.clock.now())
    }

    @Test("what Apple never answers is given up after a month")
    func givenUp() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = AppStoreFailure(.network) }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        #expect(try shop.findings() == [])
        await shop.pass(3_600_000, inStepsOf: 600_000)
        #expect(try shop.findings() == [.evidenceWaiting])
        await shop.pass(30 * 86_400_000, inStepsOf: 3_600_000)
        #expect(try shop.ticket(report).state == .givenUp)
        // Nobody has answered anything.
        #expect(shop.engine.appStoreAttempts[.answered] == nil)
        #expect(try shop.ticket(report).code == "app-store.network")
        #expect(try shop.findings() == [.evidenceUnconfirmed])
    }

    /// Answers that are about something else, or about nothing.
    static let hostile:
        [(name: String, state: TicketStanding, change: @Sendable (inout JSONValue) -> Void)] = [
            ("another app", .refused, { $0["receipt"]?["bundle_id"] = "com.example.other" }),
            ("another app's number", .refused, { $0["receipt"]?["adam_id"] = 78 }),
            ("another environment", .waiting, { $0["environment"] = "Sandbox" }),
            ("an untrusted environment", .refused, { $0["environment"] = "Xcode" }),
            ("no answer", .waiting, { $0 = [:] }),
            ("another status", .waiting, { $0["status"] = 21_005 }),
            ("from the future", .waiting, { $0["receipt"]?["request_date_ms"] = "1999999999999" }),
            (
                "a billion entries", .waiting,
                {
                    $0["latest_receipt_info"] = .array(
                        [JSONValue](repeating: ["transaction_id": "1"], count: 1_000_001))
                }
            ),
        ]

    @Test(
        "an answer about another app, or about nothing, gives nothing", arguments: hostile.indices)
    func answers(_ index: Int) async throws {
        let (name, state, change) = Self.hostile[index]
        let shop = try await WaitingShop()
        shop.appStore.change {
            $0.receipts[text] = shop.answer(changing: change)
        }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        #expect(try shop.ticket(report).state == state, "\(name)")
        #expect(try !shop.may("alice", "premium"), "\(name)")
    }

    @Test(
        "bytes that are no strict JSON are no answer",
        arguments: [
            "<html>", "", #"{"status":0,"status":0}"#, "{\"status\":0,\"receipt\":",
        ])
    func bytes(_ body: String) async throws {
        let shop = try await WaitingShop()
        shop.appStore.change {
            $0.receipts[text] = FetchedReceipt(
                environment: .production, status: 0, body: Array(body.utf8))
        }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        let told = try shop.ticket(report)
        #expect(told.state == .waiting)
        #expect(told.failure?.code == .badAnswer)
    }

    /// What the server API may answer about an id, and what the ticket does.
    static let transactions:
        [(name: String, state: TicketStanding, make: @Sendable (WaitingShop) -> FetchedTransaction)] =
            [
                (
                    "another app's", .refused,
                    { shop in
                        FetchedTransaction(
                            environment: .production,
                            signedTransaction: shop.jws("40") { $0.bundleID = "com.example.other" })
                    }
                ),
                (
                    "another transaction", .waiting,
                    { shop in
                        FetchedTransaction(
                            environment: .production, signedTransaction: shop.jws("39"))
                    }
                ),
                (
                    "another environment's", .waiting,
                    { shop in
                        FetchedTransaction(
                            environment: .production,
                            signedTransaction: shop.jws("40") { $0.environment = .sandbox })
                    }
                ),
                (
                    "unsigned", .refused,
                    { _ in
                        FetchedTransaction(
                            environment: .production,
                            signedTransaction: "eyJhbGciOiJub25lIn0.e30.AA")
                    }
                ),
            ]

    @Test(
        "what the server API hands over is verified like anybody's evidence",
        arguments: transactions.indices)
    func fetched(_ index: Int) async throws {
        let (name, state, make) = Self.transactions[index]
        let shop = try await WaitingShop()
        shop.appStore.change { $0.transactions["40"] = make(shop) }
        let report = try await shop.ask(Array("40".utf8))
        await shop.drain()
        #expect(try shop.ticket(report).state == state, "\(name)")
        #expect(try !shop.may("alice", "premium"), "\(name)")
    }

    @Test(
        "a history that leads nowhere, or back, is left; what it brought is kept",
        arguments: [
            FetchedHistory(
                environment: .production, signedTransactions: [], revision: "r2", hasMore: true),
            FetchedHistory(
                environment: .production, signedTransactions: ["a.b.c"], revision: "r1",
                hasMore: true),
            FetchedHistory(
                environment: .sandbox, signedTransactions: [], revision: "r2", hasMore: false),
        ])
    func endless(_ page: FetchedHistory) async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { state in
            state.transactions["40"] = FetchedTransaction(
                environment: .production,
                signedTransaction: shop.jws("40", "unlock", .nonConsumable))
            state.histories["40"] = [
                FetchedHistory(
                    environment: .production,
                    signedTransactions: [shop.jws("41", "unlock", .nonConsumable)],
                    revision: "r1", hasMore: true), page,
            ]
        }
        let report = try await shop.ask(Array("40".utf8))
        await shop.drain()
        #expect(try shop.ticket(report).failure?.code == .badAnswer)
        #expect(shop.appStore.calls.count == 3)
        #expect(try !shop.engine.questions.find(SoughtID(unchecked: "41")).meanings.isEmpty)
    }
}
