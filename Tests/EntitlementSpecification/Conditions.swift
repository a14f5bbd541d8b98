internal import EntitlementModel

/// Everything that a rule may look at, of one unit at one instant (spec 1.5, 2.1). What is nil
/// is not there, and no condition on it holds.
struct RuleCase {
    var kind: ProductKind?
    var state: EntitlementState?
    /// Seats; of a claim only.
    var quantity: Int64?
    var environment: StoreEnvironment
    var ownership: Ownership
    var offer: OfferWord?
    var expiryReason: ExpiryReason?
    var autoRenew: AutoRenewWord?
    var revocation: RevocationWord?
    var token: TokenMatch?
    var moment: ClaimMoment?
    /// Where nobody owns what is claimed, listing it restores it.
    var restoresByListing = false
    var product: ProductID
    /// Nil in an Apple ID's answer, for which no rule that names an account matches.
    var account: AccountID?
    /// Of account ids that are UUIDs.
    var ignoresCase = false
    var group: GroupName?
    var entitlement: EntitlementName?
    var level: LevelName?
    var storefront: String?
    var stateAge: Int64?
    /// Since the paid end; nil before it.
    var unpaidFor: Int64?
    /// Nil where the product is in no group.
    var memberFor: Int64?
    var purchased: Instant?
    var firstPurchased: Instant?
    /// Of the app itself, as Apple wrote it.
    var firstVersion: String?
    var at: Instant
}

extension Condition {
    /// All fields that are given hold; of a list, any (spec 2.1).
    func holds(for subject: RuleCase) -> Bool {
        isAny(kinds, subject.kind) && isAny(states, subject.state)
            && isAny(paid, subject.state.map { $0 == .active ? .yes : .no })
            && isCounted(subject.quantity)
            && isAny(environments, subject.environment)
            && (ownerships.map(subject.ownership.isOne) ?? true)
            && isAny(offers, subject.offer) && isAny(expiryReasons, subject.expiryReason)
            && isAny(autoRenews, subject.autoRenew)
            && isAny(revocations, subject.revocation) && isAny(tokens, subject.token)
            && isMeant(subject) && isAny(groups, subject.group)
            && isAny(entitlements, subject.entitlement) && isAny(levels, subject.level)
            && isAny(storefronts, subject.storefront)
            && isMatched(products, subject.product.text)
            && isNamed(subject)
            && isWithin(stateAges, subject.stateAge) && isWithin(unpaidFor, subject.unpaidFor)
            && isWithin(memberFor, subject.memberFor)
            && isDated(purchased, subject.purchased)
            && isDated(firstPurchased, subject.firstPurchased)
            && isDated(bought, subject.firstPurchased) && isFirst(subject.firstVersion)
            && isDated(at, subject.at)
    }

    private func isAny<Value: Equatable>(_ allowed: [Value]?, _ value: Value?) -> Bool {
        guard let allowed else { return true }
        return value.map(allowed.contains) ?? false
    }

    private func isMeant(_ subject: RuleCase) -> Bool {
        isAny(moments, subject.moment)
            || subject.moment == .listed && subject.restoresByListing && isAny(moments, .restore)
    }

    private func isMatched(_ patterns: [NamePattern]?, _ name: String?) -> Bool {
        guard let patterns else { return true }
        guard let name else { return false }
        return patterns.contains { $0.matches(name) }
    }

    /// A pattern names a UUID in any case where the account's case does not matter (spec 1.1).
    private func isNamed(_ subject: RuleCase) -> Bool {
        guard let account = subject.account?.text, subject.ignoresCase,
            AppAccountToken(account) != nil
        else { return isMatched(accounts, subject.account?.text) }
        return isMatched(accounts?.map { NamePattern($0.text.lowercased()) }, account)
    }

    private func isWithin(_ bounds: [AgeBound]?, _ age: Int64?) -> Bool {
        guard let bounds else { return true }
        guard let age else { return false }
        return bounds.contains { bound in
            switch bound {
            case .under(let period): age < period.fixedMilliseconds ?? .min
            case .atLeast(let period): age >= period.fixedMilliseconds ?? .max
            case .between(let least, let end):
                age >= least.fixedMilliseconds ?? .max && age < end.fixedMilliseconds ?? .min
            }
        }
    }

    private func isCounted(_ quantity: Int64?) -> Bool {
        guard let quantities else { return true }
        guard let quantity else { return false }
        return quantities.contains { bound in
            switch bound {
            case .under(let end): quantity < end
            case .atLeast(let least): quantity >= least
            case .exactly(let count): quantity == count
            }
        }
    }

    private func isFirst(_ written: String?) -> Bool {
        guard let firstVersions else { return true }
        guard let written, let parts = numbers(of: written) else { return false }
        func isBefore(_ end: AppVersion) -> Bool {
            numbers(of: end.text).map { isOlder(parts, $0) } ?? false
        }
        return firstVersions.contains { bound in
            switch bound {
            case .before(let end): isBefore(end)
            case .from(let start): !isBefore(start)
            case .within(let start, let end): !isBefore(start) && isBefore(end)
            }
        }
    }

    /// Of a version; nil where it is not numbers and dots.
    private func numbers(of version: String) -> [UInt64]? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }

    /// Number by number; what one of them lacks is zero.
    private func isOlder(_ left: [UInt64], _ right: [UInt64]) -> Bool {
        for place in 0..<max(left.count, right.count) {
            let own = place < left.count ? left[place] : 0
            let other = place < right.count ? right[place] : 0
            if own != other { return own < other }
        }
        return false
    }

    private func isDated(_ bounds: [DateBound]?, _ instant: Instant?) -> Bool {
        guard let bounds else { return true }
        guard let instant else { return false }
        return bounds.contains { bound in
            switch bound {
            case .before(let end): instant < end
            case .from(let start): instant >= start
            case .within(let start, let end): start <= instant && instant < end
            }
        }
    }
}

extension Ownership {
    /// `not-stated` is judged as `purchased`, and may be named itself (spec 1.5).
    fileprivate func isOne(of words: [OwnershipWord]) -> Bool {
        words.contains { $0.rawValue == word }
            || (self == .notStated && words.contains(.purchased))
    }
}

extension Offer {
    /// The word that policies use (spec 2.1).
    var word: OfferWord {
        switch type {
        case 1: discountType == "FREE_TRIAL" ? .freeTrial : .introductory
        case 2: .promotional
        case 3: .offerCode
        case 4: .winBack
        case 5: .retention
        default: .other
        }
    }
}

extension Revocation {
    /// The word that policies use (spec 2.1).
    var word: RevocationWord {
        switch type?.known {
        case .full: .full
        case .prorated: .prorated
        case .family: .family
        case .assigned: .assigned
        case nil: .unknown
        }
    }
}

extension AccessRule {
    /// Whether the rule decides a case: its conditions hold and nothing excludes it.
    func matches(_ subject: RuleCase) -> Bool {
        if namesAccount, subject.account == nil { return false }
        if let only {
            guard let entitlement = subject.entitlement, only.contains(entitlement) else {
                return false
            }
        }
        return when.holds(for: subject) && unless?.holds(for: subject) != true
    }

    private var namesAccount: Bool { when.accounts != nil || unless?.accounts != nil }
}

extension ClaimRule {
    func matches(_ subject: RuleCase) -> Bool {
        when.holds(for: subject) && unless?.holds(for: subject) != true
    }
}
