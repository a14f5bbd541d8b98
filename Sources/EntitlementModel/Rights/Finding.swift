/// Something a person should look at (spec 1.1). Findings are intervals: they resolve
/// themselves when their cause ends.
package struct Finding: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Two spellings of one account were judged against each other.
        case accountCaseConflict = "account-case-conflict"
        case accountSwitch = "account-switch"
        case appleIDConflict = "apple-id-conflict"
        /// An account owes units of a credit: a refund took what it had spent (spec 1.7).
        case balanceBelowZero = "balance-below-zero"
        /// A refund keeps an account from spending a credit until a person lifts that.
        case creditFrozen = "credit-frozen"
        case duplicateAppleID = "duplicate-apple-id"
        case duplicateAppleIDPossible = "duplicate-apple-id-possible"
        /// Apple was asked about evidence, and does not confirm it.
        case evidenceUnconfirmed = "evidence-unconfirmed"
        /// Something has waited for Apple for an hour.
        case evidenceWaiting = "evidence-waiting"
        /// The account's client reported that the store does not know the product.
        case invalidProduct = "invalid-product"
        case kindMismatch = "kind-mismatch"
        /// A payment says otherwise than its order (spec 1.8).
        case orderMismatch = "order-mismatch"
        case paidWithoutRight = "paid-without-right"
        case quarantined
        /// Apple takes no answer to a refund request much longer.
        case refundAnswerDue = "refund-answer-due"
        case successorMissing = "successor-missing"
        case unclaimedPayment = "unclaimed-payment"
        case unmappedProduct = "unmapped-product"
    }

    package var kind: Kind
    package var environment: StoreEnvironment
    package var interval: Interval
    package var accounts: [AccountID]
    package var units: [OwnedUnit]
    package var product: ProductID?
    package var credit: CreditName?
    /// For duplicates: how long both ran at the same time, and what is advised.
    package var duplicate: DuplicateDetail?
    package var facts: [LedgerSequence]

    package init(
        kind: Kind, environment: StoreEnvironment, interval: Interval,
        accounts: [AccountID] = [], units: [OwnedUnit] = [], product: ProductID? = nil,
        credit: CreditName? = nil, duplicate: DuplicateDetail? = nil,
        facts: [LedgerSequence] = []
    ) {
        self.kind = kind
        self.environment = environment
        self.interval = interval
        self.accounts = accounts
        self.units = units
        self.product = product
        self.credit = credit
        self.duplicate = duplicate
        self.facts = facts
    }
}

/// Two subscriptions that one account pays for on two Apple IDs (spec 1.9).
package struct DuplicateDetail: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package var lineage: LineageKey
        package var appleID: AppleIDKey
        package var product: ProductID
        package var price: Price?
        /// When it is charged next; nil where it does not renew.
        package var renewsAt: Instant?

        package init(
            lineage: LineageKey, appleID: AppleIDKey, product: ProductID, price: Price?,
            renewsAt: Instant?
        ) {
            self.lineage = lineage
            self.appleID = appleID
            self.product = product
            self.price = price
            self.renewsAt = renewsAt
        }
    }

    /// By lineage.
    package var sides: [Side]
    /// Whole days, rounded down; nil while it has no known end.
    package var overlapDays: Int64?
    package var keep: LineageKey

    package init(sides: [Side], overlapDays: Int64?, keep: LineageKey) {
        self.sides = sides
        self.overlapDays = overlapDays
        self.keep = keep
    }
}
