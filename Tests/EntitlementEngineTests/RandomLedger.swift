internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

/// A real engine on a real ledger, and everything that can be asked of it, in a random order:
/// signed evidence of few purchases, presented again and again by few accounts, with rulings,
/// merges, blocks, tokens and policies in between.
final class RandomLedger {
    static let accounts: [AccountID] = [
        "alice", "bob", "carol", "00000000-0000-4000-8000-00000000000c",
        "00000000-0000-4000-8000-00000000000C",
    ]
    private static let tokens = (["a", "b", "c"] as [String]).map {
        "00000000-0000-4000-8000-00000000000" + $0
    }
    /// Those that act, and those that tokens name under `is-account-id`.
    static let owners = Set(accounts).union(tokens.map { AccountID(unchecked: $0) })

    private let shop: Shop
    private var dice: SplitMix64
    /// Of credits, so that all else of a seed stays as it is.
    private var terms: SplitMix64
    private var now: Instant
    private var evidence: [[UInt8]] = []
    private var transactionIDs: Set<Int> = []
    private var merges: [LedgerSequence] = []
    private var blocks = 0
    private var grants = 0
    private var orders: [OrderID] = []
    let seed: UInt64
    /// Does each action of a person, as often as it likes; once if nil.
    var around: ((Action) async throws -> Void)?

    /// One action, as it is meant.
    typealias Action = (ActionIntent) async throws -> Void

    init(seed: UInt64, on store: TestLedger.Store) async throws {
        self.seed = seed
        dice = SplitMix64(seed: seed)
        terms = SplitMix64(seed: seed ^ 0x7E25)
        now = try #require(Instant(rfc3339: "2026-03-01"))
        shop = try await Shop(on: store)
        _ = try await shop.engine.activate(policy())
        for _ in 0..<(2 + dice.below(3)) { buy() }
    }

    var ledger: TestLedger { shop.ledger }
    var engine: EntitlementEngine { shop.engine }

    /// Some time later, something happens.
    func step() async throws {
        now = now.advanced(byMilliseconds: Int64(dice.pick([0, 1, 60, 1_440, 7_200])) * 60_000)
        shop.clock.set(now)
        switch dice.below(24) {
        case 20...21: try await order()
        case 22: try await report()
        case 23: try await ruleOnOrder()
        case 0..<9: try await submit()
        case 9..<13: try await rule()
        case 13: try await merge()
        case 14: try await undoMerge()
        case 15: try await block()
        case 16: try await register()
        case 17: try await grant()
        case 18: _ = try await engine.activate(policy())
        default: buy()
        }
    }

    func close() throws { try engine.close() }
}

/// What happens to orders.
extension RandomLedger {
    private func order() async throws {
        let request = OrderRequest(
            account: dice.pick(Self.accounts),
            product: ProductID(unchecked: dice.pick(["gold", "coins", "unlock", "pass"])),
            key: dice.chance(1, in: 2) ? "k\(dice.below(3))" : nil, actor: "uid:7")
        guard case .done(let history) = try await engine.makeOrder(request).report else { return }
        if !orders.contains(history.id) { orders.append(history.id) }
        let product = history.order.value.product.text
        guard dice.chance(1, in: 2) else { return }
        buy(product, token: dice.chance(1, in: 2) ? history.id.text : nil)
    }

    private func report() async throws {
        guard !orders.isEmpty else { return }
        let named = transactionIDs.isEmpty || dice.chance(1, in: 2) ? nil : dice.pick(numbers)
        _ = try await engine.report(
            OrderEventRequest(
                order: dice.pick(orders), kind: dice.pick(OrderEventKind.allCases),
                transaction: named.map { TransactionID(unchecked: "\($0)") }, actor: "uid:7"))
    }

    private func ruleOnOrder() async throws {
        guard !orders.isEmpty else { return }
        let payment = transactionIDs.isEmpty ? nil : dice.pick(numbers)
        let ruling: OrderRuling =
            switch dice.below(5) {
            case 0: .settle(payment.map { TransactionID(unchecked: "\($0)") })
            case 1: .settle(nil)
            case 2: .refuse
            case 3: .reassign(dice.pick(Self.accounts))
            default: .undo
            }
        let order = dice.pick(orders)
        try await act { _ = try await engine.rule(on: order, ruling, $0) }
    }

