internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import TestSupport
internal import Testing

/// Few accounts that spend, among everything else that changes what they can spend: the same, in
/// the same order, in several engines with ledgers of their own, of which each keeps as much of
/// what accounts can spend as it is told.
final class RandomSpending {
    /// What one step came to, and what it left in the ledger.
    struct Told: Equatable {
        var report: String
        var head: LedgerSequence
    }

    private static let accounts: [AccountID] = [
        "alice", "bob", "00000000-0000-4000-8000-00000000000c",
        "00000000-0000-4000-8000-00000000000C",
    ]
    private static let support = AdminActionCause(actor: "uid:0", reason: "a test")
    private static let cause = CreditCause(actor: "uid:7", reference: "game 17")

    /// What everybody had, by what was known.
    struct Past {
        let knownAt: Instant
        let at: Instant
        let head: LedgerSequence
        let balances: [String]
    }

    let shops: [Shop]
    /// The last of each instant that something was recorded at.
    private(set) var pasts: [Past] = []
    private var dice: SplitMix64
    private var now: Instant
    private var number = 0
    private var purchases: [SimulatedTransaction] = []
    private var grants: [GrantID] = []
    private var blocks: [BlockID] = []
    private var merges: [LedgerSequence] = []
    private var actions: [LedgerSequence] = []
    /// How often something was spent or held, and denied.
    private(set) var spent = 0
    private(set) var denied = 0

    /// - Parameter limits: how much each engine keeps.
    init(seed: UInt64, keeping limits: [Int], on store: TestLedger.Store) async throws {
        dice = SplitMix64(seed: seed)
        now = try #require(Instant(rfc3339: "2026-03-01"))
        var shops: [Shop] = []
        for limit in limits {
            shops.append(
                try await Shop(
                    coins: Self.coins("debt"), policyGuard: .warn, creditsInMemory: limit,
                    trusting: shops.first?.store, on: store))
        }
        self.shops = shops
    }

    private static func coins(_ onRefund: String) -> String {
        "title: Coins, on_refund: \(onRefund)}, gems: {title: Gems"
    }

    /// Some time later, something happens everywhere.
    /// - Returns: what each engine has told.
    func step() async throws -> [Told] {
        let minutes = dice.pick([0, 0, 0, 1, 60, 1_440, 7_200, -30])
        now = now.advanced(byMilliseconds: Int64(minutes) * 60_000)
        for shop in shops { shop.clock.set(now) }
        number += 1
        switch dice.below(28) {
        case 0..<14: return try await spend()
        case 14..<16: return try await endHold()
        case 16..<18: return try await reverse()
        case 18..<21: return try await give()
        case 21: return try await revoke()
        case 22..<24: return try await buy()
        case 24: return try await refund()
        case 25: return try await block()
        case 26: return try await merge()
        default: return try await changePolicy()
        }
    }

    /// Keeps what everybody has now.
    func remember() throws {
        let engine = shops[0].engine
        let head = try engine.ledgerCondition().head
        pasts.removeAll { $0.knownAt == head.recordedAt }
        let balances = try Self.balances(at: now) { try engine.account($0).packed }
        pasts.append(
            Past(
                knownAt: head.recordedAt, at: now, head: head.sequence, balances: balances))
    }

    /// What is said now of what was known then.
    func recalled(_ past: Past) throws -> [String] {
        let questions = shops[0].engine.questions
        return try Self.balances(at: past.at) { account in
            let known = try questions.asKnown(at: .instant(past.knownAt), now: now)
            let (packed, revision) = try known.account(account)
            #expect(revision == past.head)
            return packed
        }
    }

    private static func balances(
        at instant: Instant, _ account: (AccountID) throws -> PackedAccount
    ) throws -> [String] {
        try accounts.flatMap { name in
            try StoreEnvironment.allCases.flatMap { environment in
                try account(name).balances(in: environment, at: instant).map { "\($0.json)" }
            }
        }
    }

    func close() throws {
        for shop in shops { try shop.engine.close() }
    }

    private func everywhere(
        _ act: (EntitlementEngine) async throws -> String
    ) async throws -> [Told] {
        var told: [Told] = []
        for shop in shops {
            let report = try await act(shop.engine)
            told.append(Told(report: report, head: shop.engine.revision))
        }
        return told
    }

    private func name(_ prefix: String) -> String { "\(prefix)-\(number)" }
}

/// What services do.
extension RandomSpending {
    private func spend() async throws -> [Told] {
        let coins = CreditPart("coins", Int64(dice.pick([1, 3, 20, 90])))
        let gems = CreditPart("gems", Int64(dice.pick([1, 2, 7])))
        var request = SpendRequest(
            account: dice.pick(Self.accounts),
            environment: dice.chance(1, in: 8) ? .sandbox : .production,
            parts: dice.pick([[coins], [coins], [gems], [coins, gems]]),
            key: dice.chance(1, in: 8) ? "k-\(dice.below(3))" : name("s"), cause: Self.cause)
        if dice.chance(1, in: 4) {
            let minutes = Int64(dice.pick([1, 90, 3_000]))
            request.until = now.advanced(byMilliseconds: minutes * 60_000)
        }
        let told = try await everywhere { engine in
            let first = try await engine.spend(request)
            // The answer to a repeated call is derived from all that is in the ledger.
            let again = try await engine.spend(request)
            if case .done = first {
                #expect(again.text == first.text, "the same again")
            }
            return first.text
        }
        if told[0].report.hasPrefix("done") {
            spent += 1
            actions.append(told[0].head)
        } else {
            denied += 1
        }
        return told
    }

