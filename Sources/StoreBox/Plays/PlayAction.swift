package import EntitlementModel
internal import StrictJSON

/// The action of one line of a play.
package enum PlayAction: Sendable {
    case buys(PlayOrder)
    /// Ask to Buy: nothing is signed until a parent agrees.
    case asksToBuy(PlayOrder)
    case isApproved(String)
    case isDeclined(String)
    case event(String, PurchaseAction)
    case restores(account: String, purchase: String)
    /// The app submits the device's list, without a user's request.
    case lists(account: String, purchase: String)
    /// - Parameter other: an Apple ID whose purchases are in the receipt as well.
    case showsReceipt(account: String, appleID: String, other: String? = nil)
    case opensApp(account: String, appleID: String, PlayedApp = PlayedApp())
    case appleSays(type: String, subtype: String?, about: String?)
    case appleDeletes(appleID: String)
}

/// What Apple signs of the app itself, where a play says it.
package struct PlayedApp: Hashable, Sendable {
    /// The version that was bought first.
    package var version = "1.0"
    /// By default when the store opened.
    package var boughtAt: Instant?
    /// Instead of the store's own.
    package var environment: StoreEnvironment?

    package init() {}
}

/// A purchase: the product, the account, and the circumstances.
package struct PlayOrder: Sendable {
    package var account: String
    package var product: String
    /// The name in the play; if empty, the store names it after its account and product.
    package var name: String
    /// Named after the account unless stated.
    package var appleID: String
    /// Whether the app set the account's token.
    package var hasToken = false
    /// The order that the purchase is for: its id is the token.
    package var order: AppAccountToken?
    /// A token as old apps leave it: null, or an empty text.
    var oddToken: JSONValue?
    /// Whether the device submits it; otherwise only Apple reports it.
    package var isPresented = true
    /// Whether Apple or a device reports it at all; otherwise it is signed and never submitted.
    package var isTold = true
    /// Instead of the store's own.
    package var environment: StoreEnvironment?
    /// Whether a company assigned it to the account.
    var isAssigned = false
    /// Whether it was sold with Apple's Advanced Commerce API.
    package var isAdvancedCommerce = false
    /// Instead of the product's.
    package var price: Price?
    package var quantity: Int64 = 1
    /// Apple's `offerType`.
    package var offer: Int64?
    package var payment: OfferPayment?
    /// The number of seats, if sold for several people.
    package var seats: Int64?
    /// Twelve months, billed monthly.
    var isCommitment = false
    /// ISO 3166-1 alpha-3.
    package var storefront: String?
    /// Whether the clock renews it; nil as the store does.
    package var isAutomatic: Bool?
}

/// How the first period of an offer is paid.
package enum OfferPayment: Hashable, Sendable {
    case free(Period)
    /// Once for the whole time.
    case upFront(Period)
    /// Period by period.
    case each
}

extension PlayAction {
    /// The same, renewed by the clock or by lines of the play.
    package func renewing(automatically isAutomatic: Bool) -> PlayAction {
        switch self {
        case .buys(var order):
            order.isAutomatic = isAutomatic
            return .buys(order)
        case .asksToBuy(var order):
            order.isAutomatic = isAutomatic
            return .asksToBuy(order)
        default: return self
        }
    }
}

extension PlayOrder {
    /// Sets where and how it is sold.
    func mark(_ transaction: inout SimulatedTransaction) {
        if let environment { transaction.environment = environment }
        if isAssigned { transaction.ownership = "ASSIGNED" }
        if isAdvancedCommerce {
            transaction.setField(SimulatedTransaction.advancedCommerce, ["items": []])
        }
    }

    /// The offer of the first period, with its length and price.
    func apply(to transaction: inout SimulatedTransaction, _ product: PlayProduct) {
        guard let offer else { return }
        var applied = Offer(type: offer, identifier: "offer-\(offer)")
        if let payment {
            if offer == 1 { applied.identifier = nil }
            switch payment {
            case .free(let period):
                applied.discountType = "FREE_TRIAL"
                applied.period = period.iso8601
                transaction.expiresDate = period.end(from: transaction.purchaseDate)
                transaction.price = product.price.map {
                    Price(milliunits: 0, currency: $0.currency)
                }
            case .upFront(let period):
                applied.discountType = "PAY_UP_FRONT"
                applied.period = period.iso8601
                transaction.expiresDate = period.end(from: transaction.purchaseDate)
            case .each:
                applied.discountType = "PAY_AS_YOU_GO"
                applied.period = product.period?.iso8601
            }
        }
        transaction.offer = applied
    }
}

/// What becomes of a purchase.
package enum PurchaseAction: Hashable, Sendable {
    case renews
    case fails(graceDays: Int64?)
    /// The same, with the end of grace.
    case failsUntil(Instant)
    case graceEnds
    case recovers
    case cancels
    case resumes
    case expires(EndCause?)
    case resubscribes
    /// The same by the account signed in to the app now.
    case isBoughtAgain(account: String, hasToken: Bool)
    /// - Parameter isTold: whether Apple or a device reports the new period.
    case upgrades(to: String, isTold: Bool = true)
    case downgrades(to: String)
    case keepsItsProduct
    case redeems(offer: Int64)
    case refundIsAskedFor
    /// - Parameter isTold: whether Apple reports it.
    case isRefunded(percent: Int64?, isTold: Bool = true)
    case refundIsDeclined
    case refundIsReversed
    case isShared(account: String, name: String)
    case isUnshared
    case isExtended(days: Int64)
    case priceRises
    case priceIsAccepted
    /// The next charge will fail; with that many days of grace, or the app's.
    case losesItsCard(graceDays: Int64?)
    /// Charges succeed again; one that is being retried does at once.
    case getsACard
    case addsSeats(Int64)
    case losesSeats(Int64)
    /// The app has delivered it.
    case isFinished

    /// Why a subscription ends; inferred from earlier events unless stated.
    package enum EndCause: String, Sendable {
        case price
        case product
    }
}
