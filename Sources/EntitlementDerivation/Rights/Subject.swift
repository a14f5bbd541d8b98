internal import EntitlementModel

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
            enteredAt: .distantPast, storefront: nil, account: account)
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
    /// Nil for a type that Apple added since: no word names it.
    init?(_ offer: Offer?) {
        guard let offer else {
            self = .none
            return
        }
        switch offer.type {
        case 1: self = offer.discountType == "FREE_TRIAL" ? .freeTrial : .introductory
        case 2: self = .promotional
        case 3: self = .offerCode
        case 4: self = .winBack
        default: return nil
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
