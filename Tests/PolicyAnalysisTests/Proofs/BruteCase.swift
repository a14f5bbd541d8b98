internal import EntitlementModel

/// One case with every value told, and what a condition says of it: read from spec 1.5 and 2.1,
/// not from the cells.
struct BruteCase {
    enum Question: Hashable {
        case right, rightElsewhere, deliveryElsewhere, refund
        case owned
        case unowned(hasHeir: Bool)
    }

    var question = Question.right
    var product = ProductID(unchecked: "")
    var kind: ProductKind?
    var group: GroupName?
    var level: LevelName?
    var entitlement: EntitlementName?
    var state = EntitlementState.active
    /// Of a claim before the first purchase begins.
    var isStateless = false
    var quantity: Int64 = 1
    var expiryReason: ExpiryReason?
    var revocation: RevocationWord?
    var environment = StoreEnvironment.production
    var ownership = OwnershipWord.purchased
    /// Nil for one that no word names.
    var offer = OfferWord.none
    var autoRenew = AutoRenewWord.unknown
    var storefront: String?
    var account: String? = "someone"
    var token = TokenMatch.matches
    var moment = ClaimMoment.purchase
    var first: Int64 = 0
    var purchased: Int64 = 0
    var at: Int64 = 0
    var age: Int64 = 0
    /// Since the paid end; nil before it, and where there is none.
    var unpaid: Int64?
    /// Nil where the product is in no group.
    var member: Int64?

    var paid: PaidWord? { isStateless ? nil : state == .active ? .yes : .no }

    func meets(_ condition: Condition) -> Bool {
        meetsProduct(condition) && meetsWords(condition) && meetsTimes(condition)
    }

    private func meetsProduct(_ condition: Condition) -> Bool {
        if let kinds = condition.kinds {
            guard let kind, kinds.contains(kind) else { return false }
        }
        if let products = condition.products,
            !products.contains(where: { $0.matches(product.text) })
        {
            return false
        }
        if let groups = condition.groups {
            guard let group, groups.contains(group) else { return false }
        }
        if let levels = condition.levels {
            guard let level, levels.contains(level) else { return false }
        }
        if let entitlements = condition.entitlements {
            guard let entitlement, entitlements.contains(entitlement) else { return false }
        }
        return true
    }

    private func meetsWords(_ condition: Condition) -> Bool {
        if let states = condition.states {
            guard !isStateless, states.contains(state) else { return false }
        }
        if let words = condition.paid {
            guard let paid, words.contains(paid) else { return false }
        }
        if let bounds = condition.quantities {
            guard bounds.contains(where: { $0.isMet(by: quantity) }) else { return false }
        }
        if let reasons = condition.expiryReasons {
            guard let expiryReason, reasons.contains(expiryReason) else { return false }
        }
        if let revocations = condition.revocations {
            guard let revocation, revocations.contains(revocation) else { return false }
        }
        if let words = condition.environments, !words.contains(environment) { return false }
        if let words = condition.ownerships {
            let isJudgedAsPurchased = ownership == .notStated && words.contains(.purchased)
            guard words.contains(ownership) || isJudgedAsPurchased else { return false }
        }
        if let words = condition.offers {
            guard words.contains(offer) else { return false }
        }
        if let words = condition.autoRenews, !words.contains(autoRenew) { return false }
        if let words = condition.tokens, !words.contains(token) { return false }
        if let words = condition.moments, !words.contains(moment) { return false }
        if let names = condition.storefronts {
            guard let storefront, names.contains(storefront) else { return false }
        }
        if let patterns = condition.accounts {
            guard let account, patterns.contains(where: { $0.matches(account) }) else {
                return false
            }
        }
        return true
    }

    private func meetsTimes(_ condition: Condition) -> Bool {
        if let bounds = condition.stateAges, !bounds.contains(where: { $0.isMet(by: age) }) {
            return false
        }
        if let bounds = condition.unpaidFor {
            guard let unpaid, bounds.contains(where: { $0.isMet(by: unpaid) }) else { return false }
        }
        if let bounds = condition.memberFor {
            guard let member, bounds.contains(where: { $0.isMet(by: member) }) else { return false }
        }
        for (bounds, value) in [
            (condition.purchased, purchased), (condition.firstPurchased, first),
            (condition.at, at),
        ] {
            guard let bounds else { continue }
            if !bounds.contains(where: { $0.isMet(by: value) }) { return false }
        }
        return true
    }

    /// Whether such a case can be (spec 2.2).
    var isPossible: Bool {
        switch question {
        case .owned, .unowned:
            guard kind?.isAccountScoped != true else { return false }
            return isStateless || kind != nil && hasPossibleState
        case .refund: return purchased <= at
        case .deliveryElsewhere:
            return state == .active && first <= purchased && purchased == at && age == 0
                && unpaid == nil && autoRenew == .unknown
        case .right, .rightElsewhere:
            guard first <= purchased, purchased <= at, hasPossibleState else { return false }
            if let unpaid {
                guard state != .active, kind != .nonConsumable, kind != .free,
                    unpaid <= at - purchased
                else { return false }
            }
            let mayAdjoin = kind == .autoRenewable && state == .active
            return age <= at - (mayAdjoin ? first : purchased)
        }
    }

    private var hasPossibleState: Bool {
        guard (expiryReason != nil) == (state == .expired) else { return false }
        guard (revocation != nil) == (state == .revoked) else { return false }
        if kind != .autoRenewable, autoRenew != .unknown { return false }
        switch kind {
        case .autoRenewable?: return true
        case .nonConsumable?, .free?: return state == .active || state == .revoked
        default:
            return state == .active || state == .revoked
                || state == .expired && expiryReason == .unknown
        }
    }
}

extension AgeBound {
    fileprivate func isMet(by age: Int64) -> Bool {
        switch self {
        case .under(let bound): age < bound.fixedMilliseconds ?? 0
        case .atLeast(let bound): age >= bound.fixedMilliseconds ?? 0
        case .between(let least, let end):
            age >= least.fixedMilliseconds ?? 0 && age < end.fixedMilliseconds ?? 0
        }
    }
}

extension CountBound {
    fileprivate func isMet(by count: Int64) -> Bool {
        switch self {
        case .under(let end): count < end
        case .atLeast(let least): count >= least
        case .exactly(let exact): count == exact
        }
    }
}

extension DateBound {
    fileprivate func isMet(by instant: Int64) -> Bool {
        switch self {
        case .before(let end): instant < end.milliseconds
        case .from(let start): instant >= start.milliseconds
        case .within(let start, let end):
            instant >= start.milliseconds && instant < end.milliseconds
        }
    }
}
