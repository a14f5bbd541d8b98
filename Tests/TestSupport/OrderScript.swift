package import EntitlementModel

/// What happens around orders, in the service's order: small, random, and full of coincidences.
package struct OrderScript: Sendable {
    package let seed: UInt64
    package var firstPolicy: ScriptedPolicy
    package var steps: [Dated<OrderStep>]

    package init(seed: UInt64, firstPolicy: ScriptedPolicy, steps: [Dated<OrderStep>]) {
        self.seed = seed
        self.firstPolicy = firstPolicy
        self.steps = steps
    }
}

/// What a policy says that orders depend on.
package struct ScriptedPolicy: Hashable, Sendable {
    package var payWithin: Period
    package var matchWindow: Period
    package var latePayment: OrderSettings.LatePayment
    package var accountToken: AccountTokenRule
    /// Whether a restore moves a purchase to the account that restores it.
    package var movesOnRestore: Bool
    /// Whether what is bought in the sandbox counts everywhere.
    package var countsSandbox: Bool
    /// What its catalogue lacks.
    package var withdrawn: ProductID?

    package init(
        payWithin: Period = Period(30, .minutes), matchWindow: Period = Period(24, .hours),
        latePayment: OrderSettings.LatePayment = .deliver,
        accountToken: AccountTokenRule = .fromOrder, movesOnRestore: Bool = false,
        countsSandbox: Bool = false
    ) {
        self.payWithin = payWithin
        self.matchWindow = matchWindow
        self.latePayment = latePayment
        self.accountToken = accountToken
        self.movesOnRestore = movesOnRestore
        self.countsSandbox = countsSandbox
    }
}

/// One call. What it names need not be there.
package enum OrderStep: Sendable {
    /// The number is the one by which the script speaks of the order from now on.
    case make(Int, ScriptedOrder)
    case report(OrderReference, OrderEventKind, TransactionID?, storeCode: String?)
    case submit(ScriptedEvidence)
    case inform(ScriptedRenewal)
    case settle(OrderReference, TransactionID?)
    case refuse(OrderReference)
    case reassign(OrderReference, AccountID)
    case undo(OrderReference)
    /// A person gives what a transaction bought to an account, or to nobody.
    case transfer(TransactionKey, AccountID?)
    case merge(from: AccountID, into: AccountID)
    case mergeUndo(from: AccountID, into: AccountID)
    case policy(ScriptedPolicy)
}

/// An order of the script.
package enum OrderReference: Hashable, Sendable {
    /// The one made under the number.
    case made(Int)
    /// The newest that was made for a second payment of that one.
    case second(of: Int)
    /// One that nobody has made.
    case nobodys
}

/// What an account is about to buy.
package struct ScriptedOrder: Hashable, Sendable {
    package var account: AccountID
    package var environment: StoreEnvironment
    package var product: ProductID
    package var quantity: Int64
    package var appleID: AppleIDKey?
    package var price: Price?
    /// The caller's idempotency key.
    package var key: String?

    package init(
        account: AccountID, environment: StoreEnvironment = .production, product: ProductID,
        quantity: Int64 = 1
    ) {
        self.account = account
        self.environment = environment
        self.product = product
        self.quantity = quantity
    }
}

/// What somebody hands in.
package struct ScriptedEvidence: Sendable {
    /// One where it is a JWS.
    package var sales: [ScriptedSale]
    package var isReceipt: Bool
    /// Nil for a notification.
    package var account: AccountID?
    package var moment: ClaimMoment?
    package var order: OrderReference?

    package init(sales: [ScriptedSale], isReceipt: Bool, account: AccountID?) {
        self.sales = sales
        self.isReceipt = isReceipt
        self.account = account
    }
}

/// What Apple says of the renewal of a subscription.
package struct ScriptedRenewal: Sendable {
    package var environment: StoreEnvironment
    package var originalTransactionID: TransactionID
    package var product: ProductID
    package var next: ProductID
    package var isOn: Bool
    package var renewalDate: Instant?
    package var signedDate: Instant

    package var lineage: LineageKey { LineageKey(environment, originalTransactionID) }

    package init(of sale: ScriptedSale, as next: ProductID, isOn: Bool, signedDate: Instant) {
        environment = sale.environment
        originalTransactionID = sale.originalTransactionID
        product = sale.product
        self.next = next
        self.isOn = isOn
        renewalDate = sale.expiresDate
        self.signedDate = signedDate
    }
}

/// A purchase as Apple signs it at one instant.
package struct ScriptedSale: Sendable {
    package enum Token: Hashable, Sendable {
        case none
        case order(OrderReference)
        case other(String)
    }

    package var environment = StoreEnvironment.production
    package var transactionID: TransactionID
    package var originalTransactionID: TransactionID
    package var product: ProductID
    package var kind: ProductKind
    package var purchaseDate: Instant
    package var expiresDate: Instant?
    package var quantity: Int64 = 1
    package var token = Token.none
    package var appTransactionID: AppTransactionID?
    package var price: Price?
    package var isRenewal = false
    package var isFamilyShared = false
    package var isOfferCode = false
    package var refundedAt: Instant?
    package var signedDate: Instant

    package var key: TransactionKey { TransactionKey(environment, transactionID) }

    /// A first purchase.
    package init(
        _ product: ProductID, _ kind: ProductKind, transactionID: TransactionID,
        purchaseDate: Instant, expiresDate: Instant? = nil
    ) {
        self.product = product
        self.kind = kind
        self.transactionID = transactionID
        originalTransactionID = transactionID
        self.purchaseDate = purchaseDate
        self.expiresDate = expiresDate
        signedDate = purchaseDate
    }
}
