internal import EntitlementEngine
internal import EntitlementModel
internal import Synchronization

/// Apple's servers in a story: they take what they are told about refunds, unless they are away.
final class StoryAppStore: AppStoreServers {
    private struct State {
        var isAway = false
        var told: [(transaction: TransactionID, report: ConsumptionReport)] = []
        var tokens: [TransactionID: String] = [:]
        var numbers: [(transaction: TransactionID, report: FirstConsumptionReport)] = []
    }

    private let state = Mutex(State())
    private static let unknown = AppStoreFailure(.notFound, code: 4_040_010, httpStatus: 404)

    var hasVerifyReceipt: Bool { false }

    /// What was told of refunds, in order.
    var told: [(transaction: TransactionID, report: ConsumptionReport)] {
        state.withLock { $0.told }
    }

    /// What was told in the first version of the call, in order.
    var toldInNumbers: [(transaction: TransactionID, report: FirstConsumptionReport)] {
        state.withLock { $0.numbers }
    }

    /// The account tokens that were set, by lineage.
    var tokens: [TransactionID: String] { state.withLock { $0.tokens } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    private func check() throws(AppStoreFailure) {
        if state.withLock({ $0.isAway }) { throw AppStoreFailure(.unavailable, httpStatus: 503) }
    }

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw Self.unknown
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        throw Self.unknown
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.unknown
    }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        throw Self.unknown
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.unknown
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        throw Self.unknown
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.tokens[lineage] = token }
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.told.append((id, report)) }
    }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
        state.withLock { $0.numbers.append((id, report)) }
    }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        try check()
    }
}
