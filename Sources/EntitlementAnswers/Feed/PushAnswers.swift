package import EntitlementModel

/// The state of a subscription's deliveries.
package enum PushState: String, CaseIterable, WireWord {
    /// All is delivered.
    case idle
    case delivering
    /// An attempt has failed; it is tried again.
    case failing
    /// The receiver has answered 410.
    case gone
    /// The list of undelivered changes is full; deliveries stop until a person has examined it.
    case full
    /// Another node of the fleet sends; it knows how that goes.
    case elsewhere
}

/// Why a change was not delivered.
package enum PushTrouble: String, CaseIterable, WireWord {
    /// The receiver does not take it: 4xx.
    case rejected
    /// 5xx, a redirect, no usable answer in time.
    case failed
    /// The receiver asks for time: 408, 425, 429.
    case busy
    /// 410.
    case gone
    /// No receiver listens.
    case unreachable
}

/// A change that was put aside after several attempts.
package struct UndeliveredChange: WireObject, Hashable {
    package var subscription: String
    /// Of the change; `GET /v1/changes` has it.
    package var number: Int64
    /// When it was put aside, or last tried again.
    package var since: Instant
    package var attempts: Int64
    package var trouble: PushTrouble
    /// The status of HTTP of the last answer; nil where there was none.
    package var status: Int64?
    /// Whether it is sent again as soon as may be.
    package var isSentAgain: Bool

    package init(
        subscription: String, number: Int64, since: Instant, attempts: Int64,
        trouble: PushTrouble, status: Int64?, isSentAgain: Bool = false
    ) {
        self.subscription = subscription
        self.number = number
        self.since = since
        self.attempts = attempts
        self.trouble = trouble
        self.status = status
        self.isSentAgain = isSentAgain
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        UndeliveredChange(
            subscription: try shape.value("subscription", \.subscription),
            number: try shape.value("number", \.number),
            since: try shape.value("since", \.since),
            attempts: try shape.value("attempts", \.attempts),
            trouble: try shape.value("trouble", \.trouble),
            status: try shape.optional("status", \.status),
            isSentAgain: try shape.value("sent_again", \.isSentAgain))
    }
}

/// The state of one subscription.
package struct PushStanding: WireObject {
    package var subscription: String
    /// As the settings have it; never a secret.
    package var receiver: String
    package var state: PushState
    /// All changes up to this one are delivered, undelivered or filtered; nil before the first
    /// read.
    package var cursor: FeedCursor?
    /// Attempts of this process.
    package var delivered: Int64
    package var failures: Int64
    package var trouble: PushTrouble?
    /// The status of HTTP of the last answer that was no success.
    package var status: Int64?
    /// Since when it has failed.
    package var since: Instant?
    package var nextAttempt: Instant?
    package var undelivered: Int64
    /// Changes of the feed behind `cursor`, wanted or not; nil where that was not asked.
    package var waiting: Int64?
    /// Entitlements in its filter that no policy has ever had; nil for none.
    package var unknownEntitlements: [String]?

    /// Whether something waits to be sent, or was put aside.
    package var isBehind: Bool { undelivered > 0 || state != .idle && waiting ?? 0 > 0 }

    package init(subscription: String, receiver: String) {
        self.subscription = subscription
        self.receiver = receiver
        state = .idle
        delivered = 0
        failures = 0
        undelivered = 0
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var standing = PushStanding(
            subscription: try shape.value("subscription", \.subscription),
            receiver: try shape.value("receiver", \.receiver))
        standing.state = try shape.value("state", \.state)
        standing.cursor = try shape.optional("cursor", \.cursor)
        standing.delivered = try shape.value("delivered", \.delivered)
        standing.failures = try shape.value("failures", \.failures)
        standing.trouble = try shape.optional("trouble", \.trouble)
        standing.status = try shape.optional("status", \.status)
        standing.since = try shape.optional("since", \.since)
        standing.nextAttempt = try shape.optional("next_attempt", \.nextAttempt)
        standing.undelivered = try shape.value("undelivered", \.undelivered)
        standing.waiting = try shape.optional("waiting", \.waiting)
        standing.unknownEntitlements = try shape.optional(
            "unknown_entitlements", \.unknownEntitlements)
        return standing
    }
}

/// `GET /v1/changes/undelivered`: the state of the subscriptions, and the undelivered changes.
package struct UndeliveredList: WireObject {
    package var subscriptions: [PushStanding]
    /// By subscription, then by number.
    package var changes: [UndeliveredChange]
    /// How many are not listed: `after` of the next page is behind those that are.
    package var next: Int64?
    /// The newest discarded changes of each subscription.
    package var discarded: [DiscardedChanges]

    package init(
        subscriptions: [PushStanding], changes: [UndeliveredChange], next: Int64? = nil,
        discarded: [DiscardedChanges] = []
    ) {
        self.subscriptions = subscriptions
        self.changes = changes
        self.next = next
        self.discarded = discarded
    }

    package static var shapeName: String { "UndeliveredChanges" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        UndeliveredList(
            subscriptions: try shape.value("subscriptions", \.subscriptions),
            changes: try shape.value("changes", \.changes),
            next: try shape.optional("next", \.next),
            discarded: try shape.value("discarded", \.discarded))
    }
}

/// Undelivered changes that were discarded: they are never sent.
package struct DiscardedChanges: WireObject, Hashable {
    package var subscription: String
    /// Nil for all that there were.
    package var number: Int64?
    /// How many there were.
    package var changes: Int64
    package var at: Instant
    package var actor: String
    package var reason: String

    package init(
        subscription: String, number: Int64?, changes: Int64, at: Instant, actor: String,
        reason: String
    ) {
        self.subscription = subscription
        self.number = number
        self.changes = changes
        self.at = at
        self.actor = actor
        self.reason = reason
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DiscardedChanges(
            subscription: try shape.value("subscription", \.subscription),
            number: try shape.optional("number", \.number),
            changes: try shape.value("changes", \.changes),
            at: try shape.value("at", \.at), actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/changes/undelivered/resend` and `…/discard`: which changes, and why.
package struct UndeliveredBody: WireObject {
    package var subscription: String
    /// Nil for all that the subscription has put aside.
    package var number: Int64?
    package var reason: Reason

    package static var shapeName: String { "UndeliveredRequest" }

    package init(subscription: String, number: Int64?, reason: Reason) {
        self.subscription = subscription
        self.number = number
        self.reason = reason
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        UndeliveredBody(
            subscription: try shape.value("subscription", \.subscription),
            number: try shape.optional("number", \.number),
            reason: try shape.value("reason", \.reason))
    }
}

/// The changes to send again.
package struct ResendAnswer: WireObject {
    package var subscription: String
    package var changes: Int64

    package init(subscription: String, changes: Int64) {
        self.subscription = subscription
        self.changes = changes
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ResendAnswer(
            subscription: try shape.value("subscription", \.subscription),
            changes: try shape.value("changes", \.changes))
    }
}
