package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading

/// Why `usher simulate play` does not play a step, or does not check an expectation.
package enum StorySkip: Int, CaseIterable, Hashable, Sendable {
    /// What a back end, support or the service does: only the App Store is simulated.
    case notPlayed
    /// Nobody named a service that could be asked.
    case withoutService
    /// What no call of a service tells, or what follows from a step that is not played.
    case notAsked
    /// The service goes by its own clock, and something has changed since the step.
    case changedSince
    /// The service has not told everything: it is still looking, or an account has more than one
    /// answer holds.
    case incomplete
}

/// What a running service says of an expectation.
package enum ServedVerdict: Sendable {
    case holds
    case failed(Diagnostic)
    case skipped(StorySkip)
}

/// A call that answers an expectation, or a part of it.
package enum ServedQuestion: Sendable {
    /// Everything about an account as of an instant or of now, of one environment or of all.
    case report(AccountID, at: Instant?, StoreEnvironment?)
    case preflight(PreflightRequest)
    /// The open findings of the whole ledger.
    case findings(Finding.Kind)
    case order(OrderID)
    case orders(AccountID)
    case lostOrders
    case changes(AccountID)
    case refundRequests
}

/// What a running service answered, for one expectation.
package struct ServedAnswers: Sendable {
    /// In the order in which they were asked for.
    package var reports: [AccountReport] = []
    package var preflight: VerdictAnswer?
    package var findings: [Finding] = []
    package var orders: [OrderAnswer] = []
    package var lostOrders: [LostOrder] = []
    package var changes: [FeedChange] = []
    package var refundRequests: [RefundRequestAnswer] = []
    /// Whether the service has told everything that it was asked for.
    package var areComplete = true
    /// When they were asked for.
    package var now: Instant

    package init(now: Instant) {
        self.now = now
    }
}
