internal import EntitlementModel
internal import TestSupport

extension SplitMix64 {
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func some<Value>(of values: [Value], atMost most: Int = 2) -> [Value] {
        let count = Int.random(in: 1...min(most, values.count), using: &self)
        return Array(values.shuffled(using: &self).prefix(count))
    }
}

/// The fields of conditions, and the values that random ones have.
enum ProofField: CaseIterable, Hashable {
    case kind, product, group, level, entitlement, state, environment, ownership, offer
    case expiryReason, autoRenew, revocation, storefront, account, age, purchased, first, at
    case unpaid, member
    case token, moment, paid, quantity

    static let day: Int64 = 86_400_000
    /// The two dates and the two ages that bounds are made of.
    static let dates: [Int64] = [1_767_225_600_000, 1_769_904_000_000]
    static let ages = [Period(1, .days), Period(7, .days)]
    static let patterns = ["s1", "s2", "s*", "*1", "p", "n"].map(NamePattern.init)
    static let accounts = ["bob", "qa-*", "qa-1", "*"].map(NamePattern.init)

    static let access: [ProofField] = allCases.filter {
        ![.token, .moment, .paid, .quantity].contains($0)
    }
    static let claims: [ProofField] = [
        .kind, .product, .group, .level, .environment, .ownership, .account, .token, .moment, .at,
        .state, .paid, .quantity,
    ]
    static let refunds: [ProofField] = [
        .kind, .product, .group, .level, .environment, .ownership, .account, .storefront,
        .purchased, .at,
    ]
}

/// A small policy with rules that overlap, shadow and exclude one another as often as may be.
struct RandomPolicy {
    var policy: Policy
    /// The fields that its conditions look at.
    let palette: [ProofField]
    private var random: SplitMix64

    enum List: CaseIterable { case access, claims, refunds }

    init(seed: UInt64, _ list: List) {
        var random = SplitMix64(seed: seed)
        let fields: [ProofField] =
            switch list {
            case .access: ProofField.access
            case .claims: ProofField.claims
            case .refunds: ProofField.refunds
            }
        palette = random.some(of: fields, atMost: 3)
        var policy = Policy(
            digest: Digest256(hash: [UInt8](repeating: 0, count: 32)),
            app: AppSettings(bundleID: BundleID(unchecked: "com.example")))
        policy.environments = [.production: .trusted, .sandbox: .trusted]
        for product in random.some(of: Self.catalogue, atMost: 4) {
            policy.products[product.id] = product
        }
        self.random = random
        self.policy = policy
        addRules(list)
    }

    private static let catalogue: [Product] = {
        func product(
            _ id: String, _ kind: ProductKind, _ grants: [ProductGrant], level: String? = nil
        ) -> Product {
            var product = Product(id: ProductID(unchecked: id), kind: kind)
            product.grants = grants
            product.level = level.map { LevelName(unchecked: $0) }
            product.group = level.map { _ in GroupName(unchecked: "g") }
            return product
        }
        func right(_ name: String, _ lasting: Period? = nil) -> ProductGrant {
            .entitlement(EntitlementName(unchecked: name), lasting: lasting)
        }
        return [
            product("s1", .autoRenewable, [right("a"), right("b")], level: "gold"),
            product(
                "s2", .autoRenewable,
                [right("a"), .credit(CreditName(unchecked: "k"), units: 1)], level: "silver"),
            product("n", .nonConsumable, [right("b")]), product("p", .nonRenewing, [right("a")]),
            product("f", .free, [right("a")]),
            product(
                "c1", .consumable,
                [right("b", Period(1, .days)), .credit(CreditName(unchecked: "k"), units: 1)]),
        ]
    }()

