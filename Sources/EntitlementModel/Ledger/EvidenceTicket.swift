/// Something that only Apple can answer, and that waits until it does: durable before Apple is asked
/// (spec 1.8).
package struct EvidenceTicket: Hashable, Sendable {
    /// The question.
    package enum Form: String, CaseIterable, Hashable, ModelText, Sendable {
        /// What verifyReceipt says of a receipt; what its signature proves was judged at once.
        case receipt
        /// The same for a transaction receipt of iOS 6, which proves nothing by itself.
        case oldReceipt = "ios6-receipt"
        /// The transaction of an id, with all that the same Apple ID bought.
        case transaction
        /// A transaction that is known from a JWS which may be out of date.
        case refresh
        /// Nothing is asked: the token of the account to which a person gave a purchase is set.
        case accountToken = "account-token"

        /// Whether it is submitted evidence, whose outcome a caller may wait for.
        package var isEvidence: Bool {
            switch self {
            case .receipt, .oldReceipt, .transaction: true
            case .refresh, .accountToken: false
            }
        }

        package var english: String {
            switch self {
            case .receipt: "a receipt"
            case .oldReceipt: "a transaction receipt of iOS 6"
            case .transaction: "a transaction id"
            case .refresh: "a transaction that may be out of date"
            case .accountToken: "a token to be set at Apple"
            }
        }
    }

    package var form: Form
    /// The entry that has the bytes of a receipt.
    package var evidence: LedgerSequence?
    /// Nil where only Apple knows it.
    package var environment: StoreEnvironment?
    /// The subject; for a token, the lineage that it is set for.
    package var transaction: TransactionID?
    /// The presenting account; nil if there is none.
    package var account: AccountID?
    package var moment: ClaimMoment?
    package var order: OrderID?
    package var token: AppAccountToken?

    package init(
        _ form: Form, evidence: LedgerSequence? = nil, environment: StoreEnvironment? = nil,
        transaction: TransactionID? = nil, account: AccountID? = nil,
        moment: ClaimMoment? = nil, order: OrderID? = nil, token: AppAccountToken? = nil
    ) {
        self.form = form
        self.evidence = evidence
        self.environment = environment
        self.transaction = transaction
        self.account = account
        self.moment = moment
        self.order = order
        self.token = token
    }
}

/// What became of a ticket; there is one at most for each.
package struct TicketClosing: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// Apple has answered, and what it said is recorded in the same commit.
        case judged
        /// Apple does not know it or rejects it, or what it answered is refused.
        case refused
        /// Apple has not answered for too long.
        case givenUp = "given-up"
    }

    package var ticket: LedgerSequence
    package var outcome: Outcome
    /// The entry with the answer's bytes; nil where none was new.
    package var evidence: LedgerSequence?
    /// Why it is not judged: a code of spec 4.2 or of an `AppStoreFailure`.
    package var code: String?
    /// Apple's own number for it.
    package var status: Int64?

    package init(
        ticket: LedgerSequence, outcome: Outcome, evidence: LedgerSequence? = nil,
        code: String? = nil, status: Int64? = nil
    ) {
        self.ticket = ticket
        self.outcome = outcome
        self.evidence = evidence
        self.code = code
        self.status = status
    }
}

/// A ticket with what became of it.
package struct TicketHistory: Hashable, Sendable {
    package var ticket: Recorded<EvidenceTicket>
    /// Nil while it waits.
    package var closing: Recorded<TicketClosing>?

    package init(
        ticket: Recorded<EvidenceTicket>, closing: Recorded<TicketClosing>? = nil
    ) {
        self.ticket = ticket
        self.closing = closing
    }
}

/// The state of a ticket in answers.
package enum TicketStanding: String, CaseIterable, ModelText, Sendable {
    case waiting
    case judged
    case refused
    case givenUp = "given-up"

    package init(_ outcome: TicketClosing.Outcome?) {
        switch outcome {
        case nil: self = .waiting
        case .judged: self = .judged
        case .refused: self = .refused
        case .givenUp: self = .givenUp
        }
    }

    package var english: String {
        switch self {
        case .waiting: "waiting for Apple"
        case .judged: "judged"
        case .refused: "refused"
        case .givenUp: "given up"
        }
    }
}

/// Why Apple has not answered, or has answered with no. The codes are a contract.
package enum AppStoreTrouble: String, CaseIterable, ModelText, Sendable {
    case unauthorized = "app-store.unauthorized"
    case notFound = "app-store.not-found"
    case rateLimited = "app-store.rate-limited"
    case unavailable = "app-store.unavailable"
    case network = "app-store.network"
    case badAnswer = "app-store.bad-answer"
    case rejected = "app-store.rejected"
    /// No client is configured.
    case notConfigured = "app-store.not-configured"
    /// Not asked: a newer ticket sets another token.
    case superseded = "app-store.superseded"

    package var english: String {
        switch self {
        case .unauthorized: "Apple rejects our key, our shared secret or our clock"
        case .notFound: "Apple does not know the id"
        case .rateLimited: "Apple limits how often we may ask"
        case .unavailable: "Apple's service is not available"
        case .network: "Apple's service cannot be reached"
        case .badAnswer: "Apple's answer cannot be used"
        case .rejected: "Apple rejects the request"
        case .notConfigured: "no App Store client is configured"
        case .superseded: "a newer ticket sets another token"
        }
    }
}
