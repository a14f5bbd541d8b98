package import EntitlementModel

/// The union of what several sources say about one right: granted where any of them grants
/// (spec 1.6), with the source that answers name (spec 1.10).
func union(_ contributions: [Contribution]) -> RightTimeline {
    guard contributions.count > 1 else {
        return contributions.first.map { RightTimeline(spans: $0.spans) } ?? .empty
    }
    var sources = contributions.sorted { $0.order < $1.order }.map(Source.init)
    let boundaries = Set(contributions.flatMap { $0.spans.map(\.interval.start) }).sorted()
    var spans: [RightSpan] = []
    for (position, start) in boundaries.enumerated() {
        let end = position + 1 < boundaries.count ? boundaries[position + 1] : nil
        guard var span = bestSpan(of: &sources, at: start) else { continue }
        span.interval = Interval(uncheckedFrom: start, to: end)
        if let last = spans.indices.last, spans[last].verdict == span.verdict {
            spans[last].interval = Interval(
                uncheckedFrom: spans[last].interval.start, to: end)
        } else {
            spans.append(span)
        }
    }
    return RightTimeline(spans: spans)
}

/// Of those that grant, the one that ends last; else of those that deny, the one that ended
/// last. Sources are in the order that decides between equals.
private func bestSpan(of sources: inout [Source], at instant: Instant) -> RightSpan? {
    var best: (source: Int, span: Int)?
    for index in sources.indices {
        sources[index].advance(to: instant)
        guard let span = sources[index].current else { continue }
        if let held = best,
            !sources[index].isPreferred(at: span, to: sources[held.source], at: held.span)
        {
            continue
        }
        best = (index, span)
    }
    return best.map { sources[$0.source].spans[$0.span] }
}

/// A contribution with what the choice between several asks of it.
private struct Source {
    let spans: [RightSpan]
    /// For a granted span, the end of the stretch without a gap in which the source grants;
    /// for a denied one, the end of the last such stretch before it.
    private let ends: [Instant?]
    private var cursor = -1

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

    mutating func advance(to instant: Instant) {
        while cursor + 1 < spans.count, spans[cursor + 1].interval.start <= instant { cursor += 1 }
    }

    var current: Int? { cursor < 0 ? nil : cursor }

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
