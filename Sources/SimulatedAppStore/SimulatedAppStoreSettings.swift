package import EntitlementModel
package import StoreSimulator

/// What a box starts with.
package struct SimulatedAppStoreSettings: Sendable {
    /// Determines keys and ids, and which requests fail where a percentage is given.
    package var seed: UInt64 = 2_026
    /// What time it is in the box at first.
    package var start = Play.start
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
    package static let end = Instant.day(2100, 1, 1)

    /// Whether a box can begin then: not before the App Store did.
    package static func isStart(_ instant: Instant) -> Bool {
        Instant.day(2008, 7, 10) <= instant && instant < end
    }

    /// The store of an environment at the start.
    func store(in environment: StoreEnvironment) -> SimulatedStore {
        let catalogue = (play ?? .exampleCatalogue).catalogue(in: environment)
        var store = SimulatedStore(catalogue, seed: seed, opened: start)
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
