internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

private let support = AdminActionCause(actor: "uid:7", reason: "a test")

@Suite("Amounts", .timeLimit(.minutes(20)))
struct AmountTests {
    private let alice: AccountID = "alice"

    private func gift(_ units: Int64) -> GrantedGift { .credit("coins", units: units) }

    @Test(
        "as many units are given at once as in a policy",
        arguments: [
            (.min, .emptyGift), (-1, .emptyGift), (0, .emptyGift), (1, nil),
            (1_000_000_000, nil), (1_000_000_001, .tooManyUnits), (.max, .tooManyUnits),
        ] as [(Int64, AdminActionRejection?)])
    func bounds(units: Int64, refusal: AdminActionRejection?) async throws {
        let shop = try await Shop()
        let report = try await shop.engine.grant(
            GrantRequest(id: "g", account: alice, gift: gift(units), cause: support))
        switch report {
        case .done: #expect(refusal == nil)
        case .rejected(let found): #expect(found == refusal)
        }
        #expect(try shop.coins("alice") == (refusal == nil ? Int128(units) : nil))
    }

    /// A ledger from before there was a bound.
    private func ledger(giving units: [Int64], until: Instant?) async throws -> Shop {
        let shop = try await Shop()
        try shop.engine.close()
        for (index, units) in units.enumerated() {
            let grant = Grant(
                id: GrantID(unchecked: "g\(index)"), account: alice, environment: .production,
                gift: gift(units), from: shop.clock.now(), until: until, actor: "uid:7",
                reason: "a test")
            try await shop.ledger.append([.grant(grant)], at: grant.from)
        }
        return shop
    }

    @Test(
        "beyond 64 bits that a ledger holds already are summed, and told in full",
        arguments: [
            ([.max, 1], "9223372036854775808"), ([.max, .max], "18446744073709551614"),
            ([.min, -1], "-9223372036854775809"), ([.min, .max, 1], "0"),
        ] as [([Int64], String)])
    func oldLedger(units: [Int64], sum: String) async throws {
        let shop = try await ledger(giving: units, until: nil)
        let engine = try await shop.reopened()
        let (packed, _) = try engine.account(alice)
        let now = shop.clock.now()
        let balance = try #require(packed.balances(in: .production, at: now).first)
        #expect("\(balance.balance)" == sum)
        #expect(packed.balance(CreditKey(.production, "coins"), at: now) == balance.balance)
        #expect(String(decoding: balance.json, as: UTF8.self).contains("\"balance\":\(sum),"))
        try engine.close()
    }

    @Test("of such a ledger end when they end")
    func oldLedgerLater() async throws {
        let until = try #require(Instant(rfc3339: "2026-04-01"))
        let shop = try await ledger(giving: [.max, .min, .max], until: until)
        let engine = try await shop.reopened()
        let (packed, _) = try engine.account(alice)
        let key = CreditKey(.production, "coins")
        #expect(packed.balance(key, at: shop.clock.now()) == Int128(Int64.max) - 1)
        // What is left of them ends: the smallest number of all has taken from the others.
        #expect(packed.balance(key, at: until) == 0)
        try engine.close()
    }

    @Test("and dates at their ends stop no service and no question", arguments: 1...8)
    func extremes(seed: UInt64) async throws {
        let shop = try await Shop(rules: Self.rules)
        var visitor = ExtremeVisitor(shop: shop, seed: seed)
        for _ in 0..<14 { try await visitor.call() }
        try visitor.ask()
        #expect(visitor.accepted > 0)
        try shop.engine.close()
        #expect(try shop.ledger.audit().problems == [])
        let engine = try await shop.reopened()
        _ = try engine.account("alice")
        try engine.close()
    }

    /// Ages and dates cut states, so that instants are moved by periods.
    private static let rules = """
        access:
          - {name: late, when: {state: billing-retry, state_age: at least 10d}, then: withhold}
          - {name: retry, when: {state: billing-retry}, then: grant}
        """
}

/// Asks for anything with the largest and smallest values that there are, and with usual ones.
private struct ExtremeVisitor {
    let shop: Shop
    private var dice: SplitMix64
    private var names = 0
    /// Calls that wrote something.
    private(set) var accepted = 0
    private var places: [LedgerSequence] = []

    init(shop: Shop, seed: UInt64) {
        self.shop = shop
        dice = SplitMix64(seed: seed)
    }

    private static let numbers: [Int64] = [
        .min, .min + 1, -1, 0, 1, 2, 999, 1_000, 1_001, 10_000_000, 10_000_001, 999_999_999,
        1_000_000_000, 1_000_000_001, 1 << 53, .max - 1, .max,
    ]

    private static let instants: [Int64] = [
        .min, .min + 1, -62_167_219_200_000, -1, 0, 1_199_145_600_000, 1_771_545_600_000,
        1_772_323_200_000, 1_774_000_000_000, 4_133_980_799_999, 253_402_300_799_999, .max - 1,
        .max,
    ]

    private mutating func number() -> Int64 { dice.pick(Self.numbers) }

    private mutating func instant() -> Instant {
        Instant(milliseconds: dice.pick(Self.instants))
    }

    private mutating func date() -> Instant {
        dice.chance(1, in: 2) ? Instant(milliseconds: 1_771_545_600_000) : instant()
    }

