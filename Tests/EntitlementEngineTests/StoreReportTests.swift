internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Testing

extension Shop {
    fileprivate func report(
        _ account: AccountID = "alice", invalid: [ProductID]? = nil,
        payments: [FailedPayment] = [], in environment: StoreEnvironment = .production
    ) async throws -> StoreReportStanding {
        let outcome = try await engine.record(
            StoreReport(
                account: account, environment: environment, invalidProducts: invalid,
                payments: payments, actor: "uid:7"))
        guard case .done(let standing) = outcome else {
            Issue.record("too many reports")
            throw CancellationError()
        }
        return standing
    }

    fileprivate func catalogue(
        _ account: AccountID = "alice", storefront: String? = nil,
        in environment: StoreEnvironment = .production, appleID: String? = nil
    ) throws -> CatalogueReport {
        try engine.questions.catalogue(
            for: account, in: environment, on: appleID.flatMap { AppleIDKey($0) },
            storefront: storefront, at: clock.now())
    }

    /// Kind, product and account of what stands.
    fileprivate func findings() throws -> [String] {
        try engine.questions.findings(of: nil, after: nil, at: clock.now(), limit: 100)
            .findings.map { finding in
                let product = finding.product?.text ?? "-"
                return "\(finding.kind.rawValue) \(product) \(finding.accounts[0].text)"
            }
    }

    fileprivate func item(_ product: ProductID, in report: CatalogueReport) throws -> CatalogueItem
    {
        try #require(report.products.first { $0.product == product })
    }
}

extension Shop {
    /// What preflight says of a product, which the catalogue says too.
    fileprivate func notes(_ account: AccountID, _ product: ProductID) throws -> [NoteAnswer] {
        let request = PreflightRequest(account: account, product: product)
        let answer = try engine.questions.preflight(request, at: clock.now())
        let asked = answer.verdict.notes
        let listed = try item(product, in: catalogue(account)).verdict.notes
        #expect(asked.map { $0.json } == listed.map { $0.json })
        return listed
    }
}

@Suite("Reports about the store", .timeLimit(.minutes(20)))
struct StoreReportTests {
    @Test("leave invalid products out as long as the newest one says so, and raise findings")
    func invalidProducts() async throws {
        let shop = try await Shop()
        #expect(try shop.catalogue().leftOut == [])
        let first = try await shop.report(invalid: ["gold", "pass", "nothing", "gold"])
        #expect(first.invalidProducts == ["gold", "nothing", "pass"])
        #expect(first.entry == shop.engine.revision)
        var report = try shop.catalogue()
        #expect(report.leftOut == ["gold", "pass"])
        #expect(report.products.map(\.product) == ["coins", "unlock", "weekly"])
        // What the policy does not sell is no finding.
        let standing = ["invalid-product gold alice", "invalid-product pass alice"]
        #expect(try shop.findings().sorted() == standing)
        #expect(
            try shop.engine.questions.findings(of: "alice", at: shop.clock.now()).findings
                .map(\.kind) == [.invalidProduct, .invalidProduct])
        #expect(try shop.catalogue("bob").leftOut == [])
        #expect(try shop.catalogue(in: .sandbox).leftOut == [])

        // The same again, and a report that says nothing of ids, change nothing.
        let again = try await shop.report(invalid: ["pass", "gold", "nothing"])
        #expect(again.entry == nil && again.invalidProducts == first.invalidProducts)
        _ = try await shop.report(payments: [FailedPayment(product: "coins", outcome: .failed)])
        #expect(try shop.catalogue().leftOut == ["gold", "pass"])

        try shop.clock.set("2026-03-05")
        _ = try await shop.report(invalid: ["pass"])
        report = try shop.catalogue()
        #expect(report.leftOut == ["pass"])
        #expect(try shop.findings() == ["invalid-product pass alice"])
        let before = try shop.engine.questions.catalogue(
            for: "alice", in: .production, on: nil,
            at: try #require(Instant(rfc3339: "2026-03-02")))
        #expect(before.leftOut == ["gold", "pass"])
        _ = try await shop.report(invalid: [])
        #expect(try shop.catalogue().leftOut == [])
        #expect(try shop.findings() == [])
        // It is in the ledger, not in memory.
        _ = try await shop.report(invalid: ["gold"])
        let engine = try await shop.reopened()
        let reopened = try engine.questions.catalogue(
            for: "alice", in: .production, on: nil, at: shop.clock.now())
        #expect(reopened.leftOut == ["gold"])
        try engine.close()
    }

