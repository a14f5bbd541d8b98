package import EntitlementModel
internal import StrictJSON

/// The notifications sent to a server, or being tried: the source of the notification history.
struct NotificationLog {
    /// One try to send a notification.
    struct Attempt {
        let at: Instant
        let result: SendResult
    }

    struct Record {
        let kind: NotificationKind
        let at: Instant
        let notification: StoreNotification
        /// Whose transaction it is about.
        let appleID: String?
        /// Set on first access: a notification is signed once only.
        var signed: String?
        var attempts: [Attempt] = []

        var isDelivered: Bool { attempts.contains { $0.result == .success } }
    }

    private(set) var records: [Record] = []
    private var ofCustomer: [String: [Int]] = [:]
    private var ofType: [String: [Int]] = [:]

    mutating func append(_ record: Record) {
        let index = records.count
        records.append(record)
        if let appleID = record.appleID { ofCustomer[appleID, default: []].append(index) }
        ofType[record.kind.type, default: []].append(index)
    }

    mutating func note(_ attempt: Attempt, of index: Int) {
        records[index].attempts.append(attempt)
    }

    /// The signed payload of one.
    mutating func payload(of index: Int, by store: StoreSimulator) -> String {
        if let signed = records[index].signed { return signed }
        let bytes = records[index].notification.signed(by: store)
        let signed = String(decoding: bytes, as: UTF8.self)
        records[index].signed = signed
        return signed
    }

    /// The numbers of those from an index on that a customer or a type narrows down, oldest first.
    func indices(
        from first: Int, ofCustomer appleID: String?, ofType type: String?
    ) -> any Sequence<Int> {
        let narrowed = appleID.map { ofCustomer[$0] ?? [] } ?? type.map { ofType[$0] ?? [] }
        guard let narrowed else { return min(first, records.count)..<records.count }
        return narrowed[Self.position(of: first, in: narrowed) { $0 }...]
    }

    /// The first one that is no older.
    func index(from instant: Instant) -> Int {
        Self.position(of: instant, in: records) { $0.at }
    }

    private static func position<Element, Key: Comparable>(
        of key: Key, in sorted: [Element], by value: (Element) -> Key
    ) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if value(sorted[middle]) < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Apple's `sendAttemptResult`.
package enum SendResult: String, CaseIterable, Hashable, Sendable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    case circularRedirect = "CIRCULAR_REDIRECT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    case invalidResponse = "INVALID_RESPONSE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
}

/// A notification that is to be posted to the developer's server now.
package struct NotificationDelivery: Hashable, Sendable {
    package let environment: StoreEnvironment
    let index: Int
    /// Whether it arrives once more: its result counts for nothing.
    let isRepetition: Bool
    /// The body, as `application/json`.
    package let body: [UInt8]
}

extension AppStoreWorld {
    /// Apple's pauses between attempts in hours; the sandbox tries once.
    private static let pauses: [Int64] = [1, 12, 24, 48, 72]

    /// Puts a notification into the outbox, unless it gets lost on its way.
    func send(_ index: Int, _ side: StoreSide) {
        if chaos.dropPercent > 0, dice.below(100) < chaos.dropPercent {
            return note(.timedOut, ofAttemptAt: index, side)
        }
        let payload = side.log.payload(of: index, by: signer)
        let body: JSONValue = ["signedPayload": .string(payload)]
        let isRepeated = chaos.repeatPercent > 0 && dice.below(100) < chaos.repeatPercent
        for isRepetition in isRepeated ? [false, true] : [false] {
            outbox.append(
                NotificationDelivery(
                    environment: side.environment, index: index, isRepetition: isRepetition,
                    body: body.serialized()))
        }
    }

    /// Notes what became of a delivery, and when it is tried again.
    func note(_ result: SendResult, of delivery: NotificationDelivery) {
        guard let place = outbox.firstIndex(of: delivery) else { return }
        outbox.remove(at: place)
        guard !delivery.isRepetition else { return }
        note(result, ofAttemptAt: delivery.index, side(delivery.environment))
    }

    private func note(_ result: SendResult, ofAttemptAt index: Int, _ side: StoreSide) {
        side.log.note(NotificationLog.Attempt(at: now, result: result), of: index)
        let record = side.log.records[index]
        guard !record.isDelivered, side.environment == .production,
            record.attempts.count <= Self.pauses.count
        else { return }
        let pause = Self.pauses[record.attempts.count - 1] * 3_600_000
        due.add(
            .notification(side.environment, index), at: now.advanced(byMilliseconds: pause))
    }
}
