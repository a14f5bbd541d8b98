internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel

/// The feed's record of an account, by its timeline: its present and its known future.
extension FeedOutlook {
    init(_ timeline: AccountTimeline, at instant: Instant) {
        var items = Self.items(of: timeline.rights, at: instant)
        for (key, credit) in timeline.balances {
            items.append(
                Item(
                    key: Key(.balance, key.environment, key.credit.text),
                    course: credit.course(from: instant)))
            guard let lapses = credit.lapseCourse(from: instant) else { continue }
            items.append(
                Item(key: Key(.lapse, key.environment, key.credit.text), course: lapses))
        }
        var findings: [Key: [Interval]] = [:]
        for finding in timeline.findings {
            let key = Key(.finding, finding.environment, finding.feedName)
            findings[key, default: []].append(finding.interval)
        }
        for (key, intervals) in findings {
            items.append(Item(key: key, course: intervals.course(from: instant)))
        }
        self.init(items)
    }

    /// The same, except for the rights.
    func with(_ rights: [RightKey: RightTimeline], at instant: Instant) -> FeedOutlook {
        FeedOutlook(
            items.filter { $0.key.topic != .right } + Self.items(of: rights, at: instant))
    }

    private static func items(
        of rights: [RightKey: RightTimeline], at instant: Instant
    ) -> [Item] {
        rights.map { key, right in
            Item(
                key: Key(.right, key.environment, key.entitlement.text),
                course: right.course(from: instant))
        }
    }

    /// Of an order, with the instant at which it is abandoned.
    init(_ order: OrderHistory, at instant: Instant, _ settings: OrderSettings) {
        let state = order.state(at: instant, settings)
        let end = settings.payWithin.end(from: order.changedAt)
        var steps: [Step] = []
        if end > instant, order.state(at: end, settings) != state {
            steps = [Step(at: end, value: .order(.abandoned))]
        }
        let key = Key(.order, order.order.value.environment, order.id.text)
        var items = [Item(key: key, present: .order(state), steps: steps)]
        for finding in order.findings {
            items.append(Item(finding, named: finding.feedName, at: instant))
        }
        self.init(items, account: order.account)
    }

    /// Of one entry, whoever submitted it.
    init(_ findings: [Finding], of entry: LedgerSequence, at instant: Instant) {
        let items = findings.map {
            Item($0, named: "\($0.feedName) entry:\(entry.number)", at: instant)
        }
        self.init(items, account: findings.first?.accounts.first)
    }
}

extension FeedOutlook.Item {
    /// - Parameter course: the values now, and at each later instant at which one may change; in
    ///   the order of time.
    fileprivate init(
        key: FeedOutlook.Key, course: (present: FeedValue?, later: [FeedOutlook.Step])
    ) {
        self.init(key: key, present: course.present)
        var last = course.present
        for step in course.later where step.value != last {
            steps.append(step)
            last = step.value
        }
    }

    fileprivate init(_ finding: Finding, named name: String, at instant: Instant) {
        self.init(
            key: FeedOutlook.Key(.finding, finding.environment, name),
            course: [finding.interval].course(from: instant))
    }
}

extension LedgerReading {
    /// The findings about an entry that is waiting or quarantined, as known once another entry was
    /// recorded.
    func feedFindings(
        becauseOf place: LedgerSequence, upTo last: LedgerSequence, _ policy: ActivePolicy
    ) throws(LedgerError) -> [Finding] {
        guard let begun = try entry(place) else { return [] }
        switch begun.value {
        case .quarantine(let quarantine):
            return [policy.deriver.finding(aboutQuarantine: begun.with(quarantine))]
        case .evidenceTicket:
            guard var history = try ticket(place) else { return [] }
            if let closing = history.closing, closing.sequence > last { history.closing = nil }
            return history.finding.map { [$0] } ?? []
        default: return []
        }
    }
}

private typealias Course = (present: FeedValue?, later: [FeedOutlook.Step])

