internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel

@testable internal import EntitlementServer

/// Apple's servers as if Apple had never sold anything.
struct SilentAppStore: AppStoreServers {
    private static let notFound = AppStoreFailure(.notFound, code: 4_040_010, httpStatus: 404)

    func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        throw Self.notFound
    }

    func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        throw Self.notFound
    }

    func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.notFound
    }

    func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        throw Self.notFound
    }

    func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        throw Self.notFound
    }

    func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        FetchedNotifications(signedPayloads: [], nextToken: nil)
    }

    func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw Self.notFound
    }

    func sendConsumption(
        _ report: ConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw Self.notFound }

    func sendConsumption(
        _ report: FirstConsumptionReport, of id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) { throw Self.notFound }

    func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        throw Self.notFound
    }
}

/// Waits for nothing.
struct NoContext: ClientContext {
    func now() -> Instant { SystemClock().now() }
    func wait(until instant: Instant) async {}
    func random() -> Double { 0 }
}

extension ServedShop {
    /// Compares the shop's ledger with an App Store that knows nothing.
    func reconciler() -> Reconciler {
        Reconciler(
            engine: engine, servers: SilentAppStore(), store: nil, context: NoContext(),
            callsPerSecond: 5)
    }
}
