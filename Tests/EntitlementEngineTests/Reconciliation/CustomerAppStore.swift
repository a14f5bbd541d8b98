internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox
internal import Synchronization

/// Apple's servers as far as a reconciliation asks them: customers, their transactions in the order
/// in which they changed, and the notifications that were sent.
///
/// Everything is signed when it is asked for, as of the clock, as Apple does it.
final class CustomerAppStore: AppStoreServers {
    /// One Apple ID.
    struct Customer: Sendable {
        /// By transaction id.
        var transactions: [String: SimulatedTransaction] = [:]
        /// Ids in the order in which they changed.
        var changes: [String] = []
        /// By lineage.
        var renewals: [String: SimulatedRenewal] = [:]
        var statuses: [String: Int] = [:]
    }

    private struct State {
        var customers: [Customer] = []
        var places: [String: Int] = [:]
        var notifications: [(sentAt: Instant, payload: [UInt8])] = []
        var calls: [String] = []
        var signed: [String: [UInt8]] = [:]
        /// Pages after which a token of the notification history is too old.
        var longestLook = Int.max
    }

    private let store: StoreSimulator
    private let clock: SetClock
    private let state = Mutex(State())
    /// What a call fails with, by its number from one on and its name.
    private let fault: @Sendable (Int, String) -> AppStoreFailure?

    init(
        _ store: StoreSimulator, _ clock: SetClock,
        fault: @escaping @Sendable (Int, String) -> AppStoreFailure? = { _, _ in nil }
    ) {
        self.store = store
        self.clock = clock
        self.fault = fault
    }

    /// The same customers behind servers that fail.
    func failing(_ fault: @escaping @Sendable (Int, String) -> AppStoreFailure?) -> CustomerAppStore
    {
        let other = CustomerAppStore(store, clock, fault: fault)
        let (customers, places, notifications) = state.withLock {
            ($0.customers, $0.places, $0.notifications)
        }
        other.state.withLock { state in
            state.customers = customers
            state.places = places
            state.notifications = notifications
        }
        return other
    }

    /// Names of the calls that were made, with what they were about.
    var calls: [String] { state.withLock(\.calls) }

    func forgetCalls() { state.withLock { $0.calls = [] } }

    // MARK: What happens at Apple's

    /// - Returns: the number of the customer.
    func addCustomer() -> Int {
        state.withLock { state in
            state.customers.append(Customer())
            return state.customers.count - 1
        }
    }

    func set(
        _ transaction: SimulatedTransaction, of customer: Int, renewal: SimulatedRenewal? = nil,
        status: Int? = nil
    ) {
        state.withLock { state in
            let lineage = transaction.originalTransactionID
            state.places[lineage] = customer
            state.places[transaction.transactionID] = customer
            state.customers[customer].transactions[transaction.transactionID] = transaction
            state.customers[customer].changes.append(transaction.transactionID)
            if let renewal { state.customers[customer].renewals[lineage] = renewal }
            if let status { state.customers[customer].statuses[lineage] = status }
        }
    }

    func set(_ renewal: SimulatedRenewal, of customer: Int) {
        state.withLock {
            $0.customers[customer].renewals[renewal.originalTransactionID] = renewal
        }
    }

    /// From now on Apple does not know the id.
    func forget(_ id: String) {
        state.withLock { $0.places[id] = nil }
    }

    func send(_ notification: SimulatedNotification) -> [UInt8] {
        let payload = store.sign(notification.payload)
        state.withLock { $0.notifications.append((notification.signedDate, payload)) }
        return payload
    }

    /// Sends what is signed already.
    func send(_ payload: [UInt8], at instant: Instant) {
        state.withLock { $0.notifications.append((instant, payload)) }
    }

    /// From now on a token is too old after so many pages.
    func outdateTokens(afterPages pages: Int) {
        state.withLock { $0.longestLook = pages }
    }

    // MARK: What Apple is asked

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        try begin("statuses", id.text)
        let customer = try self.customer(id, environment)
        let items = customer.statuses.sorted { $0.key < $1.key }.compactMap { lineage, status in
            let newest = customer.transactions.values
                .filter { $0.originalTransactionID == lineage }
                .max { $0.purchaseDate < $1.purchaseDate }
            return newest.map {
                FetchedStatuses.Item(
                    lineage: TransactionID(unchecked: lineage), status: status,
                    signedTransaction: sign($0),
                    signedRenewal: customer.renewals[lineage].map(sign))
            }
        }
        return FetchedStatuses(environment: .production, items: items)
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try begin("history", id.text + (revision.map { " after \($0)" } ?? ""))
        let customer = try self.customer(id, environment)
        let start = revision.flatMap { Int($0) } ?? 0
        let end = min(start + 20, customer.changes.count)
        return FetchedHistory(
            environment: .production,
            signedTransactions: customer.changes[start..<end].compactMap {
                customer.transactions[$0].map(sign)
            }, revision: "\(end)", hasMore: end < customer.changes.count)
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try begin("refunds", id.text)
        let customer = try self.customer(id, environment)
        let refunded = customer.transactions.sorted { $0.key < $1.key }.map(\.value)
            .filter { $0.revocation != nil }
        return FetchedHistory(
            environment: .production, signedTransactions: refunded.map(sign), revision: "0",
            hasMore: false)
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        try begin("notifications", environment.rawValue)
        let sent = state.withLock(\.notifications).filter {
            environment == .production && start <= $0.sentAt && $0.sentAt < end
        }
        let first = token.flatMap { Int($0) } ?? 0
        guard first / 20 < state.withLock(\.longestLook) else {
            throw AppStoreFailure(.rejected, code: 4_000_005, httpStatus: 400)
        }
        let last = min(first + 20, sent.count)
        return FetchedNotifications(
            signedPayloads: sent[first..<last].map { String(decoding: $0.payload, as: UTF8.self) },
            nextToken: last < sent.count ? "\(last)" : nil)
    }

    private func begin(_ name: String, _ subject: String) throws(AppStoreFailure) {
        let number = state.withLock { state in
            state.calls.append("\(name) \(subject)")
            return state.calls.count
        }
        if let failure = fault(number, name) { throw failure }
    }

    private func customer(
        _ id: TransactionID, _ environment: StoreEnvironment?
    ) throws(AppStoreFailure) -> Customer {
        let found = state.withLock { state in
            environment == .sandbox
                ? nil : state.places[id.text].map { state.customers[$0] }
        }
        guard let found else { throw AppStoreFailure(.notFound, code: 4_040_010) }
        return found
    }

    private func sign(_ transaction: SimulatedTransaction) -> String {
        var signed = transaction
        signed.signedDate = max(clock.now(), transaction.signedDate)
        return String(decoding: store.sign(signed.payload), as: UTF8.self)
    }

    private func sign(_ renewal: SimulatedRenewal) -> String {
        var signed = renewal
        signed.signedDate = max(clock.now(), renewal.signedDate)
        return String(decoding: store.sign(signed.payload), as: UTF8.self)
    }

    // MARK: What a reconciliation never asks

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw AppStoreFailure(.rejected)
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        throw AppStoreFailure(.rejected)
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw AppStoreFailure(.rejected)
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw AppStoreFailure(.rejected) }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw AppStoreFailure(.rejected) }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw AppStoreFailure(.rejected)
    }
}
