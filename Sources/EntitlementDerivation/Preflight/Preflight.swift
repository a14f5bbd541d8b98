package import EntitlementModel

/// What an account is about to buy, and on whose Apple ID (spec 1.8).
package struct PreflightRequest: Hashable, Sendable {
    package var account: AccountID
    package var product: ProductID
    package var environment: StoreEnvironment
    /// Any key of the device's Apple ID; nil if the caller has none.
    package var appleID: AppleIDKey?
    /// Whose prices the device shows, alpha-3; nil where the caller does not say: then that of
    /// the newest purchase of the Apple ID.
    package var storefront: String?

    package init(
        account: AccountID, product: ProductID, environment: StoreEnvironment = .production,
        appleID: AppleIDKey? = nil, storefront: String? = nil
    ) {
        self.account = account
        self.product = product
        self.environment = environment
        self.appleID = appleID
        self.storefront = storefront
    }
}

/// Whether to show the payment sheet, and what there is to say before (spec 1.8).
package struct PreflightVerdict: Hashable, Sendable {
    /// The gravest effect of the notes.
    package var effect: PreflightEffect
    /// By code, in the order of `PreflightCode`.
    package var notes: [PreflightNote]
    /// What would become of the purchase's claims; nil where it cannot be foretold: nothing
    /// would be sold, or the device's Apple ID is not known.
    package var claims: PreflightClaims?
}

/// What would become of the claim on a purchase. Whether the purchase comes with the account's
/// token is not certain before it is made: StoreKit 1, offer codes and the App Store's own pages
/// omit it.
package struct PreflightClaims: Hashable, Sendable {
    package var withToken: ClaimOutcome
    package var withoutToken: ClaimOutcome

    package init(withToken: ClaimOutcome, withoutToken: ClaimOutcome) {
        self.withToken = withToken
        self.withoutToken = withoutToken
    }
}

package enum PreflightEffect: String, CaseIterable, Comparable, DerivationText, Hashable, Sendable {
    case proceed
    case warn
    case block

    package static func < (left: PreflightEffect, right: PreflightEffect) -> Bool {
        left.gravity < right.gravity
    }

    private var gravity: Int {
        switch self {
        case .proceed: 0
        case .warn: 1
        case .block: 2
        }
    }

    package var english: String {
        switch self {
        case .proceed: "proceed"
        case .warn: "warn"
        case .block: "block"
        }
    }
}

/// The codes of preflight; `order-in-flight` is for the engine, which has the orders.
package enum PreflightCode: String, CaseIterable, Hashable, Sendable {
    case unknownProduct = "unknown-product"
    case notForSale = "not-for-sale"
    case kindNotAllowed = "kind-not-allowed"
    case accountBlocked = "account-blocked"
    case alreadyOwned = "already-owned"
    case alreadySubscribed = "already-subscribed"
    case renewsAgain = "renews-again"
    case changeWithdrawn = "change-withdrawn"
    case moreSeats = "more-seats"
    case planChange = "plan-change"
    case familyShared = "family-shared"
    case accountSwitch = "account-switch"
    case duplicateAppleID = "duplicate-apple-id"
    case duplicateAppleIDPossible = "duplicate-apple-id-possible"
    case appleIDUnknown = "apple-id-unknown"
    case retryInProgress = "retry-in-progress"
    case notRenewing = "not-renewing"
    case unclaimedPayment = "unclaimed-payment"
    case orderInFlight = "order-in-flight"
}

/// One note of preflight.
package struct PreflightNote: Hashable, Sendable {
    package var code: PreflightCode
    package var effect: PreflightEffect
    package var text: Title
    /// The other subscription that this is about.
    package var lineage: LineageKey?
    /// The account that it belongs to, masked.
    package var maskedAccount: String?
    /// When that subscription ends, as far as is known.
    package var until: Instant?
    /// Of a change of plan.
    package var change: PlanChange?
    /// Of a change of plan: when.
    package var takesEffect: PlanChangeMoment?
    /// The cost of the purchase for the Apple ID at hand.
    package var cost: RecurringPrice?
    /// The open order, which is returned instead of a second one.
    package var order: OrderID?
}

/// The relation of a purchase to the subscription that it replaces (spec 1.8).
package enum PlanChange: String, CaseIterable, Hashable, Sendable {
    /// To a better level: takes effect at once.
    case upgrade
    case downgrade
    /// To another product of the same level, or of one that is not known.
    case crossgrade
}

