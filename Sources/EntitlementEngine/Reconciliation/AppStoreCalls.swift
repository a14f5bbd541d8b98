package import EntitlementModel
internal import Synchronization

/// Where a reconciliation waits: for its rate, and until Apple may be asked again.
package protocol ReconciliationPause: Sendable {
    /// Returns at the instant, by the engine's clock; sooner where the task is cancelled.
    func wait(until instant: Instant) async
}

/// Why a reconciliation ended before its end.
enum ReconciliationStop: Error {
    /// The service stops, or somebody has stopped it.
    case interrupted
    /// Apple's servers give no answers.
    case noAnswers(AppStoreFailure)
    case engine(EngineError)

    /// Stable.
    var code: String {
        switch self {
        case .interrupted: "reconciliation.interrupted"
        case .noAnswers(let failure): "app-store." + failure.kind.rawValue
        case .engine(let error): error.code
        }
    }
}

/// Calls of Apple's servers at a rate, repeated while that may help.
final class AppStoreCalls: Sendable {
    /// Why a call came to nothing.
    enum Failure: Error {
        /// Nobody else can be asked about either.
        case stop(ReconciliationStop)
        /// Apple says no more about this customer; the others can be asked about.
        case final(AppStoreFailure)
    }

    /// How often a call is repeated that finds no server, and how long the first wait is: it
    /// doubles, so that all of them take about two minutes.
    private static let repetitions = 7
    private static let firstWait: Int64 = 1_000
    /// How often in a row Apple may say that there were too many calls, and for how long it may
    /// have us wait: its limits are by the hour.
    private static let mostRateWaits = 12
    private static let longestRateWait: Int64 = 3_900_000
    /// Where Apple does not say when.
    private static let usualRateWait: Int64 = 60_000

    private struct State {
        var next = Instant.distantPast
        var calls: Int64 = 0
    }

    private let servers: any AppStoreServers
    private let clock: any EngineClock
    private let pause: any ReconciliationPause
    /// Between two calls, in milliseconds.
    private let spacing: Int64
    private let state = Mutex(State())

    init(
        _ servers: any AppStoreServers, perSecond: Int64, clock: any EngineClock,
        pause: any ReconciliationPause
    ) {
        self.servers = servers
        self.clock = clock
        self.pause = pause
        spacing = 1_000 / max(1, perSecond)
    }

    /// How many were made.
    var count: Int64 { state.withLock { $0.calls } }

    /// The answer, however long it takes.
    func ask<Value: Sendable>(
        _ call: @Sendable (any AppStoreServers) async throws(AppStoreFailure) -> Value
    ) async throws(Failure) -> Value {
        var wait = Self.firstWait
        var (repetitions, rateWaits) = (0, 0)
        while true {
            try await waitForTurn()
            let failure: AppStoreFailure
            do throws(AppStoreFailure) {
                return try await call(servers)
            } catch {
                failure = error
            }
            switch failure.kind {
            case .rateLimited where rateWaits < Self.mostRateWaits:
                rateWaits += 1
                await pause.wait(until: retryInstant(failure))
            case .unavailable where repetitions < Self.repetitions,
                .network where repetitions < Self.repetitions:
                repetitions += 1
                await pause.wait(until: clock.now().advanced(byMilliseconds: wait))
                wait *= 2
            case .rateLimited, .unavailable, .network, .unauthorized:
                throw .stop(.noAnswers(failure))
            case .notFound, .badAnswer, .rejected:
                throw .final(failure)
            }
        }
    }

    private func retryInstant(_ failure: AppStoreFailure) -> Instant {
        let now = clock.now()
        guard let told = failure.retryAt, told > now else {
            return now.advanced(byMilliseconds: Self.usualRateWait)
        }
        return min(told, now.advanced(byMilliseconds: Self.longestRateWait))
    }

    private func waitForTurn() async throws(Failure) {
        let now = clock.now()
        let turn = state.withLock { state in
            state.calls += 1
            // A clock that was set back must not stop everything.
            let earliest = state.next > now.advanced(byMilliseconds: 60_000) ? now : state.next
            let turn = max(now, earliest)
            state.next = turn.advanced(byMilliseconds: spacing)
            return turn
        }
        if turn > now { await pause.wait(until: turn) }
        if Task.isCancelled { throw .stop(.interrupted) }
    }
}
