internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import Synchronization

/// State of a running service for the operator's page and the metrics.
final class ServiceStatus: Sendable {
    struct Counts {
        /// Answers of usher.sock by status.
        var answers: [Int: Int] = [:]
        var durations = CallDurations()
        /// Pieces of evidence by verdict: `judged`, or the code of the refusal.
        var evidence: [String: Int] = [:]
        /// Parts of genuine evidence that are kept without effect, by code.
        var quarantined: [String: Int] = [:]
        /// Payments that clients reported as failed or cancelled.
        var payments: [FailedPayment.Outcome: Int] = [:]
        /// Connections that were refused, by socket and code.
        var rejectedConnections: [RejectedConnection: Int] = [:]
    }

    struct RejectedConnection: Hashable {
        let socket: PeerAccess.Socket
        let code: ProblemCode
    }

    let version: String
    let startedAt: Instant
    /// The same on the steady clock.
    private let begun = ContinuousClock.now
    /// Log lines that could not be written.
    let linesLost: @Sendable () -> Int
    /// Nil where nothing is compared with Apple.
    let reconciler: (any ReconciliationRunner)?
    /// What followers of the change feed share.
    let broadcast: FeedBroadcast
    /// Nil if no subscription is configured.
    let pusher: Pusher?
    private let state = Mutex(Counts())
    /// Questions that were answered on query.sock, up to the last second.
    let questions = Atomic<Int>(0)
    let queryConnections = Atomic<Int>(0)
    let operationsConnections = Atomic<Int>(0)
    /// Calls of usher.sock that are being worked on.
    private let inFlight = Atomic<Int>(0)
    /// Bytes of bodies on usher.sock that are being read or worked on.
    private let heldBytes = Atomic<Int>(0)

    init(
        version: String, startedAt: Instant,
        broadcast: FeedBroadcast = .withoutFollowers,
        linesLost: @escaping @Sendable () -> Int = { 0 },
        reconciler: (any ReconciliationRunner)? = nil,
        pusher: Pusher? = nil
    ) {
        self.version = version
        self.startedAt = startedAt
        self.linesLost = linesLost
        self.reconciler = reconciler
        self.broadcast = broadcast
        self.pusher = pusher
    }

    var counts: Counts { state.withLock { $0 } }

    var callsInFlight: Int { inFlight.load(ordering: .relaxed) }

    var bytesHeld: Int { heldBytes.load(ordering: .relaxed) }

    /// Whether the wall clock was set by more than five minutes since the start, either way.
    func hasClockStepped(to now: Instant) -> Bool {
        let passed = Duration.milliseconds(now.milliseconds(since: startedAt))
        let step = passed - (ContinuousClock.now - begun)
        return !(.seconds(-300) ... .seconds(300)).contains(step)
    }

    func count(_ status: HTTPStatus, after duration: Duration) {
        state.withLock {
            $0.answers[status.rawValue, default: 0] += 1
            $0.durations.count(duration)
        }
    }

    func countTurnedAway(_ socket: PeerAccess.Socket, _ code: ProblemCode) {
        state.withLock {
            $0.rejectedConnections[RejectedConnection(socket: socket, code: code), default: 0] += 1
        }
    }

    func count(_ report: SubmissionReport) {
        let verdict =
            switch report {
            case .judged: "judged"
            case .refused(let refusal): refusal.code.rawValue
            case .waiting: "waiting"
            case .unanswerable(let why): why.rawValue
            }
        state.withLock { counts in
            counts.evidence[verdict, default: 0] += 1
            guard case .judged(let judged) = report else { return }
            for part in judged.quarantined {
                counts.quarantined[part.code.rawValue, default: 0] += 1
            }
        }
    }

    func count(_ payments: [FailedPayment]) {
        state.withLock { counts in
            for payment in payments { counts.payments[payment.outcome, default: 0] += 1 }
        }
    }

    /// Takes a call on, unless `limit` are being worked on already. `endCall()` must follow.
    func beginCall(limit: Int) -> Bool {
        let (before, _) = inFlight.add(1, ordering: .relaxed)
        if before < limit { return true }
        endCall()
        return false
    }

    func endCall() {
        inFlight.subtract(1, ordering: .relaxed)
    }

    func countConnection(_ change: Int, on socket: PeerAccess.Socket) {
        switch socket {
        case .query: queryConnections.wrappingAdd(change, ordering: .relaxed)
        case .operations: operationsConnections.wrappingAdd(change, ordering: .relaxed)
        }
    }

    /// Reserves the memory for a body before any of it is read. It is released with the last copy
    /// of the result.
    ///
    /// - Parameter limit: of all bodies together.
    /// - Throws: `overloaded` where too many bodies are held.
    func holdBody(ofAtMost bytes: Int, limit: Int) throws(Problem) -> HeldBody {
        let held = HeldBody(bytes, of: self)
        guard held.total <= limit || bytes == 0 else { throw Problem(.overloaded) }
        return held
    }

    /// Memory for a body.
    final class HeldBody: Sendable {
        private let bytes: Int
        private let status: ServiceStatus
        /// Of all bodies, with this one.
        fileprivate let total: Int

        fileprivate init(_ bytes: Int, of status: ServiceStatus) {
            self.bytes = bytes
            self.status = status
            total = status.heldBytes.add(bytes, ordering: .relaxed).newValue
        }

        deinit {
            status.heldBytes.subtract(bytes, ordering: .relaxed)
        }
    }
}