    @Test("tell a failed payment once, where the client says when it was")
    func payments() async throws {
        let shop = try await Shop()
        let dated = FailedPayment(
            product: "coins", outcome: .failed, storeCode: "2", occurredAt: shop.clock.now())
        var other = dated
        other.outcome = .cancelled
        #expect(try await shop.report(payments: [dated, dated]).newPayments == [dated])
        let second = try await shop.report(payments: [dated, other])
        #expect(second.newPayments == [other])
        let third = try await shop.report(payments: [dated, other])
        #expect(third.newPayments == [] && third.entry == nil)
        let undated = FailedPayment(product: "coins", outcome: .cancelled)
        for _ in 1...2 {
            let told = try await shop.report(payments: [undated, undated])
            #expect(told.newPayments == [undated, undated])
        }
        // Another environment is another store.
        let sandbox = try await shop.report(payments: [dated], in: .sandbox)
        #expect(sandbox.newPayments == [dated])
        try shop.engine.close()
    }

    @Test("are bounded for each account and day, and nothing of one too many is written")
    func bound() async throws {
        let shop = try await Shop()
        let payment = FailedPayment(product: "coins", outcome: .cancelled)
        let report = StoreReport(account: "alice", payments: [payment], actor: "uid:7")
        for _ in 0..<EntitlementEngine.storeReportsPerDay {
            guard case .done = try await shop.engine.record(report) else {
                Issue.record("too many too early")
                return
            }
        }
        let revision = shop.engine.revision
        guard case .tooMany = try await shop.engine.record(report) else {
            Issue.record("one too many was recorded")
            return
        }
        #expect(shop.engine.revision == revision)
        // What is known already is answered, and others may report.
        _ = try await shop.report(invalid: [])
        _ = try await shop.report("bob", payments: [payment])
        try shop.clock.set("2026-03-02T00:00:00.001Z")
        _ = try await shop.report(payments: [payment])
        try shop.engine.close()
    }
}

@Suite("The catalogue of the app", .timeLimit(.minutes(20)))
struct CatalogueTests {
    private static let more = """
          silver: {kind: auto-renewable, group: plans, level: basic, period: 1mo,
            title: Silver, title_zh: 白银, price: {USD: 4.99, CNY: 30}, grants: [premium]}
          platinum: {kind: auto-renewable, group: plans, level: best, period: 1mo,
            price: {USD: 19.99}, grants: [premium]}
          yearly: {kind: auto-renewable, group: plans, level: basic, period: 1y,
            retired: 2026-01-01, grants: [premium]}
        """

    private func shop() async throws -> Shop {
        let rules =
            Self.more + "\n" + """
                duplicate_subscriptions: {scope: group, before_purchase: block, keep: longest-paid}
                """
        return try await Shop(
            rules: rules, groups: ", plans: {title: Plans, levels: [best, basic]}")
    }

