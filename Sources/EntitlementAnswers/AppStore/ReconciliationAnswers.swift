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

/// The cost of keeping all customers of a ledger reconciled.
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
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Class(
                risk: try shape.value("class", \.risk),
                customers: try shape.value("customers", \.customers),
                lineages: try shape.value("lineages", \.lineages),
                hoursBetweenVisits: try shape.value("hours_between", \.hoursBetweenVisits),
                callsPerDay: try shape.value("calls_per_day", \.callsPerDay),
                due: try shape.value("due", \.due),
                callsDue: try shape.value("calls_due", \.callsDue))
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
    /// The calls that the rate allows in a day.
    package var callsAllowedPerDay: Int64 { callsPerSecond * 86_400 }
    /// How long the calls that are due take at the rate, rounded up.
    package var secondsDue: Int64 {
        let rate = max(1, callsPerSecond)
        return callsDue / rate + (callsDue % rate == 0 ? 0 : 1)
    }
    package var isAffordable: Bool { callsPerDay <= callsAllowedPerDay }

    package static var shapeName: String { "ReconciliationPlan" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let plan = ReconciliationPlan(
            at: try shape.value("at", \.at),
            callsPerSecond: try shape.value("calls_per_second", \.callsPerSecond),
            classes: try shape.value("classes", \.classes))
        _ = try shape.value("customers", \.customers)
        _ = try shape.value("lineages", \.lineages)
        _ = try shape.value("calls_per_day", \.callsPerDay)
        _ = try shape.value("calls_allowed_per_day", \.callsAllowedPerDay)
        _ = try shape.value("due", \.due)
        _ = try shape.value("calls_due", \.callsDue)
        _ = try shape.value("seconds_due", \.secondsDue)
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DriftCount(
            cause: try shape.value("cause", \.cause),
            count: try shape.value("count", \.count))
    }
}

/// The state of a reconciliation.
package struct ReconciliationAnswer: Hashable, Sendable, WireObject {
    package enum State: String, CaseIterable, WireWord {
        case running
        case finished
        /// Before its end; `code` says why. The next run resumes there.
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReconciliationAnswer(
            run: try shape.value("run", \.run), state: try shape.value("state", \.state),
            startedAt: try shape.value("started_at", \.startedAt),
            endedAt: try shape.nullable("ended_at", \.endedAt),
            isResumed: try shape.value("resumed", \.isResumed),
            tally: try shape.part(\.tally), drift: try shape.value("drift", \.drift),
            customersWithDrift: try shape.value("customers_with_drift", \.customersWithDrift),
            accountsWithDrift: try shape.value("accounts_with_drift", \.accountsWithDrift),
            unlisted: try shape.value("unlisted", \.unlisted),
            code: try shape.optional("code", \.code))
    }

    package var driftTotal: Int64 { drift.reduce(0) { $0 + $1.count } }

    /// Whether everything that was to be asked was asked and answered.
    package var isComplete: Bool { state == .finished && tally.unanswered == 0 }
}

/// The results of a reconciliation.
package struct ReconciliationTally: Hashable, Sendable, WireObject {
    /// Customers to visit, known once the ledger was read.
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var tally = ReconciliationTally()
        tally.customers = try shape.value("customers", \.customers)
        tally.visited = try shape.value("visited", \.visited)
        tally.calls = try shape.value("calls", \.calls)
        tally.notifications = try shape.value("notifications", \.notifications)
        tally.written = try shape.value("written", \.written)
        tally.unanswered = try shape.value("unanswered", \.unanswered)
        tally.refused = try shape.value("refused", \.refused)
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var body = ReconciliationBody(reason: try shape.value("reason", \.reason))
        body.account = try shape.optional("account", \.account)
        body.appleID = try shape.optional("apple_id", \.appleID)
        body.environment = try shape.optional("environment", \.environment)
        body.isDryRun = try shape.optional("dry_run", \.isDryRun)
        body.isFromStart = try shape.optional("from_start", \.isFromStart)
        body.isOnlyDue = try shape.optional("only_due", \.isOnlyDue)
        body.callsPerSecond = try shape.optional("calls_per_second", \.callsPerSecond)
        body.limit = try shape.optional("limit", \.limit)
        return body
    }
}

