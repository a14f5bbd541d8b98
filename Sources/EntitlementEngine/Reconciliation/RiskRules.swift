internal import EntitlementAnswers
internal import EntitlementModel

/// When a lineage is in which class of risk, and how often each class is asked about (spec 3.6).
enum RiskRules {
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
    /// A period that ends or has ended within it is about to expire.
    static let expiring: Int64 = 2 * day
    /// A running subscription of which nothing was heard for that long is silent.
    static let silence: Int64 = 45 * day
    /// For how long a refund is recent.
    static let refund: Int64 = 60 * day
    /// A newer signature of what stands is kept if the known one is that much older.
    static let signature: Int64 = 7 * day
    /// A history is asked for again after that long, whatever the class.
    static let history: Int64 = 30 * day

    /// Between two visits of a customer of the class, in hours.
    static func hoursBetweenVisits(_ risk: RiskClass) -> Int64 {
        switch risk {
        case .expiring: 12
        case .retrying: 24
        case .silent: 7 * 24
        case .refunded: 3 * 24
        case .steady: 30 * 24
        }
    }

    static func interval(_ risk: RiskClass) -> Int64 { hoursBetweenVisits(risk) * hour }

    /// Whether a visit asks for the history even if the statuses tell nothing new.
    static func alwaysAsksHistory(_ risk: RiskClass) -> Bool {
        switch risk {
        case .expiring, .retrying: false
        case .silent, .refunded, .steady: true
        }
    }

    /// Whether a visit asks for the refunds too: the history tells of new ones, this of those that
    /// stand.
    static func asksRefunds(_ risk: RiskClass) -> Bool { risk == .refunded }
}

/// What is known of a lineage, as far as it decides when Apple is asked about it.
struct LineageOutline: Hashable, Sendable {
    let key: LineageKey
    /// Whether Apple has a status of it.
    var isSubscription = false
    var transactions: Int64 = 0
    /// When Apple last signed something of it.
    var lastSigned = Instant.distantPast
    /// Of the newest refund or revocation that stands.
    var lastRevocation: Instant?
    /// Nil where it has no state: single purchases, products that the policy lacks.
    var state: EntitlementState?
    /// Since when it has the state, and until when.
    var stateSpan: Interval?

    /// The class of risk at an instant.
    func risk(at instant: Instant) -> RiskClass {
        if isSubscription {
            if state == .grace || state == .billingRetry { return .retrying }
            if isExpiring(at: instant) { return .expiring }
            if state == .active, isOlder(lastSigned, than: RiskRules.silence, at: instant) {
                return .silent
            }
        }
        if let lastRevocation, !isOlder(lastRevocation, than: RiskRules.refund, at: instant) {
            return .refunded
        }
        return .steady
    }

    private func isExpiring(at instant: Instant) -> Bool {
        switch state {
        case .renewing: true
        case .active:
            stateSpan?.end.map { $0.milliseconds(since: instant) <= RiskRules.expiring } ?? false
        case .expired:
            stateSpan.map { !isOlder($0.start, than: RiskRules.expiring, at: instant) } ?? false
        case nil, .grace, .billingRetry, .revoked: false
        }
    }

    private func isOlder(_ past: Instant, than span: Int64, at instant: Instant) -> Bool {
        instant.milliseconds(since: past) > span
    }
}

/// An Apple ID as far as it decides when and how Apple is asked about it: one question is
/// answered for all of its lineages.
struct CustomerOutline: Hashable, Sendable {
    let key: AppleIDKey
    let environment: StoreEnvironment
    /// Not empty; sorted.
    let lineages: [LineageOutline]

    /// The riskiest of its lineages decides.
    func risk(at instant: Instant) -> RiskClass {
        let order = RiskClass.allCases
        let places = lineages.compactMap { order.firstIndex(of: $0.risk(at: instant)) }
        return places.min().map { order[$0] } ?? .steady
    }

    var hasSubscriptions: Bool { lineages.contains(where: \.isSubscription) }

    /// The calls of a visit as far as they can be known: Apple's pages have twenty transactions.
    func calls(_ risk: RiskClass, note: CustomerNote?, at instant: Instant) -> Int64 {
        var calls: Int64 = hasSubscriptions ? 1 : 0
        if asksHistory(risk, note: note, at: instant) {
            let known = lineages.reduce(0) { $0 + $1.transactions }
            calls += note?.revision == nil ? max(1, (known + 19) / 20) : 1
        }
        return calls + (RiskRules.asksRefunds(risk) ? 1 : 0)
    }

    /// Whether the history is asked for before the statuses have told anything.
    func asksHistory(_ risk: RiskClass, note: CustomerNote?, at instant: Instant) -> Bool {
        guard hasSubscriptions, !RiskRules.alwaysAsksHistory(risk),
            let last = note?.historyAskedAt
        else { return true }
        return instant.milliseconds(since: last) >= RiskRules.history
    }

    /// Whether the customer is to be asked about again.
    func isDue(_ risk: RiskClass, note: CustomerNote?, at instant: Instant) -> Bool {
        guard let note else { return true }
        return instant.milliseconds(since: note.askedAt) >= RiskRules.interval(risk)
    }
}
