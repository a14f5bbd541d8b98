package import EntitlementModel

/// The rule that decided.
extension RuleReference: WireObject {
    package static var shapeName: String { "Rule" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RuleReference(
            name: try shape.value("name", \.name), file: try shape.value("file", \.file),
            line: Int(clamping: try shape.value("line") { Int64($0.line) }))
    }
}

/// The source of a right: a purchase, or a grant.
package struct SourceAnswer: WireObject {
    package var product: ProductID?
    package var transaction: TransactionID?
    package var lineage: TransactionID?
    package var grant: GrantID?

    package init(_ source: RightSource) {
        switch source {
        case .grant(let id): grant = id
        case .purchase(let product, let transaction, let lineage):
            self.product = product
            self.transaction = transaction.transactionID
            self.lineage = lineage.originalTransactionID
        }
    }

    private init(
        product: ProductID?, transaction: TransactionID?, lineage: TransactionID?, grant: GrantID?
    ) {
        self.product = product
        self.transaction = transaction
        self.lineage = lineage
        self.grant = grant
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        SourceAnswer(
            product: try shape.optional("product", \.product),
            transaction: try shape.optional("transaction", \.transaction),
            lineage: try shape.optional("lineage", \.lineage),
            grant: try shape.optional("grant", \.grant))
    }

    fileprivate func source(in environment: StoreEnvironment) -> RightSource? {
        if let grant { return .grant(grant) }
        guard let product, let transaction, let lineage else { return nil }
        return .purchase(
            product: product, transaction: TransactionKey(environment, transaction),
            lineage: LineageKey(environment, lineage))
    }
}

/// One answer of `GET …/entitlements/{entitlement}` (spec 1.10). query.sock writes the same bytes
/// from what it keeps packed.
extension Answer: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let isAssumed = try shape.optional("assumed", \.isAssumed)
        let entitlement = try shape.value("entitlement", \.entitlement)
        let environment = try shape.value("environment", \.environment)
        return Answer(
            entitlement: entitlement, environment: environment,
            decision: try shape.value("decision", \.decision),
            state: try shape.nullable("state", \.state),
            expiryReason: try shape.optional("expiry_reason", \.expiryReason),
            until: try shape.nullable("until", \.until),
            paidUntil: try shape.nullable("paid_until", \.paidUntil),
            willRenew: try shape.nullable("will_renew", \.willRenew),
            source: try shape.nullable("source") { $0.source.map(SourceAnswer.init) }?
                .source(in: environment),
            rule: try shape.value("rule", \.rule), policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision), isAssumed: isAssumed)
    }
}

/// The question of an answer, and what was known: with the policy and the rules, all that it
/// follows from (spec 1.10, `replayable`).
package struct AskedAs: WireObject {
    package var account: AccountID
    /// Of a question about one Apple ID only.
    package var appleID: AppleIDKey?
    package var at: Instant
    package var revision: LedgerSequence
    package var policy: Digest256

    package init(
        account: AccountID, appleID: AppleIDKey?, at: Instant, revision: LedgerSequence,
        policy: Digest256
    ) {
        (self.account, self.appleID, self.at) = (account, appleID, at)
        (self.revision, self.policy) = (revision, policy)
    }

    package static var shapeName: String { "AsOf" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AskedAs(
            account: try shape.value("account", \.account),
            appleID: try shape.optional("apple_id", \.appleID), at: try shape.value("at", \.at),
            revision: try shape.value("revision", \.revision),
            policy: try shape.value("policy", \.policy))
    }
}

/// What an answer has besides, by which it can be made again.
package struct Replay: WireObject {
    /// Nil where nobody asked for it.
    package var asOf: AskedAs?
    /// `DerivationRules.version` of the program that answered.
    package var rules: Int64?

    /// Nothing.
    package init() {}

    package init(_ asOf: AskedAs) {
        (self.asOf, rules) = (asOf, DerivationRules.version)
    }

    private init(asOf: AskedAs?, rules: Int64?) {
        (self.asOf, self.rules) = (asOf, rules)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        Replay(
            asOf: try shape.optional("as_of", \.asOf), rules: try shape.optional("rules", \.rules))
    }
}

/// One answer, perhaps with what makes it again.
package struct ReplayableAnswer: WireObject {
    package var answer: Answer
    package var replay: Replay

    package init(_ answer: Answer, _ replay: Replay = Replay()) {
        (self.answer, self.replay) = (answer, replay)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReplayableAnswer(try shape.part(\.answer), try shape.part(\.replay))
    }
}

/// What all lists of an environment say of themselves.
package struct ListFrame: WireObject {
    package var environment: StoreEnvironment
    package var at: Instant
    package var revision: LedgerSequence

    package init(environment: StoreEnvironment, at: Instant, revision: LedgerSequence) {
        self.environment = environment
        self.at = at
        self.revision = revision
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ListFrame(
            environment: try shape.value("environment", \.environment),
            at: try shape.value("at", \.at),
            revision: try shape.value("revision", \.revision))
    }
}

