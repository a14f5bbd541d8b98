internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import NIOCore

/// One follower of the change feed as `text/event-stream`: a place in the feed, and the portion
/// that is being written.
package final class FeedStream: Sendable {
    /// Returns once the peer has taken it as far as the system lets it.
    typealias Write = @Sendable (ByteBuffer) async throws -> Void

    private let service: OperationsResponder
    /// Read before the response begins, so that an error in the query still gets an error status.
    private let first: ChangePage
    private let asked: FeedParameters

    /// - Throws: where too many follow already.
    init(
        _ asked: FeedParameters, from first: ChangePage, of service: OperationsResponder
    ) throws(Problem) {
        try service.status.broadcast.join()
        self.asked = asked
        self.first = first
        self.service = service
    }

    deinit {
        service.status.broadcast.leave()
    }

    /// Bytes that are written at once.
    private static let portion = 64 << 10
    /// Of a page that is read from the ledger.
    private static let page = 500

    /// Writes events until the service stops or the peer has gone.
    func run(_ write: Write) async throws {
        try await writeAll(write)
        // Ends the stream properly, so that the follower reconnects.
        try await write(ByteBuffer(string: ": end\n\n"))
    }

    private func writeAll(_ write: Write) async throws {
        let broadcast = service.status.broadcast
        let heartbeat = Duration.seconds(service.configuration.heartbeatSeconds)
        var place = first.next.number
        try await write(ByteBuffer(string: ": \(first.next.text)\n\n"))
        try await self.write(first.changes, by: write)
        while !broadcast.hasEnded {
            if let events = broadcast.events(
                after: place, matching: asked.filter, atMost: Self.portion)
            {
                place = max(place, events.last)
                if events.count > 0 {
                    try await write(events.bytes)
                    continue
                }
            } else {
                let page = try await service.changePage(
                    asked, after: FeedCursor(ledger: nil, number: place), limit: Self.page)
                place = page.next.number
                try await self.write(page.changes, by: write)
                guard page.isAtHead else { continue }
            }
            let begun = ContinuousClock.now
            try await broadcast.wait(behind: place, atMost: heartbeat)
            // Detects a peer that has gone.
            if ContinuousClock.now - begun >= heartbeat {
                try await write(ByteBuffer(string: ": \(place)\n\n"))
            }
        }
    }

    private func write(_ changes: [ChangeAnswer], by write: Write) async throws {
        guard !changes.isEmpty else { return }
        try await write(ByteBuffer(bytes: changes.flatMap(\.event)))
    }
}

/// The query of `GET /v1/changes`.
struct FeedParameters {
    /// `next` of the page before, or the cursor of a change; nil for from the first one on.
    var after: FeedCursor?
    var filter = ChangeFilter()
    var limit = 100
    /// How long to wait for a change if there is none.
    var wait = Duration.zero

    /// Seconds.
    private static let longestWait: Int64 = 60

    init(_ query: QueryValues) throws(Problem) {
        after = try query.value(.afterChange)
        filter.account = try query.value(.account)
        filter.entitlement = try query.value(.entitlement)
        filter.kind = try query.value(.changeKind)
        limit = try query.limit()
        wait =
            try query.text(.wait).map { text throws(Problem) in
                try FeedParameters.wait(text)
            } ?? .zero
        // No change of another kind is about an entitlement.
        if filter.isContradictory { throw Problem(.value, field: "kind") }
    }

    static func cursor(_ text: String, field: String) throws(Problem) -> FeedCursor {
        guard let cursor = FeedCursor(text) else { throw Problem(.value, field: field) }
        return cursor
    }

    /// `30s`, or `30`.
    private static func wait(_ text: String) throws(Problem) -> Duration {
        let digits = text.hasSuffix("s") ? String(text.dropLast()) : text
        return .seconds(try Problem.number(digits, in: 0...longestWait, field: "wait"))
    }
}