    private var numbers: [Int] { transactionIDs.sorted() }
}

/// What happens.
extension RandomLedger {
    private func submit() async throws {
        let payload = dice.pick(evidence)
        let moments: [ClaimMoment?] = [nil, nil, .restore, .purchase, .support]
        let submission = EvidenceSubmission(
            payload: payload, account: dice.chance(1, in: 6) ? nil : dice.pick(Self.accounts),
            moment: dice.pick(moments))
        let times = dice.pick([1, 1, 2])
        _ = try await engine.submit(Array(repeating: submission, count: times))
    }

    private func rule() async throws {
        let waiting = try engine.questions.waitingClaims().claims.map(\.claim)
        let verb = dice.pick(Ruling.Verb.allCases)
        let last = Int(engine.revision.number)
        let any = LedgerSequence(Int64(1 + dice.below(last)))
        let isAny = waiting.isEmpty || dice.chance(1, in: 3)
        let claim = isAny ? try anyClaim() ?? any : dice.pick(waiting)
        var request = RulingRequest(verb: verb, claim: claim, cause: Self.cause)
        if dice.chance(1, in: 2) { request.account = dice.pick(Self.accounts) }
        if dice.chance(1, in: 4) { request.decision = any }
        try await act { cause in
            request.cause = cause
            _ = try await engine.rule(request)
        }
    }

    private func anyClaim() throws -> LedgerSequence? {
        let account = dice.pick(Self.accounts)
        let claims = try engine.questions.report(on: account, at: now).claims
        return claims.isEmpty ? nil : dice.pick(claims).claim
    }

    private func merge() async throws {
        let merge = AccountMerge(
            from: dice.pick(Self.accounts), into: dice.pick(Self.accounts), actor: "uid:7",
            reason: "a test")
        var report: AdminActionReport<Recorded<AccountMerge>>?
        try await act { report = try await engine.merge(merge, meant: $0.intent) }
        guard case .done(let first)? = report else { return }
        merges.append(first.sequence)
        let revision = engine.revision
        let again = try await engine.merge(merge)
        #expect(again == report, "seed \(seed): the same merge again")
        #expect(engine.revision == revision, "seed \(seed): the same merge again")
    }

    private func undoMerge() async throws {
        guard let newest = merges.last else { return }
        let merge = dice.chance(2, in: 3) ? newest : dice.pick(merges)
        try await act { _ = try await engine.undoMerge(merge, $0) }
    }

    private func block() async throws {
        blocks += 1
        let account = dice.pick(Self.accounts)
        let id = BlockID(unchecked: "b\(dice.chance(1, in: 2) ? blocks : 1)")
        switch dice.below(4) {
        case 0: try await act { _ = try await engine.block(account, id: id, $0) }
        case 1: try await act { _ = try await engine.liftBlock(BlockID(unchecked: "b1"), $0) }
        case 2: try await act { _ = try await engine.close(account, id: id, $0) }
        default: try await act { _ = try await engine.reopen(account, $0) }
        }
    }

    private func register() async throws {
        let token = try #require(AppAccountToken(dice.pick(Self.tokens)))
        let account = dice.pick(Self.accounts)
        try await act { _ = try await engine.register(token, for: account, $0) }
    }

    private func grant() async throws {
        grants += 1
        let gift: GrantedGift =
            dice.chance(1, in: 2)
            ? .entitlement("premium") : .credit("coins", units: Int64(1 + dice.below(9)))
        var request = GrantRequest(
            id: GrantID(unchecked: "g\(grants)"), account: dice.pick(Self.accounts), gift: gift,
            until: dice.chance(1, in: 2) ? now.advanced(byMilliseconds: 864_000_000) : nil,
            cause: Self.cause)
        try await act { cause in
            request.cause = cause
            _ = try await engine.grant(request)
        }
    }

    /// - Parameter action: gets the cause of the action as it is meant.
    func act(_ action: (AdminActionCause) async throws -> Void) async throws {
        func run(_ intent: ActionIntent) async throws {
            var cause = Self.cause
            cause.intent = intent
            try await action(cause)
        }
        guard let around else { return try await run(.act) }
        try await around(run)
    }

    private static let cause = AdminActionCause(actor: "uid:7", reason: "a test")
}

