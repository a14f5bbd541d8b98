package import EntitlementEngine
package import EntitlementModel
internal import StrictJSON

/// The calls that the engine makes.
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
        // Oldest change first: later additions and changes come after the last revision.
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

/// Whole histories, page by page, from any `AppStoreServers`: each walk ends.
extension AppStoreServers {
    /// Hands on each page of the transaction history, the first or the one after a stored revision
    /// first, until there are no more.
    ///
    /// - Parameters:
    ///   - limit: the number of pages at most; there being more is `.badAnswer`, as is a revision
    ///     that comes a second time.
    ///   - take: returns false to stop.
    /// - Returns: the last revision, to go on with when something changed later.
    package func walkHistory(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String? = nil,
        limit: Int = CallLimits().pages,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) -> String {
        try await walk(from: revision, in: environment, limit: limit, take: take) {
            revision, environment throws(AppStoreFailure) in
            try await history(of: id, in: environment, after: revision)
        }
    }

    /// The same for the refund history.
    package func walkRefunds(
        of id: TransactionID, in environment: StoreEnvironment?, after revision: String? = nil,
        limit: Int = CallLimits().pages,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) -> String {
        try await walk(from: revision, in: environment, limit: limit, take: take) {
            revision, environment throws(AppStoreFailure) in
            try await refunds(of: id, in: environment, after: revision)
        }
    }

    private func walk(
        from revision: String?, in environment: StoreEnvironment?, limit: Int,
        take: (FetchedHistory) async throws(AppStoreFailure) -> Bool,
        page: (String?, StoreEnvironment?) async throws(AppStoreFailure) -> FetchedHistory
    ) async throws(AppStoreFailure) -> String {
        var seen = Set([revision].compactMap(\.self))
        var (revision, environment) = (revision, environment)
        for _ in 0..<max(1, limit) {
            let found = try await page(revision, environment)
            // The other pages are in the environment of the first.
            environment = found.environment
            guard try await take(found), found.hasMore else { return found.revision }
            guard seen.insert(found.revision).inserted else { throw .init(.badAnswer) }
            revision = found.revision
        }
        throw .init(.badAnswer)
    }

    /// Hands on each page of the notification history between two instants, the end excluded. It
    /// ends as `walkHistory` does.
    package func walkNotifications(
        in environment: StoreEnvironment, from start: Instant, to end: Instant,
        limit: Int = CallLimits().pages,
        take: (FetchedNotifications) async throws(AppStoreFailure) -> Bool
    ) async throws(AppStoreFailure) {
        var seen: Set<String> = []
        var token: String?
        for _ in 0..<max(1, limit) {
            let page = try await notifications(
                in: environment, from: start, to: end, after: token)
            guard try await take(page), let next = page.nextToken else { return }
            guard seen.insert(next).inserted else { throw .init(.badAnswer) }
            token = next
        }
        throw .init(.badAnswer)
    }
}

extension AppStoreClient {
    /// Production first; the sandbox on 21007, and production again if the sandbox says 21008. Two
    /// servers that send each other every receipt are a bad answer.
    ///
    /// The app of the receipt is not checked here but by whoever judges the answer, since it is a
    /// property of the request.
    package func verifyReceipt(_ receipt: String) async throws(AppStoreFailure) -> FetchedReceipt {
        let call = verifyReceiptCall(receipt)
        let directions: [(environment: StoreEnvironment, elsewhere: Int)] = [
            (.production, 21_007), (.sandbox, 21_008), (.production, 0),
        ]
        for (environment, elsewhere) in directions {
            let response: TransportResponse
            do throws(AppStoreFailure) {
                response = try await send(call, in: environment)
            } catch {
                throw environment == .sandbox ? error.afterFallback : error
            }
            guard let answer = ReceiptAnswer(response.body) else {
                preconditionFailure("an answer without a status is a failure")
            }
            switch answer.status {
            case 0, 21_006:
                let name = answer.environment ?? environment.signedName
                guard name == environment.signedName else { throw badAnswer(answer) }
                return FetchedReceipt(
                    environment: environment, status: answer.status, body: response.body)
            case elsewhere: continue
            default: throw badAnswer(answer)
            }
        }
        throw AppStoreFailure(.badAnswer, code: 21_007, httpStatus: 200)
    }

    private func badAnswer(_ answer: ReceiptAnswer) -> AppStoreFailure {
        AppStoreFailure(.badAnswer, code: answer.status, httpStatus: 200)
    }

    private func verifyReceiptCall(_ receipt: String) -> AppStoreCall {
        var body: JSONValue = ["receipt-data": .string(receipt)]
        body["password"] = configuration.sharedSecret.map { .string($0.revealed) }
        body["exclude-old-transactions"] = false
        return AppStoreCall(
            service: .verifyReceipt, method: "POST", body: body.serialized())
    }
}
