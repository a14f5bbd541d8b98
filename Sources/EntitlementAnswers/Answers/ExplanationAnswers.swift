package import EntitlementModel

/// Why an answer is what it is: the whole tree of spec 1.10.
package struct Explanation: WireObject {
    package var account: AccountID
    /// The account that has what this one had; nil where it was not merged into another.
    package var mergedInto: AccountID?
    package var at: Instant
    /// True where it is told as if something had happened; else nil.
    package var isAssumed: Bool?
    package var answer: Answer
    /// The stretch in which the answer and its reason stay the same.
    package var stretch: Interval
    /// Since when it is yes, or no, whatever the reasons; nil for since ever.
    package var decidedSince: Instant?
    /// The facts that the answer follows from, in the ledger's order.
    package var facts: [FactAnswer]
    /// The units of the account, present and former, whose products give the entitlement.
    package var units: [UnitStanding]
    /// Where a rule asks how long it has paid, of the groups of products that give it.
    package var memberships: [MembershipAnswer]?
    package var grants: [GrantAnswer]
    /// The blocks in effect at the instant.
    package var blocks: [BlockAnswer]
    /// The claims on those units, by whomever.
    package var claims: [ClaimAnswer]
    /// Payments without a claim, on the Apple ID that the question is limited to.
    package var unclaimed: [Finding]
    /// The newest orders of the account for products that give the entitlement.
    package var orders: [AccountOrder]
    package var nearestMiss: NearestMissAnswer

    package init(
        account: AccountID, mergedInto: AccountID?, at: Instant, isAssumed: Bool?,
        answer: Answer, stretch: Interval, facts: [FactAnswer],
        units: [UnitStanding], memberships: [MembershipAnswer]?, grants: [GrantAnswer],
        blocks: [BlockAnswer],
        claims: [ClaimAnswer], unclaimed: [Finding], orders: [AccountOrder],
        nearestMiss: NearestMissAnswer
    ) {
        self.account = account
        self.mergedInto = mergedInto
        self.at = at
        self.isAssumed = isAssumed
        self.answer = answer
        self.stretch = stretch
        self.facts = facts
        self.units = units
        self.memberships = memberships
        self.grants = grants
        self.blocks = blocks
        self.claims = claims
        self.unclaimed = unclaimed
        self.orders = orders
        self.nearestMiss = nearestMiss
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let decidedSince = try shape.optional("decided_since", \.decidedSince)
        var explanation = Explanation(
            account: try shape.value("account", \.account),
            mergedInto: try shape.optional("merged_into", \.mergedInto),
            at: try shape.value("at", \.at),
            isAssumed: try shape.optional("assumed", \.isAssumed),
            answer: try shape.value("answer", \.answer),
            stretch: try shape.value("stretch", \.stretch),
            facts: try shape.value("facts", \.facts), units: try shape.value("units", \.units),
            memberships: try shape.optional("memberships", \.memberships),
            grants: try shape.value("grants", \.grants),
            blocks: try shape.value("blocks", \.blocks),
            claims: try shape.value("claims", \.claims),
            unclaimed: try shape.value("unclaimed", \.unclaimed),
            orders: try shape.value("orders", \.orders),
            nearestMiss: try shape.value("nearest_miss", \.nearestMiss))
        explanation.decidedSince = decidedSince
        return explanation
    }
}

/// How long the account has paid for subscriptions of a group, up to the instant of the question.
package struct MembershipAnswer: WireObject {
    package var group: GroupName
    /// 24 hours each, rounded down.
    package var days: Int64
    /// Nil where it has never paid.
    package var since: Instant?
    /// When it did not, between then and the instant of the question.
    package var gaps: [Interval]

    package init(_ group: GroupName, _ time: MemberTime, at instant: Instant) {
        self.init(
            group: group, days: time.length(until: instant) / 86_400_000,
            since: time.stretches.first.map(\.start).flatMap { $0 <= instant ? $0 : nil },
            gaps: time.gaps(until: instant))
    }

    private init(group: GroupName, days: Int64, since: Instant?, gaps: [Interval]) {
        (self.group, self.days, self.since, self.gaps) = (group, days, since, gaps)
    }

    package static var shapeName: String { "Membership" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        MembershipAnswer(
            group: try shape.value("group", \.group), days: try shape.value("days", \.days),
            since: try shape.nullable("since", \.since), gaps: try shape.value("gaps", \.gaps))
    }
}

