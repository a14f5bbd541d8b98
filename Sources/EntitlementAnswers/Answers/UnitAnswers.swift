package import EntitlementDerivation
package import EntitlementModel

/// `from` and `until`; null for a stretch without a beginning or an end.
extension Interval: WireObject {
    package static var shapeName: String { "Stretch" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let start = try shape.nullable("from") { $0.start == .distantPast ? nil : $0.start }
        let end = try shape.nullable("until", \.end)
        guard let interval = Interval(from: start ?? .distantPast, to: end) else {
            throw ShapeError(.value, member: "until")
        }
        return interval
    }
}

/// The name of a unit: its environment, and a lineage or a transaction.
extension OwnedUnit: WireObject {
    package static var shapeName: String { "UnitName" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let environment = try shape.value("environment", \.environment)
        let lineage = try shape.optional("lineage", \.lineageID)
        let transaction = try shape.optional("transaction", \.purchaseID)
        if let lineage { return .lineage(LineageKey(environment, lineage)) }
        guard let transaction else { throw ShapeError(.missing, member: "transaction") }
        return .purchase(TransactionKey(environment, transaction))
    }

    /// Apple's number of a lineage; nil for a single purchase.
    package var lineageID: TransactionID? {
        guard case .lineage(let key) = self else { return nil }
        return key.originalTransactionID
    }

    /// Apple's number of a single purchase; nil for a lineage.
    package var purchaseID: TransactionID? {
        guard case .purchase(let key) = self else { return nil }
        return key.transactionID
    }
}

/// A stretch in which an account owns a unit.
extension OwnershipSpan: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        OwnershipSpan(
            account: try shape.value("account", \.account),
            interval: try shape.part(\.interval),
            decision: try shape.value("decision", \.decision))
    }
}

/// The state of a unit in an interval of a report, or that the subscription renews then.
package enum StateWord: String, CaseIterable, Hashable, Sendable, WireWord {
    case active
    case renewing
    case grace
    case billingRetry = "billing-retry"
    case expired
    case revoked
    case renews
}

/// A stretch in which a unit has one state.
package struct StateAnswer: WireObject, Hashable {
    package var interval: Interval
    /// The state while no renewal is known.
    package var state: EntitlementState
    /// Whether it lies after the paid end of a subscription that renews, so that something else
    /// is to be expected.
    package var isBehindRenewal = false
    package var expiryReason: ExpiryReason?
    package var product: ProductID
    package var transaction: TransactionID
    package var paidUntil: Instant?

    package static var shapeName: String { "StateSpan" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let interval = try shape.part(\.interval)
        let word = try shape.value("state", \.word)
        return StateAnswer(
            interval: interval, state: EntitlementState(rawValue: word.rawValue) ?? .expired,
            isBehindRenewal: word == .renews,
            expiryReason: try shape.optional("expiry_reason", \.expiryReason),
            product: try shape.value("product", \.product),
            transaction: try shape.value("transaction", \.transaction),
            paidUntil: try shape.nullable("paid_until", \.paidUntil))
    }
}

extension StateAnswer {
    package init(_ span: StateSpan) {
        self.init(
            interval: span.interval, state: span.state, expiryReason: span.expiryReason,
            product: span.productID, transaction: span.transactionID, paidUntil: span.paidUntil)
    }

    private var word: StateWord {
        isBehindRenewal ? .renews : StateWord(rawValue: state.rawValue) ?? .expired
    }
}

extension [StateAnswer] {
    /// Joins what follows the paid end of a subscription that renews into one interval, so that it
    /// does not read as expiry.
    fileprivate func behindRenewal(
        _ renewal: RenewalOutlook?, at instant: Instant
    ) -> [StateAnswer] {
        guard renewal?.willRenew == true,
            let paid = lastIndex(where: { $0.state != .renewing && $0.state != .expired }),
            self[paid].state == .active, self[(paid + 1)...].allSatisfy(\.endsByItself),
            let first = self[(paid + 1)...].firstIndex(where: { $0.interval.start > instant })
        else { return self }
        var ahead = self[first]
        ahead.interval = Interval(uncheckedFrom: ahead.interval.start, to: nil)
        ahead.isBehindRenewal = true
        ahead.expiryReason = nil
        ahead.product = renewal?.product ?? ahead.product
        return self[..<first] + [ahead]
    }
}

