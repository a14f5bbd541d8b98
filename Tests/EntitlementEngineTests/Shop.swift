internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import Synchronization
internal import TestSupport
internal import Testing

/// An engine on a ledger of its own, with a simulated store that it trusts and a clock that
/// stands still until it is set.
final class Shop: Sendable {
    private let temporary: TemporaryFolder
    let ledger: TestLedger
    let store: StoreSimulator
    let clock: SetClock
    let engine: EntitlementEngine

    init(
        now: String = "2026-03-01", rules: String = "", groups: String = "",
        coins: String = "title: Coins", policyGuard: PolicyGuard = .refuse,
        creditsInMemory: Int = 65_536, privacyKey: PrivacyKey? = PrivacyKey(Shop.keyBytes),
        trusting other: StoreSimulator? = nil,
        on ledger: TestLedger.Store = TestLedger.usual
    ) async throws {
        let now = try #require(Instant(rfc3339: now))
        temporary = try TemporaryFolder()
        self.ledger = TestLedger(ledger, in: temporary)
        store = other ?? StoreSimulator(seed: 7, now: now)
        clock = SetClock(now)
        var options = EngineOptions(
            ledger: self.ledger,
            policyTexts: Self.policy(
                trusting: store, rules: rules, groups: groups, coins: coins),
            clock: clock)
        options.policyGuard = policyGuard
        options.creditsInMemory = creditsInMemory
        options.privacyKey = privacyKey
        engine = try await EntitlementEngine.open(options)
    }

    var folder: String { temporary.path }
    static let keyBytes = [UInt8](repeating: 7, count: 32)

    /// A second engine on the same ledger, once the first is closed.
    func reopened(
        leeway: String = "1h", policyGuard: PolicyGuard = .refuse
    ) async throws -> EntitlementEngine {
        try engine.close()
        var options = EngineOptions(
            ledger: ledger, policyTexts: Self.policy(trusting: store, leeway: leeway),
            clock: clock)
        options.policyGuard = policyGuard
        return try await EntitlementEngine.open(options)
    }

    static func policy(
        trusting store: StoreSimulator, leeway: String = "1h", rules: String = "",
        groups: String = "", coins: String = "title: Coins"
    ) -> [PolicyText] {
        [
            PolicyText(
                path: "policy.yaml",
                text: text(leeway: leeway, groups: groups, coins: coins) + "\n" + rules),
            PolicyText(path: "root.der", bytes: store.root.der),
        ]
    }

    private static func text(leeway: String, groups: String, coins: String) -> String {
        """
        usher: 1
        app: {bundle_id: com.example.shop, apple_id: 77, newsstand: true}
        trust: {roots: {jws: [{file: root.der}]}}
        environments: {production: trusted, sandbox: trusted}
        leeway: \(leeway)
        entitlements: {premium: {title: Premium}, forever: {title: For ever},
          pass: {title: Pass}, weekly: {title: Weekly}}
        credits: {coins: {\(coins)}}
        groups: {members: {title: Members, levels: [gold]}\(groups)}
        products:
          gold: {kind: auto-renewable, group: members, level: gold, period: 1mo,
            grants: [premium]}
          unlock: {kind: non-consumable, grants: [forever]}
          pass: {kind: non-renewing, duration: 30d, grants: [pass]}
          weekly: {kind: free, grants: [weekly]}
          coins: {kind: consumable, grants: [{credit: coins, units: 100}]}
        """
    }

    /// A signed first purchase.
    func purchase(
        _ product: String, _ kind: ProductKind?, id: String, at date: String = "2026-02-20",
        until end: String? = nil, changing change: (inout SimulatedTransaction) -> Void = { _ in }
    ) throws -> [UInt8] {
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind, transactionID: id,
            purchaseDate: try #require(Instant(rfc3339: date)),
            expiresDate: try end.map { try #require(Instant(rfc3339: $0)) })
        change(&transaction)
        return store.sign(transaction.payload)
    }

    /// Hands in one piece of evidence for an account.
    @discardableResult
    func present(
        _ payload: [UInt8], as account: String?, moment: ClaimMoment? = .purchase
    ) async throws -> SubmissionReport {
        let account = try account.map { try #require(AccountID($0)) }
        let reports = try await engine.submit([
            EvidenceSubmission(payload: payload, account: account, moment: moment)
        ])
        return try #require(reports.first)
    }

    func answer(
        _ account: String, _ entitlement: String, environment: StoreEnvironment = .production
    ) throws -> ToldAnswer {
        let (packed, revision) = try engine.account(try #require(AccountID(account)))
        let key = RightKey(environment, try #require(EntitlementName(entitlement)))
        return try ToldAnswer(packed.answer(key, at: clock.now(), revision: revision))
    }

    func coins(_ account: String) throws -> Int128? {
        let (packed, _) = try engine.account(try #require(AccountID(account)))
        return packed.balances(in: .production, at: clock.now()).first?.balance
    }
}

/// A clock that shows what it was set to.
final class SetClock: EngineClock {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) {
        self.instant = Mutex(instant)
    }

    func now() -> Instant { instant.withLock { $0 } }

    func set(_ instant: Instant) {
        self.instant.withLock { $0 = instant }
    }

    func set(_ text: String) throws {
        let instant = try #require(Instant(rfc3339: text))
        self.instant.withLock { $0 = instant }
    }
}

extension SubmissionReport {
    /// The report on evidence that was not refused.
    var judged: JudgedSubmission? {
        guard case .judged(let judged) = self else { return nil }
        return judged
    }

    var refusalCode: String? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal.code.rawValue
    }
}
