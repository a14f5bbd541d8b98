internal import EntitlementDerivation
package import EntitlementModel
package import EvidenceVerification
internal import LedgerModel

/// Submitted evidence, with the caller's statements about it.
package struct EvidenceSubmission: Sendable {
    package var payload: [UInt8]
    /// The account that presents it; nil if there is none (a notification).
    package var account: AccountID?
    package var moment: ClaimMoment?
    package var order: OrderID?
    /// When it was submitted, if it has waited for Apple since; nil for now.
    package var presentedAt: Instant?
    /// A stored answer of verifyReceipt, for which an administrator vouches.
    package var isImported: Bool
    /// The environment that its importer knows; nil where the answer says it.
    package var environment: StoreEnvironment?
    /// Whether Apple is to be asked about it, if a client is configured.
    package var asksApple: Bool
    /// The required kind; nil to detect it.
    package var kind: EvidenceKind?
    /// Who hands it in; nil where that is not known. What waits for Apple is bounded for each.
    package var user: String?

    package init(
        payload: [UInt8], account: AccountID? = nil, moment: ClaimMoment? = nil,
        order: OrderID? = nil, isImported: Bool = false, asksApple: Bool = false,
        kind: EvidenceKind? = nil
    ) {
        self.kind = kind
        self.payload = payload
        self.account = account
        self.moment = moment
        self.order = order
        self.isImported = isImported
        self.asksApple = asksApple
    }
}

/// The outcome of a submission. A refusal leaves only an audit line; a judged or waiting one is
/// durable.
package enum SubmissionReport: Sendable {
    case judged(JudgedSubmission)
    case refused(VerificationRefusal)
    /// Only Apple can say; it waits under a ticket.
    case waiting(LedgerSequence)
    /// Only Apple could verify it, and is not asked: nothing has changed.
    case unanswerable(WhyUnanswerable)
}

/// Why Apple is not asked about what only Apple can judge.
package enum WhyUnanswerable: String, CaseIterable, Hashable, Sendable {
    case notConfigured = "app-store.not-configured"
    /// As much waits for Apple as may, of all or of this user.
    case tooManyWaiting = "app-store.too-many-waiting"
}

/// The report on evidence that is genuine.
package struct JudgedSubmission: Sendable {
    package let kind: EvidenceKind
    package let transactions: [TransactionReport]
    /// Parts without effect until a person has examined them; a client may not finish these
    /// transactions.
    package let quarantined: [QuarantinedPart]
    /// Why the order that was named with it was not used; nil where it was, or none was named.
    package internal(set) var orderProblem: OrderNameProblem?
    /// The account that claimed, where the one that was given had been merged into it.
    package internal(set) var mergedInto: AccountID?
    /// What Apple is asked about it; nil where nothing is.
    package internal(set) var ticket: LedgerSequence?
    /// Apple was to be asked, and is not.
    package internal(set) var isAppleNotAsked = false
    /// The ticket, where the caller asked that Apple is asked.
    package internal(set) var awaitedTicket: LedgerSequence?
    /// The revision at which the report is true.
    package internal(set) var revision = LedgerSequence.zero
    /// The rights after it of the account that claimed; nil where no account was given.
    package internal(set) var packed: PackedAccount?
    /// An account was given, and evidence of this kind is never claimed for one.
    package internal(set) var isAccountUnused = false

    init(
        kind: EvidenceKind, transactions: [TransactionReport], quarantined: [QuarantinedPart]
    ) {
        self.kind = kind
        self.transactions = transactions
        self.quarantined = quarantined
    }
}

/// Why an order named with evidence was not used. The evidence is recorded all the same.
package enum OrderNameProblem: String, CaseIterable, Hashable, Sendable {
    case unknown = "order.unknown"
    /// It is not the account's (THREATS.md D28).
    case owner = "order.owner"
    /// Nothing in it can be the order's: it carries the token of another order, or was bought
    /// before the order was made, or is another product.
    case payment = "order.payment"
}