extension StateAnswer {
    /// Whether nothing is known of an end but that it was paid so far.
    fileprivate var endsByItself: Bool { expiryReason == nil || expiryReason == .unknown }
}

extension OfferWord: WireWord {}

/// The offer of a period, past or future.
extension Offer: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        _ = try shape.optional("offer") { OfferWord($0) }
        return Offer(
            type: try shape.value("type", \.type),
            identifier: try shape.optional("id", \.identifier),
            discountType: try shape.optional("discount_type", \.discountType),
            period: try shape.optional("period", \.period))
    }
}

/// The next renewal.
extension RenewalOutlook: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RenewalOutlook(
            willRenew: try shape.nullable("will_renew", \.willRenew),
            at: try shape.optional("at", \.at),
            product: try shape.optional("product", \.product),
            price: try shape.optional("price") { $0.price.map(PriceAnswer.init) }?.price,
            offer: try shape.optional("offer", \.offer))
    }
}

/// The purchase that represents a unit at the instant of the report.
package struct PurchaseAnswer: WireObject, Hashable {
    package var transaction: TransactionID
    package var product: ProductID
    package var title: Title?
    package var purchasedAt: Instant
    /// As signed: for all of `quantity` together.
    package var price: Price?
    package var quantity: Int64
    package var offer: Offer?
    /// Of a subscription for several people: the remaining seats of its period.
    package var seats: Int64?
    package var commitment: Commitment?
    package var isFamilyShared: Bool
    /// When Apple took it back, and how; nil for what it has not.
    package var revokedAt: Instant?
    package var revocationType: String?

    package static var shapeName: String { "UnitPurchase" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PurchaseAnswer(
            transaction: try shape.value("transaction", \.transaction),
            product: try shape.value("product", \.product),
            title: try shape.optional("title", \.title),
            purchasedAt: try shape.value("purchased_at", \.purchasedAt),
            price: try shape.price(\.price),
            quantity: try shape.value("quantity", \.quantity),
            offer: try shape.optional("offer", \.offer),
            seats: try shape.optional("seats", \.seats),
            commitment: try shape.optional("commitment", \.commitment),
            isFamilyShared: try shape.value("family_shared", \.isFamilyShared),
            revokedAt: try shape.optional("revoked_at", \.revokedAt),
            revocationType: try shape.optional("revocation_type", \.revocationType))
    }
}

extension PurchaseAnswer {
    package init(_ purchase: UnitPurchase) {
        self.init(
            transaction: purchase.transaction, product: purchase.product, title: purchase.title,
            purchasedAt: purchase.purchasedAt, price: purchase.price, quantity: purchase.quantity,
            offer: purchase.offer, seats: purchase.seats, commitment: purchase.commitment,
            isFamilyShared: purchase.isFamilyShared, revokedAt: purchase.revocation?.date,
            revocationType: purchase.revocation?.type?.known?.rawValue)
    }
}

/// Which month of a commitment a period is, of how many, and when the commitment ends.
extension Commitment: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let period = try shape.optional("period", \.period)
        let periods = try shape.optional("periods", \.periods)
        let expires = try shape.optional("ends", \.expires)
        guard let commitment = Commitment(period: period, periods: periods, expires: expires) else {
            throw ShapeError(.missing, member: "ends")
        }
        return commitment
    }
}

extension ShapeVisitor {
    /// The price as signed by Apple: two members, both omitted if unknown.
    mutating func price(_ get: (Root) -> Price?) throws(ShapeError) -> Price? {
        let milliunits = try optional("price_milliunits") { get($0)?.milliunits }
        let currency = try optional("currency") { root in get(root).map { OrNull($0.currency) } }
        return milliunits.map { Price(milliunits: $0, currency: currency?.value) }
    }
}