/// When Apple puts a change of plan into effect: an upgrade at once, and so another product of
/// the same level that is as long; everything else at the renewal.
package enum PlanChangeMoment: String, CaseIterable, Hashable, Sendable {
    case now
    case renewal
}

/// The price of a subscription for each period.
package struct RecurringPrice: Hashable, Sendable {
    package var price: Price
    package var period: Period?
    /// Whose price it is; nil where the storefront of the Apple ID is not known.
    package var storefront: String?
}

/// Looks at a purchase before the payment sheet is shown. Pure: the instant is a parameter, and
/// nothing is recorded.
package func preflight(
    _ request: PreflightRequest, at instant: Instant, policies: PolicyHistory, facts: FactSet
) -> PreflightVerdict {
    Deriver(policies: policies).preflight(request, at: instant, facts)
}

extension Deriver {
    /// As the free function `preflight(_:at:policies:facts:)`.
    package func preflight(
        _ request: PreflightRequest, at instant: Instant, _ facts: FactSet
    ) -> PreflightVerdict {
        guard let product = policy.product(request.product) else {
            return PreflightVerdict([PreflightNote(.unknownProduct, .block)])
        }
        var request = request
        request.account = policy.policy.name(request.account)
        let view = FactView(facts, policy: policy)
        let sale = saleNotes(of: product, to: request.account, at: instant, view)
        guard !product.kind.isAccountScoped else {
            let accepted = PreflightClaims(withToken: .accepted, withoutToken: .accepted)
            return PreflightVerdict(sale, claims: sale.isEmpty ? accepted : nil)
        }
        let counter = PreflightCounter(request, product: product, at: instant, view: view)
        let claims = sale.contains { $0.effect == .block } ? nil : counter.foretoldClaims
        return PreflightVerdict(sale + counter.notes(foretold: claims), claims: claims)
    }

    private func saleNotes(
        of product: Product, to account: AccountID, at instant: Instant, _ view: FactView
    ) -> [PreflightNote] {
        var notes: [PreflightNote] = []
        if let retiredAt = product.retiredAt, retiredAt <= instant {
            notes.append(PreflightNote(.notForSale, .block))
        }
        if product.kind == .free, !policy.policy.app.isNewsstand {
            notes.append(PreflightNote(.kindNotAllowed, .block))
        }
        if Blocks(on: account, in: view).stop(product, at: instant) {
            notes.append(PreflightNote(.accountBlocked, .block))
        }
        return notes
    }
}

extension PreflightVerdict {
    fileprivate init(_ notes: [PreflightNote], claims: PreflightClaims? = nil) {
        self.init(effect: notes.map(\.effect).max() ?? .proceed, notes: notes, claims: claims)
    }
}

/// Every sentence of preflight, once for each situation.
enum PreflightText: String, CaseIterable, DerivationText, Wording {
    case unknownProduct = "this product is not in the catalogue"
    case notForSale = "this product is no longer sold"
    case kindNotAllowed = "the app may not offer free subscriptions"
    case accountBlocked = "this account is blocked or closed"
    case alreadyOwned = "this account already owns it"
    case alreadySubscribed = "this account is already subscribed to it"
    case renewsAgain = """
        this account has it until its paid end; the purchase only switches its renewal on again \
        and charges nothing now
        """
    case changeWithdrawn = """
        this account has it, and is about to change its plan; the purchase withdraws the change \
        and charges nothing now
        """
    case moreSeats = "this account has it with seats; the purchase adds seats"
    case upgrade = "an upgrade that takes effect at once"
    case downgrade = "a downgrade that takes effect at the next renewal"
    case crossgrade = "a change of plan that takes effect at the next renewal"
    case crossgradeNow = "a change of plan that takes effect at once"
    case changePending = "a change of plan that is already set for the next renewal"
    case familyShared =
        "the family shares this with the account, which would pay for it all the same"
    case switchMoves = "this Apple ID's purchase belongs to another account and would move"
    case switchMovesWithToken = """
        this Apple ID's purchase belongs to another account and would move, if it carries this \
        account's token; without the token it would stay there
        """
    case switchStays = "this Apple ID's purchase belongs to another account and would stay there"
    case duplicateAppleID = "this account already pays for this on another Apple ID"
    case duplicateAppleIDPossible = "this account may already pay for this on another Apple ID"
    case appleIDUnknown = "the device's Apple ID is unknown, so it was not checked"
    case retryInProgress = "Apple is still trying to charge for a subscription of this account"
    case notRenewing = "this account has a subscription on another Apple ID that will not renew"
    case unclaimedPayment = "this Apple ID has a payment that no account has claimed yet"
    case orderInFlight = "there is an open order for it, which is used instead of a new one"

