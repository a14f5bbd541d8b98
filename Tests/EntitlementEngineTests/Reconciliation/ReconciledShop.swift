internal import AppleSync
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import MemoryLedger
internal import StoreBox
internal import Synchronization
internal import Testing

/// A shop whose ledger and Apple agree about all customers but one in twenty.
struct ReconciledShop {
    /// A difference, without what depends on when it was found.
    struct Expected: Hashable {
        let cause: DriftCause
        let lineage: String
    }

    let shop: Shop
    let apple: CustomerAppStore
    let kept = KeptInMemory()
    private(set) var expected: Set<Expected> = []

    /// - Parameter customers: each with a subscription, some with a second purchase. In a file: one in
    ///   memory goes through everything to find anything.
    init(customers: Int, from first: Int = 0, on ledger: TestLedger.Store = .file) async throws {
        shop = try await Shop(on: ledger)
        apple = CustomerAppStore(shop.store, shop.clock)
        var submissions: [EvidenceSubmission] = []
        for number in first..<(first + customers) {
            var customer = SimulatedCustomer(number, apple.addCustomer())
            if number % 20 == 0 {
                let drift = InjectedDrift.allCases[number / 20 % InjectedDrift.allCases.count]
                customer.inject(drift)
                for cause in drift.causes {
                    expected.insert(
                        Expected(cause: cause, lineage: drift.lineage(of: customer)))
                }
            }
            submissions += customer.play(at: apple, shop.store)
            if submissions.count >= 500 {
                try await submit(submissions)
                submissions = []
            }
        }
        try await submit(submissions)
    }

    private func submit(_ submissions: [EvidenceSubmission]) async throws {
        for report in try await shop.engine.submit(submissions) {
            #expect(report.judged != nil)
        }
    }

    func reconciler(asking servers: (any AppStoreServers)? = nil) -> Reconciler {
        Reconciler(
            engine: shop.engine, servers: servers ?? apple, store: kept,
            context: ClockContext(clock: shop.clock), callsPerSecond: 1_000)
    }

    /// Runs a request to its end.
    func run(
        _ reconciler: Reconciler,
        changing change: (inout ReconciliationRequest) -> Void = { _ in }
    ) async throws -> (answer: ReconciliationAnswer, drift: [DriftItem]) {
        var request = ReconciliationRequest(callsPerSecond: 1_000)
        change(&request)
        let asked = try #require(reconciler.request(request))
        #expect(await reconciler.runPending())
        let answer = try #require(reconciler.last)
        #expect(answer.run == asked.run)
        var drift: [DriftItem] = []
        var place: Int64? = 0
        while let next = place {
            let page = try #require(
                reconciler.drift(ofRun: answer.run, after: next, limit: 300))
            drift += page.drift
            place = page.next
        }
        return (answer, drift)
    }
}

extension [DriftItem] {
    /// As they are expected. Each is there once.
    var compared: Set<ReconciledShop.Expected> {
        let all = map { ReconciledShop.Expected(cause: $0.cause, lineage: $0.lineage?.text ?? "") }
        #expect(Set(all).count == all.count)
        return Set(all)
    }
}

/// Sets the clock instead of waiting.
struct ClockContext: ClientContext {
    let clock: SetClock

    func now() -> Instant { clock.now() }
    func random() -> Double { 0 }

    func wait(until instant: Instant) async {
        if clock.now() < instant { clock.set(instant) }
    }
}

/// What Apple knows and the ledger does not.
enum InjectedDrift: CaseIterable {
    case renewal, refund, reversal, notification, lineage, notFound

    var causes: Set<DriftCause> {
        switch self {
        case .renewal: [.renewalUnknown, .stateUnknown, .missingRight]
        case .refund: [.refundUnknown, .extraRight]
        case .reversal: [.reversalUnknown, .missingRight]
        case .notification: [.missedNotification]
        case .lineage: [.lineageUnknown]
        case .notFound: [.lineageNotFound]
        }
    }

    func lineage(of customer: SimulatedCustomer) -> String {
        self == .lineage ? customer.secondLineage : customer.lineage
    }
}

/// A subscriber since the middle of January, as Apple and the ledger know him.
struct SimulatedCustomer {
    private static let start = Instant(milliseconds: 1_768_435_200_000)
    private static let month: Int64 = 30 * 86_400_000

    let number: Int
    let place: Int
    private var drift: InjectedDrift?

    init(_ number: Int, _ place: Int) {
        self.number = number
        self.place = place
    }

    var lineage: String { "\(1_000_000 + 10 * number)" }
    var secondLineage: String { "\(1_000_000 + 10 * number + 5)" }
    private var account: AccountID { AccountID(unchecked: "user-\(number)") }

