internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Synchronization

/// Apple's servers as a script: each request is answered by a function, and all are kept.
final class ScriptedServers: AppStoreTransport {
    typealias Answer =
        @Sendable (TransportRequest, _ number: Int) -> Result<
            TransportResponse, TransportFailure
        >

    private let answer: Answer
    private let kept = Mutex<[TransportRequest]>([])

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// One answer for every request.
    convenience init(always answer: Result<TransportResponse, TransportFailure>) {
        self.init { _, _ in answer }
    }

    /// The answers one after the other, the last one for all further requests.
    convenience init(inTurn answers: [Result<TransportResponse, TransportFailure>]) {
        self.init { _, number in answers[min(number, answers.count) - 1] }
    }

    func send(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        let number = kept.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try answer(request, number).get()
    }

    var requests: [TransportRequest] { kept.withLock(\.self) }

    /// How many requests went to an address.
    func count(to host: String) -> Int { requests.filter { $0.url.contains(host) }.count }
}

extension Result where Success == TransportResponse, Failure == TransportFailure {
    static func json(
        _ value: JSONValue, status: Int = 200, retryAfter: String? = nil
    ) -> Self {
        .success(
            TransportResponse(status: status, retryAfter: retryAfter, body: value.serialized()))
    }

    static func error(_ code: Int64, retryAfter: String? = nil) -> Self {
        .json(
            ["errorCode": .integer(code), "errorMessage": "no"], status: Int(code / 10_000),
            retryAfter: retryAfter)
    }

    static func status(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Self {
        .success(
            TransportResponse(status: status, retryAfter: retryAfter, body: Array(body.utf8)))
    }
}

/// Time that passes only for whoever waits, and chance that is always the same.
final class VirtualContext: ClientContext {
    private let state: Mutex<(now: Instant, waits: [Int64])>
    private let fixedChance: Double

    init(at now: Instant = Sample.now, chance: Double = 0) {
        state = Mutex((now, []))
        fixedChance = chance
    }

    func now() -> Instant { state.withLock(\.now) }

    func wait(until instant: Instant) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        state.withLock { state in
            guard instant > state.now else { return }
            state.waits.append(instant.milliseconds(since: state.now))
            state.now = instant
        }
    }

    func random() -> Double { fixedChance }

    func set(to instant: Instant) { state.withLock { $0.now = instant } }

    /// How long each wait was. Milliseconds.
    var waits: [Int64] { state.withLock(\.waits) }
}
