internal import EntitlementEngine
internal import EntitlementModel

/// Where an id is looked for whose environment is unknown.
extension AppStoreClient {
    /// Asks production first; the sandbox if production says that the id is unknown, and for no
    /// other failure. An app without a production release gets 401 from production: if the settings
    /// say that it is one, the sandbox is asked then too.
    func ask<Answer: Sendable>(
        in environment: StoreEnvironment?,
        _ call: (StoreEnvironment) async throws(AppStoreFailure) -> Answer
    ) async throws(AppStoreFailure) -> Answer {
        if let environment { return try await call(environment) }
        do throws(AppStoreFailure) {
            return try await call(.production)
        } catch {
            guard isForSandbox(error) else { throw error }
        }
        do throws(AppStoreFailure) {
            return try await call(.sandbox)
        } catch {
            throw error.afterFallback
        }
    }

    private func isForSandbox(_ failure: AppStoreFailure) -> Bool {
        switch failure.kind {
        case .notFound: APIErrorCode.asksForSandbox(failure.code)
        // Without a key nothing was asked.
        case .unauthorized: !configuration.isReleased && failure.httpStatus == 401
        case .rateLimited, .unavailable, .network, .badAnswer, .rejected: false
        }
    }
}

extension AppStoreFailure {
    /// The same failure of a server that was asked because another one said so.
    var afterFallback: AppStoreFailure {
        var failure = self
        failure.isAfterFallback = true
        return failure
    }
}
