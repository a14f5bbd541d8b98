package import EntitlementModel

/// What became of genuine evidence: `POST /v1/evidence` and `POST /v1/notifications`.
package struct EvidenceAnswer: WireObject {
    package enum Verdict: String, WireWord {
        case judged
    }

    package var kind: EvidenceKind
    package var revision: LedgerSequence
    package var transactions: [TransactionAnswer]
    package var quarantined: [QuarantineAnswer]
    /// Why the order that was named with it was not used; the evidence is recorded all the same.
    package var orderProblem: String?
    /// An account was given, and evidence of this kind is never claimed for one.
    package var isAccountUnused: Bool
    /// What Apple is asked about it; nil where nothing is.
    package var ticket: LedgerSequence?
    /// Apple was to be asked, and is not: no client is configured, or too much waits.
    package var isAppleNotAsked = false
    package var mergedInto: AccountID?
    package var account: AccountID?
    /// The account's rights after it, in the environment of the evidence.
    package var entitlements: WrittenList<Answer>?

    package init(
        kind: EvidenceKind, revision: LedgerSequence, transactions: [TransactionAnswer],
        quarantined: [QuarantineAnswer], orderProblem: String? = nil, isAccountUnused: Bool,
        mergedInto: AccountID?, account: AccountID?, entitlements: WrittenList<Answer>?
    ) {
        self.kind = kind
        self.revision = revision
        self.transactions = transactions
        self.quarantined = quarantined
        self.orderProblem = orderProblem
        self.isAccountUnused = isAccountUnused
        self.mergedInto = mergedInto
        self.account = account
        self.entitlements = entitlements
    }

    package static var shapeName: String { "EvidenceReport" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        _ = try shape.value("verdict") { _ in Verdict.judged }
        var answer = EvidenceAnswer(
            kind: try shape.value("kind", \.kind),
            revision: try shape.value("revision", \.revision),
            transactions: try shape.value("transactions", \.transactions),
            quarantined: try shape.value("quarantined", \.quarantined),
            orderProblem: try shape.optional("order_problem", \.orderProblem),
            isAccountUnused: try shape.optional("account_unused") {
                $0.isAccountUnused ? true : nil
            } ?? false,
            mergedInto: try shape.optional("merged_into", \.mergedInto),
            account: try shape.optional("account", \.account),
            entitlements: try shape.optional("entitlements", \.entitlements))
        answer.ticket = try shape.optional("ticket", \.ticket)
        answer.isAppleNotAsked =
            try shape.optional("apple_not_asked") { $0.isAppleNotAsked ? true : nil } ?? false
        return answer
    }
}

/// What became of one transaction.
package struct TransactionAnswer: WireObject {
    /// The presenting account's relation to the unit. A repeated submission gets the same one.
    package enum Verdict: String, WireWord {
        /// The account owns it.
        case owned
        /// It belongs to others.
        case denied = "refused"
        /// It is recorded; this submission presents it for no account, or does not claim it.
        case recorded
    }

    package var environment: StoreEnvironment
    package var transaction: TransactionID
    package var lineage: TransactionID
    package var product: ProductID
    package var verdict: Verdict
    /// Why it belongs to others.
    package var code: ClaimDenial?
    /// The rule that decided on the claim; nil where nothing was claimed.
    package var rule: RuleReference?
    /// The owners now. Accounts other than the presenting one are masked.
    package var owners: [String]
    /// Whether the client may finish the transaction (spec 1.8).
    package var finish: Bool
    /// The order that it pays; nil where it pays none.
    package var order: OrderID?

    package init(
        _ transaction: TransactionKey, lineage: LineageKey, product: ProductID, verdict: Verdict,
        code: ClaimDenial?, rule: RuleReference?, owners: [String], finish: Bool,
        order: OrderID? = nil
    ) {
        environment = transaction.environment
        self.transaction = transaction.transactionID
        self.lineage = lineage.originalTransactionID
        self.product = product
        self.verdict = verdict
        self.code = code
        self.rule = rule
        self.owners = owners
        self.finish = finish
        self.order = order
    }

    package static var shapeName: String { "TransactionReport" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let environment = try shape.value("environment", \.environment)
        let answer = TransactionAnswer(
            TransactionKey(environment, try shape.value("transaction", \.transaction)),
            lineage: LineageKey(environment, try shape.value("lineage", \.lineage)),
            product: try shape.value("product", \.product),
            verdict: try shape.value("verdict", \.verdict),
            code: try shape.optional("code", \.code), rule: try shape.optional("rule", \.rule),
            owners: try shape.value("owners", \.owners),
            finish: try shape.value("finish", \.finish),
            order: try shape.optional("order", \.order))
        _ = try shape.value("finish_reason", \.finishReason)
        _ = try shape.value("finish_text") { Title($0.finishReason) }
        return answer
    }

    /// Follows from the verdict; anything with a verdict is durable.
    package var finishReason: FinishReason {
        switch verdict {
        case .owned: .delivered
        case .denied: .claimRefused
        case .recorded: .recorded
        }
    }
}

