internal import EntitlementModel

/// The values of each axis that the conditions of a list of rules can tell apart (spec 2.2).
///
/// Where no condition looks at an axis, it has one value. Names that the same conditions match are
/// one value, and there is one for names that none does; dates and ages are the stretches between
/// the bounds that are written. So what holds of one case of a cell holds of all.
struct CellSpace {
    let standings: [Standing]
    let environments: [StoreEnvironment]
    let ownerships: [OwnershipWord]
    /// Nil for one that Apple adds.
    let offers: [OfferWord]
    let autoRenews: [AutoRenewWord]
    /// Nil for any that no condition names, and for none.
    let storefronts: [String?]
    let accounts: [AccountCell]
    let tokens: [TokenMatch]
    let moments: [ClaimMoment]
    let ages: [CellRange]
    /// Since the paid end; nil before it, and where there is none.
    let unpaids: [CellRange?]
    let instants: [CellRange]
    let purchases: [CellRange]
    let firstPurchases: [CellRange]
    let foldsAccounts: Bool
    let layout: CellLayout

    /// - Parameter hasNobody: whether somebody may ask who has no account.
    init(_ conditions: [Condition], foldsAccounts: Bool, hasNobody: Bool) {
        func values<Value>(
            _ all: [Value], _ isNamed: (Condition) -> Bool, plain: Int = 0
        ) -> [Value] {
            conditions.contains(where: isNamed) ? all : [all[plain]]
        }
        self.foldsAccounts = foldsAccounts
        standings = Standing.all
        environments = values(
            [.production] + StoreEnvironment.allCases.filter { $0 != .production },
            { $0.environments != nil })
        ownerships = values(OwnershipWord.allCases, { $0.ownerships != nil })
        offers = values(OfferWord.allCases, { $0.offers != nil })
        autoRenews = AutoRenewWord.allCases
        storefronts = Self.storefronts(conditions)
        accounts = Self.accounts(conditions, foldsAccounts, hasNobody)
        tokens = TokenMatch.allCases
        moments = values(ClaimMoment.allCases, { $0.moments != nil })
        ages = CellRange.between(conditions.flatMap { $0.stateAges.cuts }, from: 0)
        unpaids = values(
            [nil] + CellRange.between(conditions.flatMap { $0.unpaidFor.cuts }, from: 0),
            { $0.unpaidFor != nil })
        func dates(_ bounds: KeyPath<Condition, [DateBound]?>) -> [CellRange] {
            CellRange.between(
                conditions.flatMap { $0[keyPath: bounds].cuts }, from: CellRange.earliest)
        }
        instants = dates(\.at)
        purchases = dates(\.purchased)
        firstPurchases = dates(\.firstPurchased)
        layout = CellLayout(counts: [
            standings.count, environments.count, ownerships.count, offers.count,
            autoRenews.count, storefronts.count, accounts.count, tokens.count, moments.count,
            ages.count, unpaids.count, instants.count, purchases.count, firstPurchases.count,
        ])
    }

    private static func storefronts(_ conditions: [Condition]) -> [String?] {
        let lists = conditions.compactMap(\.storefronts).map(Set.init)
        var seen: Set<[Int]> = []
        var found: [String?] = [nil]
        for name in lists.reduce(into: Set<String>(), { $0.formUnion($1) }).sorted() {
            let naming = lists.indices.filter { lists[$0].contains(name) }
            if seen.insert(naming).inserted { found.append(name) }
        }
        return found
    }

    private static func accounts(
        _ conditions: [Condition], _ folding: Bool, _ hasNobody: Bool
    ) -> [AccountCell] {
        let lists = conditions.compactMap(\.accounts)
        let plain = AccountID(unchecked: "someone")
        guard !lists.isEmpty else { return [.named(plain)] }
        var seen: Set<[Int]> = []
        var found: [AccountCell] = []
        let patterns = Set(lists.joined()).sorted { $0.text < $1.text }
        for name in names(beside: patterns) + patterns.flatMap({ names(of: $0, folding) }) {
            let account = AccountID(unchecked: name)
            let matching = lists.indices.filter { lists[$0].match(account, folding: folding) }
            if seen.insert(matching).inserted { found.append(.named(account)) }
        }
        return found + (hasNobody ? [.nobody] : [])
    }

    /// A name that no pattern matches, if there is one.
    private static func names(beside patterns: [NamePattern]) -> [String] {
        ["someone", "~", "a~", "0~", "~~"].filter { name in
            !patterns.contains { $0.matches(name) }
        }
    }

