package import EntitlementModel

/// How soon what Apple says of a customer may differ from the ledger: customers are asked about
/// in this order, and each class as often as it needs (spec 3.6).
package enum RiskClass: String, CaseIterable, WireWord {
    /// A period ends within two days, or ended in the last two without a renewal.
    case expiring
    /// In grace or billing retry.
    case retrying
    /// A subscription runs of which nothing was heard for 45 days.
    case silent
    /// Refunded or revoked in the last 60 days: a refund may be taken back.
    case refunded
    /// All others.
    case steady

    package static var schemaName: String? { "RiskClass" }
}

/// What it costs to keep all customers of a ledger reconciled.
package struct ReconciliationPlan: Hashable, Sendable, WireObject {
    /// One class of risk, in the order of visits.
    package struct Class: Hashable, Sendable, WireObject {
        package var risk: RiskClass
        package var customers: Int64
        package var lineages: Int64
        /// How often each of them is asked about.
        package var hoursBetweenVisits: Int64
        /// Calls to keep them reconciled, rounded up.
        package var callsPerDay: Int64
        /// How many are due now, and the calls that they take.
        package var due: Int64
        package var callsDue: Int64

        package init(
            risk: RiskClass, customers: Int64, lineages: Int64, hoursBetweenVisits: Int64,
            callsPerDay: Int64, due: Int64, callsDue: Int64
        ) {
            self.risk = risk
            self.customers = customers
            self.lineages = lineages
            self.hoursBetweenVisits = hoursBetweenVisits
            self.callsPerDay = callsPerDay
            self.due = due
            self.callsDue = callsDue
        }

        package static var shapeName: String { "RiskClassPlan" }

        package static func members(
            _ visitor: inout some MemberVisitor<Self>
        ) throws(ShapeError) -> Class {
            Class(
                risk: try visitor.value("class", \.risk),
                customers: try visitor.value("customers", \.customers),
                lineages: try visitor.value("lineages", \.lineages),
                hoursBetweenVisits: try visitor.value("hours_between", \.hoursBetweenVisits),
                callsPerDay: try visitor.value("calls_per_day", \.callsPerDay),
                due: try visitor.value("due", \.due),
                callsDue: try visitor.value("calls_due", \.callsDue))
        }
    }

    package var at: Instant
    package var callsPerSecond: Int64
    /// In the order of visits.
    package var classes: [Class]

    package init(at: Instant, callsPerSecond: Int64, classes: [Class]) {
        self.at = at
        self.callsPerSecond = callsPerSecond
        self.classes = classes
    }

    package var customers: Int64 { classes.reduce(0) { $0 + $1.customers } }
    package var lineages: Int64 { classes.reduce(0) { $0 + $1.lineages } }
    package var callsPerDay: Int64 { classes.reduce(0) { $0 + $1.callsPerDay } }
    package var callsDue: Int64 { classes.reduce(0) { $0 + $1.callsDue } }
    package var due: Int64 { classes.reduce(0) { $0 + $1.due } }
    /// What the rate allows in a day.
    package var callsAllowedPerDay: Int64 { callsPerSecond * 86_400 }
    /// How long the calls that are due take at the rate, rounded up.
    package var secondsDue: Int64 {
        let rate = max(1, callsPerSecond)
        return callsDue / rate + (callsDue % rate == 0 ? 0 : 1)
    }
    package var isAffordable: Bool { callsPerDay <= callsAllowedPerDay }

    package static var shapeName: String { "ReconciliationPlan" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReconciliationPlan {
        let plan = ReconciliationPlan(
            at: try visitor.value("at", \.at),
            callsPerSecond: try visitor.value("calls_per_second", \.callsPerSecond),
            classes: try visitor.value("classes", \.classes))
        _ = try visitor.value("customers", \.customers)
        _ = try visitor.value("lineages", \.lineages)
        _ = try visitor.value("calls_per_day", \.callsPerDay)
        _ = try visitor.value("calls_allowed_per_day", \.callsAllowedPerDay)
        _ = try visitor.value("due", \.due)
        _ = try visitor.value("calls_due", \.callsDue)
        _ = try visitor.value("seconds_due", \.secondsDue)
        return plan
    }
}

/// How many differences there are of one cause.
package struct DriftCount: Hashable, Sendable, WireObject {
    package var cause: DriftCause
    package var count: Int64

    package init(cause: DriftCause, count: Int64) {
        self.cause = cause
        self.count = count
    }

    package static var shapeName: String { "DriftCount" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> DriftCount {
        DriftCount(
            cause: try visitor.value("cause", \.cause),
            count: try visitor.value("count", \.count))
    }
}

/// What a reconciliation does, or has done.
package struct ReconciliationAnswer: Hashable, Sendable, WireObject {
    package enum State: String, CaseIterable, WireWord {
        case running
        case finished
        /// Before its end; `code` says why. The next run goes on from there.
        case stopped
    }

    /// Counts from one on, by ledger.
    package var run: Int64
    package var state: State
    package var startedAt: Instant
    package var endedAt: Instant?
    /// Whether it went on from an interrupted one.
    package var isResumed: Bool
    package var tally: ReconciliationTally
    /// By cause, in the order of causes, those that were found.
    package var drift: [DriftCount]
    package var customersWithDrift: Int64
    package var accountsWithDrift: Int64
    /// Differences that were counted and are not listed.
    package var unlisted: Int64
    /// Why it stopped.
    package var code: String?

    package init(
        run: Int64, state: State, startedAt: Instant, endedAt: Instant? = nil,
        isResumed: Bool, tally: ReconciliationTally, drift: [DriftCount] = [],
        customersWithDrift: Int64 = 0, accountsWithDrift: Int64 = 0, unlisted: Int64 = 0,
        code: String? = nil
    ) {
        self.run = run
        self.state = state
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.isResumed = isResumed
        self.tally = tally
        self.drift = drift
        self.customersWithDrift = customersWithDrift
        self.accountsWithDrift = accountsWithDrift
        self.unlisted = unlisted
        self.code = code
    }

    package static var shapeName: String { "Reconciliation" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReconciliationAnswer {
        ReconciliationAnswer(
            run: try visitor.value("run", \.run), state: try visitor.value("state", \.state),
            startedAt: try visitor.value("started_at", \.startedAt),
            endedAt: try visitor.nullable("ended_at", \.endedAt),
            isResumed: try visitor.value("resumed", \.isResumed),
            tally: try visitor.part(\.tally), drift: try visitor.value("drift", \.drift),
            customersWithDrift: try visitor.value("customers_with_drift", \.customersWithDrift),
            accountsWithDrift: try visitor.value("accounts_with_drift", \.accountsWithDrift),
            unlisted: try visitor.value("unlisted", \.unlisted),
            code: try visitor.optional("code", \.code))
    }

    package var driftTotal: Int64 { drift.reduce(0) { $0 + $1.count } }

    /// Whether everything that was to be asked was asked and answered.
    package var isComplete: Bool { state == .finished && tally.unanswered == 0 }
}

/// What a reconciliation has come to.
package struct ReconciliationTally: Hashable, Sendable, WireObject {
    /// Customers to visit, known once the ledger has been looked through.
    package var customers: Int64 = 0
    package var visited: Int64 = 0
    package var calls: Int64 = 0
    /// Notifications of Apple's history that were compared.
    package var notifications: Int64 = 0
    /// Pieces of evidence that were written.
    package var written: Int64 = 0
    /// Customers about whom Apple gave no usable answer.
    package var unanswered: Int64 = 0
    /// Pieces in Apple's answers that are refused as evidence.
    package var refused: Int64 = 0

    package init() {}

    package static var shapeName: String { "ReconciliationTally" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReconciliationTally {
        var tally = ReconciliationTally()
        tally.customers = try visitor.value("customers", \.customers)
        tally.visited = try visitor.value("visited", \.visited)
        tally.calls = try visitor.value("calls", \.calls)
        tally.notifications = try visitor.value("notifications", \.notifications)
        tally.written = try visitor.value("written", \.written)
        tally.unanswered = try visitor.value("unanswered", \.unanswered)
        tally.refused = try visitor.value("refused", \.refused)
        return tally
    }
}

/// `POST /v1/reconciliations`.
package struct ReconciliationBody: WireObject {
    package var reason: Reason
    package var account: AccountID?
    package var appleID: AppleIDKey?
    package var environment: StoreEnvironment?
    package var isDryRun: Bool?
    package var isFromStart: Bool?
    package var isOnlyDue: Bool?
    package var callsPerSecond: Int64?
    package var limit: Int64?

    package init(reason: Reason) {
        self.reason = reason
    }

    package static var shapeName: String { "ReconciliationRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReconciliationBody {
        var body = ReconciliationBody(reason: try visitor.value("reason", \.reason))
        body.account = try visitor.optional("account", \.account)
        body.appleID = try visitor.optional("apple_id", \.appleID)
        body.environment = try visitor.optional("environment", \.environment)
        body.isDryRun = try visitor.optional("dry_run", \.isDryRun)
        body.isFromStart = try visitor.optional("from_start", \.isFromStart)
        body.isOnlyDue = try visitor.optional("only_due", \.isOnlyDue)
        body.callsPerSecond = try visitor.optional("calls_per_second", \.callsPerSecond)
        body.limit = try visitor.optional("limit", \.limit)
        return body
    }
}
