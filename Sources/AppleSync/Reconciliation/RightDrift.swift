internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// What the differences do to rights: those that were granted and end, and those that were missing.
struct RightDrift {
    let policy: ActivePolicy
    let reader: any LedgerReading
    let at: Instant

    /// How many owners of one Apple ID's purchases are looked at.
    private static let mostAccounts = 16
    /// A status is compared with what is derived for this long before and after, in milliseconds:
    /// both change on the hour of the same event, and not at once.
    private static let tolerance: Int64 = RiskRules.hour

    /// What the ledger knows of the owners of a customer's purchases, before anything is added.
    func ownersFacts(
        of customer: CustomerOutline, _ known: FactSet
    ) throws(LedgerError) -> [(account: AccountID, facts: FactSet)] {
        let lineages = Set(customer.lineages.map(\.key))
        let owners = policy.deriver.owners(ofPurchasesIn: lineages, known)
        var found: [(account: AccountID, facts: FactSet)] = []
        for account in owners.prefix(Self.mostAccounts) {
            found.append((account, policy.folding(try reader.facts(about: account))))
        }
        return found
    }

    /// - Parameters:
    ///   - known: the facts before the comparison.
    ///   - owners: as `ownersFacts` has them.
    func differences(
        _ comparison: CustomerComparison, from known: FactSet,
        of owners: [(account: AccountID, facts: FactSet)]
    ) -> [DriftItem] {
        let customer = comparison.customer
        guard !owners.isEmpty else {
            return differences(
                of: nil, customer, appleIDRights(customer, known),
                appleIDRights(customer, comparison.facts))
        }
        var found: [DriftItem] = []
        for (account, before) in owners {
            var after = before
            after.merge(comparison.facts)
            found += differences(
                of: account, customer, policy.deriver.deriveAccount(account, before).rights,
                policy.deriver.deriveAccount(account, after).rights)
        }
        return found
    }

    /// Apple's statuses that contradict what is derived from all that Apple has signed.
    func contradictions(
        _ comparison: CustomerComparison, statuses: [LineageKey: Int64]
    ) -> [(lineage: LineageKey, status: Int64)] {
        var states: [LineageKey: [EntitlementState]] = [:]
        let span = Interval(
            uncheckedFrom: at.advanced(byMilliseconds: -Self.tolerance),
            to: at.advanced(byMilliseconds: Self.tolerance))
        for lineage in statuses.keys {
            let timeline = policy.deriver.deriveAppleID(holding: lineage, comparison.facts)
            let unit = timeline?.units.first { $0.unit == .lineage(lineage) }
            states[lineage] = unit?.states.filter { $0.interval.touches(span) }.map(\.state)
        }
        return statuses.sorted { $0.key < $1.key }.compactMap { lineage, status in
            guard let derived = states[lineage], !derived.isEmpty,
                !derived.contains(where: { $0.agrees(with: status) })
            else { return nil }
            return (lineage, status)
        }
    }

    /// Whether an info that says the same again speaks of another period by now, or changes a state
    /// otherwise.
    func changesSomething(
        _ renewals: [RenewalSnapshot], _ comparison: CustomerComparison
    ) -> Bool {
        var facts = comparison.facts
        for (index, snapshot) in renewals.enumerated() {
            let place = LedgerSequence(.max - Int64(renewals.count - index))
            facts.renewals.append(Recorded(sequence: place, recordedAt: at, value: snapshot))
        }
        return renewals.contains { snapshot in
            states(of: snapshot.lineage, facts) != states(of: snapshot.lineage, comparison.facts)
        }
    }

    /// What the lineage is doing when, without where that is known from.
    private func states(of lineage: LineageKey, _ facts: FactSet) -> [[StateChange]]? {
        policy.deriver.deriveAppleID(holding: lineage, facts)?.units.map { unit in
            unit.states.reduce(into: []) { changes, span in
                guard changes.last?.state != span.state else { return }
                changes.append(StateChange(at: span.interval.start, state: span.state))
            }
        }
    }

    private struct StateChange: Equatable {
        let at: Instant
        let state: EntitlementState
    }

    private func appleIDRights(
        _ customer: CustomerOutline, _ facts: FactSet
    ) -> [RightKey: RightTimeline] {
        policy.deriver.deriveAppleID(holding: customer.lineages[0].key, facts)?.rights ?? [:]
    }

    private func differences(
        of account: AccountID?, _ customer: CustomerOutline,
        _ before: [RightKey: RightTimeline], _ after: [RightKey: RightTimeline]
    ) -> [DriftItem] {
        Set(before.keys).union(after.keys).sorted { $0.entitlement < $1.entitlement }
            .filter { $0.environment == customer.environment }
            .compactMap { key in
                let wasGranted = (before[key] ?? .empty).span(at: at).isGranted
                let isGranted = (after[key] ?? .empty).span(at: at).isGranted
                guard wasGranted != isGranted else { return nil }
                return DriftItem(
                    wasGranted ? .extraRight : .missingRight, in: key.environment,
                    appleID: customer.key, accounts: account.map { [$0] } ?? [],
                    lineage: customer.lineages[0].key.originalTransactionID,
                    entitlement: key.entitlement)
            }
    }
}

extension Interval {
    fileprivate func touches(_ other: Interval) -> Bool {
        (other.end.map { start < $0 } ?? true) && (end.map { other.start < $0 } ?? true)
    }
}

extension EntitlementState {
    /// Whether Apple's number may stand for it. While a renewal is in flight it may be any, and a
    /// number that is not documented contradicts nothing.
    fileprivate func agrees(with status: Int64) -> Bool {
        switch (status, self) {
        case (_, .renewing), (1, .active), (3, .billingRetry), (4, .grace): true
        case (2, .expired), (2, .revoked), (5, .revoked): true
        case (1...5, _): false
        default: true
        }
    }
}

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
