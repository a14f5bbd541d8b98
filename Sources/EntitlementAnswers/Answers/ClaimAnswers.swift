package import EntitlementModel

/// The state of a claim, in one word for programs.
package enum ClaimStanding: String, WireWord, Hashable {
    case accepted
    case alreadyOwned = "already-owned"
    /// By a person.
    case approved
    case kept
    case cooldown
    case limit
    case denied
    case waiting
    case token
    case ownedByOther = "owned-by-other"
    case accountClosed = "account-closed"
    case unknownTransaction = "unknown-transaction"

    package init(_ outcome: ClaimOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .alreadyOwned: self = .alreadyOwned
        case .denied(.kept): self = .kept
        case .denied(.cooldown): self = .cooldown
        case .denied(.limit): self = .limit
        case .denied(.denied): self = .denied
        case .denied(.waiting): self = .waiting
        case .denied(.token): self = .token
        case .denied(.ownedByOther): self = .ownedByOther
        case .denied(.accountClosed): self = .accountClosed
        }
    }
}

/// A claim with what became of it so far.
package struct ClaimAnswer: WireObject {
    package var claim: LedgerSequence
    package var recordedAt: Instant
    package var account: AccountID
    package var environment: StoreEnvironment
    package var transaction: TransactionID
    package var moment: ClaimMoment
    package var order: OrderID?
    package var outcome: ClaimStanding
    /// The newest decision on it; nil for a claim whose transaction was not known yet.
    package var decision: DecisionAnswer?
    package var approval: Ending?
    /// The decision by which the purchase has changed owners since; nil while this one stands.
    package var supersededBy: LedgerSequence?

    package init(
        _ claim: Recorded<Claim>, outcome: ClaimStanding, decision: DecisionAnswer?,
        approval: Ending?, supersededBy: LedgerSequence? = nil
    ) {
        self.init(
            claim: claim.sequence, recordedAt: claim.recordedAt, account: claim.value.account,
            environment: claim.value.transaction.environment,
            transaction: claim.value.transaction.transactionID, moment: claim.value.moment,
            order: claim.value.order, outcome: outcome, decision: decision, approval: approval)
        self.supersededBy = supersededBy
    }

    private init(
        claim: LedgerSequence, recordedAt: Instant, account: AccountID,
        environment: StoreEnvironment, transaction: TransactionID, moment: ClaimMoment,
        order: OrderID?, outcome: ClaimStanding, decision: DecisionAnswer?, approval: Ending?
    ) {
        self.claim = claim
        self.recordedAt = recordedAt
        self.account = account
        self.environment = environment
        self.transaction = transaction
        self.moment = moment
        self.order = order
        self.outcome = outcome
        self.decision = decision
        self.approval = approval
    }

    package static var shapeName: String { "ClaimRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var claim = ClaimAnswer(
            claim: try shape.value("claim", \.claim),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            transaction: try shape.value("transaction", \.transaction),
            moment: try shape.value("moment", \.moment),
            order: try shape.optional("order", \.order),
            outcome: try shape.value("outcome", \.outcome),
            decision: try shape.optional("decision", \.decision),
            approval: try shape.optional("approval", \.approval))
        claim.supersededBy = try shape.optional("superseded_by", \.supersededBy)
        return claim
    }
}

/// When, by whom and why something was ended or approved.
package struct Ending: WireObject, Hashable {
    package var at: Instant
    package var actor: String
    package var reason: String

    package init(at: Instant, actor: String, reason: String) {
        self.at = at
        self.actor = actor
        self.reason = reason
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        Ending(
            at: try shape.value("at", \.at), actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason))
    }
}

/// Who owns a unit, and why.
package struct DecisionAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var unit: OwnedUnit
    package var outcome: ClaimOutcome
    package var rule: RuleReference
    package var policy: Digest256
    package var ownersBefore: [AccountID]
    package var ownersAfter: [AccountID]
    /// Nil for always.
    package var from: Instant?

    package static var shapeName: String { "OwnershipDecision" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DecisionAnswer(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            unit: try shape.part(\.unit), outcome: try shape.value("outcome", \.outcome),
            rule: try shape.value("rule", \.rule), policy: try shape.value("policy", \.policy),
            ownersBefore: try shape.value("owners_before", \.ownersBefore),
            ownersAfter: try shape.value("owners_after", \.ownersAfter),
            from: try shape.nullable("from", \.from))
    }
}

