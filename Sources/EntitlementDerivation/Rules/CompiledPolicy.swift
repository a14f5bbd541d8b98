internal import EntitlementModel

/// A policy prepared for many derivations: what follows from the product alone is decided once.
/// A class, because everything that derives refers to it, and copying a reference is cheap.
final class CompiledPolicy: Sendable {
    let history: PolicyHistory
    let policy: Policy
    /// The policy's deciding rules and the built-in ones, in order.
    let rules: [CompiledAccessRule]
    let products: [CompiledProduct]
    let productIndex: [ProductID: Int]
    /// Everything that a product gives or that has a title, sorted.
    let entitlements: [EntitlementName]
    let entitlementIndex: [EntitlementName: Int]
    let splits: TimeSplits
    /// What `open` says, for everybody (spec 2.1).
    let openContributions: [Contribution]
    /// The environments that some access rule names: their units can count elsewhere.
    let namedEnvironments: Set<StoreEnvironment>
    /// Whether a subscription of any policy in the history delivers units (spec 1.7).
    let deliversByPeriod: Bool

    init(_ history: PolicyHistory) {
        let policy = history.current
        self.history = history
        self.policy = policy
        let rules = (policy.decidingRules + builtInAccessRules).map {
            CompiledAccessRule($0, foldsAccounts: policy.foldsAccounts)
        }
        self.rules = rules
        // Of the app itself no other rule is asked, in whatever environment (spec 1.13).
        let ofApp = policy.decidingRules.count - policy.accessRules.count
        let (appRules, others) = (Array(rules[..<ofApp]), Array(rules[ofApp...]))
        let sorted = policy.products.values.sorted { $0.id < $1.id }
        entitlements = Set(sorted.flatMap(\.entitlements)).union(policy.entitlements.keys).sorted()
        let indexed = entitlements.enumerated().map { ($1, $0) }
        let entitlementIndex = Dictionary(uniqueKeysWithValues: indexed)
        self.entitlementIndex = entitlementIndex
        products = sorted.map {
            CompiledProduct(
                $0, rules: $0.id == .app ? appRules : others, entitlements: entitlementIndex)
        }
        productIndex = Dictionary(
            uniqueKeysWithValues: sorted.enumerated().map { ($1.id, $0) })
        splits = TimeSplits(rules.flatMap { [$0.when] + ($0.unless.map { [$0] } ?? []) })
        openContributions = EntitlementDerivation.openContributions(of: policy)
        namedEnvironments = Set(policy.decidingRules.flatMap { $0.when.environments ?? [] })
        deliversByPeriod = history.activations.contains { activation in
            activation.policy.products.values.contains { product in
                product.kind == .autoRenewable && product.grants.contains(where: \.isCredit)
            }
        }
    }

    func product(_ id: ProductID) -> Product? {
        productIndex[id].map { products[$0].product }
    }

    /// The product as it was sold (spec 1.4).
    func product(_ id: ProductID, soldAt purchaseDate: Instant) -> Product? {
        history.activations.count == 1
            ? product(id) : history.product(id, soldAt: purchaseDate)
    }

    /// The product as it is, with what it gave then and does not give now; nil where neither policy
    /// has it. An entitlement that the policy no longer defines is not given.
    func product(_ id: ProductID, alsoAsSoldAt instant: Instant) -> CompiledProduct? {
        let now = productIndex[id].map { products[$0] }
        guard let sold = product(id, soldAt: instant) else { return now }
        guard var product = now?.product else {
            return CompiledProduct(sold, rules: rules, entitlements: entitlementIndex)
        }
        let given = product.entitlements
        product.grants += sold.grants.filter { grant in
            if case .entitlement(let name, _) = grant { !given.contains(name) } else { false }
        }
        return product.grants == now?.product.grants
            ? now : CompiledProduct(product, rules: rules, entitlements: entitlementIndex)
    }
}

/// An access rule with its conditions compiled; shared by all products that it may decide.
final class CompiledAccessRule: Sendable {
    let reference: RuleReference
    let grants: Bool
    fileprivate let when: CompiledCondition
    fileprivate let unless: CompiledCondition?
    /// Its condition on the product, tested when the policy is compiled.
    fileprivate let whenProduct: Condition
    fileprivate let unlessProduct: Condition?
    fileprivate let only: [EntitlementName]?
    private let namedEnvironments: [StoreEnvironment]
    private let namesAccount: Bool

    init(_ rule: AccessRule, foldsAccounts: Bool) {
        reference = rule.reference
        grants = rule.effect == .grant
        when = CompiledCondition(rule.when, foldsAccounts: foldsAccounts)
        unless = rule.unless.map { CompiledCondition($0, foldsAccounts: foldsAccounts) }
        whenProduct = rule.when
        unlessProduct = rule.unless
        only = rule.only
        namedEnvironments = rule.when.environments ?? []
        namesAccount = when.accounts != nil || unless?.accounts != nil
    }

