internal import EntitlementModel

/// Names that every random policy and history share.
enum Shelf {
    static let entitlements = ["premium", "hd", "archive"].map(EntitlementName.init(unchecked:))
    static let credits = ["coins", "gems"].map(CreditName.init(unchecked:))
    static let membership = GroupName(unchecked: "membership")
    static let news = GroupName(unchecked: "news")
    static let levels = ["gold", "silver"].map(LevelName.init(unchecked:))
    static let bundle = BundleID(unchecked: "com.example.reader")

    /// What Apple signs as each product's kind, whatever a catalogue says.
    static let kinds: [(ProductID, ProductKind)] = [
        ("gold", ProductKind.autoRenewable), ("silver", .autoRenewable),
        ("daily", .autoRenewable), ("book", .nonConsumable), ("weekly", .free),
        ("pass", .nonRenewing), ("ticket", .nonRenewing), ("coins", .consumable),
        ("gems", .consumable),
    ].map { (ProductID(unchecked: $0), $1) }

    /// Apple's group of a product; the catalogue's groups correspond to them.
    static func signedGroup(of product: ProductID) -> SubscriptionGroupID? {
        switch product.text {
        case "gold", "silver": SubscriptionGroupID(unchecked: "1")
        case "daily": SubscriptionGroupID(unchecked: "2")
        default: nil
        }
    }
}

extension HistoryDraw {
    mutating func policy() -> Policy {
        var app = AppSettings(bundleID: Shelf.bundle)
        app.isNewsstand = !dice.chance(1, in: 6)
        app.accountToken = dice.pick(AccountTokenRule.allCases)
        var policy = Policy(digest: digest(), app: app)
        policy.leeway = dice.pick([
            Period(1, .hours), Period(0, .milliseconds), Period(2, .days), Period(5, .minutes),
        ])
        for name in Shelf.entitlements { policy.entitlements[name] = Title(english: name.text) }
        for name in Shelf.credits where !dice.chance(1, in: 8) {
            policy.credits[name] = CreditDefinition(
                title: Title(english: name.text),
                onRefund: dice.pick(CreditDefinition.OnRefund.allCases))
        }
        policy.groups[Shelf.membership] = SubscriptionGroup(levels: Shelf.levels)
        policy.groups[Shelf.news] = SubscriptionGroup()
        for (id, kind) in Shelf.kinds where !dice.chance(1, in: 20) {
            policy.products[id] = product(id, kind: kind)
        }
        policy.duplicates.scope = dice.pick(DuplicateSettings.Scope.allCases)
        policy.duplicates.keep = dice.pick(DuplicateSettings.Keep.allCases)
        for index in 0..<dice.below(4) {
            policy.accessRules.append(accessRule(line: index + 1))
        }
        for index in 0..<dice.below(4) {
            policy.claimRules.append(claimRule(line: index + 1))
        }
        if dice.chance(1, in: 5) { policy.claimsFrom = anyInstant() }
        if dice.chance(1, in: 3) { policy.closedAccounts = .keep }
        if dice.chance(1, in: 3) { policy.onReturn = .ask }
        policy.environments = [.production: .trusted, .sandbox: .trusted]
        if dice.chance(1, in: 2) {
            for index in 0...dice.below(3) { policy.appRules.append(appRule(line: index + 1)) }
            policy.products[.app] = Product(appGiving: policy.appRules)
        }
        if dice.chance(1, in: 4) {
            for index in 0...dice.below(2) { policy.openRights.append(openRight(line: index + 1)) }
        }
        return policy
    }

    private mutating func product(_ id: ProductID, kind: ProductKind) -> Product {
        var product = Product(id: id, kind: kind)
        switch kind {
        case .autoRenewable:
            product.group = id.text == "daily" ? Shelf.news : Shelf.membership
            product.level = Shelf.levels.first { $0.text == id.text }
            product.grants = [.entitlement(Shelf.entitlements[0], lasting: nil)]
            if id.text == "gold" {
                product.grants.append(.entitlement(Shelf.entitlements[1], lasting: nil))
            }
            // A catalogue that is wrong about a kind: the signed one wins (spec 1.2).
            if dice.chance(1, in: 25) { product.kind = .nonConsumable }
        case .nonConsumable:
            product.grants = [.entitlement(Shelf.entitlements[1], lasting: nil)]
        case .free:
            product.grants = [.entitlement(Shelf.entitlements[2], lasting: nil)]
        case .nonRenewing:
            product.duration = duration()
            product.stacking = dice.pick([.extend, .extend, .overlap, .replace])
            if dice.chance(1, in: 2) { product.stack = "passes" }
            product.grants = [.entitlement(Shelf.entitlements[0], lasting: nil)]
        case .consumable:
            // A later catalogue may have what an earlier one lacked.
            if !dice.chance(1, in: 5) {
                product.grants = [
                    .credit(dice.pick(Shelf.credits), units: Int64(1 + dice.below(100)))
                ]
            }
            if id.text == "gems", !dice.chance(1, in: 5) {
                product.grants.append(.entitlement(Shelf.entitlements[2], lasting: duration()))
            }
        }
        return product
    }

    private mutating func duration() -> Period {
        dice.pick([
            Period(30, .days), Period(1, .months), Period(10, .days), Period(1, .weeks),
            Period(1, .years), Period(12, .hours),
        ])
    }
}
