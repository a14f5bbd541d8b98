/// The place of an entry in the ledger: 1, 2, 3, … without gaps.
package struct LedgerSequence: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: Int64

    package init(_ number: Int64) {
        self.number = number
    }

    /// Before the first entry.
    package static let zero = LedgerSequence(0)

    package var description: String { "\(number)" }

    package static func < (left: LedgerSequence, right: LedgerSequence) -> Bool {
        left.number < right.number
    }
}

/// A value with its place in the ledger and the instant at which it was learned.
package struct Recorded<Value: Sendable>: Sendable {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var value: Value

    @inlinable
    package init(sequence: LedgerSequence, recordedAt: Instant, value: Value) {
        self.sequence = sequence
        self.recordedAt = recordedAt
        self.value = value
    }

    /// The same place and instant with another value.
    @inlinable
    package func with<Other: Sendable>(_ other: Other) -> Recorded<Other> {
        Recorded<Other>(sequence: sequence, recordedAt: recordedAt, value: other)
    }
}

extension Recorded: Equatable where Value: Equatable {}
extension Recorded: Hashable where Value: Hashable {}

/// Everything that can be written into the ledger. Entries are never changed or deleted; a
/// mistake is repaired by another entry. An erasure removes what entries say, never an entry.
package enum LedgerEntry: Hashable, Sendable {
    case policyActivation(PolicyActivation)
    case evidence(EvidenceRecord)
    case transaction(TransactionFact)
    case renewal(RenewalFact)
    case appTransaction(AppTransactionFact)
    case notification(NotificationFact)
    case claim(Claim)
    case decision(OwnershipDecision)
    case ruling(Ruling)
    case refusal(EvidenceRefusal)
    case quarantine(Quarantine)
    case grant(Grant)
    case grantRevocation(GrantRevocation)
    case block(Block)
    case blockRemoval(BlockRemoval)
    case accountToken(AccountTokenRegistration)
    case accountMerge(AccountMerge)
    case order(Order)
    case orderEvent(OrderEvent)
    case storeReport(StoreReport)
    case repeatedOrder(RepeatedOrder)
    case evidenceTicket(EvidenceTicket)
    case ticketClosed(TicketClosing)
    case creditSpend(CreditSpend)
    case creditHold(CreditHold)
    case holdEnd(HoldEnd)
    case spendReversal(SpendReversal)
    case creditThaw(CreditThaw)
    case refundConsent(RefundConsent)
    case refundAnswer(RefundAnswer)
    case policySchedule(PolicySchedule)
    case policyScheduleEnd(PolicyScheduleEnd)
    case orderPromise(OrderPromise)
    case erasure(Erasure)
    indirect case restated(RestatedEntry)
}

/// A policy came into force: its full text, so that an audit can read it for ever.
package struct PolicyActivation: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// Relative to the policy folder.
        package var path: String
        /// Text, or a certificate that the policy names.
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Why it came into force although an account may lose something by it (spec 2.6).
    package struct Acceptance: Hashable, Sendable {
        package enum Means: String, CaseIterable, Sendable {
            /// The folder's own `accept.yaml`.
            case folder
            case person
            /// `policy.guard: warn`.
            case setting
            /// A person brought back the policy that was in force before.
            case rollback
        }

        package var means: Means
        /// Who it was, where a person said it.
        package var actor: String?
        /// Nil where a setting said it.
        package var reason: String?
        /// How many accounts may lose something; since the guard counts them, no more did.
        package var accountsAtMost: Int64?

        package init(
            means: Means, actor: String? = nil, reason: String? = nil,
            accountsAtMost: Int64? = nil
        ) {
            self.means = means
            self.actor = actor
            self.reason = reason
            self.accountsAtMost = accountsAtMost
        }
    }

    package var digest: Digest256
    /// By path.
    package var files: [File]
    /// Nil where nothing was taken away.
    package var acceptance: Acceptance?
    /// The entry that scheduled it, if it comes into force as scheduled.
    package var schedule: LedgerSequence?
    /// What waited in the policy folder when a scheduled policy came into force.
    package var heldBack: Digest256?
    /// `ClaimRules.version` of the program that derives and decides from here on. If it is newer
    /// than the one before, every account is derived again.
    package var rules: Int64

    package init(
        digest: Digest256, files: [File], acceptance: Acceptance? = nil,
        schedule: LedgerSequence? = nil, heldBack: Digest256? = nil,
        rules: Int64 = ClaimRules.version
    ) {
        self.digest = digest
        self.files = files
        self.acceptance = acceptance
        self.schedule = schedule
        self.heldBack = heldBack
        self.rules = rules
    }
}