    /// Whether it says `environment:` with this one in it (spec 1.5).
    func names(_ environment: StoreEnvironment) -> Bool {
        namedEnvironments.contains(environment)
    }

    /// For a product and an entitlement of its own. If the question is about an Apple ID, rules
    /// that name an account do not match (spec 1.6).
    func matches(
        _ circumstances: borrowing Circumstances, unlessApplies: Bool, at instant: Instant
    ) -> Bool {
        guard when.holds(circumstances, at: instant) else { return false }
        if namesAccount, circumstances.account == nil { return false }
        guard unlessApplies, let unless else { return true }
        return !unless.holds(circumstances, at: instant)
    }
}

extension CompiledAccessRule {
    /// Whether it speaks of a delivery of credits: a rule for named entitlements does not.
    func matches(delivery subject: Subject, of product: Product, at instant: Instant) -> Bool {
        guard only == nil, whenProduct.entitlements == nil, whenProduct.admits(product.id, product)
        else {
            return false
        }
        let excluded = unlessProduct.flatMap { $0.entitlements == nil ? $0 : nil }
        let unlessApplies = excluded?.admits(product.id, product) ?? false
        return matches(subject.circumstances, unlessApplies: unlessApplies, at: instant)
    }
}

/// A product with, for each entitlement that it gives, the rules that can decide it. A class, for
/// copying a reference is cheap.
final class CompiledProduct: Sendable {
    struct Gift: Sendable {
        let entitlement: EntitlementName
        /// Its position in the compiled policy.
        let index: Int
        /// For how long, where a consumable gives it.
        let lasting: Period?
        let candidates: [Candidate]
    }

    /// Entitlements of a product that the same rules decide; one at least.
    struct Bundle: Sendable {
        fileprivate(set) var entitlements: [EntitlementName]
        fileprivate let candidates: [Candidate]
        fileprivate let isForATime: Bool

        init(_ gift: Gift) {
            entitlements = [gift.entitlement]
            candidates = gift.candidates
            isForATime = gift.lasting != nil
        }
    }

    struct Candidate: Sendable {
        let rule: CompiledAccessRule
        /// Whether what the rule's `unless` says of the product holds.
        let unlessApplies: Bool
    }

    let product: Product
    let gifts: [Gift]
    let bundles: [Bundle]

    init(
        _ product: Product, rules: [CompiledAccessRule], entitlements: [EntitlementName: Int]
    ) {
        self.product = product
        let gifts: [Gift] = product.grants.compactMap { grant in
            guard case .entitlement(let name, let lasting) = grant, let index = entitlements[name]
            else { return nil }
            let candidates = rules.compactMap {
                Candidate($0, product: product, entitlement: name)
            }
            return Gift(
                entitlement: name, index: index, lasting: lasting, candidates: candidates)
        }
        self.gifts = gifts
        bundles = gifts.bundled()
    }

    /// The rules that decide a bundle; nil for one that the product does not give so: a consumable
    /// gives for a time, what is of another kind does not (spec 1.2).
    func candidates(for bundle: Bundle, forATime isForATime: Bool) -> [Candidate]? {
        gifts.first {
            $0.entitlement == bundle.entitlements[0] && ($0.lasting != nil) == isForATime
        }?.candidates
    }
}

extension [CompiledProduct.Gift] {
    /// Gifts with the same rules together.
    fileprivate func bundled() -> [CompiledProduct.Bundle] {
        var bundles: [CompiledProduct.Bundle] = []
        for gift in self {
            let alike = bundles.firstIndex {
                $0.isForATime == (gift.lasting != nil) && $0.candidates.areAlike(gift.candidates)
            }
            if let alike {
                bundles[alike].entitlements.append(gift.entitlement)
            } else {
                bundles.append(CompiledProduct.Bundle(gift))
            }
        }
        return bundles
    }
}

extension [CompiledProduct.Candidate] {
    fileprivate func areAlike(_ others: Self) -> Bool {
        count == others.count
            && zip(self, others).allSatisfy {
                $0.rule === $1.rule && $0.unlessApplies == $1.unlessApplies
            }
    }
}

extension CompiledProduct.Candidate {
    fileprivate init?(
        _ rule: CompiledAccessRule, product: Product, entitlement: EntitlementName
    ) {
        guard rule.only?.contains(entitlement) ?? true,
            rule.whenProduct.admits(product, entitlement)
        else { return nil }
        self.rule = rule
        unlessApplies = rule.unlessProduct?.admits(product, entitlement) ?? false
    }
}
