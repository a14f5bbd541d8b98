package import EntitlementModel

/// The kind of answer that Apple gets.
package enum RefundAnswerWord: String, CaseIterable, WireWord, Sendable {
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
    case decline = "DECLINE"
    case nothing
}

/// How many requests get one answer.
package struct RefundAnswerCount: WireObject {
    package var answer: RefundAnswerWord
    package var count: Int64
    /// Of these, those whose customers have not consented: they get nothing yet.
    package var withoutConsent: Int64
    /// The total of their prices, by currency, as far as known.
    package var amounts: [PriceAnswer]

    package init(
        answer: RefundAnswerWord, count: Int64, withoutConsent: Int64, amounts: [PriceAnswer]
    ) {
        self.answer = answer
        self.count = count
        self.withoutConsent = withoutConsent
        self.amounts = amounts
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RefundAnswerCount(
            answer: try shape.value("answer", \.answer),
            count: try shape.value("count", \.count),
            withoutConsent: try shape.value("without_consent", \.withoutConsent),
            amounts: try shape.value("amounts", \.amounts))
    }
}

/// `GET /v1/refunds/preview`: what a policy would have answered to all requests of the ledger.
package struct RefundPreview: WireObject {
    package var at: Instant
    package var policy: Digest256
    /// The newest, in the ledger's order.
    package var requests: [RefundRequestAnswer]
    /// The `after` of the page with those before them; nil where there are none.
    package var next: LedgerSequence?
    /// Of all of them.
    package var counts: [RefundAnswerCount]
    package var revision: LedgerSequence

    package init(
        at: Instant, policy: Digest256, requests: [RefundRequestAnswer],
        next: LedgerSequence?, counts: [RefundAnswerCount], revision: LedgerSequence
    ) {
        self.at = at
        self.policy = policy
        self.requests = requests
        self.next = next
        self.counts = counts
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RefundPreview(
            at: try shape.value("at", \.at), policy: try shape.value("policy", \.policy),
            requests: try shape.value("requests", \.requests),
            next: try shape.nullable("next", \.next),
            counts: try shape.value("counts", \.counts),
            revision: try shape.value("revision", \.revision))
    }
}

/// `POST /v1/accounts/{account}/refund-consent`.
package struct RefundConsentBody: WireObject {
    package var hasConsented: Bool
    package var reason: Reason

    package init(hasConsented: Bool, reason: Reason) {
        self.hasConsented = hasConsented
        self.reason = reason
    }

    package static var shapeName: String { "RefundConsentRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RefundConsentBody(
            hasConsented: try shape.value("consented", \.hasConsented),
            reason: try shape.value("reason", \.reason))
    }
}

/// The customer's consent to telling Apple about consumption: the account's last statement.
package struct RefundConsentAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var consent: RefundConsent

    package init(_ consent: Recorded<RefundConsent>) {
        sequence = consent.sequence
        recordedAt = consent.recordedAt
        self.consent = consent.value
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let sequence = try shape.value("sequence", \.sequence)
        let recordedAt = try shape.value("recorded_at", \.recordedAt)
        let consent = RefundConsent(
            account: try shape.value("account", \.consent.account),
            isGiven: try shape.value("consented", \.consent.isGiven),
            actor: try shape.value("actor", \.consent.actor),
            reason: try shape.value("reason", \.consent.reason))
        return RefundConsentAnswer(
            Recorded(sequence: sequence, recordedAt: recordedAt, value: consent))
    }
}

extension RefundStatement {
    /// The same in Apple's numbers of the first version, by Apple's names; unknown values are not
    /// stated (spec 1.12).
    package var firstVersion: [(name: String, number: Int64)] {
        let used: Int64 = consumed.map { $0 == 0 ? 1 : $0 < 100_000 ? 2 : 3 } ?? 0
        return [
            ("consumptionStatus", used), ("deliveryStatus", delivery == .delivered ? 0 : 5),
            ("refundPreference", preference == .decline ? 2 : 1),
        ]
    }
}
