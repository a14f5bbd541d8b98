internal import EntitlementAnswers
internal import EntitlementModel
internal import LedgerModel
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import EntitlementEngine

/// What the feed tells of single happenings.
@Suite("The change feed", .timeLimit(.minutes(20)))
struct FeedTests {
    @Test("tells a purchase once, then its end by time alone", arguments: TestLedger.Store.allCases)
    func purchase(on store: TestLedger.Store) async throws {
        let shop = try await Shop(on: store)
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        #expect(
            try await shop.told() == [
                "1 policy-activated", "2 owner-changed alice lineage:1",
                "3 right-gained alice premium active until 2026-03-20T01:00:00.000Z",
            ])
        #expect(try await shop.told(after: 3) == [])
        try shop.clock.set("2026-03-20T00:00:00Z")
        #expect(
            try await shop.told(after: 3) == [
                "4 right-state alice premium renewing until 2026-03-20T01:00:00.000Z"
            ])
        try shop.clock.set("2026-03-20T00:59:59.999Z")
        #expect(try await shop.told(after: 4) == [])
        try shop.clock.set("2026-03-20T01:00:00Z")
        #expect(try await shop.told(after: 4) == ["5 right-lost alice premium expired"])
        let last = try #require(try shop.page(after: 4).changes.first)
        #expect(last.change.cause == [] && last.change.corrected == nil)
        #expect(last.change.at.rfc3339 == "2026-03-20T01:00:00.000Z")
        try shop.engine.close()
    }

    /// What the feed waits for needs no thread of those that close engines: a machine has few of them.
    @Test("ends with the engine, though every thread of tasks closes one")
    func closing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<16 {
                tasks.addTask {
                    let shop = try await Shop(on: .memory)
                    shop.engine.startFeed()
                    try await shop.present(
                        try shop.purchase("unlock", .nonConsumable, id: "1"), as: "alice")
                    try shop.engine.close()
                }
            }
            try await tasks.waitForAll()
        }
    }

    @Test("tells what is due before a fact that was recorded later, and records nothing earlier")
    func order() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        _ = try await shop.told()
        try shop.clock.set("2026-04-02")
        try await shop.present(
            try shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        let told = try await shop.told(after: 3)
        #expect(
            told == [
                "4 right-state alice premium renewing until 2026-03-20T01:00:00.000Z",
                "5 right-lost alice premium expired", "6 owner-changed alice lineage:2",
                "7 right-gained alice forever active",
            ])
        // The clock is set back: what was told at an instant is not followed by an earlier fact.
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "3", until: "2026-05-20"), as: "bob")
        _ = try await shop.told()
        try shop.clock.set("2026-05-20T01:00:00Z")
        _ = try await shop.told()
        try shop.clock.set("2026-05-20T00:58:00Z")
        try await shop.present(try shop.purchase("unlock", .nonConsumable, id: "4"), as: "bob")
        let page = try await shop.allTold()
        #expect(page.map(\.change.at) == page.map(\.change.at).sorted())
        #expect(page.last?.change.at.rfc3339 == "2026-05-20T01:00:00.000Z")
        try shop.engine.close()
    }

    @Test("says which stretch of the past a late refund corrects, and why")
    func refund() async throws {
        let shop = try await Shop()
        try await shop.present(try shop.purchase("unlock", .nonConsumable, id: "1"), as: "alice")
        _ = try await shop.told()
        try shop.clock.set("2026-03-10")
        let (day, signed) = (
            try #require(Instant(rfc3339: "2026-03-04")),
            try #require(Instant(rfc3339: "2026-03-09"))
        )
        let refunded = try shop.purchase("unlock", .nonConsumable, id: "1") {
            $0.revocation = Revocation(date: day, reason: 0)
            $0.signedDate = signed
        }
        try await shop.present(refunded, as: "alice")
        let lost = try #require(
            try await shop.allTold().last { $0.change.kind == .rightLost })
        #expect(lost.change.at.rfc3339 == "2026-03-10T00:00:00.000Z")
        #expect(lost.change.corrected?.start.rfc3339 == "2026-03-04T00:00:00.000Z")
        #expect(lost.change.corrected?.end == lost.change.at)
        #expect(!lost.change.cause.isEmpty)
        // The first claim corrects what was answered before it was known.
        let gained = try #require(
            try await shop.allTold().first { $0.change.kind == .rightGained })
        #expect(gained.change.corrected?.start.rfc3339 == "2026-02-20T00:00:00.000Z")
        try shop.engine.close()
    }

    @Test("tells what another policy changes, of those whom it changes something for only")
    func policy() async throws {
        let shop = try await Shop(policyGuard: .warn)
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        try await shop.present(try shop.purchase("unlock", .nonConsumable, id: "2"), as: "bob")
        let before = try await shop.allTold().count
        let isActive = await shop.engine.activate(
            loaded: Shop.policy(trusting: shop.store, leeway: "2h"))
        #expect(isActive)
        let told = try await shop.told(after: Int64(before))
        #expect(
            told == [
                "\(before + 1) policy-activated",
                "\(before + 2) right-moved alice premium active until "
                    + "2026-03-20T02:00:00.000Z",
            ])
        try shop.engine.close()
    }

    @Test("tells who owned what of a merged account, and who does after the merge is undone")
    func merge() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "guest")
        try await shop.present(try shop.purchase("coins", .consumable, id: "2"), as: "guest")
        let before = Int64(try await shop.allTold().count)
        var merge = AccountMerge(from: "guest", into: "alice", actor: "uid:7", reason: "a test")
        guard case .done(let merged) = try await shop.engine.merge(merge) else {
            Issue.record("no merge")
            return
        }
        #expect(
            try await shop.told(after: before).filter { $0.contains("owner") } == [
                "\(before + 1) owner-changed alice lineage:1",
                "\(before + 2) owner-changed guest lineage:1",
                "\(before + 3) owner-changed alice transaction:2",
                "\(before + 4) owner-changed guest transaction:2",
            ])
        let between = Int64(try await shop.allTold().count)
        merge.undoes = merged.sequence
        _ = try await shop.engine.merge(merge)
        #expect(
            try await shop.told(after: between).filter { $0.contains("owner") } == [
                "\(between + 1) owner-changed alice lineage:1",
                "\(between + 2) owner-changed guest lineage:1",
                "\(between + 3) owner-changed alice transaction:2",
                "\(between + 4) owner-changed guest transaction:2",
            ])
        try shop.engine.close()
    }

    @Test("tells what fell due between many entries in few transactions")
    func portions() async throws {
        let shop = try await Shop()
        for day in 2...28 {
            let end = "2026-03-\(day < 10 ? "0" : "")\(day)"
            try await shop.present(
                try shop.purchase("gold", .autoRenewable, id: "\(day)", until: end),
                as: "account-\(day)")
        }
        for day in 2...28 {
            try shop.clock.set("2026-03-\(day < 10 ? "0" : "")\(day)T12:00:00Z")
            try await shop.present(
                try shop.purchase("unlock", .nonConsumable, id: "1\(day)"), as: "account-\(day)")
        }
        var portions = 0
        while try await shop.engine.advanceFeed(at: shop.engine.now()) { portions += 1 }
        let told = try shop.page().changes
        #expect(told.count { $0.change.kind == .rightLost } == 27)
        #expect(told.map(\.change.at) == told.map(\.change.at).sorted())
        // The policy, its accounts, and the rest at once.
        #expect(portions <= 4)
        try shop.engine.close()
    }

    @Test("is looked at again at once while there is more to tell, and when the next is due")
    func pauses() async throws {
        let shop = try await Shop()
        let job = FeedJob(engine: shop.engine)
        func pause() async -> Int64? {
            let pause = await job.run()
            if pause.longest == .zero { return nil }
            return pause.due.map { $0.milliseconds(since: shop.engine.now()) } ?? .max
        }
        // The policy, then its accounts.
        #expect(await pause() == nil)
        #expect(await pause() == nil)
        #expect(await pause() == .max)
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        #expect(await pause() == nil)
        try shop.clock.set("2026-03-19T23:59:59.950Z")
        #expect(await pause() == 50)
        try shop.clock.set("2026-03-20T00:00:00Z")
        #expect(await pause() == nil)
        #expect(await pause() == 3_600_000)
        try shop.engine.close()
    }

    @Test("tells balances, orders and findings")
    func others() async throws {
        let shop = try await Shop()
        try await shop.present(try shop.purchase("coins", .consumable, id: "1"), as: "alice")
        #expect(
            try await shop.told(after: 1) == [
                "2 owner-changed alice transaction:1", "3 balance-changed alice coins 100",
            ])
        try await shop.present(try shop.purchase("odd", .nonConsumable, id: "2"), as: "alice")
        #expect(
            try await shop.told(after: 3) == [
                "4 owner-changed alice lineage:2",
                "5 finding-opened alice unmapped-product lineage:2 product:odd",
            ])
        let made = try await shop.engine.makeOrder(
            OrderRequest(account: "alice", product: "gold", actor: "uid:7"))
        guard case .done(let order) = made.report else {
            Issue.record("no order")
            return
        }
        #expect(try await shop.told(after: 5) == ["6 order-changed alice \(order.id) created"])
        try shop.clock.set("2026-03-20")
        #expect(try await shop.told(after: 6) == ["7 order-changed alice \(order.id) abandoned"])
        try shop.engine.close()
    }

    @Test("tells a denied claim to the claimant, and the owner of the first one alone")
    func denials() async throws {
        let shop = try await Shop()
        let payload = try shop.purchase("unlock", .nonConsumable, id: "1")
        try await shop.present(payload, as: "owner")
        var last = try await shop.told().count
        for number in 1...4 {
            try await shop.present(payload, as: "claimant-\(number)", moment: .restore)
            let told = try await shop.told(after: Int64(last)).map {
                $0.split(separator: " ").dropFirst().joined(separator: " ")
            }
            last += told.count
            let own = "finding-opened claimant-\(number) account-switch lineage:1"
            let first = ["finding-opened owner account-switch lineage:1"]
            #expect(told == [own] + (number == 1 ? first : []))
        }
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems.isEmpty)
    }

    @Test("tells what is without effect, and what waits for Apple, whoever has handed it in")
    func ofNoAccount() async throws {
        let shop = try await Shop()
        let start = Int64(try await shop.allTold().count)
        let now = shop.engine.now()
        let (quarantined, tickets) = try await shop.engine.ledger.write { ledger in
            (
                try ledger.append(
                    .quarantine(Quarantine(evidence: LedgerSequence(1), code: "test")), at: now),
                try (1...3).map { number in
                    try ledger.append(
                        .evidenceTicket(
                            EvidenceTicket(
                                .transaction, transaction: TransactionID(unchecked: "\(number)"),
                                account: number == 3 ? "alice" : nil)), at: now)
                }
            )
        }
        let opened = "\(start + 1) finding-opened quarantined entry:\(quarantined)"
        #expect(try await shop.told(after: start) == [opened])
        // The second one is answered before anybody has to look, the first one after.
        func close(_ index: Int, _ outcome: TicketClosing.Outcome) async throws {
            let (ticket, now) = (tickets[index], shop.engine.now())
            _ = try await shop.engine.ledger.write {
                try $0.append(
                    .ticketClosed(TicketClosing(ticket: ticket, outcome: outcome)), at: now)
            }
        }
        try await close(1, .judged)
        try shop.clock.set("2026-03-01T01:00:00Z")
        let waiting = ["1", "3"].map { "evidence-waiting transaction:\($0)" }
        #expect(
            try await shop.told(after: start + 1) == [
                "\(start + 2) finding-opened \(waiting[0]) entry:\(tickets[0])",
                "\(start + 3) finding-opened alice \(waiting[1]) entry:\(tickets[2])",
            ])
        try shop.clock.set("2026-03-01T02:00:00Z")
        try await close(0, .judged)
        try await close(2, .refused)
        let refused = "evidence-unconfirmed transaction:3 entry:\(tickets[2])"
        #expect(
            try await shop.told(after: start + 3) == [
                "\(start + 4) finding-closed \(waiting[0]) entry:\(tickets[0])",
                "\(start + 5) finding-opened alice \(refused)",
                "\(start + 6) finding-closed alice \(waiting[1]) entry:\(tickets[2])",
            ])
        try shop.engine.close()
    }

    @Test("goes on where it was at the next start, and tells an older ledger from its beginning")
    func restart() async throws {
        let shop = try await Shop()
        try await shop.present(
            try shop.purchase("gold", .autoRenewable, id: "1", until: "2026-03-20"), as: "alice")
        let first = try await shop.told()
        let engine = try await shop.reopened()
        try shop.clock.set("2026-03-21")
        while try await engine.advanceFeed(at: shop.clock.now()) {}
        let page = try engine.questions.changes(
            after: nil, matching: ChangeFilter(), limit: 100, at: shop.clock.now())
        #expect(
            page.changes.map(\.line) == first + [
                "4 right-state alice premium renewing until 2026-03-20T01:00:00.000Z",
                "5 right-lost alice premium expired",
            ])
        #expect(page.isCaughtUp && page.isAtHead && page.head == 5)
        try engine.close()
    }

    @Test("says how far it lags, and rejects what names nothing")
    func lag() async throws {
        let shop = try await Shop()
        try shop.clock.set("2026-03-01T00:00:07Z")
        var page = try shop.page()
        #expect(!page.isCaughtUp && page.lagMilliseconds == 7_000 && page.changes.isEmpty)
        _ = try await shop.told()
        page = try shop.page()
        #expect(page.isCaughtUp && page.lagMilliseconds == 0 && page.revision.number == 1)
        func code(_ cursor: String, _ filter: ChangeFilter = ChangeFilter()) throws -> String? {
            do throws(EngineError) {
                _ = try shop.engine.questions.changes(
                    after: FeedCursor(cursor), matching: filter, limit: 1, at: shop.clock.now())
                return nil
            } catch {
                return error.code
            }
        }
        let own = try #require(page.next.ledger)
        #expect(try code("\(own):1") == nil)
        #expect(try code("1") == nil)
        #expect(try code("2") == "feed.future")
        #expect(try code("\(own):2") == "feed.future")
        #expect(try code("0123456789abcdef:1") == "feed.other-ledger")
        #expect(try code("1", ChangeFilter(entitlement: "moon")) == "entitlement.unknown")
        try shop.engine.close()
    }

    @Test(
        "a cursor is a number, or a ledger and a number",
        arguments: [
            "", ":", "1:", "x", "-1", "+1", "1.5", "0123456789abcdef:", "0123456789ABCDEF:1",
            "0123456789abcdef:1:2", "0123456789abcde:1", "1234567890123456789", "１",
        ])
    func malformedCursor(text: String) {
        #expect(FeedCursor(text) == nil)
        #expect(FeedCursor("0123456789abcdef:12")?.text == "0123456789abcdef:12")
        #expect(FeedCursor("12")?.text == "12")
    }
}