/// What became of one transaction.
package struct TransactionReport: Sendable {
    /// The presenting account's relation to the unit. A repeated submission gets the same one.
    package enum Standing: Hashable, Sendable {
        /// The account owns it.
        case owned
        /// It belongs to others, for this reason.
        case denied(ClaimDenial)
        /// It is recorded; this submission presents it for no account, or does not claim it.
        case recorded

        package var word: String {
            switch self {
            case .owned: "owned"
            case .denied: "refused"
            case .recorded: "recorded"
            }
        }

        /// Why; nil where there is nothing to say.
        package var code: String? {
            switch self {
            case .owned, .recorded: nil
            case .denied(let refusal): refusal.rawValue
            }
        }
    }

    package var transaction: TransactionKey
    package var lineage: LineageKey
    package var product: ProductID
    package var standing: Standing
    /// The rule that decided on the claim; nil where nothing was claimed.
    package var rule: RuleReference?
    /// The owners now. Accounts other than the presenting one are masked.
    package var owners: [String]
    /// Whether the client may finish the transaction: once it is durable, even if its claim was
    /// denied (spec 1.8). Quarantined parts have no report here.
    package var finish: Bool
    /// The order that it pays; nil where it pays none.
    package var order: OrderID?
}

extension TransactionReport {
    /// The report on a recorded transaction.
    /// - Parameters:
    ///   - verdict: the decision on the presenting account's claim; nil if it made none.
    ///   - owners: by the decisions so far, those of this commit included.
    init(
        _ snapshot: TransactionSnapshot, verdict: JudgedClaim?, owners: [AccountID],
        presentedBy account: AccountID?, order: OrderID?
    ) {
        transaction = snapshot.key
        lineage = snapshot.lineage
        product = snapshot.productID
        rule = verdict?.rule
        finish = true
        self.order = order
        self.owners = owners.map { $0 == account ? $0.text : $0.masked }
        standing =
            if case .denied(let refusal)? = verdict?.outcome {
                .denied(refusal)
            } else if let account, owners.contains(account) {
                .owned
            } else {
                .recorded
            }
    }
}

extension AccountID {
    /// Enough to recognise an account that one knows, too little to learn one that one does not:
    /// the first two characters of ids longer than four.
    package var masked: String {
        text.utf8.count > 4 ? text.prefix(2) + "***" : "***"
    }
}

/// A piece of what Apple has answered, with the verdict on it.
package struct AnsweredEvidence: Sendable {
    package let submission: EvidenceSubmission
    package let verdict: EvidenceVerdict

    package init(submission: EvidenceSubmission, verdict: EvidenceVerdict) {
        self.submission = submission
        self.verdict = verdict
    }
}

extension EntitlementEngine {
    /// Verifies Apple's signed answer like any other evidence; writes nothing. It has no presenting
    /// account.
    ///
    /// - Parameter kind: the required kind; nil to detect it.
    package func verify(answered text: String, as kind: EvidenceKind? = nil) -> AnsweredEvidence {
        let payload = Array(text.utf8)
        let (verifier, now) = (policy.verifier, now())
        return AnsweredEvidence(
            submission: EvidenceSubmission(payload: payload),
            verdict: verifier.verify(payload, asIfAny: kind, at: now))
    }

    /// Records it like any other submission; returns only after the commit is durable.
    package func record(_ pieces: [AnsweredEvidence]) async throws(EngineError) {
        guard !pieces.isEmpty else { return }
        let called = clock.now()
        _ = try await commit(calledAt: called) { [refusals] ledger throws(LedgerError) in
            var recorder = EvidenceRecorder(ledger, calledAt: called, refusals: refusals)
            for piece in pieces { try recorder.record(piece.submission, piece.verdict) }
            return ((), recorder.touched)
        }
    }
}