    @Test("says what is owned, what may be bought, why not, and which way a plan changes")
    func items() async throws {
        let shop = try await shop()
        try await shop.present(
            try shop.purchase("silver", .autoRenewable, id: "1", until: "2026-03-20") {
                $0.appTransactionID = "9"
                $0.price = Price(milliunits: 4_990, currency: "USD")
            }, as: "alice")
        let own = try shop.catalogue(appleID: "atx:production:9")
        #expect(own.groups.map(\.group.text) == ["members", "plans"])
        #expect(own.groups.last?.levels.map(\.text) == ["best", "basic"])
        let silver = try shop.item("silver", in: own)
        #expect(silver.isOwned && !silver.isPurchasable && silver.state == .active)
        #expect(silver.verdict.notes.map(\.code) == [.alreadySubscribed])
        #expect(silver.title == Title(english: "Silver", chinese: "白银"))
        let platinum = try shop.item("platinum", in: own)
        #expect(platinum.isPurchasable && !platinum.isOwned && platinum.change == .upgrade)
        let yearly = try shop.item("yearly", in: own)
        #expect(!yearly.isPurchasable && yearly.change == .crossgrade)
        #expect(yearly.verdict.notes.map(\.code) == [.notForSale, .planChange])
        // On another Apple ID the same would be paid twice.
        let other = try shop.item("platinum", in: shop.catalogue(appleID: "atx:production:7"))
        #expect(!other.isPurchasable && other.change == nil)
        let note = try #require(other.verdict.notes.first)
        #expect(note.code == .duplicateAppleID)
        #expect(note.price?.price == Price(milliunits: 19_990, currency: "USD"))
        #expect(note.period == "1mo")
        #expect(note.until == Instant(rfc3339: "2026-03-20"))
        try shop.engine.close()
    }

    @Test("has the price of a storefront, where the policy has one in its currency")
    func storefronts() async throws {
        let shop = try await shop()
        func price(_ product: ProductID, _ storefront: String?) throws -> String? {
            try shop.item(product, in: shop.catalogue(storefront: storefront)).price
                .map { "\($0.thousandths) \($0.currency)" }
        }
        #expect(try price("silver", "CHN") == "30000 CNY")
        #expect(try price("silver", "USA") == "4990 USD")
        #expect(try price("platinum", "CHN") == nil)
        #expect(try price("silver", "ATA") == nil)
        #expect(try price("silver", nil) == nil)
        #expect(try shop.item("silver", in: shop.catalogue(storefront: "CHN")).prices.count == 2)
        try shop.engine.close()
    }

    @Test("names the open order for a product, as preflight does, also for a merged account")
    func openOrders() async throws {
        let shop = try await shop()
        let request = OrderRequest(account: "alice", product: "silver", actor: "uid:7")
        guard case .done(let order) = try await shop.engine.makeOrder(request).report else {
            Issue.record("no order")
            return
        }
        let coins = OrderRequest(account: "alice", product: "coins", actor: "uid:7")
        _ = try await shop.engine.makeOrder(coins).report
        try await shop.present(try shop.purchase("coins", .consumable, id: "7"), as: "alice")
        #expect(try shop.notes("alice", "silver").last?.order == order.id)
        #expect(try shop.notes("alice", "coins").isEmpty)
        _ = try await shop.engine.merge(
            AccountMerge(from: "alice", into: "bob", actor: "uid:7", reason: "a test"))
        #expect(try shop.notes("bob", "silver").last?.order == order.id)
        #expect(try shop.notes("alice", "silver").last?.order == order.id)
        try shop.engine.close()
    }

    @Test("an order is made after a warning, and not where preflight blocks: nothing is written")
    func orders() async throws {
        let shop = try await shop()
        try await shop.present(
            try shop.purchase("silver", .autoRenewable, id: "1", until: "2026-03-20") {
                $0.appTransactionID = "9"
            }, as: "alice")
        func order(_ product: ProductID, _ appleID: String?) async throws -> OrderReport {
            try await shop.engine.makeOrder(
                OrderRequest(
                    account: "alice", product: product,
                    appleID: appleID.flatMap { AppleIDKey($0) }, actor: "uid:7")
            ).report
        }
        let revision = shop.engine.revision
        for (product, appleID, code) in [
            ("silver", "atx:production:9", .alreadySubscribed),
            ("platinum", "atx:production:7", .duplicateAppleID), ("yearly", nil, .notForSale),
            ("boat", nil, .unknownProduct),
        ] as [(ProductID, String?, PreflightCode)] {
            guard case .rejected(.blocked(code)) = try await order(product, appleID) else {
                Issue.record("\(product) was not blocked by \(code.rawValue)")
                continue
            }
        }
        #expect(shop.engine.revision == revision)
        // Without a key two checks cannot be made: a warning, which stops nobody.
        guard case .done = try await order("platinum", nil) else {
            Issue.record("a warning stopped the order")
            return
        }
        try shop.engine.close()
    }
}
