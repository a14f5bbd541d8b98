internal import EntitlementModel

/// What a case is told by, besides its product, its entitlement and the question that is asked.
enum CellAxis: Int, CaseIterable {
    case standing
    case environment
    case ownership
    case offer
    case autoRenew
    case storefront
    case account
    case token
    case moment
    case stateAge
    case unpaid
    case at
    case purchased
    case firstPurchased
}

/// A state with what goes with it: an expiry reason only when expired, a revocation only when
/// revoked.
struct Standing: Hashable {
    var state: EntitlementState
    var expiryReason: ExpiryReason?
    var revocation: RevocationWord?

    /// The plainest first.
    static let all: [Standing] =
        [EntitlementState.active, .renewing, .grace, .billingRetry].map { Standing(state: $0) }
        + ExpiryReason.allCases.map { Standing(state: .expired, expiryReason: $0) }
        + RevocationWord.allCases.map { Standing(state: .revoked, revocation: $0) }

    /// Whether a purchase of the kind can be in it (spec 1.4). Only of a subscription it is known
    /// why it expired. A consumable that gives a right for a time is treated like a pass.
    func goes(with kind: ProductKind) -> Bool {
        switch kind {
        case .autoRenewable: true
        case .nonConsumable, .free: state == .active || state == .revoked
        case .nonRenewing, .consumable:
            state == .active || state == .revoked
                || state == .expired && expiryReason == .unknown
        }
    }
}

/// Who asks.
enum AccountCell: Hashable {
    /// One that stands for all that the same patterns match.
    case named(AccountID)
    /// The question is an Apple ID's.
    case nobody
}

/// A stretch of instants or of lengths in milliseconds, half-open.
struct CellRange: Hashable {
    var lower: Int64
    var upper: Int64

    /// Beyond any instant, with room to subtract.
    static let earliest: Int64 = -1 << 60
    static let latest: Int64 = 1 << 60

    /// The stretches between sorted cuts.
    static func between(_ cuts: [Int64], from first: Int64) -> [CellRange] {
        let cuts = Array(Set(cuts.filter { $0 > first })).sorted()
        return zip([first] + cuts, cuts + [latest]).map { CellRange(lower: $0, upper: $1) }
    }
}
