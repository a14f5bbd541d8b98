package import EntitlementModel
internal import HeapModule

/// The union of what several sources say about one right: granted where any of them grants
/// (spec 1.6), with the source that answers name (spec 1.10).
func union(_ contributions: [Contribution]) -> RightTimeline {
    guard contributions.count > 1 else {
        return contributions.first.map { RightTimeline(spans: $0.spans) } ?? .empty
    }
    return RightTimeline(leaders(of: contributions), contributions)
}

/// The span that is answered from an instant on, until the next one leads.
struct Leader {
    let start: Instant
    let candidate: Candidate
}

/// A span of one of the sources, with what the choice between several asks of it. Nothing in it
/// is counted by reference: an account may have ten thousand sources.
struct Candidate {
    let start: Instant
    /// Where it grants, the end of the interval without a gap in which its source grants; where it
    /// denies, the end of the last such interval before it.
    fileprivate var end: Instant?
    /// Its place among the contributions, and among the spans of that one.
    let contribution: Int
    let span: Int
    fileprivate let isGranted: Bool
    /// Whether its source has given something yet: otherwise it is not named.
    fileprivate let isNamed: Bool

    /// Whether it is answered rather than another one: of those that grant, the one that ends
    /// last; else of those that deny, the one that ended last. Nil where only the order of the
    /// sources decides.
    fileprivate func precedes(_ other: Candidate) -> Bool? {
        if isGranted != other.isGranted { return isGranted }
        if isNamed != other.isNamed { return isNamed }
        if isNamed, end != other.end { return Interval.endsLater(end, than: other.end) }
        return nil
    }
}

extension [Candidate] {
    /// The spans of one source.
    fileprivate mutating func append(_ contribution: Contribution, at index: Int) {
        let first = count
        for (place, span) in contribution.spans.enumerated() {
            append(
                Candidate(
                    start: span.interval.start, end: span.interval.end, contribution: index,
                    span: place, isGranted: span.isGranted, isNamed: span.source != nil))
        }
        for index in (first..<count).dropLast().reversed()
        where self[index].isGranted && self[index + 1].isGranted {
            self[index].end = self[index + 1].end
        }
        for index in first..<count where !self[index].isGranted {
            self[index].end = index > first ? self[index - 1].end : .distantPast
        }
    }
}

/// The leading sources over time.
func leaders(of contributions: [Contribution]) -> [Leader] {
    var beginnings: [Candidate] = []
    beginnings.reserveCapacity(3 * contributions.count)
    for (index, contribution) in contributions.enumerated() {
        beginnings.append(contribution, at: index)
    }
    beginnings.sort { $0.start < $1.start }
    var standing = StandingCandidates(contributions)
    var leaders: [Leader] = []
    var next = 0
    while next < beginnings.count {
        let begun = beginnings[next].start
        while next < beginnings.count, beginnings[next].start == begun {
            standing.begin(beginnings[next])
            next += 1
        }
        if let best = standing.best { leaders.append(best, from: begun) }
    }
    return leaders
}

extension [Leader] {
    fileprivate mutating func append(_ candidate: Candidate, from start: Instant) {
        if let last = last?.candidate, last.contribution == candidate.contribution,
            last.span == candidate.span
        {
            return
        }
        append(Leader(start: start, candidate: candidate))
    }

    /// The leading sources once the last of the contributions is added.
    func joined(byLastOf contributions: [Contribution]) -> [Leader] {
        guard let last = contributions.indices.last else { return self }
        var spans: [Candidate] = []
        spans.append(contributions[last], at: last)
        var joined: [Leader] = []
        var (leader, span) = (startIndex, spans.startIndex)
        while leader < endIndex || span < spans.endIndex {
            let starts = [
                leader < endIndex ? self[leader].start : nil,
                span < spans.endIndex ? spans[span].start : nil,
            ]
            guard let start = starts.compactMap(\.self).min() else { break }
            if leader < endIndex, self[leader].start == start { leader += 1 }
            if span < spans.endIndex, spans[span].start == start { span += 1 }
            let (old, new) = (self[leader - 1].candidate, spans[span - 1])
            let isBetter =
                new.precedes(old)
                ?? (contributions[last].order < contributions[old.contribution].order)
            joined.append(isBetter ? new : old, from: start)
        }
        return joined
    }
}

extension RightTimeline {
    init(_ leaders: [Leader], _ contributions: [Contribution]) {
        var spans: [RightSpan] = []
        for (index, leader) in leaders.enumerated() {
            let end = index + 1 < leaders.count ? leaders[index + 1].start : nil
            let candidate = leader.candidate
            let verdict = contributions[candidate.contribution].spans[candidate.span].verdict
            if let last = spans.indices.last, spans[last].verdict == verdict {
                spans[last].interval = Interval(
                    uncheckedFrom: spans[last].interval.start, to: end)
            } else {
                spans.append(
                    RightSpan(
                        interval: Interval(uncheckedFrom: leader.start, to: end),
                        verdict: verdict))
            }
        }
        self.init(spans: spans)
    }
}

/// The spans that sources are in, the best one first.
///
/// A binary heap. What its source has left stays in it until it would be the best one: a span
/// costs its way through the heap once, however many sources there are.
private struct StandingCandidates {
    /// The place of each contribution in the order that decides between equals.
    private var ranks: [Int]
    private var current: [Int]
    private var heap: Heap<Standing> = []

    private struct Standing: Comparable {
        let candidate: Candidate
        let rank: Int

        static func < (left: Standing, right: Standing) -> Bool {
            left.candidate.precedes(right.candidate) ?? (left.rank < right.rank)
        }

