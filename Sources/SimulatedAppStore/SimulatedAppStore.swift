package import EntitlementModel
package import StoreSimulator
internal import StrictJSON
internal import Synchronization

/// The App Store in a box: Apple's server API, verifyReceipt and notifications over a store that
/// plays what it is told, on a virtual clock (spec 4.3).
///
/// It needs no socket: `answer` is the whole of it, and `AppStoreBox` serves it over HTTP. A lock
/// orders callers on different threads; equal calls in equal order give equal answers.
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
                let settings = try world.settings.reset(by: ControlFields(request.body))
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
    /// - Returns: what devices hand in and what Apple tells, not signed yet.
    @discardableResult
    package func say(
        _ line: String, in environment: StoreEnvironment = .production
    ) throws(PlayMistake) -> [StoreEvent] {
        try world.withLock { world throws(PlayMistake) in try world.say(line, in: environment) }
    }

    /// Moves the clock on, and does in order what is due until then.
    /// - Returns: whether the clock is there; else it stands at notifications that have to be sent
    ///   first: `deliveries`, then `report`, then again.
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

    /// The order id of a transaction, as it stands in the customer's mail.
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

    /// The receipt of one transaction as iOS 6 had it; nil where there is none.
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

/// What time it is in a box, and how often the box has begun again.
struct BoxTime: Sendable {
    var now: Instant
    var generation: Int
}