    private mutating func account() -> AccountID { dice.pick(["alice", "bob"]) }

    private mutating func name() -> String {
        names += 1
        return "\(names)"
    }

    mutating func call() async throws {
        let before = shop.engine.revision
        switch dice.below(8) {
        case 0, 1: try await grant()
        case 2: _ = try await shop.engine.revokeGrant(GrantID(unchecked: "\(names)"), support)
        case 3: try await merge()
        case 4: try await block()
        case 5: try await renew()
        default: try await buy()
        }
        if shop.engine.revision != before { accepted += 1 }
        let later = shop.clock.now().advanced(byMilliseconds: 86_400_000)
        shop.clock.set(later)
        if dice.chance(1, in: 3) { try ask() }
    }

    private mutating func grant() async throws {
        let gift: GrantedGift =
            dice.chance(1, in: 3)
            ? .entitlement("premium") : .credit("coins", units: number())
        _ = try await shop.engine.grant(
            GrantRequest(
                id: GrantID(unchecked: name()), account: account(), gift: gift,
                from: dice.chance(1, in: 2) ? nil : instant(),
                until: dice.chance(1, in: 2) ? nil : instant(), cause: support))
    }

    private mutating func block() async throws {
        let id = BlockID(unchecked: "b\(dice.below(2))")
        if dice.chance(1, in: 2) {
            _ = try await shop.engine.block(account(), id: id, support)
        } else {
            _ = try await shop.engine.liftBlock(id, support)
        }
    }

    private mutating func merge() async throws {
        let (one, other): (AccountID, AccountID) =
            dice.chance(1, in: 2) ? ("alice", "bob") : ("bob", "alice")
        if let place = places.popLast() {
            _ = try await shop.engine.undoMerge(place, support)
            return
        }
        let merge = AccountMerge(from: one, into: other, actor: "uid:7", reason: "a test")
        if case .done(let merged) = try await shop.engine.merge(merge) {
            places.append(merged.sequence)
        }
    }

    private mutating func buy() async throws {
        let (product, kind): (String, ProductKind) = dice.pick([
            ("coins", .consumable), ("gold", .autoRenewable), ("pass", .nonRenewing),
            ("unlock", .nonConsumable), ("coins", .consumable),
        ])
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind,
            transactionID: dice.chance(1, in: 3) ? "t0" : "t" + name(), purchaseDate: date())
        transaction.originalPurchaseDate = instant()
        if kind == .autoRenewable {
            transaction.expiresDate = Instant(milliseconds: 1_774_000_000_000)
        }
        if dice.chance(1, in: 3) { transaction.expiresDate = instant() }
        if dice.chance(1, in: 2) { transaction.quantity = number() }
        if dice.chance(1, in: 2) {
            transaction.price = Price(milliunits: number(), currency: "USD")
        }
        if dice.chance(1, in: 2) { transaction.revocation = revocation() }
        if dice.chance(1, in: 4) { transaction.offer = Offer(type: number()) }
        transaction.isUpgraded = dice.chance(1, in: 4)
        transaction.signedDate = dice.chance(1, in: 3) ? date() : shop.clock.now()
        try await present(shop.store.sign(transaction.payload))
    }

    private mutating func revocation() -> Revocation {
        Revocation(
            date: instant(), reason: number(),
            percentage: dice.chance(1, in: 2) ? nil : number())
    }

    private mutating func renew() async throws {
        var renewal = SimulatedRenewal(
            originalTransactionID: "t0", productID: "gold",
            renewalDate: dice.chance(1, in: 2) ? nil : instant(),
            signedDate: dice.chance(1, in: 3) ? date() : shop.clock.now())
        if dice.chance(1, in: 2) { renewal.gracePeriodExpiresDate = instant() }
        if dice.chance(1, in: 2) { renewal.isInBillingRetryPeriod = true }
        renewal.renewalPrice = Price(milliunits: number(), currency: "USD")
        try await present(shop.store.sign(renewal.payload))
    }

    private mutating func present(_ payload: [UInt8]) async throws {
        let account = account().text
        try await shop.present(payload, as: dice.chance(1, in: 4) ? nil : account)
    }

    /// Every question about everybody at every instant, as its JSON.
    mutating func ask() throws {
        let questions = shop.engine.questions
        for account: AccountID in ["alice", "bob"] {
            let (packed, _) = try shop.engine.account(account)
            for milliseconds in Self.instants {
                let at = Instant(milliseconds: milliseconds)
                for balance in packed.balances(in: .production, at: at) {
                    #expect(!balance.json.isEmpty)
                    let sum = balance.entries.reduce(Int128(0)) { $0 + Int128($1.units) }
                    #expect(balance.balance == sum)
                }
            }
            // Explaining an answer derives it many times.
            for _ in 0..<2 {
                let at = instant()
                var answers: [any WireObject] = [
                    try questions.report(on: account, at: at),
                    try questions.timeline(of: account, at: at),
                    try questions.findings(of: account, at: at),
                ]
                answers.append(
                    try questions.preflight(
                        PreflightRequest(account: account, product: "gold"), at: at))
                let key = RightKey(.production, "premium")
                answers.append(try questions.explain(key, of: account, at: at))
                #expect(answers.allSatisfy { !$0.json.isEmpty })
            }
        }
    }
}