/// What an account owns or has owned, over time.
package struct UnitAnswer: WireObject, Hashable {
    package var unit: OwnedUnit
    /// Of a lineage, as far as it is known.
    package var appleID: AppleIDKey?
    package var kind: Stated<ProductKind>
    /// In full reports on an account only.
    package var purchase: PurchaseAnswer?
    /// Of a subscription that runs at the instant of the report.
    package var renewal: RenewalOutlook?
    package var states: [StateAnswer]
    package var owners: [OwnershipSpan]

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        UnitAnswer(
            unit: try shape.part(\.unit), appleID: try shape.optional("apple_id", \.appleID),
            kind: try shape.value("kind", \.kind),
            purchase: try shape.optional("purchase", \.purchase),
            renewal: try shape.optional("renewal", \.renewal),
            states: try shape.value("states", \.states),
            owners: try shape.value("owners", \.owners))
    }
}

extension UnitAnswer {
    package init(
        _ unit: UnitTimeline, appleID: AppleIDKey?, purchase: UnitPurchase? = nil,
        renewal: RenewalOutlook?, at instant: Instant
    ) {
        self.init(
            unit: unit.unit, appleID: appleID, kind: unit.kind,
            purchase: purchase.map(PurchaseAnswer.init), renewal: renewal,
            states: unit.states.map(StateAnswer.init).behindRenewal(renewal, at: instant),
            owners: unit.owners)
    }
}

extension UnitAnswer {
    package func state(at instant: Instant) -> StateAnswer? {
        states.last { $0.interval.contains(instant) }
    }

    /// Since when it is neither active nor in any other state that may give a right.
    package func ended(at instant: Instant) -> Instant? {
        let states = states.prefix { $0.interval.start <= instant }
        let last = states.reversed().prefix { !$0.state.isRunning && !$0.isBehindRenewal }
        return last.last?.interval.start
    }

    /// When it was bought first: no renewal.
    package var boughtAt: Instant? {
        let first = states.first?.interval.start
        return first.flatMap { $0 == .distantPast ? nil : $0 } ?? purchase?.purchasedAt
    }
}

/// A stretch in which the answer for one right and its reason stay the same.
package struct RightStretch: WireObject {
    package var interval: Interval
    package var decision: Bool
    package var state: EntitlementState?
    package var expiryReason: ExpiryReason?
    package var paidUntil: Instant?
    package var source: SourceAnswer?
    package var rule: RuleReference
    package var facts: [LedgerSequence]

    package static var shapeName: String { "RightSpan" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RightStretch(
            interval: try shape.part(\.interval),
            decision: try shape.value("decision", \.decision),
            state: try shape.nullable("state", \.state),
            expiryReason: try shape.optional("expiry_reason", \.expiryReason),
            paidUntil: try shape.nullable("paid_until", \.paidUntil),
            source: try shape.nullable("source", \.source),
            rule: try shape.value("rule", \.rule), facts: try shape.value("facts", \.facts))
    }
}

extension RightStretch {
    package init(_ span: RightSpan) {
        self.init(
            interval: span.interval, decision: span.isGranted, state: span.state,
            expiryReason: span.expiryReason, paidUntil: span.paidUntil,
            source: span.source.map(SourceAnswer.init), rule: span.rule, facts: span.facts)
    }
}

/// One right over all of time.
package struct RightHistory: WireObject {
    package var entitlement: EntitlementName
    package var environment: StoreEnvironment
    package var spans: [RightStretch]

    package static var shapeName: String { "RightTimeline" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RightHistory(
            entitlement: try shape.value("entitlement", \.entitlement),
            environment: try shape.value("environment", \.environment),
            spans: try shape.value("spans", \.spans))
    }
}

extension RightHistory {
    package init(_ key: RightKey, _ timeline: RightTimeline) {
        self.init(
            entitlement: key.entitlement, environment: key.environment,
            spans: timeline.spans.map(RightStretch.init))
    }
}
