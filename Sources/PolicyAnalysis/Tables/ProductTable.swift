package import EntitlementModel

/// What is sold, and what gives what.
package struct ProductTable: Sendable {
    /// Products that are shown together.
    package struct Shelf: Sendable {
        /// Nil for products without a group.
        package let group: GroupName?
        /// Best first.
        package let levels: [LevelName]
        package let title: Title?
        /// Of all products without a group.
        package let kind: ProductKind?
        /// Best level first, then by name.
        package let products: [Product]
    }

    /// An entitlement, and everything that gives it.
    package struct GivenRight: Sendable {
        package let name: EntitlementName
        package let title: Title?
        package let products: [ProductID]
        /// By their names: rights that are open to everybody for a while.
        package let open: [OpenRight]
    }

    /// A credit, and everything that gives it.
    package struct GivenCredit: Sendable {
        package struct Source: Sendable {
            package let product: ProductID
            package let units: Int64
            package let terms: CreditTerms
        }

        package let name: CreditName
        package let definition: CreditDefinition
        package let products: [Source]
    }

    package let shelves: [Shelf]
    package let entitlements: [GivenRight]
    package let credits: [GivenCredit]
    /// Titles of all entitlements and credits of the policy, for products that give them.
    package let titles: [String: Title]
    /// How many products the policy has in all.
    package let total: Int

    package var count: Int { shelves.reduce(0) { $0 + $1.products.count } }
}

extension ProductTable {
    /// - Parameter products: those of the scope; what they give is shown in full.
    init(_ policy: Policy, _ products: [Product], _ scope: TableScope) {
        let shown = products.compactMap { policy.products[$0.id] }
        total = policy.soldProducts.count
        shelves = Self.shelves(policy, shown.filter { $0.id != .app })
        entitlements = policy.entitlements.keys.sorted().compactMap { name in
            guard scope.entitlement ?? name == name else { return nil }
            let givers = shown.filter { $0.grants.contains { $0.entitlement == name } }
            guard scope.products == nil || !givers.isEmpty else { return nil }
            return GivenRight(
                name: name, title: policy.entitlements[name], products: givers.map(\.id),
                open: policy.openRights.filter { $0.entitlements.contains(name) })
        }
        credits = policy.credits.sorted { $0.key < $1.key }.compactMap { name, definition in
            let givers = shown.flatMap { $0.sources(of: name) }
            guard scope.isWhole || !givers.isEmpty else { return nil }
            return GivenCredit(name: name, definition: definition, products: givers)
        }
        var titles: [String: Title] = [:]
        for (name, title) in policy.entitlements { titles[name.text] = title }
        for (name, credit) in policy.credits { titles["credit " + name.text] = credit.title }
        self.titles = titles
    }

    /// Groups by name, then what has none by kind.
    private static func shelves(_ policy: Policy, _ products: [Product]) -> [Shelf] {
        let grouped = Dictionary(grouping: products) { $0.group }
        var shelves: [Shelf] = []
        for (name, group) in policy.groups.sorted(by: { $0.key < $1.key }) {
            guard let members = grouped[name] else { continue }
            let sorted = members.map { product in
                (product, group.levels.firstIndex { $0 == product.level } ?? .max)
            }.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
            shelves.append(
                Shelf(
                    group: name, levels: group.levels, title: group.title, kind: nil,
                    products: sorted.map(\.0)))
        }
        for kind in ProductKind.allCases {
            let members = products.filter {
                $0.kind == kind && ($0.group.map { policy.groups[$0] == nil } ?? true)
            }
            guard !members.isEmpty else { continue }
            shelves.append(
                Shelf(group: nil, levels: [], title: nil, kind: kind, products: members))
        }
        return shelves
    }
}

extension Product {
    fileprivate func sources(of name: CreditName) -> [ProductTable.GivenCredit.Source] {
        grants.compactMap { grant in
            guard case .credit(name, let units, let terms) = grant else { return nil }
            return ProductTable.GivenCredit.Source(product: id, units: units, terms: terms)
        }
    }
}