    /// Names that the pattern matches: plain ones, and UUIDs where they have no case.
    private static func names(of pattern: NamePattern, _ folding: Bool) -> [String] {
        let text = pattern.text
        guard pattern.hasWildcard else { return folding ? [text, text.lowercased()] : [text] }
        let prefix = String(text.dropLast())
        let plain = ["1", "2", "3", "~", "~~", "x~", ""].map { prefix + $0 }.filter { !$0.isEmpty }
        guard folding, prefix.utf8.count <= 36 else { return plain }
        let uuids = [
            "00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff",
        ]
        .map { prefix.lowercased() + $0.dropFirst(prefix.utf8.count) }
        return plain + uuids.filter { AppAccountToken($0) != nil }
    }
}

extension [AgeBound]? {
    fileprivate var cuts: [Int64] {
        (self ?? []).flatMap { bound -> [Int64] in
            switch bound {
            case .under(let age), .atLeast(let age): [age.fixedMilliseconds ?? 0]
            case .between(let least, let end):
                [least.fixedMilliseconds ?? 0, end.fixedMilliseconds ?? 0]
            }
        }
    }
}

extension [DateBound]? {
    fileprivate var cuts: [Int64] {
        (self ?? []).flatMap { bound -> [Int64] in
            switch bound {
            case .before(let instant), .from(let instant): [instant.milliseconds]
            case .within(let start, let end): [start.milliseconds, end.milliseconds]
            }
        }
    }
}

extension CellSpace {
    /// The cells in which a condition holds, as far as it does not look at the product.
    func box(_ condition: Condition) -> CellBox {
        var box = layout.full
        func keep(_ axis: CellAxis, _ isKept: (Int) -> Bool) {
            box = layout.restricting(box, axis, to: isKept)
        }
        if let words = condition.states { keep(.standing) { words.contains(standings[$0].state) } }
        if let words = condition.expiryReasons {
            keep(.standing) { standings[$0].expiryReason.map(words.contains) ?? false }
        }
        if let words = condition.revocations {
            keep(.standing) { standings[$0].revocation.map(words.contains) ?? false }
        }
        if let words = condition.environments {
            keep(.environment) { words.contains(environments[$0]) }
        }
        if let words = condition.ownerships {
            // `not-stated` is judged as `purchased`, and has its own word as well (spec 1.5).
            let words = words.contains(.purchased) ? words + [.notStated] : words
            keep(.ownership) { words.contains(ownerships[$0]) }
        }
        if let words = condition.offers { keep(.offer) { words.contains(offers[$0]) } }
        if let words = condition.autoRenews { keep(.autoRenew) { words.contains(autoRenews[$0]) } }
        if let words = condition.tokens { keep(.token) { words.contains(tokens[$0]) } }
        if let words = condition.moments { keep(.moment) { words.contains(moments[$0]) } }
        if let names = condition.storefronts {
            keep(.storefront) { storefronts[$0].map(names.contains) ?? false }
        }
        if let patterns = condition.accounts {
            keep(.account) { index in
                guard case .named(let account) = accounts[index] else { return false }
                return patterns.match(account, folding: foldsAccounts)
            }
        }
        if let bounds = condition.stateAges {
            keep(.stateAge) { index in bounds.contains { $0.holds(throughout: ages[index]) } }
        }
        if let bounds = condition.unpaidFor {
            keep(.unpaid) { index in
                unpaids[index].map { range in
                    bounds.contains { $0.holds(throughout: range) }
                } ?? false
            }
        }
        for (axis, bounds, ranges) in [
            (CellAxis.at, condition.at, instants), (.purchased, condition.purchased, purchases),
            (.firstPurchased, condition.firstPurchased, firstPurchases),
        ] {
            guard let bounds else { continue }
            keep(axis) { index in bounds.contains { $0.holds(throughout: ranges[index]) } }
        }
        return box
    }
}

extension AgeBound {
    /// Of a stretch that no bound of the list cuts.
    fileprivate func holds(throughout range: CellRange) -> Bool {
        switch self {
        case .under(let age): range.lower < age.fixedMilliseconds ?? 0
        case .atLeast(let age): range.lower >= age.fixedMilliseconds ?? 0
        case .between(let least, let end):
            range.lower >= least.fixedMilliseconds ?? 0
                && range.lower < end.fixedMilliseconds ?? 0
        }
    }
}

extension DateBound {
    /// Of a stretch that no bound of the list cuts.
    fileprivate func holds(throughout range: CellRange) -> Bool {
        holds(at: Instant(milliseconds: range.lower))
    }
}
