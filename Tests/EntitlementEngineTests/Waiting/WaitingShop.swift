internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// An engine that asks an App Store of a test, with a clock that stands still until it is set.
final class WaitingShop: Sendable {
    static let receipts = ReceiptSimulator(now: Instant(milliseconds: 1_772_323_200_000))

    private let temporary: TemporaryFolder
    let ledger: TestLedger
    let store: StoreSimulator
    let clock: SetClock
    let appStore: ScriptedAppStore
    let engine: EntitlementEngine
    let policyTexts: [PolicyText]

    init(
        now: String = "2026-03-01", rules: String = "", accountToken: String? = nil,
        appStore: ScriptedAppStore = ScriptedAppStore(), isConfigured: Bool = true,
        refreshAge: Int64? = nil, on ledger: TestLedger.Store = TestLedger.usual
    ) async throws {
        let now = try #require(Instant(rfc3339: now))
        temporary = try TemporaryFolder()
        self.ledger = TestLedger(ledger, in: temporary)
        store = StoreSimulator(seed: 7, now: now)
        clock = SetClock(now)
        self.appStore = appStore
        policyTexts = Self.policy(trusting: store, rules: rules, accountToken: accountToken)
        var options = EngineOptions(ledger: self.ledger, policyTexts: policyTexts, clock: clock)
        options.appStore = isConfigured ? appStore : nil
        options.refreshAge = refreshAge
        engine = try await EntitlementEngine.open(options)
    }

    private static func policy(
        trusting store: StoreSimulator, rules: String, accountToken: String?
    ) -> [PolicyText] {
        var texts = Shop.policy(trusting: store, rules: rules)
        var text = String(decoding: texts[0].bytes, as: UTF8.self)
        text.replace(
            "jws: [{file: root.der}]",
            with: "jws: [{file: root.der}], receipt: [{file: receipts.der}]")
        if let accountToken {
            text.replace("apple_id: 77", with: "apple_id: 77, account_token: \(accountToken)")
        }
        texts[0] = PolicyText(path: texts[0].path, text: text)
        texts.append(PolicyText(path: "receipts.der", bytes: receipts.root.der))
        return texts
    }

    /// Another engine on the same ledger, with nothing in memory; the first is left as it is where
    /// it is not closed.
    func another(
        _ appStore: ScriptedAppStore? = nil, closingFirst: Bool = true
    ) async throws -> EntitlementEngine {
        if closingFirst { try engine.close() }
        var options = EngineOptions(ledger: ledger, policyTexts: policyTexts, clock: clock)
        options.appStore = appStore ?? self.appStore
        return try await EntitlementEngine.open(options)
    }

    /// Hands something in with the wish that Apple is asked.
    @discardableResult
    func ask(
        _ payload: [UInt8], as account: AccountID? = "alice", moment: ClaimMoment? = nil
    ) async throws -> SubmissionReport {
        let submission = EvidenceSubmission(
            payload: payload, account: account, moment: moment, asksApple: true)
        return try #require(try await engine.submit([submission]).first)
    }

    /// Lets the time pass in steps, and looks into the waiting room at each.
    func pass(
        _ milliseconds: Int64, inStepsOf step: Int64 = 1_000, _ engine: EntitlementEngine? = nil
    ) async {
        let end = clock.now().advanced(byMilliseconds: milliseconds)
        while clock.now() < end {
            clock.set(clock.now().advanced(byMilliseconds: step))
            await drain(engine)
        }
    }

    /// Looks until nothing more is due.
    func drain(_ engine: EntitlementEngine? = nil) async {
        while await (engine ?? self.engine).askApple().attempts > 0 {}
    }

    func ticket(_ report: SubmissionReport) throws -> TicketAnswer {
        try ticket(#require(report.ticket))
    }

    func ticket(_ number: LedgerSequence) throws -> TicketAnswer {
        try #require(try engine.questions.ticket(number))
    }

    func may(_ account: AccountID, _ entitlement: EntitlementName) throws -> Bool {
        let (packed, revision) = try engine.account(account)
        return try ToldAnswer(
            packed.answer(
                RightKey(.production, entitlement), at: clock.now(), revision: revision)
        ).decision
    }

    /// A signed receipt with one purchase of a non-consumable.
    func receipt(_ id: String = "20") throws -> [UInt8] {
        let bought = clock.now().advanced(byMilliseconds: -86_400_000)
        let purchase = SimulatedReceiptPurchase(
            productID: "unlock", transactionID: id, typeNumber: 0, purchaseDate: bought)
        let receipt = SimulatedReceipt(
            bundleID: "com.example.shop", createdAt: clock.now(), purchases: [purchase])
        return Array(Base64.standard.encode(Self.receipts.sign(receipt)).utf8)
    }

    /// A transaction receipt of iOS 6, told apart by a word in it.
    static func oldReceipt(_ word: String = "one") -> [UInt8] {
        let text = """
            {
            \t"signature" = "AhA=\(word)";
            \t"purchase-info" = "ewo=";
            \t"environment" = "Production";
            }
            """
        return Array(Base64.standard.encode(Array(text.utf8)).utf8)
    }

    /// What verifyReceipt says of a subscription that was bought a week ago.
    func answer(
        _ id: String = "30", product: String = "gold",
        _ environment: StoreEnvironment = .production,
        changing change: (inout JSONValue) -> Void = { _ in }
    ) -> FetchedReceipt {
        let now = clock.now().milliseconds
        func date(days: Int64) -> JSONValue { .string("\(now + days * 86_400_000)") }
        var answer: JSONValue = [
            "status": 0, "environment": .string(environment.signedName),
            "receipt": [
                "bundle_id": "com.example.shop", "in_app": [], "request_date_ms": date(days: 0),
            ],
            "latest_receipt_info": [
                [
                    "transaction_id": .string(id), "original_transaction_id": .string(id),
                    "product_id": .string(product), "purchase_date_ms": date(days: -7),
                    "expires_date_ms": date(days: 23),
                ]
            ],
        ]
        change(&answer)
        return FetchedReceipt(
            environment: environment, status: 0, body: Array(answer.text.utf8))
    }

    /// A signed subscription that was bought a week ago.
    func jws(
        _ id: String, _ product: String = "gold", _ kind: ProductKind = .autoRenewable,
        changing change: (inout SimulatedTransaction) -> Void = { _ in }
    ) -> String {
        let bought = clock.now().advanced(byMilliseconds: -7 * 86_400_000)
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: product, kind: kind, transactionID: id,
            purchaseDate: bought,
            expiresDate: kind == .autoRenewable
                ? bought.advanced(byMilliseconds: 30 * 86_400_000) : nil)
        transaction.signedDate = clock.now()
        change(&transaction)
        return String(decoding: store.sign(transaction.payload), as: UTF8.self)
    }

    func findings() throws -> [Finding.Kind] {
        try engine.questions.findings(of: nil, after: nil, at: clock.now(), limit: 100)
            .findings.map(\.kind)
    }
}

extension SubmissionReport {
    /// The ticket under which it waits.
    var ticket: LedgerSequence? {
        switch self {
        case .waiting(let ticket): ticket
        case .judged(let judged): judged.ticket
        case .refused, .unanswerable: nil
        }
    }
}
