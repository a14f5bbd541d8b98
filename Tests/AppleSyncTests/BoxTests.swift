internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import AppleSync

/// The client and the App Store in a box: both were written from Apple's documents.
@Suite("The client asks the App Store in a box", .timeLimit(.minutes(5)))
struct BoxTests {
    private let box: SimulatedAppStore
    private let client: AppStoreClient
    private let transport: BoxTransport
    private let context: VirtualContext

    init() throws {
        var settings = SimulatedAppStoreSettings()
        let context = VirtualContext(at: settings.start)
        settings.notifies = true
        // Pauses between attempts are the caller's time, not the store's.
        settings.callersClock = { context.now() }
        self.context = context
        box = SimulatedAppStore(settings)
        (client, transport) = try BoxTransport.client(box, context)
    }

    private func id(
        of name: String, in environment: StoreEnvironment = .production
    ) throws -> TransactionID {
        let id = try #require(box.transactionIDs(of: name, in: environment).first)
        return TransactionID(unchecked: id)
    }

    @Test("transactions, histories, refunds, statuses, orders, app transactions")
    func readings() async throws {
        for number in 1...45 { try box.say("alice buys coins as C\(number)") }
        try box.say("alice buys gold as G")
        try box.say("C7 is refunded")
        let gold = try id(of: "G")
        let found = try await client.transaction(gold, in: nil)
        #expect(found.environment == .production)
        var pages: [FetchedHistory] = []
        _ = try await client.walkHistory(of: gold, in: nil) { page in
            pages.append(page)
            return true
        }
        #expect(pages.map(\.signedTransactions.count) == [20, 20, 6])
        let refunds = try await client.refunds(of: gold, in: .production, after: nil)
        #expect(refunds.signedTransactions.count == 1)
        let statuses = try await client.statuses(of: gold, in: nil)
        #expect(statuses.items.map(\.status) == [1])
        #expect(statuses.items.map(\.lineage) == [gold])
        let order = try await client.lookUp(order: box.orderID(of: gold.text))
        #expect(order.isValid)
        let unknown = try await client.lookUp(order: "MN0NOSUCH")
        #expect(!unknown.isValid)
        let app = try await client.appTransaction(of: gold, in: nil)
        #expect(app.environment == .production)
        #expect(transport.count(.sandbox) == 0)
    }