    private func endHold() async throws -> [Told] {
        guard !actions.isEmpty else { return [] }
        let captured: [[CreditPart]?] = [nil, [], [CreditPart("coins", 2)]]
        let request = HoldEndRequest(
            hold: dice.pick(actions), captured: dice.pick(captured), cause: Self.cause)
        return try await everywhere { try await $0.endHold(request).text }
    }

    private func reverse() async throws -> [Told] {
        guard !actions.isEmpty else { return [] }
        let parts: [[CreditPart]?] = [nil, [CreditPart("coins", 1)]]
        let request = ReversalRequest(
            spend: dice.pick(actions), parts: dice.pick(parts), key: name("r"),
            cause: Self.cause)
        return try await everywhere { try await $0.reverse(request).text }
    }
}

/// What people and the store do.
extension RandomSpending {
    private func give() async throws -> [Told] {
        let id = try #require(GrantID(name("g")))
        grants.append(id)
        let hours = dice.pick([nil, nil, -50, 50] as [Int64?])
        let end = dice.pick([nil, 60, 100] as [Int64?])
        let request = GrantRequest(
            id: id, account: dice.pick(Self.accounts),
            gift: .credit(dice.pick(["coins", "gems"]), units: Int64(dice.pick([5, 40, 200]))),
            from: hours.map { now.advanced(byMilliseconds: $0 * 3_600_000) },
            until: end.map { now.advanced(byMilliseconds: $0 * 3_600_000) },
            cause: Self.support)
        return try await everywhere { "\(try await $0.grant(request))" }
    }

    private func revoke() async throws -> [Told] {
        guard !grants.isEmpty else { return [] }
        let id = dice.pick(grants)
        return try await everywhere { "\(try await $0.revokeGrant(id, Self.support))" }
    }

    private func buy() async throws -> [Told] {
        var purchase = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "coins", kind: .consumable,
            transactionID: "\(number)",
            purchaseDate: now.advanced(byMilliseconds: Int64(dice.pick([-60, 0, 60])) * 60_000))
        purchase.quantity = Int64(1 + dice.below(2))
        purchases.append(purchase)
        return try await submit(purchase, as: dice.pick(Self.accounts))
    }

    private func refund() async throws -> [Told] {
        guard !purchases.isEmpty else { return [] }
        var purchase = dice.pick(purchases)
        purchase.revocation = Revocation(
            date: now, percentage: dice.pick([nil, 33_333, 50_000] as [Int64?]))
        purchase.signedDate = now
        return try await submit(purchase, as: nil)
    }

    private func submit(
        _ purchase: SimulatedTransaction, as account: AccountID?
    ) async throws -> [Told] {
        let payload = shops[0].store.sign(purchase.payload)
        return try await everywhere { engine in
            let report = try await engine.submit([
                EvidenceSubmission(payload: payload, account: account)
            ]).first
            return report?.refusalCode ?? "judged"
        }
    }

    private func block() async throws -> [Told] {
        if !blocks.isEmpty, dice.chance(2, in: 3) {
            let id = dice.pick(blocks)
            return try await everywhere { "\(try await $0.liftBlock(id, Self.support))" }
        }
        let id = try #require(BlockID(name("b")))
        blocks.append(id)
        let account = dice.pick(Self.accounts)
        return try await everywhere { "\(try await $0.block(account, id: id, Self.support))" }
    }

    private func merge() async throws -> [Told] {
        if let last = merges.popLast(), dice.chance(2, in: 3) {
            return try await everywhere { "\(try await $0.undoMerge(last, Self.support))" }
        }
        let merge = AccountMerge(
            from: dice.pick(Self.accounts), into: dice.pick(Self.accounts), actor: "uid:0",
            reason: "a test")
        let told = try await everywhere { engine in
            let report = try await engine.merge(merge)
            return "\(report)"
        }
        let known = try shops[0].ledger.openForReading().read { reader in
            try reader.entries(after: .zero, limit: 100_000)
        }
        merges = known.compactMap { entry in
            guard case .accountMerge(let merge) = entry.value, merge.undoes == nil else {
                return nil
            }
            return entry.sequence
        }
        return told
    }

    private func changePolicy() async throws -> [Told] {
        if dice.chance(1, in: 2) {
            let thaw = ThawRequest(
                account: dice.pick(Self.accounts), environment: .production, credit: "coins",
                cause: Self.support)
            return try await everywhere { try await $0.thaw(thaw).text }
        }
        let coins = Self.coins(dice.pick(["debt", "floor", "freeze", "ignore"]))
        let rules = dice.pick(["", "", "# another"])
        let folds = dice.chance(1, in: 3)
        let store = shops[0].store
        return try await everywhere { engine in
            var texts = Shop.policy(trusting: store, rules: rules, coins: coins)
            if folds {
                let text = String(decoding: texts[0].bytes, as: UTF8.self).replacing(
                    "newsstand: true", with: "newsstand: true, account_token: is-account-id")
                texts[0] = PolicyText(path: texts[0].path, text: text)
            }
            _ = try await engine.activate(texts)
            return engine.policy.digest.hexadecimal
        }
    }
}

extension CreditReport {
    /// All that it says.
    fileprivate var text: String {
        switch self {
        case .done(let answer): "done \(answer.json)"
        case .rejected(let rejection): "\(rejection)"
        }
    }
}
