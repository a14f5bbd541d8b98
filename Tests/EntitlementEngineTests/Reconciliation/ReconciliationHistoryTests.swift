internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import MemoryLedger
internal import PolicyLoading
internal import StoreBox
internal import Testing

/// What was signed when, and what is read once more.
@Suite("Reconciliation and the past", .timeLimit(.minutes(20)))
struct ReconciliationHistoryTests {
    private static let day: Int64 = 86_400_000

    /// A shop with one customer, Alice, whose subscription began on 3 February.
    private struct OneCustomer {
        let shop: Shop
        let apple: CustomerAppStore
        let kept = KeptInMemory()
        var gold: SimulatedTransaction

        init() async throws {
            shop = try await Shop(on: .file)
            apple = CustomerAppStore(shop.store, shop.clock)
            gold = SimulatedTransaction(
                bundleID: "com.example.shop", productID: "gold", kind: .autoRenewable,
                transactionID: "40", purchaseDate: try #require(Instant(rfc3339: "2026-02-03")),
                expiresDate: Instant(rfc3339: "2026-03-05"))
            gold.appTransactionID = "70"
            _ = try await shop.present(shop.store.sign(gold.payload), as: "alice")
        }

        func run(asking servers: CustomerAppStore? = nil) async throws -> Reconciler {
            let reconciler = Reconciler(
                engine: shop.engine, servers: servers ?? apple, store: kept,
                context: ClockContext(clock: shop.clock), callsPerSecond: 1_000)
            #expect(reconciler.request(ReconciliationRequest(callsPerSecond: 1_000)) != nil)
            #expect(await reconciler.runPending())
            return reconciler
        }
    }

