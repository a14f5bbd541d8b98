internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import HummingbirdCore
internal import LedgerModel
internal import NIOCore

/// One follower of the change feed as `text/event-stream`: a place in the feed, and the portion
/// that is being written.
final class FeedStream: Sendable {
    private let service: OperationsResponder
    /// Which was read before anybody was answered: what is wrong with the question is said then.
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

    /// Writes events until the service stops or nobody reads them any more.
    func run(_ writer: inout any ResponseBodyWriter) async throws {
        try await writeAll(to: &writer)
        // The stream ends in form: whoever follows asks again.
        try await writer.write(ByteBuffer(string: ": end\n\n"))
        try await writer.finish(nil)
    }

    private func writeAll(to writer: inout any ResponseBodyWriter) async throws {
        let broadcast = service.status.broadcast
        let heartbeat = Duration.seconds(service.configuration.heartbeatSeconds)
        var place = first.next.number
        try await writer.write(ByteBuffer(string: ": \(first.next.text)\n\n"))
        try await write(first.changes, to: &writer)
        while !broadcast.hasEnded {
            if let events = broadcast.events(
                after: place, matching: asked.filter, atMost: Self.portion)
            {
                place = max(place, events.last)
                if events.count > 0 {
                    try await writer.write(events.bytes)
                    continue
                }
            } else {
                let page = try await service.changePage(
                    asked, after: FeedCursor(ledger: nil, number: place), limit: Self.page)
                place = page.next.number
                try await write(page.changes, to: &writer)
                guard page.isAtHead else { continue }
            }
            let begun = ContinuousClock.now
            try await broadcast.wait(behind: place, atMost: heartbeat)
            // Whoever has gone is found out by this.
            if ContinuousClock.now - begun >= heartbeat {
                try await writer.write(ByteBuffer(string: ": \(place)\n\n"))
            }
        }
    }

    private func write(
        _ changes: [ChangeAnswer], to writer: inout any ResponseBodyWriter
    ) async throws {
        guard !changes.isEmpty else { return }
        try await writer.write(ByteBuffer(bytes: changes.flatMap(\.event)))
    }
}
