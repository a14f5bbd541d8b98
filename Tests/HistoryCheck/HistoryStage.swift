internal import HistoryComparison
internal import TestSupport

#if canImport(OrderComparison)
    internal import OrderComparison
#endif
#if PostgreSQL
    internal import FleetComparison
#endif

/// Where one thread's histories are played.
struct HistoryStage: Sendable {
    #if PostgreSQL
        /// Nil where no fleet is asked for.
        var fleet: FleetStage?
    #endif

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// One for each thread.
    static func all(_ options: CheckOptions) throws -> [HistoryStage] {
        guard options.isOnFleet else {
            return [HistoryStage](repeating: HistoryStage(), count: options.threads)
        }
        #if PostgreSQL
            let server = try DatabaseServer.quick.get()
            return try (0..<options.threads).map { _ in
                HistoryStage(fleet: try FleetStage(in: server))
            }
        #else
            throw Refusal(description: "history-check was built without the trait PostgreSQL")
        #endif
    }

    /// What a fleet has otherwise than the history.
    func compare(_ history: History) async -> [Disagreement] {
        #if PostgreSQL
            if let fleet { return await fleet.compare(history) }
        #endif
        return []
    }

    #if canImport(OrderComparison)
        func compare(_ script: OrderScript) async -> OrderScriptComparison {
            #if PostgreSQL
                if let fleet { return await fleet.compare(script) }
            #endif
            return await OrderScriptComparison.of(script)
        }
    #endif
}
