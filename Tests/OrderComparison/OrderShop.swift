internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import StoreBox
internal import Synchronization
internal import TestSupport

/// An engine with a simulated store that it trusts and a clock that shows what it was set to.
final class OrderShop: Sendable {
    private static let beginning = Instant(milliseconds: 1_772_323_200_000)
    // Keys take long to make: all shops have the same.
    private static let store = StoreSimulator(seed: 7, now: beginning)
    private static let receipts = ReceiptSimulator(now: beginning)
    private static let bundle = "com.example.shop"

    private static let catalogue: [(id: ProductID, text: String)] = [
        (
            "gold",
            "{kind: auto-renewable, group: members, level: gold, period: 1mo, grants: [premium]}"
        ),
        (
            "silver",
            "{kind: auto-renewable, group: members, level: silver, period: 1mo, grants: [premium]}"
        ),
        ("unlock", "{kind: non-consumable, grants: [forever]}"),
        ("pass", "{kind: non-renewing, duration: 30d, grants: [pass]}"),
        ("coins", "{kind: consumable, grants: [{credit: coins, units: 100}]}"),
    ].map { (ProductID(unchecked: $0), $1) }

    let ledger: any Ledger
    let engine: EntitlementEngine
    /// The engines of a fleet's other nodes.
    let followers: [EntitlementEngine]
    private let clock: ScriptClock

    /// - Parameter nodes: where the ledger is for each node of a fleet; the first one leads.
    init(
        _ policy: ScriptedPolicy, at instant: Instant, on nodes: [any LedgerLocation]
    ) async throws {
        let clock = ScriptClock(instant)
        self.clock = clock
        let texts = Self.texts(policy)
        let ledger = OpenLedger(try nodes[0].open())
        self.ledger = ledger.ledger
        var options = EngineOptions(ledger: ledger, policyTexts: texts, clock: clock)
        options.policyGuard = .warn
        let engine = try await EntitlementEngine.open(options)
        self.engine = engine
        var followers: [EntitlementEngine] = []
        do {
            for node in nodes.dropFirst() {
                followers.append(
                    try await EntitlementEngine.open(
                        EngineOptions(ledger: node, policyTexts: texts, clock: clock)))
            }
        } catch {
            for follower in followers { try? follower.close() }
            try? engine.close()
            throw error
        }
        self.followers = followers
    }

    func close() throws {
        for follower in followers { try follower.close() }
        try engine.close()
    }

    func set(_ now: Instant) { clock.set(now) }

    var now: Instant { clock.now() }

    /// The policy as product managers write it.
    static func texts(_ policy: ScriptedPolicy) -> [PolicyText] {
        let rules =
            policy.movesOnRestore
            ? "account_switch: [{name: move, when: {moment: restore}, then: transfer}]" : ""
        let products = catalogue.filter { $0.id != policy.withdrawn }
            .map { "\($0.id): \($0.text)" }.joined(separator: ",\n  ")
        let access =
            policy.countsSandbox
            ? "access: [{name: sandbox, when: {environment: sandbox}, then: grant}]" : ""
        let text = """
            usher: 1
            app: {bundle_id: \(bundle), apple_id: 77,
              account_token: \(policy.accountToken.rawValue)}
            trust: {roots: {jws: [{file: root.pem}], receipt: [{file: receipt-root.pem}]}}
            environments: {production: trusted, sandbox: trusted}
            orders: {pay_within: \(policy.payWithin.text), match_window: \(policy.matchWindow.text),
              late_payment: \(policy.latePayment.rawValue)}
            entitlements: {premium: {title: Premium}, forever: {title: For ever},
              pass: {title: Pass}}
            credits: {coins: {title: Coins}}
            groups: {members: {title: Members, levels: [gold, silver]}}
            products: {\(products)}
            \(rules)
            \(access)
            """
        return [
            PolicyText(path: "policy.yaml", text: text),
            PolicyText(path: "root.pem", text: store.root.pem),
            PolicyText(path: "receipt-root.pem", text: receipts.root.pem),
        ]
    }

    /// What Apple signs. `token` is what stands for the token of the script.
    static func jws(_ sale: ScriptedSale, token: String?) -> [UInt8] {
        var transaction = SimulatedTransaction(
            bundleID: bundle, productID: sale.product.text, kind: sale.kind,
            transactionID: sale.transactionID.text, purchaseDate: sale.purchaseDate,
            expiresDate: sale.expiresDate)
        transaction.environment = sale.environment
        transaction.originalTransactionID = sale.originalTransactionID.text
        transaction.quantity = sale.quantity
        transaction.appAccountToken = token
        transaction.appTransactionID = sale.appTransactionID?.text
        transaction.price = sale.price
        transaction.reason = sale.isRenewal ? .renewal : .purchase
        if sale.isFamilyShared { transaction.ownership = "FAMILY_SHARED" }
        if sale.isOfferCode { transaction.offer = Offer(type: 3) }
        transaction.revocation = sale.refundedAt.map { Revocation(date: $0, reason: 0) }
        transaction.signedDate = sale.signedDate
        return store.sign(transaction.payload)
    }

    /// What Apple says of a renewal.
    static func jws(_ renewal: ScriptedRenewal) -> [UInt8] {
        var info = SimulatedRenewal(
            originalTransactionID: renewal.originalTransactionID.text,
            productID: renewal.product.text, renewalDate: renewal.renewalDate,
            signedDate: renewal.signedDate)
        info.environment = renewal.environment
        info.autoRenewProductID = renewal.next.text
        info.autoRenewStatus = renewal.isOn
        return store.sign(info.payload)
    }

    /// A receipt with all of them: it says nothing of tokens, prices and refunds.
    static func receipt(_ sales: [ScriptedSale], at now: Instant) -> [UInt8] {
        let numbers: [ProductKind: Int64] = [
            .nonConsumable: 0, .consumable: 1, .nonRenewing: 2, .autoRenewable: 3,
        ]
        let isSandbox = sales.contains { $0.environment == .sandbox }
        let purchases = sales.map { sale in
            var purchase = SimulatedReceiptPurchase(
                productID: sale.product.text, transactionID: sale.transactionID.text,
                typeNumber: numbers[sale.kind], purchaseDate: sale.purchaseDate,
                expiresDate: sale.expiresDate)
            purchase.originalTransactionID = sale.originalTransactionID.text
            purchase.quantity = sale.quantity
            return purchase
        }
        return receipts.sign(
            SimulatedReceipt(
                bundleID: bundle, environmentName: isSandbox ? "ProductionSandbox" : "Production",
                createdAt: now, purchases: purchases))
    }
}

/// A ledger that an engine takes over, and that is read beside it.
private struct OpenLedger: LedgerLocation {
    let ledger: any Ledger

    init(_ ledger: any Ledger) { self.ledger = ledger }

    var isVacant: Bool { (try? ledger.read { try $0.head() })?.sequence == .zero }

    func open() throws(LedgerError) -> any Ledger { ledger }
}

/// A clock that shows what it was set to.
private final class ScriptClock: EngineClock {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    func now() -> Instant { instant.withLock { $0 } }

    func set(_ now: Instant) { instant.withLock { $0 = now } }
}
