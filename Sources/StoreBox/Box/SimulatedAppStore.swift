package import EntitlementModel
internal import StrictJSON
internal import Synchronization

/// The App Store in a box: Apple's server API, verifyReceipt and notifications over a scripted
/// store, on a virtual clock (spec 4.3).
///
/// It needs no socket: `answer` is the whole of it, and `AppStoreBox` serves it over HTTP. A lock
/// orders callers on different threads; equal calls in equal order give equal
/// answers, signatures apart.
package final class SimulatedAppStore: Sendable {
    private let world: Mutex<AppStoreWorld>

    package init(_ settings: SimulatedAppStoreSettings = SimulatedAppStoreSettings()) {
        world = Mutex(AppStoreWorld(settings))
    }

    /// What callers must know.
    package var identity: AppStoreIdentity { world.withLock(\.identity) }

    /// For which app it signs.
    package var app: (bundleID: String, appleID: Int64) {
        world.withLock { ($0.production.store.bundleID, $0.production.store.number) }
    }

    /// What to trust.
    package var root: SimulatedCertificate { world.withLock(\.signer.root) }

    /// Answers a request as Apple's servers would: `/production/…` and `/sandbox/…` are the two
    /// environments.
    package func answer(_ request: AppStoreRequest) -> AppStoreResponse {
        world.withLock { world in
            guard request.isReset else { return world.answer(request) }
            do throws(ControlError) {
                let settings = try world.settings.reset(
                    by: ControlFields(request.body), root: world.signer.root)
                world = AppStoreWorld(settings, generation: world.generation + 1)
                return world.answer(AppStoreRequest(method: "GET", target: "/box/settings"))
            } catch {
                return error.response
            }
        }
    }

    /// What time it is in the box.
    package var now: Instant { world.withLock { $0.now } }

    /// Says a line of a play: `alice buys gold as G1`. Without an instant it happens now; with one
    /// that is still to come, then.
    /// - Returns: the events of devices and of Apple, not signed yet.
    @discardableResult
    package func say(
        _ line: String, in environment: StoreEnvironment = .production
    ) throws(PlayMistake) -> [StoreEvent] {
        try world.withLock { world throws(PlayMistake) in try world.say(line, in: environment) }
    }

    /// Advances the clock, and executes due events in order.
    /// - Returns: whether the clock has arrived; otherwise it stands at notifications that have to
    ///   be sent first: `deliveries`, then `report`, then again.
    @discardableResult
    package func advance(to target: Instant) -> Bool {
        world.withLock { $0.advance(to: target) }
    }

    /// The same, to an instant that is computed from the box's own while nothing else can happen.
    func advance(to target: (BoxTime) -> Instant) -> Bool {
        world.withLock { world in
            let time = BoxTime(now: world.now, generation: world.generation)
            return world.advance(to: max(world.now, target(time)))
        }
    }

    var time: BoxTime { world.withLock { BoxTime(now: $0.now, generation: $0.generation) } }

    /// The notifications that are to be sent now, oldest first.
    package var deliveries: [NotificationDelivery] { world.withLock { $0.outbox } }

    /// Says what became of a delivery.
    package func report(_ result: SendResult, of delivery: NotificationDelivery) {
        world.withLock { $0.note(result, of: delivery) }
    }

    /// The signed notifications of an environment from a number on, oldest first, whether they
    /// were sent or not.
    package func notifications(
        in environment: StoreEnvironment = .production, from first: Int = 0
    ) -> [String] {
        world.withLock { world in
            let side = world.side(environment)
            return (first..<max(first, side.log.records.count)).map {
                side.log.payload(of: $0, by: world.signer)
            }
        }
    }

    /// What devices hold of a purchase now: its newest transaction, and its renewal info.
    package func signedPurchase(
        _ name: String, in environment: StoreEnvironment = .production
    ) -> (transaction: String, renewal: String?)? {
        world.withLock { world in
            let side = world.side(environment)
            guard let purchase = side.store.purchases[name],
                let transaction = world.sign(purchase.transaction, side).string
            else { return nil }
            return (transaction, purchase.renewal.flatMap { world.sign($0, side).string })
        }
    }

    /// The ids of a purchase's transactions, oldest first.
    package func transactionIDs(
        of name: String, in environment: StoreEnvironment = .production
    ) -> [String] {
        world.withLock {
            $0.side(environment).store.purchases[name]?.transactions.map(\.transactionID) ?? []
        }
    }

    /// Makes requests fail from now on; rules that came earlier go first.
    package func fail(_ rule: FailureRule) {
        world.withLock { $0.failures.append(rule) }
    }

    /// What happens to notifications from now on.
    package func disturbNotifications(_ chaos: NotificationChaos) {
        world.withLock { $0.chaos = chaos }
    }

    /// The order ID of a transaction, as in the customer's mail.
    package func orderID(
        of transactionID: String, in environment: StoreEnvironment = .production
    ) -> String {
        world.withLock { $0.side(environment).store.orderID(of: transactionID) }
    }

    /// The app receipt on a device of an Apple ID, base64: what verifyReceipt takes.
    package func receipt(
        of appleID: String, in environment: StoreEnvironment = .production
    ) -> String {
        world.withLock { $0.issueReceipt(of: appleID, $0.side(environment)) }
    }

    /// The receipt of one transaction in the form of iOS 6; nil if there is none.
    package func transactionReceipt(
        of id: String, in environment: StoreEnvironment = .production
    ) -> String? {
        world.withLock { $0.issueTransactionReceipt(of: id, $0.side(environment)) }
    }

    /// What receipts are verified with. Its key is random.
    package var receiptRoot: SimulatedCertificate {
        world.withLock { $0.receipts.simulator($0.settings).root }
    }
}