    private mutating func addRules(_ list: List) {
        for index in 0..<Int.random(in: 1...5, using: &random) {
            let reference = RuleReference(name: "r\(index)", file: "r.yaml", line: index + 1)
            let when = random.chance(8) ? Condition() : condition()
            let unless = random.chance(25) ? condition() : nil
            switch list {
            case .access:
                let names = ["a", "b"].map { EntitlementName(unchecked: $0) }.filter { name in
                    policy.products.values.contains { $0.grants.contains { $0.gives(name) } }
                }
                let only =
                    random.chance(15) && when.entitlements == nil && !names.isEmpty
                    ? random.some(of: names) : nil
                policy.accessRules.append(
                    AccessRule(
                        reference: reference, when: when, unless: unless,
                        effect: random.chance(50) ? .grant : .withhold, only: only))
            case .claims:
                let verbs: [ClaimVerb] = [
                    .keep, .transfer, .transferIfInactive, .deny, .inherit, .ask,
                    .share(maximum: 2),
                ]
                policy.claimRules.append(
                    ClaimRule(
                        reference: reference, when: when, unless: unless,
                        verb: random.some(of: verbs)[0],
                        limits: ClaimLimits(cooldown: Period(1, .days))))
            case .refunds:
                policy.refundRules.append(
                    RefundRule(
                        reference: reference, when: when, unless: unless,
                        answer: random.some(of: [.grant, .decline, .nothing])[0]))
            }
        }
    }

    /// Of names that lead somewhere.
    private mutating func condition() -> Condition {
        var condition = Condition()
        let products = Array(policy.products.values).sorted { $0.id < $1.id }
        for field in random.some(of: palette, atMost: 3) {
            switch field {
            case .kind: condition.kinds = random.some(of: ProductKind.allCases)
            case .product:
                let patterns = ProofField.patterns.filter { pattern in
                    products.contains { pattern.matches($0.id.text) }
                }
                if !patterns.isEmpty { condition.products = random.some(of: patterns) }
            case .group:
                let groups = Set(products.compactMap(\.group))
                if !groups.isEmpty { condition.groups = Array(groups) }
            case .level:
                let levels = Set(products.compactMap(\.level)).sorted()
                if !levels.isEmpty { condition.levels = random.some(of: levels) }
            case .entitlement:
                let names = ["a", "b"].map { EntitlementName(unchecked: $0) }.filter { name in
                    products.contains { $0.grants.contains { $0.gives(name) } }
                }
                if !names.isEmpty { condition.entitlements = random.some(of: names) }
            default: fill(field, of: &condition)
            }
        }
        return condition
    }

    private mutating func fill(_ field: ProofField, of condition: inout Condition) {
        switch field {
        case .state: condition.states = random.some(of: EntitlementState.allCases, atMost: 4)
        case .environment:
            condition.environments = random.some(of: StoreEnvironment.allCases, atMost: 3)
        case .ownership: condition.ownerships = random.some(of: OwnershipWord.allCases, atMost: 4)
        case .offer: condition.offers = random.some(of: OfferWord.allCases, atMost: 6)
        case .expiryReason:
            condition.expiryReasons = random.some(of: ExpiryReason.allCases, atMost: 7)
        case .autoRenew: condition.autoRenews = random.some(of: AutoRenewWord.allCases)
        case .revocation:
            condition.revocations = random.some(of: RevocationWord.allCases, atMost: 5)
        case .storefront: condition.storefronts = random.some(of: ["DEU", "USA", "CHN"])
        case .account: condition.accounts = random.some(of: ProofField.accounts)
        case .age: condition.stateAges = ages()
        case .unpaid: condition.unpaidFor = ages()
        case .member: condition.memberFor = ages()
        case .token: condition.tokens = random.some(of: TokenMatch.allCases)
        case .paid: condition.paid = random.some(of: PaidWord.allCases)
        case .quantity:
            condition.quantities = random.some(of: [.under(2), .atLeast(2), .exactly(3)])
        case .moment: condition.moments = random.some(of: ClaimMoment.allCases, atMost: 3)
        case .purchased: condition.purchased = bounds()
        case .first: condition.firstPurchased = bounds()
        case .at: condition.at = bounds()
        case .kind, .product, .group, .level, .entitlement: break
        }
    }

    private mutating func ages() -> [AgeBound] {
        let (short, long) = (ProofField.ages[0], ProofField.ages[1])
        return random.some(of: [
            .under(short), .under(long), .atLeast(short), .atLeast(long), .between(short, long),
        ])
    }

    private mutating func bounds() -> [DateBound] {
        let dates = ProofField.dates.map { Instant(milliseconds: $0) }
        return random.some(of: [
            .before(dates[0]), .before(dates[1]), .from(dates[0]), .from(dates[1]),
            .within(dates[0], dates[1]),
        ])
    }
}

extension ProductGrant {
    func gives(_ name: EntitlementName) -> Bool {
        if case .entitlement(name, _) = self { true } else { false }
    }
}