/// A unit at the instant of the question.
package struct UnitStanding: WireObject {
    package var unit: OwnedUnit
    package var product: ProductID?
    package var isOwned: Bool
    /// Nil before its first period, and for kinds without states.
    package var state: EntitlementState?
    package var expiryReason: ExpiryReason?
    package var paidUntil: Instant?
    /// What its period was bought with.
    package var offer: Offer?
    /// Of a subscription that runs.
    package var renewal: RenewalOutlook?
    package var owners: [OwnershipSpan]

    package init(
        unit: UnitTimeline, product: ProductID?, isOwned: Bool, state: StateSpan?, offer: Offer?,
        renewal: RenewalOutlook?
    ) {
        self.init(
            unit: unit.unit, product: product, isOwned: isOwned, state: state?.state,
            expiryReason: state?.expiryReason, paidUntil: state?.paidUntil, offer: offer,
            renewal: renewal, owners: unit.owners)
    }

    private init(
        unit: OwnedUnit, product: ProductID?, isOwned: Bool, state: EntitlementState?,
        expiryReason: ExpiryReason?, paidUntil: Instant?, offer: Offer?,
        renewal: RenewalOutlook?, owners: [OwnershipSpan]
    ) {
        self.offer = offer
        self.renewal = renewal
        self.unit = unit
        self.product = product
        self.isOwned = isOwned
        self.state = state
        self.expiryReason = expiryReason
        self.paidUntil = paidUntil
        self.owners = owners
    }

    package static var shapeName: String { "ExplainedUnit" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        UnitStanding(
            unit: try shape.part(\.unit), product: try shape.nullable("product", \.product),
            isOwned: try shape.value("owned", \.isOwned),
            state: try shape.nullable("state", \.state),
            expiryReason: try shape.optional("expiry_reason", \.expiryReason),
            paidUntil: try shape.nullable("paid_until", \.paidUntil),
            offer: try shape.optional("offer", \.offer),
            renewal: try shape.optional("renewal", \.renewal),
            owners: try shape.value("owners", \.owners))
    }
}

/// A fact that an answer follows from, with the evidence that it was read from.
package struct FactAnswer: WireObject {
    package enum Kind: String, WireWord {
        case transaction
        case renewal
        case decision
        case grant
        case grantRevocation = "grant-revocation"
        case block
        /// A lifted freeze of a credit.
        case thaw
        case other
    }

    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var kind = Kind.other
    package var purchase = PurchaseFact()
    package var renewal = RenewalAnswer()
    /// When Apple signed it.
    package var signedAt: Instant?
    package var decision = DecisionFact()
    package var grant: GrantID?
    package var block: BlockID?
    package var action = ActionFact()
    package var evidence: EvidenceNote?

    package init(sequence: LedgerSequence, recordedAt: Instant) {
        self.sequence = sequence
        self.recordedAt = recordedAt
    }

    package static var shapeName: String { "ExplainedFact" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var fact = FactAnswer(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt))
        fact.kind = try shape.value("fact", \.kind)
        fact.purchase = try shape.part(\.purchase)
        fact.renewal = try shape.part(\.renewal)
        fact.signedAt = try shape.optional("signed_at", \.signedAt)
        fact.decision = try shape.part(\.decision)
        fact.grant = try shape.optional("grant", \.grant)
        fact.block = try shape.optional("block", \.block)
        fact.action = try shape.part(\.action)
        fact.evidence = try shape.optional("evidence", \.evidence)
        return fact
    }
}

/// What Apple said of a transaction.
package struct PurchaseFact: WireObject, Hashable {
    package var transaction: TransactionID?
    package var product: ProductID?
    package var purchasedAt: Instant?
    /// Written as null for what never expires.
    package var expiresAt: OrNull<Instant>?
    package var revokedAt: Instant?
    package var revocationType: String?
    package var ownership: String?
    /// Of the app itself, as Apple wrote it.
    package var firstVersion: String?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let transaction = try shape.optional("transaction", \.transaction)
        return PurchaseFact(
            transaction: transaction, product: try shape.optional("product", \.product),
            purchasedAt: try shape.optional("purchased_at", \.purchasedAt),
            expiresAt: try shape.optional("expires_at", \.expiresAt),
            revokedAt: try shape.optional("revoked_at", \.revokedAt),
            revocationType: try shape.optional("revocation_type", \.revocationType),
            ownership: try shape.optional("ownership", \.ownership),
            firstVersion: try shape.optional("first_version", \.firstVersion))
    }
}

extension PurchaseFact {
    package init(_ snapshot: TransactionSnapshot) {
        self.init(
            transaction: snapshot.transactionID, product: snapshot.productID,
            purchasedAt: snapshot.purchaseDate, expiresAt: OrNull(snapshot.expiresDate),
            revokedAt: snapshot.revocation?.date,
            revocationType: snapshot.revocation?.type?.known?.rawValue,
            ownership: snapshot.ownership.word, firstVersion: snapshot.firstVersion)
    }
}

/// What Apple said of the renewals to come.
package struct RenewalAnswer: WireObject {
    package var lineage: TransactionID?
    package var willRenew: Bool?
    package var isRetrying: Bool?
    package var graceUntil: Instant?
    /// The product it renews as, if that is another one, and its price.
    package var next: ProductID?
    package var price: PriceAnswer?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let lineage = try shape.optional("lineage", \.lineage)
        return RenewalAnswer(
            lineage: lineage, willRenew: try shape.optional("auto_renew", \.willRenew),
            isRetrying: try shape.optional("billing_retry", \.isRetrying),
            graceUntil: try shape.optional("grace_until", \.graceUntil),
            next: try shape.optional("renews_as", \.next),
            price: try shape.optional("renewal_price", \.price))
    }
}

