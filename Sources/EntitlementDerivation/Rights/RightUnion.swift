package import EntitlementModel

/// The union of what several sources say about one right: granted where any of them grants
/// (spec 1.6), with the source that answers name (spec 1.10).
func union(_ contributions: [Contribution]) -> RightTimeline {
    guard contributions.count > 1 else {
        return contributions.first.map { RightTimeline(spans: $0.spans) } ?? .empty
    }
    let sources = contributions.sorted { $0.order < $1.order }.map(Source.init)
    var beginnings: [SpanPlace] = []
    for source in sources.indices {
        for span in sources[source].spans.indices {
            beginnings.append(SpanPlace(source: source, span: span))
        }
    }
    func start(_ place: SpanPlace) -> Instant {
        sources[place.source].spans[place.span].interval.start
    }
    beginnings.sort { (start($0), $0.source, $0.span) < (start($1), $1.source, $1.span) }
    var leading = LeadingSpans(sources)
    var spans: [RightSpan] = []
    var next = 0
    while next < beginnings.count {
        let begun = start(beginnings[next])
        while next < beginnings.count, start(beginnings[next]) == begun {
            leading.begin(beginnings[next])
            next += 1
        }
        guard let best = leading.best else { continue }
        let interval = Interval(
            uncheckedFrom: begun, to: next < beginnings.count ? start(beginnings[next]) : nil)
        let verdict = sources[best.source].spans[best.span].verdict
        if let last = spans.indices.last, spans[last].verdict == verdict {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: interval.end)
        } else {
            spans.append(RightSpan(interval: interval, verdict: verdict))
        }
    }
    return RightTimeline(spans: spans)
}

/// A span of one of the sources.
private struct SpanPlace {
    let source: Int
    let span: Int
}

/// The spans that sources are in, the best one first: of those that grant, the one that ends last;
/// else of those that deny, the one that ended last. Sources are in the order that decides between
/// equals.
///
/// A binary heap. What its source has left stays in it until it would be the best one: a span
/// costs its way through the heap once, however many sources there are.
private struct LeadingSpans {
    private let sources: [Source]
    private var current: [Int]
    private var heap: [SpanPlace] = []

    init(_ sources: [Source]) {
        self.sources = sources
        current = Array(repeating: -1, count: sources.count)
    }

    /// The best one; nil before the first has begun.
    var best: SpanPlace? { heap.first }

    mutating func begin(_ place: SpanPlace) {
        current[place.source] = place.span
        var index = heap.count
        heap.append(place)
        while index > 0, precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
        while let first = heap.first, current[first.source] != first.span { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while 2 * index + 1 < heap.count {
            var child = 2 * index + 1
            if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
            guard precedes(heap[child], heap[index]) else { return }
            heap.swapAt(child, index)
            index = child
        }
    }

    private func precedes(_ left: SpanPlace, _ right: SpanPlace) -> Bool {
        let (own, other) = (sources[left.source], sources[right.source])
        if own.isPreferred(at: left.span, to: other, at: right.span) { return true }
        if other.isPreferred(at: right.span, to: own, at: left.span) { return false }
        return left.source < right.source
    }
}

/// A contribution with what the choice between several asks of it.
private struct Source {
    let spans: [RightSpan]
    /// For a granted span, the end of the stretch without a gap in which the source grants;
    /// for a denied one, the end of the last such stretch before it.
    private let ends: [Instant?]

    init(_ contribution: Contribution) {
        spans = contribution.spans
        var ends: [Instant?] = Array(repeating: .distantPast, count: spans.count)
        for index in spans.indices.reversed() where spans[index].isGranted {
            let continues = index + 1 < spans.count && spans[index + 1].isGranted
            ends[index] = continues ? ends[index + 1] : spans[index].interval.end
        }
        for index in spans.indices.dropFirst() where !spans[index].isGranted {
            ends[index] = ends[index - 1]
        }
        self.ends = ends
    }

    func isPreferred(at span: Int, to other: Source, at otherSpan: Int) -> Bool {
        let (grants, otherGrants) = (spans[span].isGranted, other.spans[otherSpan].isGranted)
        if grants != otherGrants { return grants }
        // A source that has given nothing yet is named by none.
        if other.spans[otherSpan].source == nil { return spans[span].source != nil }
        if spans[span].source == nil { return false }
        return Interval.endsLater(ends[span], than: other.ends[otherSpan])
    }
}

/// What the conditions of access rules see of a unit, span by span (spec 1.5, 2.1).
struct Subject {
    private(set) var circumstances: Circumstances
    private let states: UnitStates
    private let view: FactView
    private var purchase = -1

    init(unit: DerivedUnit, states: UnitStates, view: FactView, account: AccountID?) {
        self.states = states
        self.view = view
        circumstances = Circumstances(
            purchased: .distantPast, firstPurchased: states.firstPurchased,
            enteredAt: .distantPast, paidUntil: nil, storefront: nil, account: account)
        circumstances.bits.set(.kind, to: unit.kind.known)
        circumstances.bits.set(.environment, to: unit.unit.environment)
    }

    /// Looks at a consumable's delivery: it has no state of its own, and is judged as active.
    init(delivering unit: DerivedUnit, view: FactView, account: AccountID?) {
        self.init(unit: unit, states: unit.states, view: view, account: account)
        look(at: unit.firstPurchase)
        circumstances.enteredAt = unit.firstPurchase.start
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
        circumstances.bits.set(.state, to: state.state)
        circumstances.bits.set(.expiryReason, to: state.expiryReason)
        let autoRenew: AutoRenewWord =
            state.willRenew.map { $0 ? .on : .off } ?? .unknown
        circumstances.bits.set(.autoRenew, to: autoRenew)
        let isRevoked = state.state == .revoked
        circumstances.bits.set(
            .revocation,
            to: isRevoked ? RevocationWord(states.purchases[purchase].revocation) : nil)
    }

    /// Product, offer, storefront and ownership are those of the period's snapshot.
    private mutating func look(at purchase: Purchase) {
        circumstances.purchased = purchase.start
        circumstances.storefront = purchase.storefront(in: view)
        circumstances.bits.set(.ownership, to: OwnershipWord(purchase.ownership(in: view)))
        circumstances.bits.set(.offer, to: OfferWord(purchase.offer(in: view)))
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