extension DecisionAnswer {
    package init(_ decision: Recorded<OwnershipDecision>) {
        let value = decision.value
        self.init(
            sequence: decision.sequence, recordedAt: decision.recordedAt, unit: value.unit,
            outcome: value.outcome, rule: value.rule, policy: value.policy,
            ownersBefore: value.ownersBefore, ownersAfter: value.ownersAfter,
            from: value.from == .distantPast ? nil : value.from)
    }
}

/// `GET /v1/claims?state=waiting`: in the ledger's order.
package struct ClaimList: WireObject {
    package var claims: [ClaimAnswer]
    /// The `after` of the next page; nil at the end.
    package var next: LedgerSequence?
    package var revision: LedgerSequence

    package init(claims: [ClaimAnswer], next: LedgerSequence? = nil, revision: LedgerSequence) {
        self.claims = claims
        self.next = next
        self.revision = revision
    }

    package static var shapeName: String { "Claims" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ClaimList(
            claims: try shape.value("claims", \.claims),
            next: try shape.nullable("next", \.next),
            revision: try shape.value("revision", \.revision))
    }
}

/// A claim that the policy in force would decide otherwise today, and the ruling that applies it
/// (spec 1.6).
package struct ReviewedClaim: WireObject {
    package var claim: ClaimAnswer
    package var today: TodaysOutcome
    /// Nil where a person would be asked, which a person who reads this is already.
    package var ruling: Ruling.Verb?
    /// The command that applies it.
    package var command: String?

    package init(_ claim: ClaimAnswer, today: TodaysOutcome, ruling: Ruling.Verb?) {
        let decision = claim.decision.map { " --decision \($0.sequence)" } ?? ""
        self.init(
            claim: claim, today: today, ruling: ruling,
            command: ruling.map { verb in
                "usher claims \(verb.rawValue) \(claim.claim)"
                    + (verb == .undo ? decision : "") + " --reason '…'"
            })
    }

    private init(
        claim: ClaimAnswer, today: TodaysOutcome, ruling: Ruling.Verb?, command: String?
    ) {
        self.claim = claim
        self.today = today
        self.ruling = ruling
        self.command = command
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReviewedClaim(
            claim: try shape.value("claim", \.claim), today: try shape.value("today", \.today),
            ruling: try shape.optional("ruling", \.ruling),
            command: try shape.optional("command", \.command))
    }
}

/// What would be decided on a claim today.
package struct TodaysOutcome: WireObject {
    package var outcome: ClaimStanding
    package var rule: RuleReference
    package var ownersAfter: [AccountID]

    package init(outcome: ClaimStanding, rule: RuleReference, ownersAfter: [AccountID]) {
        self.outcome = outcome
        self.rule = rule
        self.ownersAfter = ownersAfter
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        TodaysOutcome(
            outcome: try shape.value("outcome", \.outcome),
            rule: try shape.value("rule", \.rule),
            ownersAfter: try shape.value("owners_after", \.ownersAfter))
    }
}

/// `GET /v1/claims/review`: by Apple ID, each Apple ID on one page.
package struct ClaimReviewPage: WireObject {
    package var at: Instant
    package var policy: Digest256
    package var claims: [ReviewedClaim]
    /// On the first page of a ledger that older rules have written.
    package var leftByOlderRules: [LostOrder]?
    /// The `after` of the next page; nil at the end.
    package var next: LedgerSequence?
    package var revision: LedgerSequence

    package init(
        at: Instant, policy: Digest256, claims: [ReviewedClaim], leftByOlderRules: [LostOrder]?,
        next: LedgerSequence?, revision: LedgerSequence
    ) {
        self.at = at
        self.policy = policy
        self.claims = claims
        self.leftByOlderRules = leftByOlderRules
        self.next = next
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ClaimReviewPage(
            at: try shape.value("at", \.at), policy: try shape.value("policy", \.policy),
            claims: try shape.value("claims", \.claims),
            leftByOlderRules: try shape.optional("left_by_older_rules", \.leftByOlderRules),
            next: try shape.nullable("next", \.next),
            revision: try shape.value("revision", \.revision))
    }
}
