package import EntitlementModel

/// What every report on an account says of itself.
package struct AccountFrame: WireObject {
    package var account: AccountID
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence
    /// The account that has what this one had; nil where it was not merged into another.
    package var mergedInto: AccountID?
    /// The erasure after which nothing was recorded of the account; nil where there is none.
    package var erased: LedgerSequence?
    /// The last erasure of the account, also where something was recorded of it since.
    package var lastErasure: ErasureMark?
    /// True for what stands in the place of an account that was erased; else nil.
    package var isPseudonym: Bool?
    /// True where nothing is known of it and it may have been erased, since the key of the erasures
    /// is missing; else nil.
    package var isMaybeErased: Bool?
    /// True where it is told as if something had happened; else nil.
    package var isAssumed: Bool?

    package init(
        account: AccountID, at: Instant, policy: Digest256, revision: LedgerSequence,
        mergedInto: AccountID? = nil, erased: LedgerSequence? = nil, isAssumed: Bool? = nil
    ) {
        self.erased = erased
        self.isAssumed = isAssumed
        self.mergedInto = mergedInto
        self.account = account
        self.at = at
        self.policy = policy
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var frame = AccountFrame(
            account: try shape.value("account", \.account), at: try shape.value("at", \.at),
            policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision),
            mergedInto: try shape.optional("merged_into", \.mergedInto),
            erased: try shape.optional("erased", \.erased),
            isAssumed: try shape.optional("assumed", \.isAssumed))
        frame.lastErasure = try shape.optional("last_erasure", \.lastErasure)
        frame.isPseudonym = try shape.optional("pseudonym", \.isPseudonym)
        frame.isMaybeErased = try shape.optional("maybe_erased", \.isMaybeErased)
        return frame
    }
}

/// Everything that support needs to know of an account: `GET /v1/accounts/{account}`.
package struct AccountReport: WireObject {
    package var frame: AccountFrame
    package var rights: [Answer]
    package var units: [UnitAnswer]
    /// The newest, the newest first.
    package var orders: [AccountOrder]
    package var balances: [CreditBalance]
    package var grants: [GrantAnswer]
    package var blocks: [BlockAnswer]
    /// Its own claims, and those of others on what it owns or has owned.
    package var claims: [ClaimAnswer]
    package var findings: [Finding]
    /// The account's last statement on what Apple may be told about refunds; nil if there is none.
    package var refundConsent: RefundConsentAnswer?
    /// What Apple asks about refunds of its purchases, and still takes an answer to.
    package var refundRequests: [RefundRequestAnswer] = []
    /// What persons have decided of its purchases and credits: rulings, merges and lifted freezes, in
    /// the ledger's order.
    package var actions: [FactAnswer] = []

    package init(
        frame: AccountFrame, rights: [Answer], units: [UnitAnswer], orders: [AccountOrder],
        balances: [CreditBalance], grants: [GrantAnswer], blocks: [BlockAnswer],
        claims: [ClaimAnswer], findings: [Finding], refundConsent: RefundConsentAnswer? = nil
    ) {
        self.refundConsent = refundConsent
        self.frame = frame
        self.rights = rights
        self.units = units
        self.orders = orders
        self.balances = balances
        self.grants = grants
        self.blocks = blocks
        self.claims = claims
        self.findings = findings
    }

    package static var shapeName: String { "Account" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var report = AccountReport(
            frame: try shape.part(\.frame), rights: try shape.value("rights", \.rights),
            units: try shape.value("units", \.units),
            orders: try shape.value("orders", \.orders),
            balances: try shape.value("balances", \.balances),
            grants: try shape.value("grants", \.grants),
            blocks: try shape.value("blocks", \.blocks),
            claims: try shape.value("claims", \.claims),
            findings: try shape.value("findings", \.findings),
            refundConsent: try shape.optional("refund_consent", \.refundConsent))
        let requests = try shape.optional("refund_requests") { $0.refundRequests.ifAny }
        report.refundRequests = requests ?? []
        report.actions = try shape.optional("actions") { $0.actions.ifAny } ?? []
        return report
    }
}

