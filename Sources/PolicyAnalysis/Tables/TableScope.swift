package import EntitlementModel
package import PolicyLoading

/// Which part of a policy its tables are about.
package struct TableScope: Sendable {
    /// Nil for all.
    package var products: ProductFilter?
    /// Nil for all.
    package var entitlement: EntitlementName?

    package init(products: ProductFilter? = nil, entitlement: EntitlementName? = nil) {
        self.products = products
        self.entitlement = entitlement
    }

    var isWhole: Bool { products == nil && entitlement == nil }

    /// The products in it, in the order of their names; of what they give, what is in it.
    func products(of policy: Policy) -> [Product] {
        policy.products.values.filter { products?.admits($0) ?? true }
            .sorted { $0.id < $1.id }
            .compactMap { product in
                guard let entitlement else { return product }
                var product = product
                product.grants = product.grants.filter { $0.entitlement == entitlement }
                return product.grants.isEmpty ? nil : product
            }
    }
}

/// Finds products: a text with `*`, which stands for any run of characters, is compared with ids;
/// any other is looked for in ids and titles, whatever the case of its letters.
package struct ProductFilter: Hashable, Sendable {
    private let pattern: NamePattern
    private let folded: String

    package init(_ text: String) {
        pattern = NamePattern(text)
        folded = text.lowercased()
    }

    package func admits(_ product: Product) -> Bool {
        if pattern.hasWildcard { return pattern.matches(product.id.text) }
        let texts = [product.id.text, product.title?.english, product.title?.chinese]
        return texts.contains { $0?.lowercased().contains(folded) ?? false }
    }
}

extension ProductGrant {
    /// Nil for credits.
    package var entitlement: EntitlementName? {
        if case .entitlement(let name, _) = self { name } else { nil }
    }
}

/// A rule of any list, as tables show it.
package struct TableRule: Hashable, Sendable {
    /// What a rule does where it decides.
    package enum Effect: Hashable, Sendable {
        case access(AccessRule.Effect, only: [EntitlementName]?)
        case claim(ClaimVerb, ClaimLimits)
        case refund(RefundRule.Answer)
        /// Of the app itself.
        case gives([EntitlementName])
        /// The first accepted claim owns what nobody owns.
        case owns
    }

    package let list: RuleList
    /// Its place in the list, from 0; nil for one that is built in.
    package let index: Int?
    package let reference: RuleReference
    package let when: Condition
    package let unless: Condition?
    package let effect: Effect

    package var isBuiltIn: Bool { index == nil }
}

extension TableRule {
    init(_ rule: AccessRule, at index: Int?) {
        self.init(
            list: .access, index: index, reference: rule.reference, when: rule.when,
            unless: rule.unless, effect: .access(rule.effect, only: rule.only))
    }

    init(ofApp rule: AccessRule, at index: Int) {
        let written = rule.asWritten
        self.init(
            list: .appPurchase, index: index, reference: rule.reference, when: written.when,
            unless: nil, effect: .gives(rule.only ?? []))
    }

    init(_ rule: ClaimRule, at index: Int?) {
        self.init(
            list: .accountSwitch, index: index, reference: rule.reference, when: rule.when,
            unless: rule.unless, effect: .claim(rule.verb, rule.limits))
    }

    init(_ rule: RefundRule, at index: Int?) {
        self.init(
            list: .refundAnswers, index: index, reference: rule.reference, when: rule.when,
            unless: rule.unless, effect: .refund(rule.answer))
    }

    /// Whether it can be asked about one of the products, as far as they tell.
    func concerns(_ products: [Product]) -> Bool {
        products.contains { product in
            guard when.admits(product.id, product, product.kind) else { return false }
            if case .gives(let names) = effect {
                return product.id == .app && names.contains(where: product.entitlements.contains)
            }
            guard case .access(_, let only) = effect else { return true }
            return product.grants.contains { grant in
                guard let name = grant.entitlement else {
                    return only == nil && when.entitlements == nil
                }
                return (only?.contains(name) ?? true) && (when.entitlements?.contains(name) ?? true)
            }
        }
    }
}

/// A rule that decides some case of a cell of a table.
package struct Decider: Hashable, Sendable {
    /// Where a purchase counts that the rule decides.
    package enum Reach: String, Sendable {
        /// In its own environment.
        case own
        /// In other environments, which the rule gives it by naming its own (spec 1.5).
        case elsewhere
        case both
    }

    /// Its place among the rules of the table.
    package let rule: Int
    /// Whether what its `unless` says can be so in the cell.
    package let isExcepted: Bool
    package let reach: Reach
}
