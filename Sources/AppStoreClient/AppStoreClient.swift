package import EntitlementEngine
internal import EntitlementModel

/// Asks Apple's servers: the App Store Server API and verifyReceipt.
///
/// Nothing is sent before the first call. Each call keeps to the budget of its environment, is
/// repeated after a pause where the tables of docs/APP_STORE.md say so, and ends with an answer or
/// with an `AppStoreFailure`. A client that is cancelled while it waits fails as if the network had.
package struct AppStoreClient: AppStoreServers {
    package let configuration: AppStoreConfiguration
    package var hasServerAPI: Bool { configuration.key != nil }
    package var hasVerifyReceipt: Bool { configuration.sharedSecret != nil }
    private let transport: any AppStoreTransport
    private let context: any ClientContext
    private let tokens: AuthorizationTokens?
    private let gate: CallGate
    private let productionBudget: RateBudget
    private let sandboxBudget: RateBudget

    package init(
        _ configuration: AppStoreConfiguration, transport: any AppStoreTransport,
        context: any ClientContext
    ) {
        self.configuration = configuration
        self.transport = transport
        self.context = context
        tokens = configuration.key.map {
            AuthorizationTokens(key: $0, bundleID: configuration.bundleID)
        }
        gate = CallGate(places: configuration.concurrency)
        let rate = Double(configuration.callsPerSecond)
        let longest = configuration.limits.longestRetryAfter
        productionBudget = RateBudget(callsPerSecond: rate, longestPause: longest)
        sandboxBudget = RateBudget(
            callsPerSecond: rate * Self.sandboxShare, longestPause: longest)
    }

    /// Apple's limits in the sandbox, as a share of those in production.
    private static let sandboxShare = 0.1

    /// Sends a call until it is answered or failed for good.
    ///
    /// - Returns: the answer with a status of 200 to 299.
    func send(
        _ call: AppStoreCall, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> TransportResponse {
        var attempt = 1
        while true {
            let failure: AppStoreFailure
            let isRepeated: Bool
            switch await sendOnce(call, in: environment) {
            case .answered(let response): return response
            case .failed(let reason, let again): (failure, isRepeated) = (reason, again)
            }
            guard isRepeated, attempt < configuration.limits.attempts else { throw failure }
            try await pause(after: attempt, failure)
            attempt += 1
        }
    }

    private enum Outcome {
        case answered(TransportResponse)
        case failed(AppStoreFailure, isRepeated: Bool)
    }

    private func sendOnce(_ call: AppStoreCall, in environment: StoreEnvironment) async -> Outcome {
        let response: TransportResponse
        do throws(AppStoreFailure) {
            response = try await exchange(call, environment)
        } catch {
            // Whether a request that broke off was carried out is unknown.
            let isRepeated = error.kind == .network && !error.lacksLibrary && call.isRepeatable
            return .failed(error, isRepeated: isRepeated)
        }
        let reaction = Reaction.to(
            response, of: call.service, at: context.now(),
            longestRetryAfter: configuration.limits.longestRetryAfter)
        switch reaction {
        case .answered: return .answered(response)
        case .failed(let failure, let isRepeated):
            if failure.kind == .unauthorized, call.service == .serverAPI { tokens?.discard() }
            if failure.kind == .rateLimited, let retryAt = failure.retryAt {
                budget(environment).pause(until: retryAt)
            }
            let isRefused = failure.kind == .rateLimited
            return .failed(failure, isRepeated: isRepeated && (isRefused || call.isRepeatable))
        }
    }

    /// One request and its answer, in its turn.
    private func exchange(
        _ call: AppStoreCall, _ environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> TransportResponse {
        do throws(CancellationError) { try await gate.enter() } catch { throw .init(.network) }
        defer { gate.leave() }
        try await waitForTurn(call, environment)
        // A token is signed after the wait: it must not lapse in the queue.
        var request = try request(call, environment)
        request.isRepeatable = call.isRepeatable
        do throws(TransportFailure) {
            return try await transport.send(request)
        } catch {
            var failure = AppStoreFailure(error == .tooLarge ? .badAnswer : .network)
            failure.lacksLibrary = error == .noLibrary
            throw failure
        }
    }

    private func waitForTurn(
        _ call: AppStoreCall, _ environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        let share = environment == .sandbox ? Self.sandboxShare : 1
        let turn = budget(environment).start(
            limit: Double(call.limit) * share, at: context.now(),
            longestWait: configuration.limits.longestWait)
        switch turn {
        case .success(let instant): try await wait(until: instant)
        case .failure(let later): throw .init(.rateLimited, retryAt: later.startsAt)
        }
    }

    /// Waits before the next attempt: longer each time, shortened by chance, and never less than
    /// Apple says.
    private func pause(
        after attempt: Int, _ failure: AppStoreFailure
    ) async throws(AppStoreFailure) {
        let limits = configuration.limits
        let doubled = limits.firstPause << min(attempt - 1, 32)
        let longest = Double(min(doubled, limits.longestPause))
        let pause = Int64(longest * (1 - context.random() / 2))
        let now = context.now()
        let instant = max(now.advanced(byMilliseconds: pause), failure.retryAt ?? .distantPast)
        guard instant.milliseconds(since: now) <= limits.longestWait else { throw failure }
        try await wait(until: instant)
    }

    private func wait(until instant: Instant) async throws(AppStoreFailure) {
        guard instant > context.now() else { return }
        do throws(CancellationError) {
            try await context.wait(until: instant)
        } catch {
            throw .init(.network)
        }
    }

    private func request(
        _ call: AppStoreCall, _ environment: StoreEnvironment
    ) throws(AppStoreFailure) -> TransportRequest {
        let limits = configuration.limits
        switch call.service {
        case .serverAPI:
            // Xcode's environments have no server; without a key there is no caller.
            guard let server = configuration.api[environment] else { throw .init(.rejected) }
            guard let tokens else { throw .init(.unauthorized) }
            return TransportRequest(
                method: call.method, url: server.text + call.target,
                authorization: tokens.authorization(at: context.now()), body: call.body,
                answerLimit: limits.answerBytes, timeout: limits.timeout)
        case .verifyReceipt:
            guard let server = configuration.verifyReceipt[environment] else {
                throw .init(.rejected)
            }
            return TransportRequest(
                method: call.method, url: server.text, body: call.body,
                answerLimit: limits.receiptAnswerBytes, timeout: limits.timeout)
        }
    }

    private func budget(_ environment: StoreEnvironment) -> RateBudget {
        environment == .production ? productionBudget : sandboxBudget
    }
}
