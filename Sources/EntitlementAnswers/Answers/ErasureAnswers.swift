package import EntitlementModel

/// `POST /v1/accounts/{account}/erase`.
package struct ErasureBody: WireObject {
    package var reference: ErasureReference
    /// It is asked for, as of every action, and not kept: it is about the person.
    package var reason: Reason
    /// For how many days the account is closed before it is erased, 0 to 30.
    package var holdDays: Int64
    /// Whether an account is meant of which nothing is known; false if nil.
    package var isNew: Bool?

    /// Of a request that says nothing of it.
    package static let usualHold: Int64 = 7
    package static let possibleHolds: ClosedRange<Int64> = 0...30

    package init(
        reference: ErasureReference, reason: Reason, holdDays: Int64 = usualHold,
        isNew: Bool? = nil
    ) {
        (self.reference, self.reason, self.holdDays) = (reference, reason, holdDays)
        self.isNew = isNew
    }

    package static var shapeName: String { "ErasureRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let days = try shape.optional("hold_days", \.holdDays) ?? usualHold
        guard possibleHolds.contains(days) else { throw ShapeError(.value, member: "hold_days") }
        return ErasureBody(
            reference: try shape.value("reference", \.reference),
            reason: try shape.value("reason", \.reason), holdDays: days,
            isNew: try shape.optional("new_account", \.isNew))
    }
}

/// The certificate of an erasure. It says nothing of the person.
package struct ErasureAnswer: WireObject, Hashable {
    /// Of the erasure, or of the hold before it.
    package var erasure: LedgerSequence
    package var recordedAt: Instant
    /// Until then the account is closed, and nothing is erased.
    package var due: Instant?
    package var reference: ErasureReference
    package var actor: String
    /// Whether there was anything of the account.
    package var wasKnown: Bool
    package var entries: [ErasedKind]
    /// How many of them are read without the person, since others have to do with them.
    package var restated: Int64
    /// Of the numbers of the entries.
    package var digest: Digest256?
    /// The end of the ledger behind it.
    package var anchor: String

    package init(_ erasure: Recorded<Erasure>, anchor: String) {
        let value = erasure.value
        self.erasure = erasure.sequence
        recordedAt = erasure.recordedAt
        (reference, actor, digest) = (value.reference, value.actor, value.digest)
        entries = value.kinds.map { ErasedKind(number: $0.kind, count: $0.count) }
        restated = Int64(Array(value.restated.numbers).count)
        (wasKnown, self.anchor) = (!entries.isEmpty, anchor)
    }

    /// Nil for another block.
    package init?(holding block: Recorded<Block>, anchor: String) {
        guard case .erasure(let due, let reference) = block.value.purpose else { return nil }
        self.init(
            block.sequence, block.recordedAt, due, reference, block.value.actor, true, [], 0, nil,
            anchor)
    }

    private init(
        _ erasure: LedgerSequence, _ recordedAt: Instant, _ due: Instant?,
        _ reference: ErasureReference, _ actor: String, _ wasKnown: Bool, _ entries: [ErasedKind],
        _ restated: Int64, _ digest: Digest256?, _ anchor: String
    ) {
        self.due = due
        (self.erasure, self.recordedAt, self.reference) = (erasure, recordedAt, reference)
        (self.actor, self.wasKnown, self.entries) = (actor, wasKnown, entries)
        (self.restated, self.digest, self.anchor) = (restated, digest, anchor)
    }

    package static var shapeName: String { "ErasureRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ErasureAnswer(
            try shape.value("erasure", \.erasure), try shape.value("recorded_at", \.recordedAt),
            try shape.optional("due", \.due),
            try shape.value("reference", \.reference), try shape.value("actor", \.actor),
            try shape.value("known", \.wasKnown), try shape.value("entries", \.entries),
            try shape.value("restated", \.restated), try shape.optional("digest", \.digest),
            try shape.value("anchor", \.anchor))
    }
}

