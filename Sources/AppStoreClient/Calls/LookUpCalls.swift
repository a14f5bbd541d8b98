package import EntitlementEngine
package import EntitlementModel

/// What Get App Transaction Info answers.
package struct FetchedAppTransaction: Hashable, Sendable {
    package var environment: StoreEnvironment
    /// A JWS.
    package var signedAppTransaction: String
}

/// Calls for people: what Apple knows of an order or of an app's download.
extension AppStoreClient {
    /// Get App Transaction Info, by any id of the customer. Without an environment as for
    /// `transaction`.
    package func appTransaction(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedAppTransaction {
        try await ask(in: environment) { environment throws(AppStoreFailure) in
            let answer = try await answer(
                to: .get(["v1", "transactions", "appTransactions", id.text]), in: environment)
            let jws = try answer.text("signedAppTransactionInfo")
            try checkClaims(jws, in: environment)
            return FetchedAppTransaction(environment: environment, signedAppTransaction: jws)
        }
    }

    /// Look Up Order ID, by the number on the customer's invoice. Production only: the sandbox has
    /// no such call.
    package func lookUp(order id: String) async throws(AppStoreFailure) -> OrderLookUp {
        let answer = try await answer(
            to: .get(["v1", "lookup", id], limit: 10), in: .production)
        return OrderLookUp(
            isValid: try answer.integer("status") == 0,
            signedTransactions: try answer.texts(
                "signedTransactions", atMost: configuration.limits.pageItems))
    }
}