extension RenewalAnswer {
    package init(_ snapshot: RenewalSnapshot) {
        self.init(
            lineage: snapshot.originalTransactionID, willRenew: snapshot.autoRenewStatus,
            isRetrying: snapshot.isInBillingRetryPeriod,
            graceUntil: snapshot.gracePeriodExpiresDate,
            next: snapshot.autoRenewProductID == snapshot.productID
                ? nil : snapshot.autoRenewProductID,
            price: snapshot.renewalPrice.map(PriceAnswer.init))
    }
}

/// A decision, with its claim, ruling or merge.
package struct DecisionFact: WireObject {
    package var outcome: ClaimOutcome?
    package var rule: RuleReference?
    package var ownersAfter: [AccountID]?
    package var claim: LedgerSequence?
    package var account: AccountID?
    package var ruling: LedgerSequence?
    package var verb: Ruling.Verb?
    package var merge: LedgerSequence?
    package var from: AccountID?
    package var into: AccountID?
    package var undoes: LedgerSequence?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DecisionFact(
            outcome: try shape.optional("outcome", \.outcome),
            rule: try shape.optional("rule", \.rule),
            ownersAfter: try shape.optional("owners_after", \.ownersAfter),
            claim: try shape.optional("claim", \.claim),
            account: try shape.optional("account", \.account),
            ruling: try shape.optional("ruling", \.ruling),
            verb: try shape.optional("verb", \.verb),
            merge: try shape.optional("merge", \.merge),
            from: try shape.optional("from", \.from), into: try shape.optional("into", \.into),
            undoes: try shape.optional("undoes", \.undoes))
    }
}

/// Who did something, and why.
package struct ActionFact: WireObject {
    package var actor: String?
    package var reason: String?

    package init(actor: String? = nil, reason: String? = nil) {
        self.actor = actor
        self.reason = reason
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ActionFact(
            actor: try shape.optional("actor", \.actor),
            reason: try shape.optional("reason", \.reason))
    }
}

/// The evidence that a fact was read from.
package struct EvidenceNote: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var kind: EvidenceKind
    package var sha256: Digest256
    package var judgedAt: Instant

    package init(_ evidence: Recorded<EvidenceRecord>) {
        self.init(
            sequence: evidence.sequence, recordedAt: evidence.recordedAt,
            kind: evidence.value.kind, sha256: evidence.value.digest,
            judgedAt: evidence.value.judgedAt)
    }

    private init(
        sequence: LedgerSequence, recordedAt: Instant, kind: EvidenceKind, sha256: Digest256,
        judgedAt: Instant
    ) {
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.kind = kind
        self.sha256 = sha256
        self.judgedAt = judgedAt
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EvidenceNote(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            kind: try shape.value("kind", \.kind), sha256: try shape.value("sha256", \.sha256),
            judgedAt: try shape.value("judged_at", \.judgedAt))
    }
}

/// The smallest thing that would change the answer.
package struct NearestMissAnswer: WireObject, Equatable {
    package enum Change: String, WireWord {
        case time
        case liftBlock = "lift-block"
        case approveClaim = "approve-claim"
        /// Rule for a claim that was denied: it belongs to others.
        case transferClaim = "transfer-claim"
        /// A grant that has ended, or was ended, is extended.
        case extendGrant = "extend-grant"
        /// One more period of a lineage.
        case renew
        case reverseRefund = "reverse-refund"
        /// The purchaser's family has it again.
        case shareAgain = "share-again"
        /// The company that bought seats assigns one again.
        case assignAgain = "assign-again"
        case buy
        case refund
        case revokeGrant = "revoke-grant"
        case block
        /// Nothing that is sold gives it: the policy would have to change.
        case policy
        /// Nothing: another account has what this one had.
        case merged
    }

    package var change: Change
    /// The one that this account was merged into.
    package var account: AccountID?
    package var at: Instant?
    package var block: BlockID?
    package var claim: LedgerSequence?
    package var grant: GrantID?
    package var lineage: TransactionID?
    package var product: ProductID?
    package var transaction: TransactionID?
    /// The answer in that case.
    package var decision: Bool

    package init(
        _ change: Change, decision: Bool = true, account: AccountID? = nil, at: Instant? = nil,
        block: BlockID? = nil,
        claim: LedgerSequence? = nil, grant: GrantID? = nil, lineage: TransactionID? = nil,
        product: ProductID? = nil, transaction: TransactionID? = nil
    ) {
        self.change = change
        self.account = account
        self.decision = decision
        self.at = at
        self.block = block
        self.claim = claim
        self.grant = grant
        self.lineage = lineage
        self.product = product
        self.transaction = transaction
    }

    package static var shapeName: String { "NearestMiss" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        var answer = NearestMissAnswer(
            try shape.value("change", \.change),
            account: try shape.optional("account", \.account),
            at: try shape.optional("at", \.at), block: try shape.optional("block", \.block),
            claim: try shape.optional("claim", \.claim),
            grant: try shape.optional("grant", \.grant),
            lineage: try shape.optional("lineage", \.lineage),
            product: try shape.optional("product", \.product),
            transaction: try shape.optional("transaction", \.transaction))
        answer.decision = try shape.value("decision", \.decision)
        return answer
    }
}