/// The differences between the ledger and Apple, by cause (spec 3.6). Codes are a contract.
package enum DriftCause: String, CaseIterable, WireWord {
    /// Apple has sent a notification that the ledger does not have.
    case missedNotification = "missed-notification"
    /// Apple's notification history cannot be read to its end: whether one was missed is not known.
    case notificationsUnreadable = "notifications-unreadable"
    /// A transaction is refunded, or revoked, and the ledger does not know it.
    case refundUnknown = "refund-unknown"
    /// A refund was taken back, and the ledger does not know it.
    case reversalUnknown = "reversal-unknown"
    /// A period of a known subscription is missing.
    case renewalUnknown = "renewal-unknown"
    /// Another transaction of a known lineage is missing.
    case transactionUnknown = "transaction-unknown"
    /// A lineage of a known Apple ID is missing.
    case lineageUnknown = "lineage-unknown"
    /// Apple says something else of the renewal: auto-renew, billing retry, grace, what it
    /// renews to.
    case stateUnknown = "state-unknown"
    /// Apple says something else of a transaction, or more than a receipt did.
    case detailUnknown = "detail-unknown"
    /// Apple does not know the lineage. This alone takes no right away.
    case lineageNotFound = "lineage-not-found"
    /// Apple's status contradicts the derived state although all evidence is there.
    case statusDiffers = "status-differs"
    /// A right was granted that Apple says has ended.
    case extraRight = "extra-right"
    /// A right was not granted that Apple says is running.
    case missingRight = "missing-right"

    package static var schemaName: String? { "DriftCause" }
}

/// One difference between the ledger and what Apple says.
package struct DriftItem: Hashable, Sendable, WireObject {
    package var cause: DriftCause
    package var environment: StoreEnvironment
    package var appleID: AppleIDKey?
    /// Whom it concerns: those that own something of the lineage, or have the right. Sorted.
    package var accounts: [AccountID]
    package var lineage: TransactionID?
    package var transaction: TransactionID?
    package var product: ProductID?
    package var entitlement: EntitlementName?
    /// `notificationUUID`.
    package var notification: String?
    /// Apple's number of a subscription's status, where that is what differs.
    package var status: Int64?

    package init(
        _ cause: DriftCause, in environment: StoreEnvironment, appleID: AppleIDKey? = nil,
        accounts: [AccountID] = [], lineage: TransactionID? = nil,
        transaction: TransactionID? = nil, product: ProductID? = nil,
        entitlement: EntitlementName? = nil, notification: String? = nil, status: Int64? = nil
    ) {
        self.cause = cause
        self.environment = environment
        self.appleID = appleID
        self.accounts = accounts
        self.lineage = lineage
        self.transaction = transaction
        self.product = product
        self.entitlement = entitlement
        self.notification = notification
        self.status = status
    }

    package static var shapeName: String { "Drift" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DriftItem(
            try shape.value("cause", \.cause),
            in: try shape.value("environment", \.environment),
            appleID: try shape.optional("apple_id", \.appleID),
            accounts: try shape.value("accounts", \.accounts),
            lineage: try shape.optional("lineage", \.lineage),
            transaction: try shape.optional("transaction", \.transaction),
            product: try shape.optional("product", \.product),
            entitlement: try shape.optional("entitlement", \.entitlement),
            notification: try shape.optional("notification", \.notification),
            status: try shape.optional("status", \.status))
    }
}

extension DriftItem {
    /// What makes two reports of a difference one: a customer who is asked again after an
    /// interruption is counted once.
    package var identity: DriftItem {
        var identity = self
        // Who owns something may have changed in between; whose right it is has not.
        if entitlement == nil { identity.accounts = [] }
        identity.appleID = nil
        identity.product = nil
        return identity
    }
}

/// A page of the differences that a reconciliation found, in the order in which it found them.
package struct DriftPage: WireObject {
    package var run: Int64
    package var drift: [DriftItem]
    /// What to ask for next; nil where there is no more.
    package var next: Int64?

    package init(run: Int64, drift: [DriftItem], next: Int64?) {
        self.run = run
        self.drift = drift
        self.next = next
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DriftPage(
            run: try shape.value("run", \.run), drift: try shape.value("drift", \.drift),
            next: try shape.nullable("next", \.next))
    }
}
