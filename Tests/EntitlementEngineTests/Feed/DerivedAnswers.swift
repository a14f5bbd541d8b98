internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

@testable internal import EntitlementEngine

/// What is answered from a list of entries, by a derivation of its own.
struct DerivedAnswers {
    /// By what they are about.
    typealias Values = [String: FeedValue]

    private let policies: PolicyHistory
    private let timelines: [AccountTimeline]
    private var orders: [OrderID: OrderHistory] = [:]
    private var quarantines: [(place: LedgerSequence, environment: StoreEnvironment)] = []

    init(_ entries: some Sequence<Recorded<LedgerEntry>>, _ policies: PolicyHistory) {
        self.policies = policies
        var facts = FactSet()
        for entry in entries {
            facts.insert(entry)
            switch entry.value {
            case .quarantine(let quarantine):
                quarantines.append(
                    (entry.sequence, quarantine.transaction?.environment ?? .production))
            case .order(let order): orders[order.id] = OrderHistory(order: entry.with(order))
            case .orderEvent(let event): orders[event.order]?.events.append(entry.with(event))
            default: break
            }
        }
        let deriver = Deriver(policies: policies)
        timelines = Set(RandomLedger.owners.map(policies.current.name)).map { [facts] in
            deriver.deriveAccount($0, facts)
        }
    }

    func values(at instant: Instant) -> Values {
        var values = Values()
        for (place, environment) in quarantines {
            values.set(
                nil, "finding", environment, "quarantined entry:\(place.number)", .finding)
        }
        for timeline in timelines { add(timeline, at: instant, to: &values) }
        for order in orders.values {
            let settings = policies.activations.last {
                $0.policy.digest == order.order.value.policy
            }
            let state = order.state(at: instant, (settings?.policy ?? policies.current).orders)
            values.set(
                nil, "order", order.order.value.environment, order.id.text, .order(state))
            for finding in order.findings where finding.interval.contains(instant) {
                values.set(nil, "finding", finding.environment, finding.feedName, .finding)
            }
        }
        return values
    }

    private func add(
        _ timeline: AccountTimeline, at instant: Instant, to values: inout Values
    ) {
        let owner = timeline.account
        for (key, right) in timeline.rights {
            let answer = Answer(
                key: key, timeline: right, at: instant, policy: policies.current.digest,
                revision: .zero)
            values.set(
                owner, "right", key.environment, key.entitlement.text,
                .right(
                    .init(decision: answer.decision, state: answer.state, until: answer.until)))
        }
        for (key, credit) in timeline.balances {
            values.set(
                owner, "balance", key.environment, key.credit.text,
                .balance(credit.balance(at: instant)))
            // Told so long before as the policy says, one lapse after the other.
            let warned = credit.warnBefore?.fixedMilliseconds ?? 0
            let lapse = credit.lapses(after: instant).first {
                $0.at.milliseconds(since: instant) <= warned
            }
            values.set(
                owner, "lapse", key.environment, key.credit.text, lapse.map { .lapse($0) })
        }
        for finding in timeline.findings where finding.interval.contains(instant) {
            values.set(owner, "finding", finding.environment, finding.feedName, .finding)
        }
    }

    /// The later instants at which something may change by time alone.
    func boundaries(after instant: Instant) -> [Instant] {
        var instants: Set<Instant> = []
        for timeline in timelines {
            for right in timeline.rights.values {
                instants.formUnion(right.spans.map(\.interval.start))
            }
            for credit in timeline.balances.values {
                instants.formUnion(credit.entries.map(\.occurredAt))
                guard let warned = credit.warnBefore?.fixedMilliseconds else { continue }
                for lapse in credit.lapses(after: instant) {
                    instants.formUnion([lapse.at, lapse.at.advanced(byMilliseconds: -warned)])
                }
            }
            for interval in timeline.findings.map(\.interval) {
                instants.insert(interval.start)
                if let end = interval.end { instants.insert(end) }
            }
        }
        for order in orders.values {
            let settings = policies.activations.last {
                $0.policy.digest == order.order.value.policy
            }
            let pay = (settings?.policy ?? policies.current).orders.payWithin
            instants.insert(pay.end(from: order.changedAt))
            for interval in order.findings.map(\.interval) {
                instants.insert(interval.start)
                if let end = interval.end { instants.insert(end) }
            }
        }
        return instants.filter { $0 > instant }.sorted()
    }
}

extension DerivedAnswers.Values {
    /// By what a value is found.
    static func name(
        _ account: AccountID?, _ topic: String, _ environment: StoreEnvironment?, _ subject: String
    ) -> String {
        "\(account?.text ?? "-") \(topic) \(environment?.rawValue ?? "-") \(subject)"
    }

    /// Whose it is; nil for what is kept for an order or an entry.
    static func owner(_ account: AccountID?, _ topic: String, _ subject: String) -> AccountID? {
        let isOfNoAccount =
            topic == "order" || subject.contains(" entry:") || subject.hasPrefix("order-mismatch")
            || subject.hasPrefix("order-presented-by-other")
        return isOfNoAccount ? nil : account
    }

    mutating func set(
        _ account: AccountID?, _ topic: String, _ environment: StoreEnvironment?,
        _ subject: String, _ value: FeedValue?
    ) {
        self[Self.name(account, topic, environment, subject)] = value?.orNothing
    }
}
