internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// A shop whose customers ask Apple for refunds.
struct RefundShop: Sendable {
    /// `prorate` for all but what a test says before it.
    static let rules = """
        refund_answers:
          - {name: nothing to the sandbox, when: {environment: sandbox}, then: nothing}
          - {name: friends, when: {account: "friend*"}, then: grant}
          - {name: no games, when: {account: "gamer*"}, then: decline}
          - {name: the rest, then: prorate}
        """

    let shop: WaitingShop
    var engine: EntitlementEngine { shop.engine }
    var appStore: ScriptedAppStore { shop.appStore }

    init(
        rules: String = Self.rules, isConfigured: Bool = true,
        appStore: ScriptedAppStore = ScriptedAppStore()
    ) async throws {
        shop = try await WaitingShop(
            rules: rules, appStore: appStore, isConfigured: isConfigured)
    }

    /// A purchase of 20 February, ten days and some hours ago.
    func transaction(
        _ product: String, _ kind: ProductKind, id: String,
        changing change: (inout SimulatedTransaction) -> Void = { _ in }
    ) throws -> SimulatedTransaction {
        let bought = try #require(Instant(rfc3339: "2026-02-20"))
        let end = try #require(Instant(rfc3339: "2026-03-20"))
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind, transactionID: id,
            purchaseDate: bought, expiresDate: kind == .autoRenewable ? end : nil)
        transaction.price = Price(milliunits: 9_990, currency: "USD")
        change(&transaction)
        return transaction
    }

    /// The same, handed in for an account.
    @discardableResult
    func buy(
        _ product: String, _ kind: ProductKind, id: String, as account: AccountID?,
        changing change: (inout SimulatedTransaction) -> Void = { _ in }
    ) async throws -> SimulatedTransaction {
        let transaction = try transaction(product, kind, id: id, changing: change)
        let payload = shop.store.sign(transaction.payload)
        _ = try await engine.submit([EvidenceSubmission(payload: payload, account: account)])
        return transaction
    }

    /// Apple says something of a purchase now.
    func tell(
        _ type: String, of transaction: SimulatedTransaction, _ number: Int,
        to engine: EntitlementEngine? = nil,
        changing change: (inout SimulatedNotification) -> Void = { _ in }
    ) async throws {
        var notification = SimulatedNotification(
            type: type, uuid: "00000000-0000-4000-8000-00000000000\(number)",
            bundleID: "com.example.shop",
            appAppleID: transaction.environment == .production ? 77 : nil,
            signedDate: shop.clock.now())
        notification.environment = transaction.environment
        notification.transaction = shop.store.sign(transaction.payload)
        change(&notification)
        let payload = shop.store.sign(notification.payload)
        _ = try await (engine ?? self.engine).submit([EvidenceSubmission(payload: payload)])
    }

    /// Apple asks about a refund now.
    func ask(
        about transaction: SimulatedTransaction, _ number: Int = 1,
        to engine: EntitlementEngine? = nil
    ) async throws {
        try await tell("CONSUMPTION_REQUEST", of: transaction, number, to: engine) {
            $0.otherFields = [JSONMember("consumptionRequestReason", "OTHER")]
        }
    }

    func consent(_ account: AccountID, _ isGiven: Bool = true) async throws {
        _ = try await engine.record(
            RefundConsent(account: account, isGiven: isGiven, actor: "uid:7", reason: "terms"))
    }

    /// Looks until nothing more is due.
    func answer(_ engine: EntitlementEngine? = nil) async {
        while await (engine ?? self.engine).answerRefunds().looks > 0 {}
    }

    func pass(hours: Double) {
        shop.clock.set(shop.clock.now().advanced(byMilliseconds: Int64(hours * 3_600_000)))
    }

    /// All requests, in the ledger's order.
    func requests(_ engine: EntitlementEngine? = nil) throws -> [RefundRequestAnswer] {
        let engine = engine ?? self.engine
        return try engine.questions.refundRequests(
            after: .zero, onlyOpen: false, at: engine.now(), limit: 1_000
        ).requests
    }

    var first: RefundRequestAnswer { get throws { try #require(try requests().first) } }
}