/// The time of a box, and how often it was reset.
struct BoxTime: Sendable {
    var now: Instant
    var generation: Int
}

/// The configuration of a box.
package struct SimulatedAppStoreSettings: Sendable {
    /// Determines keys and ids, and which requests fail where a percentage is given.
    package var seed: UInt64 = 2_026
    /// What time it is in the box at first.
    package var start = Play.start
    /// The number of a run with the same keys: purchases of different runs have different IDs.
    package var run: UInt64 = 0
    /// As an earlier run of the same seed made it; nil for a new one.
    package var root: SimulatedCertificate?
    /// What receipts are signed with.
    package var receiptKeys = RSAKeys.ofProcess
    /// Products, the app, and lines that are played when their time comes.
    package var play: Play?
    /// The grace that the app offers in days; nil for none.
    package var graceDays: Int64? = 16
    /// Whether notifications are sent; else they are only kept for the history.
    package var notifies = false
    /// The clock that callers make their tokens by; nil for the box's own.
    package var callersClock: (@Sendable () -> Instant)?

    package init() {}

    /// When every box ends: the certificates are good until then.
    package static var end: Instant { Play.dates.upperBound }

    /// Whether a box can begin then: not before the App Store did.
    package static func isStart(_ instant: Instant) -> Bool { Play.dates.contains(instant) }

    /// The signer of JSON. The keys follow from the seed alone: certificates stay valid for any
    /// box.
    static func signer(seed: UInt64, root: SimulatedCertificate? = nil) -> StoreSimulator {
        StoreSimulator(
            seed: seed, now: Play.start,
            shape: .apple(around: Play.start).good(from: Play.dates.lowerBound, to: end),
            root: root)
    }

    /// Who signs receipts; RSA keys take their time.
    func receiptSigner() -> ReceiptSimulator {
        ReceiptSimulator(
            now: Play.start,
            shape: .appleReceipts(around: Play.start).good(
                from: Play.dates.lowerBound, to: Self.end),
            keys: receiptKeys)
    }

    /// The store of an environment at the start.
    func store(in environment: StoreEnvironment) -> SimulatedStore {
        let catalogue = (play ?? .exampleCatalogue).catalogue(in: environment)
        var store = SimulatedStore(
            catalogue, seed: seed &+ run &* 0x9E37_79B9_7F4A_7C15, opened: start)
        store.isAutomatic = true
        store.graceDays = graceDays
        return store
    }

    /// The lines of the play; what they buy renews by the clock only if the play says so.
    var steps: [PlayStep] {
        guard let play else { return [] }
        return play.steps.map { step in
            var step = step
            step.action = step.action.renewing(automatically: play.isAutomatic)
            return step
        }
    }
}

/// A request to the simulated App Store as it came in: what answers it needs no socket.
package struct AppStoreRequest: Hashable, Sendable {
    package var method: String
    /// Path and query.
    package var target: String
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// A response of the simulated App Store, and how it is sent.
package struct AppStoreResponse: Hashable, Sendable {
    package var status: Int
    /// Names in lower case.
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    /// Milliseconds of the caller's time before anything is sent.
    package var delay: Int64 = 0
    /// Where the connection is cut, if it is.
    package var cut: Cut?

    package enum Cut: Hashable, Sendable {
        /// Before a single byte.
        case beforeHead
        /// After that many bytes of the body, whose full length was announced.
        case afterBytes(Int)
    }
}

extension AppStoreResponse {
    init(status: Int = 200, json: JSONValue) {
        self.init(
            status: status, headers: ["content-type": "application/json"],
            body: json.serialized())
    }

    init(_ error: AppStoreError) {
        self.init(
            status: error.rawValue / 10_000,
            json: [
                "errorCode": .integer(Int64(error.rawValue)),
                "errorMessage": .string(error.message),
            ])
    }
}
