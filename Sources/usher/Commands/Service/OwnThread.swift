internal import EntitlementEngine
internal import ServiceLifecycle

/// What a service does beside answering, on a thread of its own: it reads and writes the ledger and
/// journals, and a disk or a database that takes its time keeps nobody else waiting.
struct OwnThread: Service {
    let service: any Service

    func run() async throws {
        let executor = BlockingExecutor()
        try await withTaskExecutorPreference(executor) { try await service.run() }
    }
}
