package import EntitlementEngine
package import EntitlementModel
internal import StrictJSON

/// Which notifications of the past are asked for: Apple keeps those of 180 days in production and
/// of 30 in the sandbox.
package struct NotificationQuery: Hashable, Sendable {
    package var from: Instant
    /// Excluded.
    package var to: Instant
    /// Only those about this transaction; not together with a type.
    package var transaction: TransactionID?
    /// Apple's `notificationType` and `subtype`.
    package var type: String?
    package var subtype: String?
    /// Only those that Apple could not deliver.
    package var onlyFailures = false

    package init(from: Instant, to: Instant) {
        self.from = from
        self.to = to
    }

    fileprivate var body: JSONValue {
        var body: JSONValue = [
            "startDate": .integer(from.milliseconds), "endDate": .integer(to.milliseconds),
        ]
        body["transactionId"] = transaction.map { .string($0.text) }
        body["notificationType"] = type.map { .string($0) }
        body["notificationSubtype"] = subtype.map { .string($0) }
        body["onlyFailures"] = onlyFailures ? true : nil
        return body
    }
}

/// A notification as Apple sent it, and how that went.
package struct NotificationRecord: Hashable, Sendable {
    package struct Attempt: Hashable, Sendable {
        package var at: Instant
        /// Apple's word: `SUCCESS`, `TIMED_OUT`, ….
        package var result: String
    }

    /// A JWS.
    package var signedPayload: String
    package var attempts: [Attempt]
}

/// A page of them.
package struct NotificationPage: Hashable, Sendable {
    package var records: [NotificationRecord]
    package var nextToken: String?
}

extension AppStoreClient {
    /// One page of Get Notification History.
    package func notificationRecords(
        _ query: NotificationQuery, in environment: StoreEnvironment, after token: String?
    ) async throws(AppStoreFailure) -> NotificationPage {
        var call = AppStoreCall.send("POST", ["v1", "notifications", "history"], query.body)
        if let token { call.query = [("paginationToken", token)] }
        let answer = try await answer(to: call, in: environment)
        var records: [NotificationRecord] = []
        let places = try answer.list(
            "notificationHistory", atMost: configuration.limits.pageItems)
        for place in places { records.append(try record(answer, at: place)) }
        guard try answer.flag("hasMore") else {
            return NotificationPage(records: records, nextToken: nil)
        }
        let next = try answer.text("paginationToken")
        // A page that leads back to itself would be asked for without end.
        if next.isEmpty || next == token { throw answer.bad }
        return NotificationPage(records: records, nextToken: next)
    }

    /// Request Test Notification: Apple sends one of type TEST to the address of the app's server.
    ///
    /// - Returns: the token that its status is asked by.
    package func requestTestNotification(
        in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> String {
        var call = AppStoreCall.send("POST", ["v1", "notifications", "test"], limit: 1)
        call.isRepeatable = false
        return try await answer(to: call, in: environment).text("testNotificationToken")
    }

    /// Get Test Notification Status; `.notFound` also for a moment after it was requested.
    package func testNotification(
        _ token: String, in environment: StoreEnvironment
    ) async throws(AppStoreFailure) -> NotificationRecord {
        let answer = try await answer(
            to: .get(["v1", "notifications", "test", token], limit: 1), in: environment)
        return try record(answer, at: .root)
    }

    private func record(
        _ answer: APIAnswer, at place: JSONOffset
    ) throws(AppStoreFailure) -> NotificationRecord {
        var attempts: [NotificationRecord.Attempt] = []
        for attempt in try answer.list("sendAttempts", of: place, atMost: 100) {
            attempts.append(
                NotificationRecord.Attempt(
                    at: Instant(milliseconds: try answer.integer("attemptDate", of: attempt)),
                    result: try answer.text("sendAttemptResult", of: attempt)))
        }
        return NotificationRecord(
            signedPayload: try answer.text("signedPayload", of: place), attempts: attempts)
    }
}