        static func == (left: Standing, right: Standing) -> Bool {
            left.rank == right.rank && left.candidate.span == right.candidate.span
        }
    }

    init(_ contributions: [Contribution]) {
        current = Array(repeating: -1, count: contributions.count)
        ranks = current
        let order = contributions.indices.sorted {
            contributions[$0].order < contributions[$1].order
        }
        for (rank, contribution) in order.enumerated() { ranks[contribution] = rank }
    }

    /// The best one; nil before the first begins.
    var best: Candidate? { heap.min?.candidate }

    mutating func begin(_ candidate: Candidate) {
        current[candidate.contribution] = candidate.span
        heap.insert(Standing(candidate: candidate, rank: ranks[candidate.contribution]))
        while let first = best, current[first.contribution] != first.span { heap.removeMin() }
    }
}

/// The inputs of access rules from a unit, span by span (spec 1.5, 2.1).
struct Subject {
    private(set) var circumstances: Circumstances
    private let states: UnitStates
    private let view: FactView
    private let environment: StoreEnvironment
    private let memberships: Memberships?
    private var purchase = -1
    /// The words of the span and of the purchase that were looked at last: most are alike.
    private var words: SpanWords?
    private var purchaseWords: (ownership: OwnershipWord, offer: OfferWord)?

    private struct SpanWords: Equatable {
        let state: EntitlementState
        let expiryReason: ExpiryReason?
        let autoRenew: AutoRenewWord
        let revocation: RevocationWord?
    }

    /// - Parameter memberships: nil for what is in no group.
    init(
        unit: DerivedUnit, states: UnitStates, view: FactView, account: AccountID?,
        memberships: Memberships?
    ) {
        self.states = states
        self.view = view
        self.memberships = memberships
        environment = unit.unit.environment
        circumstances = Circumstances(
            purchased: .distantPast, firstPurchased: states.firstPurchased,
            enteredAt: .distantPast, paidUntil: nil, storefront: nil, account: account)
        circumstances.bits.set(.kind, to: unit.kind.known)
        circumstances.bits.set(.environment, to: unit.unit.environment)
    }

    /// Looks at a purchase that delivers units: it is judged as active, from its start.
    init(
        delivering purchase: Purchase, of unit: DerivedUnit, view: FactView, account: AccountID?
    ) {
        self.init(
            unit: unit, states: unit.states, view: view, account: account, memberships: nil)
        look(at: purchase)
        circumstances.enteredAt = purchase.start
        circumstances.bits.set(.state, to: EntitlementState.active)
        circumstances.bits.set(.expiryReason, to: ExpiryReason?.none)
        circumstances.bits.set(.autoRenew, to: AutoRenewWord.unknown)
        circumstances.bits.set(.revocation, to: RevocationWord?.none)
    }

    /// Looks at a span of the unit's states: the one at `index`.
    mutating func move(to index: Int, _ state: StateSpan) {
        if states.purchaseOfSpan[index] != purchase {
            purchase = states.purchaseOfSpan[index]
            look(at: states.purchases[purchase])
        }
        circumstances.enteredAt = state.enteredAt
        circumstances.paidUntil = state.paidUntil
        let isRevoked = state.state == .revoked
        let words = SpanWords(
            state: state.state, expiryReason: state.expiryReason,
            autoRenew: state.willRenew.map { $0 ? .on : .off } ?? .unknown,
            revocation: isRevoked ? RevocationWord(states.purchases[purchase].revocation) : nil)
        guard words != self.words else { return }
        self.words = words
        circumstances.bits.set(.state, to: words.state)
        circumstances.bits.set(.expiryReason, to: words.expiryReason)
        circumstances.bits.set(.autoRenew, to: words.autoRenew)
        circumstances.bits.set(.revocation, to: words.revocation)
    }

    /// Product, offer, storefront and ownership are those of the period's snapshot.
    private mutating func look(at purchase: Purchase) {
        circumstances.purchased = purchase.soldAt
        circumstances.storefront = purchase.storefront(in: view)
        if view.policy.splits.asksForMemberTime {
            circumstances.memberTime = memberships?.time(of: purchase, in: environment, view: view)
        }
        circumstances.firstVersion = purchase.firstVersion(in: view)
        let words = (
            ownership: OwnershipWord(purchase.ownership(in: view)),
            offer: OfferWord(purchase.offer(in: view))
        )
        if let last = purchaseWords, last == words { return }
        purchaseWords = words
        circumstances.bits.set(.ownership, to: words.ownership)
        circumstances.bits.set(.offer, to: words.offer)
    }
}

extension OwnershipWord {
    init(_ ownership: Ownership) {
        self =
            switch ownership {
            case .purchased: .purchased
            case .familyShared: .familyShared
            case .assigned: .assigned
            case .notStated: .notStated
            case .unknown: .unknown
            }
    }
}

extension OfferWord {
    package init(_ offer: Offer?) {
        guard let offer else {
            self = .none
            return
        }
        switch offer.type {
        case 1: self = offer.discountType == "FREE_TRIAL" ? .freeTrial : .introductory
        case 2: self = .promotional
        case 3: self = .offerCode
        case 4: self = .winBack
        case 5: self = .retention
        default: self = .other
        }
    }
}

extension RevocationWord {
    init(_ revocation: Revocation?) {
        self =
            switch revocation?.type?.known {
            case .full: .full
            case .prorated: .prorated
            case .family: .family
            case .assigned: .assigned
            case nil: .unknown
            }
    }
}
