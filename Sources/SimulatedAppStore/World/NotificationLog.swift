internal import EntitlementModel
internal import StoreSimulator

/// What Apple has told a server, or tries to: the source of the notification history.
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
        /// Set once somebody wants to read it: a notification is signed once only.
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