extension Array {
    /// Nil for none: what is not there is omitted.
    package var ifAny: Self? { isEmpty ? nil : self }
}

/// All stretches of time, with states, owners and rights, and the orders: `GET …/timeline`.
package struct TimelineReport: WireObject {
    package var frame: AccountFrame
    package var rights: [RightHistory]
    package var units: [UnitAnswer]
    /// The newest, the newest first.
    package var orders: [AccountOrder]

    package init(
        frame: AccountFrame, rights: [RightHistory], units: [UnitAnswer], orders: [AccountOrder]
    ) {
        self.frame = frame
        self.rights = rights
        self.units = units
        self.orders = orders
    }

    package static var shapeName: String { "AccountTimeline" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        TimelineReport(
            frame: try shape.part(\.frame), rights: try shape.value("rights", \.rights),
            units: try shape.value("units", \.units),
            orders: try shape.value("orders", \.orders))
    }
}

/// `GET …/accounts/{account}/findings`.
package struct AccountFindings: WireObject {
    package var frame: AccountFrame
    package var findings: [Finding]

    package init(frame: AccountFrame, findings: [Finding]) {
        self.frame = frame
        self.findings = findings
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AccountFindings(
            frame: try shape.part(\.frame),
            findings: try shape.value("findings", \.findings))
    }
}

/// An order as reports on an account list it; `GET /v1/orders/{order}` has its events.
package struct AccountOrder: WireObject {
    package var id: OrderID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    /// The price that the app displayed.
    package var price: PriceAnswer?
    /// Its state at the instant of the report.
    package var state: OrderState
    package var madeAt: Instant
    /// When its payment became known; nil without one.
    package var paidAt: Instant?
    /// When the account got what it is for; nil as long as it has not, or where it was taken back.
    package var deliveredAt: Instant?
    package var finishedAt: Instant?
    package var refundedAt: Instant?
    package var changedAt: Instant
    /// What pays it.
    package var transaction: TransactionID?
    /// The order whose token the payment carried, where this one was made for a second payment.
    package var parent: OrderID?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AccountOrder(
            id: try shape.value("order", \.id),
            environment: try shape.value("environment", \.environment),
            product: try shape.value("product", \.product),
            quantity: try shape.value("quantity", \.quantity),
            price: try shape.optional("price", \.price),
            state: try shape.value("state", \.state),
            madeAt: try shape.value("made_at", \.madeAt),
            paidAt: try shape.optional("paid_at", \.paidAt),
            deliveredAt: try shape.optional("delivered_at", \.deliveredAt),
            finishedAt: try shape.optional("finished_at", \.finishedAt),
            refundedAt: try shape.optional("refunded_at", \.refundedAt),
            changedAt: try shape.value("changed_at", \.changedAt),
            transaction: try shape.optional("transaction_id", \.transaction),
            parent: try shape.optional("parent", \.parent))
    }
}

extension AccountOrder {
    /// - Parameter state: its state at the instant of the report.
    package init(_ history: OrderHistory, _ state: OrderState) {
        let order = history.order.value
        func last(_ kinds: OrderEventKind...) -> Instant? {
            history.events.last { kinds.contains($0.value.kind) }?.recordedAt
        }
        let isDelivered = state == .delivered || state == .finished || state == .refunded
        self.init(
            id: order.id, environment: order.environment, product: order.product,
            quantity: order.quantity, price: order.price.map(PriceAnswer.init), state: state,
            madeAt: history.order.recordedAt,
            paidAt: history.payment == nil ? nil : last(.paid) ?? last(.settled),
            deliveredAt: isDelivered ? last(.delivered, .settled) : nil,
            finishedAt: isDelivered ? last(.finished) : nil,
            refundedAt: state == .refunded ? last(.refunded) : nil,
            changedAt: history.changedAt, transaction: history.payment?.transactionID,
            parent: order.parent)
    }
}
