package import EntitlementModel
package import StoreSimulator

/// What a box starts with.
package struct SimulatedAppStoreSettings: Sendable {
    /// Determines keys and ids, and which requests fail where a percentage is given.
    package var seed: UInt64 = 2_026
    /// What time it is in the box at first.
    package var start = Play.start
    /// Which run it is of a box that keeps its keys: what is bought in different runs has different
    /// ids.
    package var run: UInt64 = 0
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

    /// Who signs what is JSON. The root follows from the seed alone: certificates are good as long
    /// as any box.
    static func signer(seed: UInt64) -> StoreSimulator {
        StoreSimulator(
            seed: seed, now: Play.start,
            shape: .apple(around: Play.start).good(from: Play.dates.lowerBound, to: end))
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
