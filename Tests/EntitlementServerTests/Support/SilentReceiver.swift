internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// Nobody listens, and nothing is sent.
struct SilentReceiver: AppStoreTransport, ChangeSource, JournalStore, ClientContext {
    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        throw .unreachable
    }

    func changes(
        after cursor: FeedCursor?, limit: Int
    ) async throws(EngineError) -> ChangePage? {
        nil
    }

    func wait(behind number: Int64, atMost milliseconds: Int64) async {}
    func lines() -> [[UInt8]] { Self.kept.map { Array($0.utf8) } }
    func append(_ lines: [[UInt8]]) {}
    func replace(with lines: [[UInt8]]) {}
    func now() -> Instant { Instant(milliseconds: 1_772_323_200_000) }
    func wait(until instant: Instant) async throws(CancellationError) {}
    func random() -> Double { 0.5 }

    /// What an earlier service has left.
    private static let kept = [
        #"{"subscription":"back-end","cursor":"0123456789abcdef:12"}"#,
        #"{"subscription":"back-end","undelivered":{"subscription":"back-end","number":8,"#
            + #""since":"2026-02-28T00:00:00.000Z","attempts":5,"trouble":"rejected","#
            + #""status":400,"sent_again":false}}"#,
    ]
}

extension ServedShop {
    /// Sends changes to nobody.
    func pusher() throws -> Pusher {
        let secret = PushSecret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        guard let secret, let address = ReceiverAddress("/run/app.sock:/changes") else {
            preconditionFailure("both are as they have to be")
        }
        return try Pusher(
            [PushSubscription(name: "back-end", receiver: address, secret: secret)],
            source: SilentReceiver(), transport: SilentReceiver(), store: SilentReceiver(),
            context: SilentReceiver(), report: { _ in })
    }
}