extension FinishReason: WireWord {}

/// A part of genuine evidence that has no effect until a person has examined it.
package struct QuarantineAnswer: WireObject {
    package var code: String
    /// Apple's name of the member that breaks the rule.
    package var field: String?
    /// The rule, the member that breaks it, and how.
    package var text: Title?
    package var transaction: TransactionID?

    package init(code: String, field: String?, text: Title?, transaction: TransactionID?) {
        self.code = code
        self.field = field
        self.text = text
        self.transaction = transaction
    }

    package static var shapeName: String { "QuarantinedPart" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let answer = QuarantineAnswer(
            code: try shape.value("code", \.code), field: try shape.optional("field", \.field),
            text: try shape.optional("text", \.text),
            transaction: try shape.optional("transaction", \.transaction))
        // A client may not finish it.
        _ = try shape.value("finish") { _ in false }
        _ = try shape.value("finish_reason") { _ in FinishReason.quarantined }
        _ = try shape.value("finish_text") { _ in Title(FinishReason.quarantined) }
        return answer
    }
}

/// Why a request is not answered as asked (RFC 9457), or why evidence is refused.
package struct ProblemAnswer: WireObject, Error {
    package var title: String
    package var status: Int64
    package var code: String
    package var detail: String
    package var field: String?
    package var didYouMean: String?
    /// The digest of refused evidence.
    package var evidence: Digest256?
    /// The code of preflight that forbids a purchase.
    package var preflight: String?
    /// What could happen to the order instead.
    package var legal: [String]?
    /// The credit of which there is too little, or that must not be spent.
    package var credit: CreditName?
    /// The balance.
    package var balance: Int128?
    /// The digest of the first call with this idempotency key.
    package var first: Digest256?
    /// How many accounts would lose something by a policy.
    package var losing: Int64?
    /// The policy that it was compared with: the one that is expected to be in force before it.
    package var replaces: Digest256?
    /// The account that has what the named one had.
    package var mergedInto: AccountID?
    /// The decision that would have to be undone first.
    package var decision: LedgerSequence?
    /// The newest entry of the ledger.
    package var newest: LedgerSequence?
    /// What was recorded since the revision that the call named.
    package var changed: [ChangedEntry]?
    /// For what the account was erased before, or waits for that, and the entry that says so.
    package var reference: ErasureReference?
    package var erasure: LedgerSequence?

    package init(
        title: String, status: Int64, code: String, detail: String, field: String? = nil,
        didYouMean: String? = nil, evidence: Digest256? = nil, preflight: String? = nil,
        legal: [String]? = nil, credit: CreditName? = nil, balance: Int128? = nil,
        first: Digest256? = nil, losing: Int64? = nil,
        replaces: Digest256? = nil, mergedInto: AccountID? = nil, decision: LedgerSequence? = nil,
        newest: LedgerSequence? = nil, changed: [ChangedEntry]? = nil
    ) {
        self.newest = newest
        self.changed = changed
        self.mergedInto = mergedInto
        self.decision = decision
        self.losing = losing
        self.replaces = replaces
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.didYouMean = didYouMean
        self.evidence = evidence
        self.preflight = preflight
        self.legal = legal
        self.credit = credit
        self.balance = balance
        self.first = first
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ProblemAnswer(
            title: try shape.value("title", \.title),
            status: try shape.value("status", \.status),
            code: try shape.value("code", \.code), detail: try shape.value("detail", \.detail),
            field: try shape.optional("field", \.field),
            didYouMean: try shape.optional("did_you_mean", \.didYouMean),
            evidence: try shape.optional("evidence", \.evidence),
            preflight: try shape.optional("preflight", \.preflight),
            legal: try shape.optional("legal", \.legal),
            credit: try shape.optional("credit", \.credit),
            balance: try shape.optional("balance", \.balance),
            first: try shape.optional("first", \.first),
            losing: try shape.optional("losing", \.losing),
            replaces: try shape.optional("replaces", \.replaces),
            mergedInto: try shape.optional("merged_into", \.mergedInto),
            decision: try shape.optional("decision", \.decision),
            newest: try shape.optional("newest", \.newest),
            changed: try shape.optional("changed", \.changed)
        ).about(
            try shape.optional("erasure", \.erasure),
            for: try shape.optional("reference", \.reference))
    }

    /// The same of an erasure.
    package func about(
        _ erasure: LedgerSequence?, for reference: ErasureReference?
    ) -> ProblemAnswer {
        var problem = self
        (problem.erasure, problem.reference) = (erasure, reference)
        return problem
    }
}
