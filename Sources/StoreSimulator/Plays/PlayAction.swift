/// What one line of a play makes happen.
enum PlayAction: Sendable {
    case buys(PlayOrder)
    /// Ask to Buy: nothing is signed until a parent agrees.
    case asksToBuy(PlayOrder)
    case isApproved(String)
    case isDeclined(String)
    case befalls(String, PurchaseAction)
    case restores(account: String, purchase: String)
    case showsReceipt(account: String, appleID: String)
    case opensApp(account: String, appleID: String)
    case appleSays(type: String, subtype: String?, about: String?)
}

/// What is bought, by whom, and how.
struct PlayOrder: Sendable {
    var account: String
    var product: String
    /// What the play calls the purchase.
    var name: String
    /// Named after the account unless told.
    var appleID: String
    /// Whether the app set the account's token.
    var hasToken = false
    /// Whether the device hands it in; else only Apple tells of it.
    var isPresented = true
    var quantity: Int64 = 1
    /// Apple's `offerType`.
    var offer: Int64?
}

/// What becomes of a purchase.
enum PurchaseAction: Sendable {
    case renews
    case fails(graceDays: Int64?)
    case graceEnds
    case recovers
    case cancels
    case resumes
    case expires(EndCause?)
    case resubscribes
    case upgrades(to: String)
    case downgrades(to: String)
    case keepsItsProduct
    case redeems(offer: Int64)
    case refundIsAskedFor
    case isRefunded(percent: Int64?)
    case refundIsDeclined
    case refundIsReversed
    case isShared(account: String, name: String)
    case isUnshared
    case isExtended(days: Int64)
    case priceRises
    case priceIsAccepted

    /// Why a subscription ends; told by what happened before unless said.
    enum EndCause: String, Sendable {
        case price
        case product
    }
}
