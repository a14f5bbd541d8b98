package import EntitlementModel

/// A story that a simulated App Store plays: who buys what, what becomes of it, and what must
/// follow (spec 4.3).
package struct Play: Sendable {
    /// Of its name, or else of its text: ids of different plays differ.
    let digest: Digest256
    /// Why it is told.
    package let why: String
    package let environment: StoreEnvironment
    package let bundleID: String
    package let appAppleID: Int64
    let products: [String: PlayProduct]
    let steps: [PlayStep]
    package let expectations: [PlayExpectation]

    /// Day 0 of all plays.
    package static let start = Instant.day(2026, 1, 1)

    /// From the App Store's first day on, and as long as a certificate may be good.
    static let dates = Instant.day(2008, 7, 10)..<Instant.day(2100, 1, 1)

    /// From its first step to its last.
    var extent: (first: Instant, last: Instant) {
        let first = steps.first?.at ?? Play.start
        return (first, steps.reduce(first) { max($0, $1.at) })
    }
}

/// What a word of a play is sold as.
struct PlayProduct: Sendable {
    var id: String
    var kind: ProductKind
    /// Of auto-renewable ones.
    var group: String?
    var period: Period?
}

/// Something that happens at an instant.
struct PlayStep: Sendable {
    var line: Int
    var at: Instant
    var action: PlayAction
}

/// What must be true once all evidence up to an instant is handed in.
package struct PlayExpectation: Sendable {
    package enum Claim: Hashable, Sendable {
        case granted(Bool)
        case balance(Int64)
    }

    /// Of the file, from 1.
    package var line: Int
    package var account: String
    /// An entitlement, or a credit for a balance.
    package var name: String
    package var at: Instant
    package var claim: Claim
}

extension Instant {
    /// Midnight UTC.
    package static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Instant {
        Instant(
            milliseconds: CivilDate(year: year, month: month, day: day).daysSinceEpoch
                * 86_400_000)
    }
}

/// The app, and what it sells, in the example policy.
package enum ExampleApp {
    package static let bundleID = "com.example.reader"
    package static let appleID: Int64 = 1_234_567_890
    package static let monthly = "com.example.reader.gold.monthly"
    package static let archive = "com.example.reader.archive.2025"
    package static let coins = "com.example.reader.coins.100"
    package static let weekly = "com.example.reader.weekly"
    package static let forever = "com.example.reader.noads"
}

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
    /// The order that the purchase is for: its id is the token.
    var order: AppAccountToken?
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
