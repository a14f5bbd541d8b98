package import EntitlementEngine
package import EntitlementModel
internal import StrictJSON

/// The calls that the engine makes by itself.
extension AppStoreClient {
    package func transaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedTransaction {
        try await ask(in: environment) { environment throws(AppStoreFailure) in
            let answer = try await answer(
                to: .get(["v1", "transactions", id.text]), in: environment)
            let jws = try answer.text("signedTransactionInfo")
            try checkClaims(jws, in: environment, of: id)
            return FetchedTransaction(environment: environment, signedTransaction: jws)
        }
    }

    package func history(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        var call = AppStoreCall.get(["v2", "history", id.text])
        // Oldest change first: what is added or changed later comes after the last revision.
        call.query = [("sort", "ASCENDING")]
        return try await page(of: call, in: environment, after: revision)
    }

    package func refunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        try await page(
            of: .get(["v2", "refund", "lookup", id.text], limit: 10), in: environment,
            after: revision)
    }

    private func page(
        of call: AppStoreCall, in environment: StoreEnvironment?, after revision: String?
    ) async throws(AppStoreFailure) -> FetchedHistory {
        var call = call
        if let revision { call.query.append(("revision", revision)) }
        return try await ask(in: environment) { [call] environment throws(AppStoreFailure) in
            let answer = try await answer(to: call, in: environment)
            let page = FetchedHistory(
                environment: environment,
                signedTransactions: try answer.texts(
                    "signedTransactions", atMost: configuration.limits.pageItems),
                revision: try answer.textIfAny("revision") ?? "",
                hasMore: try answer.flag("hasMore"))
            // A page that leads nowhere, or back to itself, would be asked for without end.
            if page.hasMore, page.revision.isEmpty || page.revision == revision {
                throw answer.bad
            }
            return page
        }
    }

    package func statuses(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(AppStoreFailure) -> FetchedStatuses {
        try await ask(in: environment) { environment throws(AppStoreFailure) in
            let answer = try await answer(
                to: .get(["v1", "subscriptions", id.text]), in: environment)
            var items: [FetchedStatuses.Item] = []
            for group in try answer.list("data") {
                for item in try answer.list("lastTransactions", of: group) {
                    items.append(try status(answer, at: item))
                }
            }
            return FetchedStatuses(environment: environment, items: items)
        }
    }

    private func status(
        _ answer: APIAnswer, at item: JSONOffset
    ) throws(AppStoreFailure) -> FetchedStatuses.Item {
        guard let lineage = TransactionID(try answer.text("originalTransactionId", of: item)),
            let status = Int32(exactly: try answer.integer("status", of: item))
        else { throw answer.bad }
        return FetchedStatuses.Item(
            lineage: lineage, status: Int(status),
            signedTransaction: try answer.text("signedTransactionInfo", of: item),
            signedRenewal: try answer.textIfAny("signedRenewalInfo", of: item))
    }

    package func notifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        after token: String?
    ) async throws(AppStoreFailure) -> FetchedNotifications {
        let page = try await notificationRecords(
            NotificationQuery(from: start, to: end), in: environment, after: token)
        return FetchedNotifications(
            signedPayloads: page.records.map(\.signedPayload), nextToken: page.nextToken)
    }

    package func setAccountToken(
        _ token: String, for lineage: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        _ = try await send(
            .send(
                "PUT", ["v1", "transactions", lineage.text, "appAccountToken"],
                ["appAccountToken": .string(token)], limit: 20), in: environment)
    }

    package func finish(
        _ id: TransactionID, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) {
        _ = try await send(
            .send("POST", ["v1", "transactions", id.text, "finish"]), in: environment)
    }
}
