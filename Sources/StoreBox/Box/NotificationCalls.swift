internal import EntitlementModel
internal import StrictJSON

/// Get Notification History, Request a Test Notification and its status.
extension AppStoreWorld {
    /// How far back the history goes, in days.
    private static func reach(_ environment: StoreEnvironment) -> Int64 {
        environment == .production ? 180 : 30
    }

    /// Get Notification History.
    func notificationHistory(
        _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse {
        let body = try call.object()
        let (start, end) = try range(body, side.environment)
        let type = body["notificationType"]?.string
        let subtype = body["notificationSubtype"]?.string
        try checkKind(type, subtype)
        var appleID: String?
        if let id = body["transactionId"]?.string {
            guard type == nil else { throw .multipleFiltersSupplied }
            appleID = try side.customer(try transactionID(id))
        }
        let onlyFailures = body["onlyFailures"]?.bool ?? false
        let first = try position(call, body) ?? side.log.index(from: start)
        var items: [JSONValue] = []
        var next: Int?
        for index in side.log.indices(from: first, ofCustomer: appleID, ofType: type) {
            let record = side.log.records[index]
            if record.at >= end { break }
            if let subtype, record.kind.subtype != subtype { continue }
            if onlyFailures, record.isDelivered { continue }
            guard items.count < Self.pageSize else {
                next = index
                break
            }
            items.append(item(index, side))
        }
        var answer: JSONValue = [:]
        answer["paginationToken"] = next.map { .string(Self.token($0, body)) }
        answer["hasMore"] = .bool(next != nil)
        answer["notificationHistory"] = .array(items)
        return AppStoreResponse(json: answer)
    }

    private func range(
        _ body: JSONValue, _ environment: StoreEnvironment
    ) throws(AppStoreError) -> (start: Instant, end: Instant) {
        guard let start = body["startDate"]?.int64, start >= 0 else { throw .invalidStartDate }
        guard let end = body["endDate"]?.int64, end >= 0 else { throw .invalidEndDate }
        guard start < end else { throw .startDateAfterEndDate }
        let oldest = now.advanced(byMilliseconds: -Self.reach(environment) * 86_400_000)
        guard start >= oldest.milliseconds else { throw .startDateTooFarInPast }
        return (Instant(milliseconds: start), Instant(milliseconds: end))
    }

    private func checkKind(_ type: String?, _ subtype: String?) throws(AppStoreError) {
        guard let type else {
            if subtype != nil { throw .invalidNotificationType }
            return
        }
        guard NotificationKind.documented.contains(where: { $0.type == type }) else {
            throw .invalidNotificationType
        }
    }

    private func item(_ index: Int, _ side: StoreSide) -> JSONValue {
        let attempts = side.log.records[index].attempts.map { attempt -> JSONValue in
            [
                "attemptDate": .date(attempt.at),
                "sendAttemptResult": .string(attempt.result.rawValue),
            ]
        }
        return [
            "signedPayload": .string(side.log.payload(of: index, by: signer)),
            "sendAttempts": .array(attempts),
        ]
    }

    /// The start of a page: its first notification, and a hash of the request.
    private static func token(_ index: Int, _ body: JSONValue) -> String {
        var mark: UInt32 = 2_166_136_261
        for byte in body.canonical() { mark = (mark ^ UInt32(byte)) &* 16_777_619 }
        return "\(index)_" + mark.hexadecimal(width: 8)
    }

    private func position(_ call: APICall, _ body: JSONValue) throws(AppStoreError) -> Int? {
        guard let token = call.value("paginationToken"), !token.isEmpty else { return nil }
        guard let index = token.split(separator: "_").first.flatMap({ Int($0) }), index >= 0,
            Self.token(index, body) == token
        else { throw .invalidPaginationToken }
        return index
    }
}

extension AppStoreWorld {
    /// Request a Test Notification.
    func requestTest(_ side: StoreSide) throws(AppStoreError) -> AppStoreResponse {
        guard settings.notifies else { throw .notificationURLNotFound }
        side.store.move(to: now)
        let test = side.store.notification("TEST", nil)
        let token = "\(test.uuid)_\(now.milliseconds)"
        side.tests[token] = side.log.records.count
        side.store.notify(test)
        file(side)
        return AppStoreResponse(json: ["testNotificationToken": .string(token)])
    }

    /// Get Test Notification Status.
    func testStatus(_ token: String, _ side: StoreSide) throws(AppStoreError) -> AppStoreResponse {
        let parts = token.split(separator: "_")
        guard parts.count == 2, parts[0].utf8.count == 36, Int64(parts[1]) != nil else {
            throw .invalidTestNotificationToken
        }
        guard let index = side.tests[token], !side.log.records[index].attempts.isEmpty else {
            throw .testNotificationNotFound
        }
        return AppStoreResponse(json: item(index, side))
    }
}
