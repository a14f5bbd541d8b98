/// Something that a person should examine (spec 1.1). Findings are intervals: they resolve
/// themselves when their cause ends.
package struct Finding: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, ModelText, Sendable {
        /// Two spellings of one account were judged against each other.
        case accountCaseConflict = "account-case-conflict"
        case accountSwitch = "account-switch"
        case appleIDConflict = "apple-id-conflict"
        /// A notification that carries no purchase: a consent taken back, seats given up.
        case appleNotice = "apple-notice"
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
        /// The possible payment of an order was presented by another account (spec 1.8).
        case orderPresentedByOther = "order-presented-by-other"
        case paidWithoutRight = "paid-without-right"
        /// A payment whose account was erased; without a name (spec 1.14).
        case payerErased = "payer-erased"
        case quarantined
        /// Apple takes no answer to a refund request much longer.
        case refundAnswerDue = "refund-answer-due"
        /// Apple has signed one transaction under several original transactions.
        case splitTransaction = "split-transaction"
        case successorMissing = "successor-missing"
        /// Apple signs the token of another account than the owner, which the line did not carry.
        case tokenOfAnother = "token-of-another"
        case unclaimedPayment = "unclaimed-payment"
        case unmappedProduct = "unmapped-product"

        package var english: String {
            switch self {
            case .accountCaseConflict:
                "two spellings of one account were treated as different accounts"
            case .accountSwitch: "an account presented a purchase that belongs to another account"
            case .appleIDConflict: "purchases in one receipt have different Apple IDs"
            case .balanceBelowZero: "the account owes units of a credit"
            case .creditFrozen: "a refund has frozen a credit of the account"
            case .duplicateAppleID: "the account pays twice, on two Apple IDs"
            case .duplicateAppleIDPossible: "the account may pay twice, on two Apple IDs"
            case .appleNotice: "Apple tells of something that no purchase shows"
            case .evidenceUnconfirmed: "Apple does not confirm this evidence"
            case .refundAnswerDue: "Apple asks about a refund, and takes no answer much longer"
            case .evidenceWaiting: "Apple has not answered for an hour or more"
            case .invalidProduct: "the client reports that the store does not know this product"
            case .kindMismatch: "Apple and the catalogue disagree on the kind of product"
            case .orderMismatch: "the payment differs from its order"
            case .orderPresentedByOther: "another account has presented an order's payment"
            case .paidWithoutRight: "the account has paid and received nothing"
            case .payerErased: "somebody pays whose account was erased"
            case .quarantined: "genuine evidence with implausible content is quarantined"
            case .splitTransaction:
                "Apple names one transaction under different original transactions"
            case .successorMissing: "an upgrade to a subscription that is not known"
            case .tokenOfAnother: "Apple signs a token of another account than the owner"
            case .unclaimedPayment: "a payment that no account has claimed"
            case .unmappedProduct: "a product that is not in the catalogue"
            }
        }
    }

    package var kind: Kind
    package var environment: StoreEnvironment
    package var interval: Interval
    package var accounts: [AccountID]
    package var units: [OwnedUnit]
    package var product: ProductID?
    package var credit: CreditName?
    /// For duplicates: how long both ran at the same time, and the advice.
    package var duplicate: DuplicateDetail?
    /// The type of Apple's notification and its subtype.
    package var notification: String?
    package var facts: [LedgerSequence]
    /// How many claims of one piece of evidence it represents; nil for one.
    package var count: Int64?

    package init(
        kind: Kind, environment: StoreEnvironment, interval: Interval,
        accounts: [AccountID] = [], units: [OwnedUnit] = [], product: ProductID? = nil,
        credit: CreditName? = nil, duplicate: DuplicateDetail? = nil,
        facts: [LedgerSequence] = [], count: Int64? = nil
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
        self.count = count
    }
}

/// An entitlement that one account pays for on two Apple IDs (spec 1.9).
package struct DuplicateDetail: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package var lineage: LineageKey
        package var appleID: AppleIDKey
        package var product: ProductID
        /// The last payment.
        package var price: Price?
        /// Nil for what never renews.
        package var renewal: RenewalOutlook?

        package init(
            lineage: LineageKey, appleID: AppleIDKey, product: ProductID, price: Price?,
            renewal: RenewalOutlook?
        ) {
            self.lineage = lineage
            self.appleID = appleID
            self.product = product
            self.price = price
            self.renewal = renewal
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