    mutating func inject(_ drift: InjectedDrift) { self.drift = drift }

    /// - Returns: what the ledger has got of it.
    func play(at apple: CustomerAppStore, _ store: StoreSimulator) -> [EvidenceSubmission] {
        let (first, second) = (period(1), period(2))
        let renewal = renewal(after: 2)
        var pieces = [piece(store.sign(first.payload))]
        apple.set(first, of: place)
        apple.set(second, of: place, renewal: renewal, status: 1)
        switch drift {
        case .renewal: pieces.append(fact(store.sign(self.renewal(after: 1).payload)))
        case .refund:
            apple.set(revoked(second), of: place, status: 5)
            pieces += [second.payload, renewal.payload].map { fact(store.sign($0)) }
        case .reversal:
            pieces += [revoked(second).payload, renewal.payload].map { fact(store.sign($0)) }
        default: pieces += [second.payload, renewal.payload].map { fact(store.sign($0)) }
        }
        pieces += playOthers(at: apple, store, second, renewal)
        return pieces
    }

    /// Purchases and notifications beside the subscription.
    private func playOthers(
        at apple: CustomerAppStore, _ store: StoreSimulator, _ second: SimulatedTransaction,
        _ renewal: SimulatedRenewal
    ) -> [EvidenceSubmission] {
        switch drift {
        case .notification:
            var off = renewal
            off.autoRenewStatus = false
            off.signedDate = renewal.signedDate.advanced(byMilliseconds: 86_400_000)
            apple.set(off, of: place)
            _ = apple.send(notification("AUTO_RENEW_DISABLED", second, off, store))
            return []
        case .lineage:
            apple.set(unlock, of: place)
            return []
        case .notFound:
            apple.forget(lineage)
            return []
        default: break
        }
        switch number % 10 {
        case 1:
            return [fact(apple.send(notification("AUTO_RENEW_ENABLED", second, renewal, store)))]
        case 2:
            apple.set(unlock, of: place)
            return [piece(store.sign(unlock.payload))]
        default: return []
        }
    }

    private func period(_ index: Int64) -> SimulatedTransaction {
        let start = Self.start.advanced(byMilliseconds: (index - 1) * Self.month)
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "gold", kind: .autoRenewable,
            transactionID: "\((Int64(lineage) ?? 0) + index - 1)", purchaseDate: start,
            expiresDate: start.advanced(byMilliseconds: Self.month))
        transaction.originalTransactionID = lineage
        transaction.originalPurchaseDate = Self.start
        transaction.appTransactionID = "7\(lineage)"
        return transaction
    }

    private func revoked(_ transaction: SimulatedTransaction) -> SimulatedTransaction {
        var revoked = transaction
        let date = transaction.purchaseDate.advanced(byMilliseconds: 5 * 86_400_000)
        revoked.revocation = Revocation(date: date, reason: 0)
        revoked.signedDate = date
        return revoked
    }

    private func renewal(after index: Int64) -> SimulatedRenewal {
        let end = Self.start.advanced(byMilliseconds: index * Self.month)
        var renewal = SimulatedRenewal(
            originalTransactionID: lineage, productID: "gold", renewalDate: end,
            signedDate: end.advanced(byMilliseconds: 2_000 - Self.month))
        renewal.appTransactionID = "7\(lineage)"
        return renewal
    }

    private var unlock: SimulatedTransaction {
        var unlock = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "unlock", kind: .nonConsumable,
            transactionID: secondLineage,
            purchaseDate: Self.start.advanced(byMilliseconds: 40 * 86_400_000))
        unlock.appTransactionID = "7\(lineage)"
        return unlock
    }

    private func notification(
        _ subtype: String, _ transaction: SimulatedTransaction, _ renewal: SimulatedRenewal,
        _ store: StoreSimulator
    ) -> SimulatedNotification {
        var notification = SimulatedNotification(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: subtype,
            uuid: "00000000-0000-4000-8000-0000" + String(lineage.suffix(8)).padded,
            bundleID: "com.example.shop", appAppleID: 77, signedDate: renewal.signedDate)
        notification.transaction = store.sign(transaction.payload)
        notification.renewal = store.sign(renewal.payload)
        return notification
    }

    private func piece(_ payload: [UInt8]) -> EvidenceSubmission {
        EvidenceSubmission(payload: payload, account: account)
    }

    private func fact(_ payload: [UInt8]) -> EvidenceSubmission {
        EvidenceSubmission(payload: payload)
    }
}

extension String {
    /// Eight digits.
    fileprivate var padded: String { String(repeating: "0", count: 8 - count) + self }
}
