internal import EntitlementEngine
internal import EntitlementModel
internal import Synchronization

/// Apple's servers as a test wants them: they answer what they were given, or fail.
final class ScriptedAppStore: AppStoreServers {
    struct State: Sendable {
        /// What every call fails with.
        var failure: AppStoreFailure?
        /// What calls about one receipt or id fail with.
        var failures: [String: AppStoreFailure] = [:]
        /// By the receipt's text.
        var receipts: [String: FetchedReceipt] = [:]
        var transactions: [TransactionID: FetchedTransaction] = [:]
        /// The pages of a history, in their order.
        var histories: [TransactionID: [FetchedHistory]] = [:]
        var statuses: [TransactionID: FetchedStatuses] = [:]
        /// What was called, about what.
        var calls: [String] = []
        /// Tokens that were set, by lineage.
        var tokens: [TransactionID: String] = [:]
        /// What was told of purchases that are to be refunded.
        var consumption: [TransactionID: [ConsumptionReport]] = [:]
        var firstConsumption: [TransactionID: [FirstConsumptionReport]] = [:]
    }

    private let state = Mutex(State())
    private let meanwhile: @Sendable () async -> Void

    /// - Parameter meanwhile: what happens while a call is under way.
    init(meanwhile: @escaping @Sendable () async -> Void = {}) {
        self.meanwhile = meanwhile
    }

    var calls: [String] { state.withLock { $0.calls } }
    var tokens: [TransactionID: String] { state.withLock { $0.tokens } }
    var consumption: [TransactionID: [ConsumptionReport]] { state.withLock { $0.consumption } }
    var firstConsumption: [TransactionID: [FirstConsumptionReport]] {
        state.withLock { $0.firstConsumption }
    }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func answer<Value: Sendable>(
        _ call: String, _ subject: String, _ find: @Sendable (inout State) -> Value?
    ) async throws(AppStoreFailure) -> Value {
        await meanwhile()
        let result = state.withLock { state -> Result<Value, AppStoreFailure> in
            state.calls.append(call)
            if let failure = state.failure ?? state.failures[subject] { return .failure(failure) }
            guard let found = find(&state) else {
                return .failure(AppStoreFailure(.notFound, code: 4_040_010, httpStatus: 404))
            }
            return .success(found)
        }
        return try result.get()
    }

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        try await answer("verifyReceipt", receipt) { $0.receipts[receipt] }
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        try await answer("transaction \(id)", id.text) { $0.transactions[id] }
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try await answer("history \(id) \(revision ?? "-")", id.text) { state in
            let pages = state.histories[id] ?? []
            guard let revision else { return pages.first }
            let index = pages.firstIndex { $0.revision == revision } ?? pages.endIndex - 1
            return pages.indices.contains(index + 1) ? pages[index + 1] : pages.last
        }
    }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        try await answer("statuses \(id)", id.text) { $0.statuses[id] }
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try await answer("refunds \(id)", id.text) { _ in nil }
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        try await answer("notifications", "") { _ in nil }
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try await answer("token \(lineage) \(environment.rawValue)", lineage.text) { state in
            state.tokens[lineage] = token
            return ()
        }
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try await answer("consumption \(id)", id.text) { state in
            state.consumption[id, default: []].append(report)
            return ()
        }
    }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try await answer("consumption v1 \(id)", id.text) { state in
            state.firstConsumption[id, default: []].append(report)
            return ()
        }
    }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try await answer("finish \(id)", id.text) { _ in () }
    }
}