extension RightTimeline {
    fileprivate func course(from instant: Instant) -> Course {
        let first = index(at: instant)
        var later: [FeedOutlook.Step] = []
        // When the decision changes next, from the last span to the first.
        var until: Instant?
        for index in spans.indices[first...].reversed() {
            let span = spans[index]
            if index + 1 < spans.count, spans[index + 1].isGranted != span.isGranted {
                until = spans[index + 1].interval.start
            }
            let right = FeedValue.Right(
                decision: span.isGranted, state: span.state, until: until)
            let value = FeedValue.right(right).orNothing
            if index == first { return (value, later.reversed()) }
            later.append(FeedOutlook.Step(at: span.interval.start, value: value))
        }
        return (nil, [])
    }
}

extension CreditTimeline {
    fileprivate func course(from instant: Instant) -> Course {
        let later = Set(entries.map(\.occurredAt).filter { $0 > instant }).sorted()
        return (
            FeedValue.balance(balance(at: instant)).orNothing,
            later.map {
                FeedOutlook.Step(at: $0, value: FeedValue.balance(balance(at: $0)).orNothing)
            }
        )
    }
}

extension CreditTimeline {
    /// The next lapse, from so long before it as the policy says; nil where it says nothing.
    fileprivate func lapseCourse(from instant: Instant) -> Course? {
        guard let warned = warnBefore?.fixedMilliseconds else { return nil }
        let lapses = lapses(after: instant)
        func value(at instant: Instant) -> FeedValue? {
            let horizon = instant.advanced(byMilliseconds: warned)
            return lapses.first { $0.at > instant }.flatMap {
                $0.at <= horizon ? .lapse($0) : nil
            }
        }
        let later = Set(
            lapses.flatMap { [$0.at, $0.at.advanced(byMilliseconds: -warned)] }
        ).filter { $0 > instant }.sorted()
        return (
            value(at: instant), later.map { FeedOutlook.Step(at: $0, value: value(at: $0)) }
        )
    }
}

extension [Interval] {
    /// Open while one of them is.
    fileprivate func course(from instant: Instant) -> Course {
        var edges: [Instant: Int] = [:]
        var open = 0
        for interval in self {
            let bounds: [(Instant?, Int)] = [(interval.start, 1), (interval.end, -1)]
            for (bound, change) in bounds {
                guard let bound else { continue }
                if bound <= instant { open += change } else { edges[bound, default: 0] += change }
            }
        }
        let present: FeedValue? = open > 0 ? .finding : nil
        let later = edges.sorted { $0.key < $1.key }.map { at, change in
            open += change
            return FeedOutlook.Step(at: at, value: open > 0 ? .finding : nil)
        }
        return (present, later)
    }
}

extension Finding {
    /// Its kind and what it is about: `duplicate-apple-id lineage:1000 lineage:2000`.
    var feedName: String {
        let about = units.map(\.feedName).sorted() + (product.map { ["product:\($0.text)"] } ?? [])
        return ([kind.rawValue] + about).joined(separator: " ")
    }
}

extension OwnedUnit {
    /// Without its environment.
    var feedName: String {
        switch self {
        case .lineage(let key): "lineage:\(key.originalTransactionID.text)"
        case .purchase(let key): "transaction:\(key.transactionID.text)"
        }
    }
}

extension FactSet {
    /// The facts known once an entry was recorded.
    func known(upTo sequence: LedgerSequence) -> FactSet {
        var limiting = Limiting(facts: self, last: sequence)
        Self.visitLists(&limiting)
        limiting.facts.erased.removeAll { $0 > sequence }
        limiting.facts.caseConflicts.removeAll { $0 > sequence }
        return limiting.facts
    }

    private struct Limiting: FactListVisitor {
        var facts: FactSet
        let last: LedgerSequence

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            guard facts[keyPath: list].contains(where: { $0.sequence > last }) else { return }
            facts[keyPath: list].removeAll { $0.sequence > last }
        }
    }
}

extension OrderHistory {
    /// The same for an order; nil before it was made.
    func known(upTo sequence: LedgerSequence) -> OrderHistory? {
        guard order.sequence <= sequence else { return nil }
        return OrderHistory(order: order, events: events.filter { $0.sequence <= sequence })
    }
}