/// What Apple signs.
extension RandomLedger {
    private func buy() {
        let (product, kind) = dice.pick(Self.products)
        buy(product, kind, token: dice.chance(1, in: 2) ? dice.pick(Self.tokens) : nil)
    }

    private static let products: [(String, ProductKind)] = [
        ("gold", .autoRenewable), ("gold", .autoRenewable), ("unlock", .nonConsumable),
        ("coins", .consumable), ("coins", .consumable), ("pass", .nonRenewing),
    ]

    private func buy(_ product: String, token: String?) {
        guard let kind = Self.products.first(where: { $0.0 == product })?.1 else { return }
        buy(product, kind, token: token)
    }

    private func buy(_ product: String, _ kind: ProductKind, token: String?) {
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind,
            transactionID: transactionID(),
            purchaseDate: now.advanced(byMilliseconds: -Int64(dice.below(40)) * 3_600_000))
        if kind == .autoRenewable { transaction.expiresDate = expiry(of: transaction) }
        if kind == .consumable { transaction.quantity = Int64(1 + dice.below(3)) }
        transaction.appAccountToken = token
        evidence.append(shop.store.sign(transaction.payload))
        for _ in 0..<dice.below(3) { more(of: &transaction, kind: kind) }
    }

    /// A renewal, the same purchase from another device, a refund.
    private func more(of transaction: inout SimulatedTransaction, kind: ProductKind) {
        switch dice.below(3) {
        case 0 where kind == .autoRenewable:
            transaction.transactionID = transactionID()
            transaction.purchaseDate = transaction.expiresDate ?? now
            transaction.expiresDate = expiry(of: transaction)
            transaction.reason = .renewal
        case 1:
            transaction.revocation = Revocation(
                date: transaction.purchaseDate.advanced(byMilliseconds: 86_400_000), reason: 0)
        default: transaction.transactionID = transactionID()
        }
        transaction.signedDate = transaction.signedDate.advanced(byMilliseconds: 60_000)
        evidence.append(shop.store.sign(transaction.payload))
    }

    private func expiry(of transaction: SimulatedTransaction) -> Instant {
        transaction.purchaseDate.advanced(
            byMilliseconds: 86_400_000 * Int64(dice.pick([1, 7, 30])))
    }

    /// Some are shorter than those that came before.
    private func transactionID() -> String {
        while true {
            let number = 1 + dice.below(dice.pick([9, 99, 999]))
            if transactionIDs.insert(number).inserted { return "\(number)" }
        }
    }
}

/// What product managers write.
extension RandomLedger {
    private func policy() -> [PolicyText] {
        var texts = Shop.policy(
            trusting: shop.store, leeway: dice.pick(["1h", "2h"]), rules: dice.pick(Self.rules))
        if dice.chance(1, in: 2) {
            let text = String(decoding: texts[0].bytes, as: UTF8.self)
                .replacing("newsstand: true", with: "newsstand: true, account_token: is-account-id")
            texts[0] = PolicyText(path: texts[0].path, text: text)
        }
        if terms.chance(2, in: 3) {
            let text = String(decoding: texts[0].bytes, as: UTF8.self)
                .replacing("{title: Coins", with: "{title: Coins, warn_before: 36h")
                .replacing(
                    "units: 100}]", with: "units: 100, expires: \(terms.pick(["3d", "20d"]))}]"
                )
                .replacing(
                    "grants: [premium]}",
                    with: "grants: [premium], credits: [{credit: coins, units: 40, every: 1w, "
                        + "expires: \(terms.pick(["period", "never", "10d"]))}]}",
                    maxReplacements: 1)
            texts[0] = PolicyText(path: texts[0].path, text: text)
        }
        return texts
    }

    private static let rules = [
        "",
        "account_switch: [{name: move, when: {moment: [purchase, restore]}, then: transfer}]",
        """
        account_switch:
          - {name: slowly, when: {moment: restore}, then: transfer,
             limits: {cooldown: 2d, moves: 2 per 10d}}
          - {name: lapsed, when: {moment: purchase}, then: transfer-if-inactive}
        """,
        "account_switch: [{name: ask, when: {kind: auto-renewable}, then: ask}]",
        """
        account_switch:
          - {name: the token, when: {token: matches}, then: transfer}
          - {name: from April, when: {at: from 2026-04-01}, then: transfer-if-inactive}
          - {name: ask, when: {moment: restore}, then: ask}
        """,
    ]
}
