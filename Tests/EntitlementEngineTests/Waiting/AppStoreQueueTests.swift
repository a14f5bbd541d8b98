internal import EntitlementAnswers
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import Testing

@testable internal import EntitlementEngine

private let down = AppStoreFailure(.unavailable, httpStatus: 503)

@Suite("The waiting room", .timeLimit(.minutes(20)))
struct AppStoreQueueTests {
    @Test("what a receipt proves by itself is judged at once, and Apple adds what it knows")
    func receipt() async throws {
        let shop = try await WaitingShop()
        let receipt = try shop.receipt()
        let report = try await shop.ask(receipt)
        #expect(report.judged?.transactions.map(\.standing) == [.owned])
        #expect(report.judged?.isAppleNotAsked == false)
        #expect(try shop.may("alice", "forever"))
        #expect(try !shop.may("alice", "premium"))
        let waiting = try shop.ticket(report)
        #expect(waiting.state == .waiting)
        #expect(waiting.form == .receipt)
        #expect(waiting.attempts == 0)
        #expect(waiting.nextAttempt == shop.clock.now())

        shop.appStore.change {
            $0.receipts[String(decoding: receipt, as: UTF8.self)] = shop.answer()
        }
        await shop.drain()
        #expect(try shop.may("alice", "premium"))
        let told = try shop.ticket(report)
        #expect(told.state == .judged)
        #expect(told.transactions.map(\.transaction) == ["30"])
        #expect(told.transactions.map(\.verdict) == [.owned])
        #expect(told.closedAt == shop.clock.now())
        #expect(told.nextAttempt == nil)
        #expect(shop.appStore.calls == ["verifyReceipt"])
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems.isEmpty)
    }

    @Test("a receipt of iOS 6 proves nothing, and waits as it is")
    func oldReceipt() async throws {
        let shop = try await WaitingShop()
        let receipt = WaitingShop.oldReceipt()
        let report = try await shop.ask(receipt)
        #expect(report.judged == nil)
        #expect(try shop.ticket(report).form == .oldReceipt)
        // An answer of that form does not say where it comes from.
        shop.appStore.change {
            $0.receipts[String(decoding: receipt, as: UTF8.self)] = shop.answer { answer in
                let one = answer["latest_receipt_info"]?.elements?.first
                var receipt = one ?? [:]
                receipt["bid"] = "com.example.shop"
                answer = ["status": 21_006, "receipt": receipt]
                answer["latest_expired_receipt_info"] = receipt
            }
        }
        await shop.drain()
        #expect(try shop.ticket(report).state == .judged)
        #expect(try shop.may("alice", "premium"))
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems.isEmpty)
    }

    @Test("without a client nothing that only Apple can judge is taken, and all else is")
    func notConfigured() async throws {
        let shop = try await WaitingShop(isConfigured: false)
        let head = shop.engine.revision
        for payload in [Array("2000000123".utf8), WaitingShop.oldReceipt()] {
            guard case .unanswerable(.notConfigured) = try await shop.ask(payload) else {
                Issue.record("it was taken")
                continue
            }
        }
        #expect(shop.engine.revision == head)
        let judged = try #require(try await shop.ask(shop.receipt()).judged)
        #expect(judged.transactions.map(\.standing) == [.owned])
        #expect(judged.isAppleNotAsked)
        #expect(judged.ticket == nil)
        await shop.drain()
        #expect(shop.appStore.calls.isEmpty)
    }

    @Test(
        "nothing that Apple could not be asked about waits",
        arguments: [
            ("hello", "input.kind"), ("{}", "input.kind"), ("12a", "input.kind"),
            ("ewoJInNpZ25hdHVyZSIgPSAiQWg9IjsKfQ==", "input.kind"),
            (#"{"status":0,"receipt":{}}"#, "evidence.unsigned"),
            ("123456789012345678901234567890123", "input.kind"),
        ])
    func notWaiting(_ payload: String, _ code: String) async throws {
        let shop = try await WaitingShop()
        #expect(try await shop.ask(Array(payload.utf8)).refusalCode == code)
        #expect(shop.engine.appStoreQueueReport(at: shop.clock.now()).tickets == 0)
    }

    @Test("a transaction id brings the transaction, its history and what becomes of it")
    func transactionID() async throws {
        let shop = try await WaitingShop()
        let report = try await shop.ask(Array(" 40\n".utf8))
        shop.appStore.change { state in
            state.transactions["40"] = FetchedTransaction(
                environment: .production, signedTransaction: shop.jws("40"))
            state.histories["40"] = [
                FetchedHistory(
                    environment: .production,
                    signedTransactions: [shop.jws("41", "unlock", .nonConsumable)],
                    revision: "r1", hasMore: true),
                FetchedHistory(
                    environment: .production, signedTransactions: [shop.jws("40")],
                    revision: "r2", hasMore: false),
            ]
            state.statuses["40"] = FetchedStatuses(
                environment: .production,
                items: [
                    .init(
                        lineage: "40", status: 1, signedTransaction: shop.jws("40"),
                        signedRenewal: nil)
                ])
        }
        await shop.drain()
        #expect(
            shop.appStore.calls == [
                "transaction 40", "statuses 40", "history 40 -", "history 40 r1",
            ])
        #expect(try shop.ticket(report).state == .judged)
        // Who knows an id need not have bought anything: all of it is known, and nobody's yet.
        #expect(try !shop.may("alice", "premium"))
        #expect(try !shop.may("alice", "forever"))
        #expect(try shop.engine.questions.find(SoughtID(unchecked: "40")).meanings.count == 2)
        #expect(try shop.engine.questions.find(SoughtID(unchecked: "41")).meanings.count == 2)
    }

    @Test("what an id brings is the account's that its token names, whoever sent the id")
    func transactionIDWithToken() async throws {
        let shop = try await WaitingShop()
        let token = try #require(AppAccountToken("11111111-2222-4333-8444-555555555555"))
        let cause = AdminActionCause(actor: "uid:0", reason: "a test")
        _ = try await shop.engine.register(token, for: "alice", cause)
        let report = try await shop.ask(Array("40".utf8), as: "mallory")
        let signed = shop.jws("40") { $0.appAccountToken = token.text }
        shop.appStore.change { state in
            state.transactions["40"] = FetchedTransaction(
                environment: .production, signedTransaction: signed)
            state.histories["40"] = [
                FetchedHistory(
                    environment: .production, signedTransactions: [signed], revision: "r1",
                    hasMore: false)
            ]
            state.statuses["40"] = FetchedStatuses(
                environment: .production,
                items: [
                    .init(lineage: "40", status: 1, signedTransaction: signed, signedRenewal: nil)
                ])
        }
        await shop.drain()
        #expect(try shop.ticket(report).state == .judged)
        #expect(try shop.may("alice", "premium"))
        #expect(try !shop.may("mallory", "premium"))
    }

    @Test("while Apple is down for a day, nothing is written and little is asked")
    func aDay() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = down }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.drain()
        let head = shop.engine.revision
        await shop.pass(86_400_000, inStepsOf: 10_000)
        #expect(shop.engine.revision == head)
        let waiting = try shop.ticket(report)
        #expect(waiting.state == .waiting)
        #expect(waiting.failure?.code == .unavailable)
        #expect((20...40).contains(waiting.attempts), "\(waiting.attempts)")
        #expect(shop.appStore.calls.count == Int(waiting.attempts))

        shop.appStore.change {
            $0.failure = nil
            $0.receipts[String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)] = shop.answer()
        }
        await shop.pass(3_600_000 * 5 / 4, inStepsOf: 10_000)
        #expect(try shop.ticket(report).state == .judged)
        #expect(try shop.may("alice", "premium"))
    }

    @Test("a thousand tickets ask as little as one while Apple is down, and all get their turn")
    func aThousand() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = down }
        for number in 1...1_000 {
            _ = try await shop.ask(Array("\(50_000 + number)".utf8), as: nil)
        }
        await shop.drain()
        await shop.pass(1_800_000, inStepsOf: 10_000)
        let (calls, examined) = (shop.appStore.calls.count, shop.engine.ticketsExamined)
        let looks = shop.engine.revision
        await shop.pass(3_600_000)
        // One attempt in five minutes, and a look at what is due, not at what waits.
        let attempts = shop.appStore.calls.count - calls
        #expect((11...13).contains(attempts), "\(attempts)")
        #expect(shop.engine.ticketsExamined - examined <= Int64(attempts) * 4)
        #expect(shop.engine.revision == looks)

        shop.appStore.change { state in
            state.failure = nil
            for number in 1...1_000 {
                let id = TransactionID(unchecked: "\(50_000 + number)")
                state.transactions[id] = FetchedTransaction(
                    environment: .production,
                    signedTransaction: shop.jws(id.text, "unlock", .nonConsumable))
                state.histories[id] = [
                    FetchedHistory(
                        environment: .production, signedTransactions: [], revision: "r",
                        hasMore: false)
                ]
            }
        }
        await shop.pass(3_600_000 * 5 / 4, inStepsOf: 30_000)
        #expect(shop.engine.appStoreQueueReport(at: shop.clock.now()).tickets == 0)
        #expect(shop.engine.appStoreAttempts[.answered] == 1_000)
        // To answer all of them costs a few looks at each.
        #expect(shop.engine.ticketsExamined - examined <= 20_000)
    }

    @Test("one user's tickets leave as much room to the others, and a full room says so")
    func share() throws {
        var load = WaitingLoad()
        func fill(_ user: String?, _ amount: WaitingLoad.Amount) -> Int {
            var count = 0
            while load.hasRoom(for: amount, of: user) {
                load.add(amount, of: user)
                count += 1
            }
            return count
        }
        let one = WaitingLoad.Amount(tickets: 1)
        #expect(fill("7", one) == 50_000)
        #expect(fill("8", one) == 25_000)
        #expect(fill("9", one) == 12_500)
        // What nobody is known for takes the rest.
        #expect(fill(nil, one) == 12_500)
        #expect(!load.hasRoom(for: one, of: "10"))
        for _ in 0..<10 { load.remove(one, of: "7") }
        #expect(!load.hasRoom(for: one, of: "7"))
        #expect(fill("10", one) == 5)
        // What proves nothing is bounded in bytes too, counted in a commit before it is written.
        load = WaitingLoad()
        let large = WaitingLoad.Amount(tickets: 1, bytes: 65_536)
        #expect(fill("7", large) == 2_048)
        #expect(load.hasRoom(for: one, of: "7"))
        #expect(load.hasRoom(for: large, of: "8"))
        let opened = WaitingLoad.Amount(tickets: 10, bytes: 1_024 * 65_536)
        #expect(!load.hasRoom(for: large, of: "8", opened: opened))
    }

    @Test("whose share is full, waits no more, and others do")
    func full() async throws {
        let shop = try await WaitingShop()
        let ticket = EvidenceTicket(.transaction, transaction: "1")
        for number in 1..<50_000 {
            shop.engine.appStoreQueue.add(
                Recorded(
                    sequence: LedgerSequence(Int64(1_000_000 + number)),
                    recordedAt: shop.clock.now(), value: ticket), user: "7")
        }
        func ask(_ ids: [String], by user: String) async throws -> [SubmissionReport] {
            try await shop.engine.submit(
                ids.map { id in
                    var submission = EvidenceSubmission(payload: Array(id.utf8), asksApple: true)
                    submission.user = user
                    return submission
                })
        }
        let reports = try await ask(["101", "102"], by: "7")
        #expect(reports.first?.ticket != nil)
        guard case .unanswerable(.tooManyWaiting)? = reports.last else {
            Issue.record("\(reports)")
            return
        }
        // What waits already is answered still, and a receipt is judged by itself.
        #expect(try await ask(["101"], by: "7").first?.ticket == reports.first?.ticket)
        var receipt = EvidenceSubmission(
            payload: try shop.receipt(), account: "alice", asksApple: true)
        receipt.user = "7"
        let judged = try await shop.engine.submit([receipt]).first?.judged
        #expect(judged?.isAppleNotAsked == true)
        #expect(try await ask(["103"], by: "8").first?.ticket != nil)
    }

    @Test("turns come by when they are due, then by number")
    func turns() {
        let (early, late) = (Instant(milliseconds: 1), Instant(milliseconds: 2))
        let turns = [(early, 1), (early, 2), (late, 1)].map {
            AppStoreQueue.Turn(due: $0.0, number: LedgerSequence($0.1))
        }
        #expect(turns.reversed().sorted() == turns)
    }

    @Test("a ticket waits through a restart, and its turn comes when it would have come")
    func restart() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = down }
        let ticket = try #require(try await shop.ask(WaitingShop.oldReceipt()).ticket)
        await shop.drain()
        await shop.pass(600_000)
        let planned = try #require(try shop.ticket(ticket).nextAttempt)
        let engine = try await shop.another()
        let told = try #require(try engine.questions.ticket(ticket))
        #expect(told.state == .waiting)
        #expect(told.attempts == 0)
        // What the service asked for is forgotten; the ticket's own times are not.
        #expect(try #require(told.nextAttempt) <= planned)
        #expect(try #require(told.nextAttempt) > shop.clock.now())
        shop.appStore.change {
            $0.failure = nil
            $0.receipts[String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)] = shop.answer()
        }
        await shop.pass(3_600_000, engine)
        #expect(try engine.questions.ticket(ticket)?.state == .judged)
        try engine.close()
    }

    @Test("what was bought just before it was handed in is claimed, however long Apple is down")
    func boughtBeforeAnOutage() async throws {
        let shop = try await WaitingShop()
        let bought = shop.clock.now().advanced(byMilliseconds: -3_600_000).milliseconds
        shop.appStore.change { $0.failure = down }
        let report = try await shop.ask(WaitingShop.oldReceipt())
        await shop.pass(2 * 86_400_000, inStepsOf: 600_000)
        let answer = shop.answer("30", product: "coins") {
            $0["latest_receipt_info"] = [
                [
                    "transaction_id": "30", "original_transaction_id": "30",
                    "product_id": "coins", "purchase_date_ms": .string("\(bought)"),
                ]
            ]
        }
        shop.appStore.change {
            $0.failure = nil
            $0.receipts[String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)] = answer
        }
        await shop.pass(7_200_000, inStepsOf: 600_000)
        let told = try shop.ticket(report)
        #expect(told.state == .judged)
        #expect(told.transactions.map(\.verdict) == [.owned])
    }

    @Test("the same again while it waits is the same ticket; another account has its own")
    func repeated() async throws {
        let shop = try await WaitingShop()
        shop.appStore.change { $0.failure = down }
        let first = try await shop.ask(WaitingShop.oldReceipt()).ticket
        let head = shop.engine.revision
        #expect(try await shop.ask(WaitingShop.oldReceipt()).ticket == first)
        #expect(shop.engine.revision == head)
        let second = try await shop.ask(WaitingShop.oldReceipt(), as: "bob").ticket
        #expect(second != first)
        shop.appStore.change {
            $0.failure = nil
            $0.receipts[String(decoding: WaitingShop.oldReceipt(), as: UTF8.self)] = shop.answer()
        }
        let asked = shop.appStore.calls.count
        await shop.pass(60_000)
        // Apple is asked once for both, and who came first owns it.
        #expect(shop.appStore.calls.count == asked + 1)
        #expect(try shop.may("alice", "premium"))
        #expect(try !shop.may("bob", "premium"))
        let told = try shop.ticket(#require(second))
        #expect(told.state == .judged)
        #expect(told.transactions.map(\.code) == [.ownedByOther])
        #expect(told.transactions.first?.owners == ["al***"])
        // A closed ticket is the answer to its own question: asked again, Apple is asked again.
        #expect(try await shop.ask(WaitingShop.oldReceipt()).ticket != first)
    }
}