/// Submitted evidence, byte for byte, so that it can be verified again.
package struct EvidenceRecord: Hashable, Sendable {
    package var kind: EvidenceKind
    /// SHA-256 of `bytes`. For audit only: signatures and base64 are malleable, so it is never
    /// an idempotency key.
    package var digest: Digest256
    package var bytes: [UInt8]
    /// The instant that the evidence was verified for: its own signing time.
    package var judgedAt: Instant

    package init(kind: EvidenceKind, digest: Digest256, bytes: [UInt8], judgedAt: Instant) {
        self.kind = kind
        self.digest = digest
        self.bytes = bytes
        self.judgedAt = judgedAt
    }
}

/// The kind of a piece of evidence.
package enum EvidenceKind: String, CaseIterable, Hashable, ModelText, Sendable {
    case transaction
    case renewalInfo = "renewal-info"
    case appTransaction = "app-transaction"
    case notification
    case receipt
    /// What verifyReceipt answered to the engine itself.
    case receiptAnswer = "receipt-answer"
    /// A stored answer of verifyReceipt, imported by an administrator.
    case importedAnswer = "imported-answer"
    /// What only Apple can judge: kept while it waits, and proof of nothing.
    case unverified

    package var english: String {
        switch self {
        case .transaction: "transaction"
        case .renewalInfo: "renewal info"
        case .appTransaction: "app transaction"
        case .notification: "notification"
        case .receipt: "receipt"
        case .receiptAnswer: "answer of verifyReceipt"
        case .importedAnswer: "imported answer of verifyReceipt"
        case .unverified: "evidence that only Apple can verify"
        }
    }
}

/// A verified transaction snapshot and the evidence that it was read from.
package struct TransactionFact: Hashable, Sendable {
    package var snapshot: TransactionSnapshot
    package var evidence: LedgerSequence

    package init(snapshot: TransactionSnapshot, evidence: LedgerSequence) {
        self.snapshot = snapshot
        self.evidence = evidence
    }
}

/// A verified renewal snapshot and the evidence that it was read from.
package struct RenewalFact: Hashable, Sendable {
    package var snapshot: RenewalSnapshot
    package var evidence: LedgerSequence

    package init(snapshot: RenewalSnapshot, evidence: LedgerSequence) {
        self.snapshot = snapshot
        self.evidence = evidence
    }
}

/// A verified app transaction, and the account that presented it.
package struct AppTransactionFact: Hashable, Sendable {
    package var snapshot: AppTransactionSnapshot
    package var account: AccountID?
    package var evidence: LedgerSequence

    package init(
        snapshot: AppTransactionSnapshot, account: AccountID?, evidence: LedgerSequence
    ) {
        self.snapshot = snapshot
        self.account = account
        self.evidence = evidence
    }
}

/// A verified App Store Server Notification; what it carries are facts of their own.
package struct NotificationFact: Hashable, Sendable {
    package var environment: StoreEnvironment
    /// Apple's `notificationUUID`, lower case: the idempotency key.
    package var uuid: String
    package var type: String
    package var subtype: String?
    package var signedDate: Instant
    package var evidence: LedgerSequence
    /// Its names, if it has no purchase; nil if it has one.
    package var notice: NotificationNames?

    package init(
        environment: StoreEnvironment, uuid: String, type: String, subtype: String?,
        signedDate: Instant, evidence: LedgerSequence, notice: NotificationNames? = nil
    ) {
        self.notice = notice
        self.environment = environment
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.signedDate = signedDate
        self.evidence = evidence
    }
}

/// The names by which a notification without a purchase identifies a customer.
package struct NotificationNames: Hashable, Sendable {
    package var appTransactionID: AppTransactionID?
    /// The original one, where both are named.
    package var transactionID: TransactionID?
    package var productID: ProductID?

    package init(
        appTransactionID: AppTransactionID? = nil, transactionID: TransactionID? = nil,
        productID: ProductID? = nil
    ) {
        self.appTransactionID = appTransactionID
        self.transactionID = transactionID
        self.productID = productID
    }
}

/// The audit line of refused evidence: never the evidence itself.
package struct EvidenceRefusal: Hashable, Sendable {
    package var digest: Digest256
    /// A code of spec 4.2.
    package var code: String
    /// The order of its account that it was submitted for.
    package var order: OrderID?

    package init(digest: Digest256, code: String, order: OrderID? = nil) {
        self.digest = digest
        self.code = code
        self.order = order
    }
}

/// Evidence that is rightly signed but not understood or not plausible: kept, without effect.
package struct Quarantine: Hashable, Sendable {
    package var evidence: LedgerSequence
    /// Which rule of plausibility it breaks.
    package var code: String
    package var transaction: TransactionKey?
    /// The account that submitted it; nil if there is none.
    package var account: AccountID?

    package init(
        evidence: LedgerSequence, code: String, transaction: TransactionKey? = nil,
        account: AccountID? = nil
    ) {
        self.evidence = evidence
        self.code = code
        self.transaction = transaction
        self.account = account
    }
}