    @Test("what Apple signs again holds against an old copy of something else that comes later")
    func newerSignature() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        apple.set(world.gold, of: apple.addCustomer(), status: 1)
        let head = shop.engine.revision
        let first = try #require(try await world.run().last)
        #expect(first.state == .finished)
        #expect(first.drift == [] && first.tally.written == 0)
        #expect(shop.engine.revision > head)
        // Refunded, and the refund taken back, before Apple was asked.
        var refunded = world.gold
        refunded.signedDate = refunded.purchaseDate.advanced(byMilliseconds: 10 * Self.day)
        refunded.revocation = Revocation(date: refunded.signedDate, reason: 0)
        _ = try await shop.present(shop.store.sign(refunded.payload), as: "alice")
        #expect(try shop.answer("alice", "premium").decision)
        // Signed a second later, the same is not kept again, but for what was disputed a day ago.
        let known = shop.engine.revision
        _ = try await world.run()
        #expect(shop.engine.revision == known)
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: Self.day))
        _ = try await world.run()
        #expect(shop.engine.revision > known)
    }

    @Test("an info that speaks of another period by now is kept, signed again as it was")
    func renewalAgain() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        var retrying = SimulatedRenewal(
            originalTransactionID: "40", productID: "gold", renewalDate: nil,
            signedDate: try #require(Instant(rfc3339: "2026-03-02")))
        retrying.isInBillingRetryPeriod = true
        retrying.expirationIntent = .billingError
        try shop.clock.set("2026-03-02")
        _ = try await shop.present(shop.store.sign(retrying.payload), as: nil)
        apple.set(world.gold, of: apple.addCustomer(), renewal: retrying, status: 3)
        try shop.clock.set("2026-03-05T12:00:00Z")
        let head = shop.engine.revision
        let answer = try #require(try await world.run().last)
        #expect(answer.drift == [] && answer.tally.written == 0)
        #expect(shop.engine.revision > head)
        let known = shop.engine.revision
        #expect(try await world.run().last?.drift == [])
        #expect(shop.engine.revision == known)
    }

    @Test("much of one customer is written in parts, and a visit that ends early keeps them")
    func parts() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        let customer = apple.addCustomer()
        apple.set(world.gold, of: customer, status: 1)
        let bought = world.gold.purchaseDate
        for number in 0..<620 {
            var coins = SimulatedTransaction(
                bundleID: "com.example.shop", productID: "coins", kind: .consumable,
                transactionID: "\(7_000 + number)",
                purchaseDate: bought.advanced(byMilliseconds: Int64(number) * 1_000))
            coins.appTransactionID = "70"
            apple.set(coins, of: customer)
        }
        // Two calls for notifications, one for statuses, then 32 pages.
        let failing = apple.failing { number, _ in
            number > 30 ? AppStoreFailure(.unauthorized) : nil
        }
        let head = shop.engine.revision
        let stopped = try #require(try await world.run(asking: failing).last)
        #expect(stopped.state == .stopped)
        #expect(shop.engine.revision.number - head.number >= 1_000)
        let reconciler = try await world.run()
        let answer = try #require(reconciler.last)
        #expect(answer.state == .finished && answer.isResumed)
        // Each is told once, in one of the two parts of the run.
        #expect(answer.drift == [DriftCount(cause: .lineageUnknown, count: 620)])
        #expect(try await world.run().last?.drift == [])
    }

    @Test("a token that is too old makes the looks shorter, and all of it is read")
    func tokenTooOld() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        apple.set(world.gold, of: apple.addCustomer(), status: 1)
        for number in 0..<90 {
            _ = apple.send(Self.test(number, try #require(Instant(rfc3339: "2026-01-01"))))
        }
        apple.outdateTokens(afterPages: 2)
        let answer = try #require(try await world.run().last)
        #expect(answer.state == .finished)
        #expect(answer.drift == [DriftCount(cause: .missedNotification, count: 90)])
        let calls = apple.calls.filter { $0.hasPrefix("notifications") }
        #expect(calls.count < 60, "\(calls.count)")
        // Where one page is too many, it ends all the same.
        apple.outdateTokens(afterPages: 1)
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: Self.day))
        for number in 100..<130 {
            let sent = shop.clock.now().advanced(byMilliseconds: -3_600_000)
            apple.send(shop.store.sign(Self.test(number, sent).payload), at: sent)
        }
        let stopped = try #require(try await world.run().last)
        #expect(stopped.state == .stopped)
        #expect(stopped.code == "app-store.rejected")
    }

    private static func test(_ number: Int, _ instant: Instant) -> SimulatedNotification {
        SimulatedNotification(
            type: "TEST", uuid: "00000000-0000-4000-8000-0000\(10_000_000 + number)",
            bundleID: "com.example.shop", appAppleID: 77,
            signedDate: instant.advanced(byMilliseconds: Int64(number % 100) * day / 2))
    }

    @Test("what a policy has refused is read again under another one, once")
    func refusedNotifications() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        apple.set(world.gold, of: apple.addCustomer(), status: 1)
        let other = StoreSimulator(seed: 99, now: shop.clock.now())
        let sent = try #require(Instant(rfc3339: "2026-02-20"))
        apple.send(other.sign(Self.test(1, sent).payload), at: sent)
        let first = try #require(try await world.run().last)
        #expect(first.tally.refused == 1 && first.drift == [])
        // Nothing has changed: nothing is read again.
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: 3_600_000))
        #expect(try await world.run().last?.tally.notifications == 0)
        var texts = Shop.policy(trusting: shop.store)
        texts[0] = PolicyText(
            path: texts[0].path,
            text: String(decoding: texts[0].bytes, as: UTF8.self).replacing(
                "[{file: root.der}]", with: "[{file: root.der}, {file: other.der}]"))
        texts.append(PolicyText(path: "other.der", bytes: other.root.der))
        guard case .activated = try await shop.engine.activate(texts) else {
            Issue.record("the policy is not in force")
            return
        }
        let again = try #require(try await world.run().last)
        #expect(again.drift == [DriftCount(cause: .missedNotification, count: 1)])
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: 3_600_000))
        #expect(try await world.run().last?.tally.notifications == 0)
    }

    @Test("what our clock has refused is read again with the next run")
    func refusedByClock() async throws {
        let world = try await OneCustomer()
        let (shop, apple) = (world.shop, world.apple)
        apple.set(world.gold, of: apple.addCustomer(), status: 1)
        let sent = try #require(Instant(rfc3339: "2026-02-20"))
        let signed = try #require(Instant(rfc3339: "2026-03-03"))
        apple.send(shop.store.sign(Self.test(0, signed).payload), at: sent)
        #expect(try await world.run().last?.tally.refused == 1)
        try shop.clock.set("2026-03-04")
        let again = try #require(try await world.run().last)
        #expect(again.drift == [DriftCount(cause: .missedNotification, count: 1)])
    }
}