    var title: Title { Title(english: english, chinese: template(in: .chinese)) }
}

extension PreflightNote {
    init(
        _ code: PreflightCode, _ effect: PreflightEffect, text: PreflightText? = nil,
        lineage: LineageKey? = nil, maskedAccount: String? = nil, until: Instant? = nil,
        cost: RecurringPrice? = nil
    ) {
        self.init(
            code: code, effect: effect, text: (text ?? PreflightText(code)).title,
            lineage: lineage, maskedAccount: maskedAccount, until: until, cost: cost)
    }

    /// There is an open order for the same.
    package static func inFlight(_ order: OrderID) -> PreflightNote {
        var note = PreflightNote(.orderInFlight, .proceed)
        note.order = order
        return note
    }
}

extension PreflightText {
    fileprivate init(_ code: PreflightCode) {
        self =
            switch code {
            case .unknownProduct: .unknownProduct
            case .notForSale: .notForSale
            case .kindNotAllowed: .kindNotAllowed
            case .accountBlocked: .accountBlocked
            case .alreadyOwned: .alreadyOwned
            case .alreadySubscribed: .alreadySubscribed
            case .renewsAgain: .renewsAgain
            case .changeWithdrawn: .changeWithdrawn
            case .moreSeats: .moreSeats
            case .planChange: .crossgrade
            case .familyShared: .familyShared
            case .accountSwitch: .switchStays
            case .duplicateAppleID: .duplicateAppleID
            case .duplicateAppleIDPossible: .duplicateAppleIDPossible
            case .retryInProgress: .retryInProgress
            case .notRenewing: .notRenewing
            case .unclaimedPayment: .unclaimedPayment
            case .appleIDUnknown: .appleIDUnknown
            case .orderInFlight: .orderInFlight
            }
    }
}

extension PreflightCounter {
    /// Judges the claim that the purchase would make, with the account's token and without one.
    var foretoldClaims: PreflightClaims? {
        guard device != nil,
            let token = AppAccountToken("00000000-0000-0000-0000-000000000000"),
            let withToken = foretoldClaim(token), let withoutToken = foretoldClaim(nil)
        else { return nil }
        return PreflightClaims(withToken: withToken, withoutToken: withoutToken)
    }

    /// With a snapshot such as Apple would sign: in the lineage that the device's Apple ID
    /// already has.
    private func foretoldClaim(_ token: AppAccountToken?) -> ClaimOutcome? {
        guard let id = TransactionID("preflight") else { return nil }
        let lineage = onDevice.last?.lineage
        var snapshot = TransactionSnapshot(
            environment: request.environment, bundleID: view.policy.policy.app.bundleID,
            transactionID: id,
            originalTransactionID: lineage?.originalTransactionID ?? id,
            productID: product.id, purchaseDate: instant, signedDate: instant,
            source: EvidenceSource(form: .jws, trust: .signed, canonicalDigest: .zero))
        snapshot.kind = product.kind == .free ? nil : .known(product.kind)
        snapshot.expiresDate =
            product.kind == .autoRenewable
            ? (product.period ?? Period(1, .months)).end(from: instant) : nil
        snapshot.ownership = .purchased
        snapshot.appAccountToken = token
        var facts = view.facts
        facts.transactions.append(.foretold(snapshot, at: instant))
        if let token {
            let registration = AccountTokenRegistration(
                token: token, account: request.account, actor: "preflight", reason: "preflight")
            facts.accountTokens.append(.foretold(registration, at: instant))
        }
        let claim = Claim(
            account: request.account, transaction: TransactionKey(request.environment, id),
            moment: .purchase)
        let hypothesis = FactView(facts, policy: view.policy)
        return ClaimEvaluation(claim, recordedAt: instant, view: hypothesis)?.judged.outcome
    }
}

extension Recorded {
    /// A fact that is not in the ledger.
    fileprivate static func foretold(_ value: Value, at instant: Instant) -> Recorded {
        Recorded(sequence: LedgerSequence(.max), recordedAt: instant, value: value)
    }
}

extension Digest256 {
    fileprivate static let zero: Digest256 = {
        guard let digest = Digest256(repeatElement(0, count: 32)) else {
            preconditionFailure("32 bytes are a digest")
        }
        return digest
    }()
}