/// `GET …/accounts/{account}/entitlements`.
package struct AccountRights: WireObject {
    package var isAssumed: Bool?
    package var account: AccountID
    package var frame: ListFrame
    package var entitlements: [Answer]
    package var replay: Replay

    package init(
        isAssumed: Bool? = nil, account: AccountID, frame: ListFrame, entitlements: [Answer],
        replay: Replay = Replay()
    ) {
        self.isAssumed = isAssumed
        (self.account, self.frame) = (account, frame)
        (self.entitlements, self.replay) = (entitlements, replay)
    }

    package static var shapeName: String { "Rights" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AccountRights(
            isAssumed: try shape.optional("assumed", \.isAssumed),
            account: try shape.value("account", \.account), frame: try shape.part(\.frame),
            entitlements: try shape.value("entitlements", \.entitlements),
            replay: try shape.part(\.replay))
    }
}

/// `GET …/apple-ids/{key}/entitlements`.
package struct AppleIDRights: WireObject {
    package var isAssumed: Bool?
    /// Its present name; nil where no fact knows it.
    package var appleID: AppleIDKey?
    package var frame: ListFrame
    package var entitlements: [Answer]

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AppleIDRights(
            isAssumed: try shape.optional("assumed", \.isAssumed),
            appleID: try shape.nullable("apple_id", \.appleID), frame: try shape.part(\.frame),
            entitlements: try shape.value("entitlements", \.entitlements))
    }
}

/// `GET …/accounts/{account}/credits`.
package struct AccountCredits: WireObject {
    package var isAssumed: Bool?
    package var account: AccountID
    package var frame: ListFrame
    package var balances: [CreditBalance]

    package init(
        isAssumed: Bool? = nil, account: AccountID, frame: ListFrame, balances: [CreditBalance]
    ) {
        self.isAssumed = isAssumed
        self.account = account
        self.frame = frame
        self.balances = balances
    }

    package static var shapeName: String { "Credits" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AccountCredits(
            isAssumed: try shape.optional("assumed", \.isAssumed),
            account: try shape.value("account", \.account), frame: try shape.part(\.frame),
            balances: try shape.value("balances", \.balances))
    }
}

/// One balance at an instant, and the entries that make it.
package struct CreditBalance: WireObject {
    package var credit: CreditName
    /// The spendable amount, unless it is frozen.
    package var balance: Int128
    /// The amount in holds, not part of the balance.
    package var held: Int128
    /// Whether a refund keeps it from being spent until a person lifts that.
    package var isFrozen: Bool
    /// What lapses when, unless it is spent before; nil if nothing does.
    package var lapses: [CreditLapse]?
    package var entries: [CreditEntry]

    package init(credit: CreditName, timeline: CreditTimeline, at instant: Instant) {
        self.credit = credit
        balance = timeline.balance(at: instant)
        held = timeline.held(at: instant)
        isFrozen = timeline.isFrozen(at: instant)
        lapses = timeline.lapses(after: instant).nonEmpty
        entries = timeline.entries.prefix { $0.occurredAt <= instant }.map(CreditEntry.init)
    }

    private init(
        credit: CreditName, balance: Int128, held: Int128, isFrozen: Bool,
        lapses: [CreditLapse]?, entries: [CreditEntry]
    ) {
        self.credit = credit
        self.balance = balance
        self.held = held
        self.isFrozen = isFrozen
        self.lapses = lapses
        self.entries = entries
    }

    package static var shapeName: String { "Balance" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditBalance(
            credit: try shape.value("credit", \.credit),
            balance: try shape.value("balance", \.balance),
            held: try shape.value("held", \.held),
            isFrozen: try shape.value("frozen", \.isFrozen),
            lapses: try shape.optional("lapses", \.lapses),
            entries: try shape.value("entries", \.entries))
    }
}

/// What changed a balance.
package struct CreditEntry: WireObject {
    package var at: Instant
    package var units: Int64
    package var cause: CreditTimeline.Entry.Cause
    package var transaction: TransactionID?
    package var grant: GrantID?
    /// The entry of the spend, the hold or its end, or the reversal.
    package var action: LedgerSequence?
    /// What a subscription delivered them for.
    package var period: Interval?

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditEntry(
            at: try shape.value("at", \.at), units: try shape.value("units", \.units),
            cause: try shape.value("cause", \.cause),
            transaction: try shape.nullable("transaction", \.transaction),
            grant: try shape.nullable("grant", \.grant),
            action: try shape.optional("action", \.action),
            period: try shape.optional("period", \.period))
    }
}

extension CreditLapse: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditLapse(
            at: try shape.value("at", \.at), units: try shape.value("units", \.units))
    }
}

extension CreditEntry {
    fileprivate init(_ entry: CreditTimeline.Entry) {
        self.init(
            at: entry.occurredAt, units: entry.units, cause: entry.cause,
            transaction: entry.transaction?.transactionID, grant: entry.grant,
            action: entry.action, period: entry.period)
    }
}
