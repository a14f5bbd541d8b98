package import EntitlementDerivation
package import EntitlementModel

extension RefundRule.Answer: WireWord {}
extension RefundState: WireWord {}
extension RefundDecision: WireWord {}
extension RefundObstacle: WireWord {}
extension RefundNote: WireWord {}
extension RefundAnswer.Outcome: WireWord {}
extension RefundStatement.Delivery: WireWord {}
extension RefundStatement.Preference: WireWord {}

/// A refund request: `GET /v1/refunds/requests/{request}`.
package struct RefundRequestAnswer: WireObject {
    package var request: LedgerSequence
    package var state: RefundState
    package var decision: RefundDecision?
    package var environment: StoreEnvironment
    package var transaction: TransactionID?
    package var product: ProductID?
    package var kind: ProductKind?
    package var account: AccountID?
    package var purchasedAt: Instant?
    package var price: PriceAnswer?
    /// Apple's `consumptionRequestReason`.
    package var reason: String?
    package var askedAt: Instant
    /// Apple takes no answer from here on.
    package var dueAt: Instant
    package var hasConsented = false
    /// Which rule decides, or has decided.
    package var rule: RuleReference?
    /// The rule's word.
    package var answer: RefundRule.Answer?
    /// How much was used when Apple asked, in thousandths of a percent.
    package var consumed: Int64?
    /// The statement to Apple, sent or to be sent, or as it would be with the customer's consent.
    package var statement: RefundStatementAnswer?
    package var notes: [RefundNoteAnswer] = []
    /// Why nothing may be sent.
    package var obstacle: RefundObstacleAnswer?
    /// By this process.
    package var attempts: Int64 = 0
    package var nextAttempt: Instant?
    package var failure: TicketFailure?
    package var answered: RefundAnsweredAnswer?
    /// Since when `statement` is final, which Apple may have received; only until it is answered.
    package var begun: RefundAnsweredAnswer?

    package init(
        request: LedgerSequence, state: RefundState, environment: StoreEnvironment,
        askedAt: Instant, dueAt: Instant, rule: RuleReference?
    ) {
        self.request = request
        self.state = state
        self.environment = environment
        self.askedAt = askedAt
        self.dueAt = dueAt
        self.rule = rule
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let request = try shape.value("request", \.request)
        let state = try shape.value("state", \.state)
        let decision = try shape.optional("decision", \.decision)
        let environment = try shape.value("environment", \.environment)
        let transaction = try shape.optional("transaction_id", \.transaction)
        var answer = RefundRequestAnswer(
            request: request, state: state, environment: environment,
            askedAt: try shape.value("asked_at", \.askedAt),
            dueAt: try shape.value("due_at", \.dueAt),
            rule: try shape.optional("rule", \.rule))
        answer.decision = decision
        answer.transaction = transaction
        answer.product = try shape.optional("product", \.product)
        answer.kind = try shape.optional("kind", \.kind)
        answer.account = try shape.optional("account", \.account)
        answer.purchasedAt = try shape.optional("purchased_at", \.purchasedAt)
        answer.price = try shape.optional("price", \.price)
        answer.reason = try shape.optional("reason", \.reason)
        answer.hasConsented = try shape.value("consented", \.hasConsented)
        answer.answer = try shape.optional("then", \.answer)
        answer.consumed = try shape.optional("consumed", \.consumed)
        answer.statement = try shape.optional("statement", \.statement)
        answer.notes = try shape.value("notes", \.notes)
        answer.obstacle = try shape.optional("obstacle", \.obstacle)
        answer.attempts = try shape.value("attempts", \.attempts)
        answer.nextAttempt = try shape.optional("next_attempt", \.nextAttempt)
        answer.failure = try shape.optional("failure", \.failure)
        answer.answered = try shape.optional("answered", \.answered)
        answer.begun = try shape.optional("begun", \.begun)
        return answer
    }
}

/// The statement to Apple besides the customer's consent, in Apple's words.
package struct RefundStatementAnswer: WireObject {
    package var statement: RefundStatement

    package init(_ statement: RefundStatement) {
        self.statement = statement
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let delivery = try shape.value("delivery_status", \.statement.delivery)
        let hadSample = try shape.value("sample_content_provided", \.statement.hadSample)
        let preference = try shape.value("refund_preference", \.statement.preference)
        let consumed = try shape.optional("consumption_percentage", \.statement.consumed)
        let isFirst = try shape.value("first_version", \.statement.isFirstVersion)
        return RefundStatementAnswer(
            RefundStatement(
                delivery: delivery, hadSample: hadSample, preference: preference,
                consumed: consumed, isFirstVersion: isFirst,
                token: try shape.optional("app_account_token", \.statement.token)))
    }
}

/// Why a statement differs from the rule's.
package struct RefundNoteAnswer: WireObject {
    package var note: RefundNote

    package init(_ note: RefundNote) {
        self.note = note
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let note = RefundNoteAnswer(try shape.value("code", \.note))
        // Follows from the code.
        _ = try shape.value("text") { Title($0.note) }
        return note
    }
}

/// Why Apple gets no answer.
package struct RefundObstacleAnswer: WireObject {
    package var obstacle: RefundObstacle

    package init(_ obstacle: RefundObstacle) {
        self.obstacle = obstacle
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let obstacle = RefundObstacleAnswer(try shape.value("code", \.obstacle))
        // Follows from the code.
        _ = try shape.value("text") { Title($0.obstacle) }
        return obstacle
    }
}

/// That a request was answered, as the ledger has it.
package struct RefundAnsweredAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var outcome: RefundAnswer.Outcome
    package var policy: Digest256?
    /// Why Apple rejects it, and Apple's own number for it.
    package var code: String?
    package var status: Int64?
    package var actor: String?
    package var reason: String?

    package init(_ answer: Recorded<RefundAnswer>) {
        sequence = answer.sequence
        recordedAt = answer.recordedAt
        outcome = answer.value.outcome
        policy = answer.value.policy
        code = answer.value.code
        status = answer.value.status
        actor = answer.value.actor
        reason = answer.value.reason
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let sequence = try shape.value("sequence", \.sequence)
        let recordedAt = try shape.value("recorded_at", \.recordedAt)
        let answer = RefundAnswer(
            request: .zero, outcome: try shape.value("outcome", \.outcome),
            policy: try shape.optional("policy", \.policy),
            code: try shape.optional("code", \.code),
            status: try shape.optional("status", \.status),
            actor: try shape.optional("actor", \.actor),
            reason: try shape.optional("reason", \.reason))
        return RefundAnsweredAnswer(
            Recorded(sequence: sequence, recordedAt: recordedAt, value: answer))
    }
}

/// `GET /v1/refunds/requests`.
package struct RefundRequestList: WireObject {
    package var at: Instant
    /// Whether this service sends answers to Apple.
    package var sends: Bool
    package var requests: [RefundRequestAnswer]
    /// The `after` of the next page; nil at the end.
    package var next: LedgerSequence?
    package var revision: LedgerSequence

    package init(
        at: Instant, sends: Bool, requests: [RefundRequestAnswer], next: LedgerSequence?,
        revision: LedgerSequence
    ) {
        self.at = at
        self.sends = sends
        self.requests = requests
        self.next = next
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RefundRequestList(
            at: try shape.value("at", \.at), sends: try shape.value("sends", \.sends),
            requests: try shape.value("requests", \.requests),
            next: try shape.nullable("next", \.next),
            revision: try shape.value("revision", \.revision))
    }
}

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