/// When what was known of an account was erased.
package struct ErasureMark: WireObject, Hashable {
    package var erasure: LedgerSequence
    package var recordedAt: Instant

    package init(erasure: LedgerSequence, recordedAt: Instant) {
        (self.erasure, self.recordedAt) = (erasure, recordedAt)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ErasureMark(
            erasure: try shape.value("erasure", \.erasure),
            recordedAt: try shape.value("recorded_at", \.recordedAt))
    }
}

/// How many entries of a kind (docs/LEDGER.md).
package struct ErasedKind: WireObject, Hashable {
    package var number: Int64
    package var count: Int64

    package init(number: Int64, count: Int64) {
        (self.number, self.count) = (number, count)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ErasedKind(
            number: try shape.value("kind", \.number), count: try shape.value("count", \.count))
    }
}

/// What an erasure takes, before it is done.
package struct ErasureScope: WireObject, Hashable {
    package var wasKnown: Bool
    package var entries: [ErasedKind]
    package var restated: Int64
    /// What Apple goes on charging for: nothing is cancelled by it.
    package var subscriptions: [RunningSubscription]
    /// Orders that are open.
    package var orders: [OrderID]
    /// Credits that are left.
    package var credits: [CreditName]
    /// Until then the account is closed first; nil for an erasure at once.
    package var due: Instant?
    /// Of the erasure that was made for this reference; nothing more would be done.
    package var certificate: ErasureAnswer?

    package init(
        _ erasure: Erasure, subscriptions: [RunningSubscription], orders: [OrderID],
        credits: [CreditName]
    ) {
        self.init(
            wasKnown: !erasure.kinds.isEmpty,
            entries: erasure.kinds.map { ErasedKind(number: $0.kind, count: $0.count) },
            restated: Int64(Array(erasure.restated.numbers).count), subscriptions: subscriptions,
            orders: orders, credits: credits)
    }

    /// Nothing more.
    package init(known certificate: ErasureAnswer) {
        self.init(
            wasKnown: false, entries: [], restated: 0, subscriptions: [], orders: [], credits: [])
        self.certificate = certificate
    }

    private init(
        wasKnown: Bool, entries: [ErasedKind], restated: Int64,
        subscriptions: [RunningSubscription], orders: [OrderID], credits: [CreditName]
    ) {
        (self.wasKnown, self.entries, self.restated) = (wasKnown, entries, restated)
        (self.subscriptions, self.orders, self.credits) = (subscriptions, orders, credits)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var scope = ErasureScope(
            wasKnown: try shape.value("known", \.wasKnown),
            entries: try shape.value("entries", \.entries),
            restated: try shape.value("restated", \.restated),
            subscriptions: try shape.value("subscriptions", \.subscriptions),
            orders: try shape.value("orders", \.orders),
            credits: try shape.value("credits", \.credits))
        scope.due = try shape.optional("due", \.due)
        scope.certificate = try shape.optional("certificate", \.certificate)
        return scope
    }
}

/// A subscription that is paid or may still be.
package struct RunningSubscription: WireObject, Hashable {
    package var product: ProductID
    package var environment: StoreEnvironment
    package var state: EntitlementState
    /// Nil where Apple has not said.
    package var willRenew: Bool?
    package var paidUntil: Instant?

    package init(
        product: ProductID, environment: StoreEnvironment, state: EntitlementState,
        willRenew: Bool?, paidUntil: Instant?
    ) {
        (self.product, self.environment, self.state) = (product, environment, state)
        (self.willRenew, self.paidUntil) = (willRenew, paidUntil)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RunningSubscription(
            product: try shape.value("product", \.product),
            environment: try shape.value("environment", \.environment),
            state: try shape.value("state", \.state),
            willRenew: try shape.optional("auto_renew", \.willRenew),
            paidUntil: try shape.optional("paid_until", \.paidUntil))
    }
}
