package import EntitlementAnswers
package import EntitlementModel

/// What reconciles the ledger with Apple, as far as callers see it (spec 3.6).
package protocol ReconciliationRunner: Sendable {
    /// Of runs on a schedule, and of others that do not say.
    var callsPerSecond: Int64 { get }

    /// The run that is under way, else the last one since the engine was opened.
    var last: ReconciliationAnswer? { get }

    var counts: ReconciliationCounts { get }

    /// Begins a run soon; nil where one waits or runs already.
    func request(_ request: ReconciliationRequest) -> ReconciliationAnswer?

    /// Differences of the last run, from a place on; nil for any other run.
    func drift(ofRun run: Int64, after place: Int64, limit: Int64) -> DriftPage?

    /// What it costs to keep all customers reconciled. Reads the whole ledger; blocks.
    func plan(callsPerSecond: Int64?) throws(EngineError) -> ReconciliationPlan
}

/// What runs have come to since the engine was opened, for metrics.
package struct ReconciliationCounts: Sendable {
    package var runs: [ReconciliationAnswer.State: Int64] = [:]
    package var drift: [DriftCause: Int64] = [:]
    package var calls: Int64 = 0
    package var lastEndedAt: Instant?

    package init() {}
}

/// What a reconciliation is asked to do.
package struct ReconciliationRequest: Sendable {
    package enum Scope: Hashable, Sendable {
        case all
        case account(AccountID)
        case appleID(AppleIDKey)
    }

    package var scope = Scope.all
    /// Nil for production and sandbox, as far as the policy trusts them.
    package var environment: StoreEnvironment?
    /// Begins anew where the last run was interrupted.
    package var isFromStart = false
    /// Leaves out customers that were asked about lately, by their class of risk.
    package var isOnlyDue = false
    package var callsPerSecond: Int64
    /// How many customers are visited at most.
    package var limit: Int64?

    package init(callsPerSecond: Int64) {
        self.callsPerSecond = callsPerSecond
    }
}
