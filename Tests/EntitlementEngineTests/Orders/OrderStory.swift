internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreSimulator
internal import Testing

/// Plays a story of `fixtures/orders` line by line; its README says what each line means.
struct OrderStory {
    private struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private let shop: Shop
    /// What the story calls A, B …
    private var orders: [String: OrderID] = [:]
    private var sales: [String: SimulatedTransaction] = [:]
    private var rejection: String?
    private var problem: OrderNameProblem?
    private var line = ""

    init() async throws {
        shop = try await Shop()
    }

    mutating func play(_ text: String) async throws {
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("Why: ") }.dropFirst()
        for line in lines {
            self.line = String(line)
            var words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                try check(words)
            } else {
                try shop.clock.set("2026-03-01T\(words.removeFirst()):00Z")
                (rejection, problem) = (nil, nil)
                try await perform(words)
            }
        }
        try shop.engine.close()
    }

    private func malformed() -> Malformed { Malformed(description: line) }

    /// What stands behind the word.
    private func word(_ name: String, in words: [String]) -> String? {
        guard let place = words.firstIndex(of: name), words.indices.contains(place + 1) else {
            return nil
        }
        return words[place + 1]
    }

    private func price(in words: [String]) -> Price? {
        guard let place = words.firstIndex(of: "for"), words.indices.contains(place + 2),
            let amount = Int64(words[place + 1])
        else { return nil }
        return Price(milliunits: amount, currency: words[place + 2])
    }

    private func order(_ name: String?) throws -> OrderID {
        guard let name, let id = orders[name] else { throw malformed() }
        return id
    }

    private func sale(_ name: String?) throws -> SimulatedTransaction {
        guard let name, let sale = sales[name] else { throw malformed() }
        return sale
    }

    private mutating func perform(_ words: [String]) async throws {
        switch (words[0], words[1]) {
        case ("nothing", _): break
        case (let account, "orders"): try await make(account, words)
        case (_, "reports"): try await report(words)
        case (_, "pays"): try buy(words, .purchase)
        case (_, "renews"): try buy(words, .renewal)
        case (let account, "sends"):
            let submission = EvidenceSubmission(
                payload: shop.store.sign(try sale(words[2]).payload),
                account: AccountID(unchecked: account),
                order: try word("for", in: words).map { try order($0) })
            problem = try await shop.engine.submit([submission]).first?.judged?.orderProblem
        case ("apple", "tells"):
            try await shop.present(shop.store.sign(sale(words[3]).payload), as: nil)
        case ("apple", "refunds"): try change(words[2], Revocation(date: shop.clock.now()))
        case ("apple", "reverses"): try change(words[5], nil)
        case ("support", "merges"):
            _ = try await shop.engine.merge(
                AccountMerge(
                    from: AccountID(unchecked: words[2]), into: AccountID(unchecked: words[4]),
                    actor: "uid:0", reason: "a story"))
        case ("support", _): try await rule(words)
        default: throw malformed()
        }
    }

    private mutating func make(_ account: String, _ words: [String]) async throws {
        let request = OrderRequest(
            account: AccountID(unchecked: account), product: ProductID(unchecked: words[2]),
            price: price(in: words), actor: "uid:7")
        let report = try await shop.engine.makeOrder(request).report
        guard let name = word("as", in: words) else { throw malformed() }
        orders[name] = note(report)?.id
    }

    private mutating func report(_ words: [String]) async throws {
        guard let kind = OrderEventKind(rawValue: words[2]) else { throw malformed() }
        let request = OrderEventRequest(
            order: try order(word("for", in: words)), kind: kind,
            transaction: word("naming", in: words).map { number(of: $0) }, actor: "uid:7")
        _ = note(try await shop.engine.report(request))
    }

    private mutating func rule(_ words: [String]) async throws {
        let ruling: OrderRuling =
            switch words[1] {
            case "settles": .settle(word("with", in: words).map { number(of: $0) })
            case "refuses": .refuse
            case "undoes": .undo
            case "reassigns": .reassign(AccountID(unchecked: words[4]))
            default: throw malformed()
            }
        let cause = AdminActionCause(actor: "uid:0", reason: "a story")
        _ = note(try await shop.engine.rule(on: try order(words[2]), ruling, cause))
    }

    private mutating func note(_ report: OrderReport) -> OrderHistory? {
        switch report {
        case .done(let history), .inFlight(let history): return history
        case .rejected(let rejected):
            rejection = rejected.code
            return nil
        }
    }

    /// What Apple calls `t1`.
    private func number(of sale: String) -> TransactionID {
        TransactionID(unchecked: "100" + sale.dropFirst())
    }

    private mutating func buy(_ words: [String], _ reason: TransactionReason) throws {
        guard let name = word("as", in: words) else { throw malformed() }
        let kinds: [String: ProductKind] = [
            "gold": .autoRenewable, "unlock": .nonConsumable, "coins": .consumable,
        ]
        guard let kind = kinds[words[2]] else { throw malformed() }
        let now = shop.clock.now()
        var sale = SimulatedTransaction(
            bundleID: "com.example.shop", productID: words[2], kind: kind,
            transactionID: number(of: name).text, purchaseDate: now,
            expiresDate: kind == .autoRenewable ? Period(1, .months).end(from: now) : nil)
        sale.reason = reason
        sale.price = price(in: words)
        sale.appAccountToken = word("with", in: words).flatMap { orders[$0]?.text }
        if words.contains("sandbox") { sale.environment = .sandbox }
        let devices = ["phone": "9001", "tablet": "9002"]
        sale.appTransactionID = word("on", in: words).flatMap { devices[$0] }
        sale.signedDate = now
        sales[name] = sale
    }

    private mutating func change(_ name: String, _ revocation: Revocation?) throws {
        var sale = try sale(name)
        sale.revocation = revocation
        sale.signedDate = shop.clock.now()
        sales[name] = sale
    }
}

