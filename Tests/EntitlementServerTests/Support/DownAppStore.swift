internal import EntitlementEngine
internal import EntitlementModel

/// Apple's servers on a bad day: every call fails.
struct DownAppStore: AppStoreServers {
    private let failure = AppStoreFailure(.unavailable, httpStatus: 503)

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw failure
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction { throw failure }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory { throw failure }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses { throw failure }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory { throw failure }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications { throw failure }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw failure }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw failure }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw failure }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw failure }
}