    @Test("an id of the sandbox is found there, and one that is nowhere is not found")
    func sandbox() async throws {
        try box.say("alice buys gold as G", in: .sandbox)
        let found = try await client.transaction(id(of: "G", in: .sandbox), in: nil)
        #expect(found.environment == .sandbox)
        #expect(transport.count(.production) == 1)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.statuses(of: TransactionID(unchecked: "99"), in: nil)
        }
        #expect(failure?.kind == .notFound)
    }

    @Test("account tokens, finishing, consumption, extensions")
    func changes() async throws {
        try box.say("alice buys gold as G")
        try box.say("alice buys coins as C")
        let (gold, coins) = (try id(of: "G"), try id(of: "C"))
        try await client.setAccountToken(
            "6f9619ff-8b86-4011-b42d-00cf4fc964ff", for: gold, in: .production)
        try await client.finish(coins, in: .production)
        try await client.sendConsumption(
            ConsumptionReport(
                delivery: .delivered, hadSample: true, preference: .grantProrated,
                consumedMilliPercent: 30_000), of: coins, in: .production)
        try await client.sendConsumption(
            FirstConsumptionReport(hadSample: false), of: coins, in: .production)
        let extent = try #require(
            RenewalExtension(extraDays: 9, reason: .outage, requestID: "r1"))
        let result = try await client.extend(gold, by: extent, in: .production)
        #expect(result.succeeded)
        #expect(result.renewsAt != nil)
        let product = ProductID(unchecked: "com.example.reader.gold.monthly")
        let request = try await client.extendAll(
            of: product, by: extent, storefronts: nil, in: .production)
        let running = try await client.statusOfExtension(request, of: product, in: .production)
        #expect(!running.isComplete)
        let later = box.now.advanced(byMilliseconds: 120_000)
        while !box.advance(to: later) { deliver() }
        let done = try await client.statusOfExtension(request, of: product, in: .production)
        #expect(done.isComplete)
        #expect(done.succeeded == 1)
    }

    private func deliver() {
        for delivery in box.deliveries { box.report(.success, of: delivery) }
    }

    @Test("notifications: the history, a test, and what became of it")
    func notifications() async throws {
        try box.say("alice buys gold as G")
        let token = try await client.requestTestNotification(in: .production)
        let early = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.testNotification(token, in: .production)
        }
        #expect(early?.code == 4_040_008)
        let soon = box.now.advanced(byMilliseconds: 60_000)
        while !box.advance(to: soon) { deliver() }
        deliver()
        let record = try await client.testNotification(token, in: .production)
        #expect(record.attempts.map(\.result) == ["SUCCESS"])
        var count = 0
        try await client.walkNotifications(
            in: .production, from: soon.advanced(byMilliseconds: -86_400_000),
            to: soon.advanced(byMilliseconds: 1)
        ) { page in
            count += page.signedPayloads.count
            return true
        }
        #expect(count == 2)
    }

    @Test("receipts of both environments")
    func receipts() async throws {
        try box.say("alice buys gold as G")
        try box.say("bob buys gold as B", in: .sandbox)
        let own = try await client.verifyReceipt(box.receipt(of: "alice"))
        #expect(own.environment == .production)
        let other = try await client.verifyReceipt(box.receipt(of: "bob", in: .sandbox))
        #expect(other.environment == .sandbox)
        let broken = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.verifyReceipt("AAAA")
        }
        #expect(broken?.kind == .rejected)
    }

    @Test("the table of the server API, row by row, with failures of the box")
    func serverAPITable() async throws {
        for row in try ReactionTable.rows(below: "App Store Server API")
        where !["unreachable", "no-library"].contains(row[0]) {
            let fresh = try BoxTests()
            try fresh.box.say("alice buys coins as C")
            let id = try fresh.id(of: "C")
            fresh.box.fail(try Self.rule(row))
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await fresh.client.ask(in: nil) { environment throws(AppStoreFailure) in
                    try await fresh.client.finish(id, in: environment)
                }
            }
            #expect((failure?.kind.rawValue ?? "") == row[2], "\(row)")
            let sent = try #require(Int(row[3]))
            #expect(fresh.transport.count(.production) == sent, "\(row)")
            #expect(fresh.transport.count(.sandbox) == (row[4] == "yes" ? sent : 0), "\(row)")
        }
    }

    private static func rule(_ row: [String]) throws -> FailureRule {
        switch TransportFailure(rawValue: row[0]) {
        case .timedOut: return FailureRule(delay: 60_000, .delayed)
        case .brokenOff: return FailureRule(.truncated)
        case .tooLarge: return FailureRule(.padded(5 << 20))
        case .unreachable, .noLibrary, nil:
            return FailureRule(
                .status(try #require(Int(row[0])), code: Int64(row[1]), retryAfter: nil))
        }
    }

    @Test("the table of verifyReceipt, row by row, with failures of the box")
    func verifyReceiptTable() async throws {
        for row in try ReactionTable.rows(below: "verifyReceipt") {
            let fresh = try BoxTests()
            try fresh.box.say("alice buys gold as G", in: .sandbox)
            try fresh.box.say("alice buys gold as G")
            // A receipt of the sandbox gets 21007 without a rule.
            if row[0] != "21007", row[0] != "0" {
                fresh.box.fail(try Self.receiptRule("/production/", row[0], row[1]))
            }
            if !["", "0"].contains(row[2]) {
                fresh.box.fail(try Self.receiptRule("/sandbox/", row[2], ""))
            }
            let receipt = fresh.box.receipt(
                of: "alice", in: row[0] == "21007" ? .sandbox : .production)
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await fresh.client.verifyReceipt(receipt)
            }
            #expect((failure?.kind.rawValue ?? "") == row[3], "\(row)")
            let sent = row[4].split(separator: " + ").map(String.init)
            #expect("\(fresh.transport.count(.production))" == sent[0], "\(row)")
            #expect("\(fresh.transport.count(.sandbox))" == sent[1], "\(row)")
        }
    }

    private static func receiptRule(
        _ path: String, _ status: String, _ retryable: String
    ) throws -> FailureRule {
        if status == "HTTP 200" { return FailureRule(path: path, .wrongJSON) }
        if status.hasPrefix("HTTP ") {
            return FailureRule(
                path: path,
                .status(try #require(Int(status.dropFirst(5))), code: nil, retryAfter: nil))
        }
        let flag = retryable.isEmpty ? nil : retryable.contains("true") || retryable.contains("1")
        return FailureRule(
            path: path, .receiptStatus(try #require(Int64(status)), isRetryable: flag))
    }

    @Test("what the box falsifies is a bad answer, and a walk without an end has one")
    func hostile() async throws {
        for number in 1...25 { try box.say("alice buys coins as C\(number)") }
        let id = try id(of: "C1")
        for effect in [
            .wrongJSON, .redirect("http://127.0.0.1/production/inApps/v1/transactions/1"),
            .otherApp("com.example.other"), .otherEnvironment, .samePage, .endlessPages,
        ] as [FailureRule.Effect] {
            let fresh = try BoxTests()
            for number in 1...25 { try fresh.box.say("alice buys coins as C\(number)") }
            fresh.box.fail(FailureRule(effect))
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await fresh.client.walkHistory(of: id, in: .production, limit: 30) { _ in true }
            }
            #expect(failure?.kind == .badAnswer, "\(effect)")
            #expect(fresh.transport.count(.production) <= 30)
        }
    }

    @Test("Retry-After of the box is kept")
    func retryAfter() async throws {
        try box.say("alice buys coins as C")
        let id = try id(of: "C")
        box.fail(FailureRule(times: 2, .status(429, code: 4_290_000, retryAfter: 4_000)))
        try await client.finish(id, in: .production)
        #expect(transport.count(.production) == 3)
        #expect(context.waits == [4_000, 4_000])
    }
}