/// What must hold.
extension OrderStory {
    private func check(_ words: [String]) throws {
        switch (words[0], words[1]) {
        case ("rejected:", let code): #expect(rejection == code, "\(line)")
        case ("the", "order"): #expect(problem?.rawValue == words[words.count - 1], "\(line)")
        case ("nothing", "is"): #expect(try lost().isEmpty, "\(line)")
        case (let sale, "is") where sales[sale] != nil && words[2] == "lost":
            let found = try lost().first {
                $0.id == nil && $0.transaction == number(of: sale)
            }
            #expect(found?.reason.rawValue == words[4], "\(line)")
        case (let account, "has"): try checkRights(account, Array(words.dropFirst(2)))
        case (let sale, "is") where sales[sale] != nil: try checkOther(words)
        case (_, "is"): try checkOrder(words)
        default: throw malformed()
        }
    }

    private func checkRights(_ account: String, _ words: [String]) throws {
        if words.last == "coins" {
            #expect(try shop.coins(account) ?? 0 == Int128(words[0]), "\(line)")
        } else {
            let isDenied = words[0] == "no"
            let answer = try shop.answer(account, words[words.count - 1])
            #expect(answer.decision != isDenied, "\(line)")
        }
    }

    private func checkOrder(_ words: [String]) throws {
        let id = try order(words[0])
        switch words[2] {
        case "lost":
            let found = try lost().first { $0.id == id }
            #expect(found?.reason.rawValue == words[4], "\(line)")
        case "the": #expect(try id == order(words[6]), "\(line)")
        case "another": #expect(try id != order(words[5]), "\(line)")
        default:
            let told = try shop.engine.questions.order(id, at: shop.clock.now())
            #expect(told?.state.rawValue == words[2].filter { $0 != "," }, "\(line)")
            guard words.count > 3 else { return }
            let basis = told?.events.last { $0.basis != nil }?.basis
            #expect(basis?.rawValue == words[words.count - 1], "\(line)")
        }
    }

    /// "t2 is of another order, which is review".
    private func checkOther(_ words: [String]) throws {
        let named = number(of: words[0])
        let all = try orders.values.flatMap { id in
            let account = try #require(
                try shop.engine.questions.order(id, at: shop.clock.now())?.account)
            return try shop.engine.questions.orders(
                of: account, at: shop.clock.now(), limit: 10
            ).orders
        }
        let others = all.filter { order in
            !orders.values.contains(order.id)
                && order.events.contains { $0.transaction == named }
        }
        #expect(Set(others.map(\.id)).count == 1, "\(line)")
        #expect(others.first?.state.rawValue == words[words.count - 1], "\(line)")
        #expect(others.first?.parent.map(orders.values.contains) == true, "\(line)")
    }

    private func lost() throws -> [LostOrder] {
        let page = try shop.engine.questions.lostOrders(
            after: .zero, at: shop.clock.now(), limit: 100)
        #expect(page.next == nil)
        return page.orders
    }
}