extension Shop {
    /// Tells all that is to be told, and gives each change as a line.
    func told(after number: Int64 = 0) async throws -> [String] {
        try await allTold().filter { $0.cursor.number > number }.map(\.line)
    }

    func allTold() async throws -> [ChangeAnswer] {
        while try await engine.advanceFeed(at: engine.now()) {}
        return try page().changes
    }

    func page(after number: Int64 = 0) throws -> ChangePage {
        try engine.questions.changes(
            after: FeedCursor(ledger: nil, number: number), matching: ChangeFilter(), limit: 1_000,
            at: engine.now())
    }
}

extension ChangeAnswer {
    fileprivate var line: String {
        let subject = change.kind == .policyActivated ? nil : change.subject
        let parts = [
            "\(cursor.number)", change.kind.rawValue, change.account?.text, subject,
            change.after?.line,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension FeedValue {
    fileprivate var line: String? {
        switch self {
        case .right(let right):
            [right.state?.rawValue, right.until.map { "until " + $0.rfc3339 }]
                .compactMap(\.self).joined(separator: " ")
        case .balance(let balance): "\(balance)"
        case .lapse(let lapse): "\(lapse.units) at \(lapse.at.rfc3339)"
        case .order(let state): state.rawValue
        case .finding, .owners, .policy: nil
        }
    }
}
