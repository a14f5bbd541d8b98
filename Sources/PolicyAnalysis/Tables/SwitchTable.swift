internal import EntitlementDerivation
package import EntitlementModel
internal import PolicyLoading

/// What becomes of a claim, by what its token says of the claimant and the moment (spec 1.6).
package struct SwitchTable: Sendable {
    package struct Cell: Hashable, Sendable {
        package let token: TokenMatch
        package let moment: ClaimMoment
        /// In the order in which they are tried.
        package let deciders: [Decider]
    }

    /// Products of which the same rules decide.
    package struct Group: Sendable {
        package let kinds: [ProductKind]
        package let products: [ProductID]
        /// Whether these are all products of the kinds.
        package let isWholeKind: Bool
        /// Where another account owns the purchase.
        package let owned: [Cell]
        /// Where nobody owns it.
        package let unowned: [Cell]
    }

    /// The policy's own in their order, then the built-in ones.
    package let rules: [TableRule]
    package let groups: [Group]
    /// Kinds of which a purchase never moves: what it gave belongs to one account.
    package let unmovable: [ProductKind]
}

extension SwitchTable {
    init(_ policy: Policy, _ products: [Product]) {
        let own = policy.claimRules.enumerated().map { TableRule($1, at: $0) }
        let first = TableRule(
            list: .accountSwitch, index: nil, reference: .firstClaim, when: Condition(),
            unless: nil, effect: .owns)
        rules = own + builtInClaimRules.map { TableRule($0, at: nil) } + [first]
        let builder = SwitchGroups(policy, rules.count - 1)
        groups = builder.groups(products)
        unmovable = ProductKind.allCases.filter { kind in
            kind.isAccountScoped && products.contains { $0.kind == kind }
        }
    }
}

/// Brings products together about which the rules say the same.
private struct SwitchGroups {
    private let policy: Policy
    /// Of the built-in rule that whoever claims first owns it, among the rules of the table.
    private let firstClaim: Int

    init(_ policy: Policy, _ firstClaim: Int) {
        self.policy = policy
        self.firstClaim = firstClaim
    }

    /// Which rules may be asked about a product, and which of their exceptions.
    private struct Signature: Hashable {
        let kind: ProductKind
        let asked: [Bool]
        let excepted: [Bool]
    }

    private struct Cells: Hashable {
        let owned: [SwitchTable.Cell]
        let unowned: [SwitchTable.Cell]
    }

    func groups(_ products: [Product]) -> [SwitchTable.Group] {
        var cells: [Signature: Cells] = [:]
        var order: [Cells] = []
        var members: [Cells: [Product]] = [:]
        for product in products where !product.kind.isAccountScoped {
            let signature = signature(product)
            let found = cells[signature] ?? self.cells(product)
            cells[signature] = found
            if members[found] == nil { order.append(found) }
            members[found, default: []].append(product)
        }
        return order.map { group in
            let own = members[group] ?? []
            let kinds = ProductKind.allCases.filter { kind in own.contains { $0.kind == kind } }
            return SwitchTable.Group(
                kinds: kinds, products: own.map(\.id),
                isWholeKind: own.count == products.count { kinds.contains($0.kind) },
                owned: group.owned, unowned: group.unowned)
        }
    }

    private func signature(_ product: Product) -> Signature {
        func admits(_ condition: Condition) -> Bool {
            condition.admits(product.id, product, product.kind)
        }
        return Signature(
            kind: product.kind, asked: policy.claimRules.map { admits($0.when) },
            excepted: policy.claimRules.map { $0.unless.map(admits) ?? false })
    }

    private func cells(_ product: Product) -> Cells {
        let catalogue = CellCatalogue(policy, products: [product])
        return Cells(
            owned: cells(CellTable.switches(policy, catalogue, ofOwned: true)) { $0 == .owned },
            unowned: cells(CellTable.switches(policy, catalogue, ofOwned: false)) { $0 != .owned })
    }

    private func cells(
        _ table: CellTable, _ isAsked: (CellSubject.Question) -> Bool
    ) -> [SwitchTable.Cell] {
        let places = TokenMatch.allCases.flatMap { token in
            ClaimMoment.allCases.map { (token, $0) }
        }
        let boxes = places.map { table.space.box($0, $1) }
        var deciding = CellDeciders(table, boxes)
        let subjects = table.subjects.filter { isAsked($0.question) }
        for subject in subjects { deciding.add(subject) }
        return places.indices.map { index in
            var found: [Int: Bool] = [:]
            for (rule, isExcepted) in deciding.found[index] {
                let place = place(of: rule, in: table)
                if isListed(places[index].1, subjects), !shares(rule, in: table) {
                    found[listed] = false
                } else {
                    found[place] = isExcepted
                }
            }
            if subjects.contains(where: { deciding.isOpen($0, in: boxes[index]) }) {
                found[firstClaim] = false
            }
            return SwitchTable.Cell(
                token: places[index].0, moment: places[index].1, deciders: deciders(found))
        }
    }

    /// What the device lists takes nothing from its owner, whatever rule matches.
    private func isListed(_ moment: ClaimMoment, _ subjects: [CellSubject]) -> Bool {
        moment == .listed && subjects.contains { $0.question == .owned }
    }

    private func shares(_ rule: Int, in table: CellTable) -> Bool {
        guard let index = table.rules[rule].index,
            case .share = policy.claimRules[index].verb
        else { return false }
        return true
    }

    /// Of the built-in rule for what is listed, among the rules of the table.
    private var listed: Int {
        policy.claimRules.count
            + (builtInClaimRules.firstIndex { $0.reference == .listed } ?? 0)
    }

    /// Among the rules of the table of switches: all built-in rules are there.
    private func place(of rule: Int, in table: CellTable) -> Int {
        guard table.rules[rule].index == nil else { return rule }
        let own = policy.claimRules.count
        let builtIn = builtInClaimRules.firstIndex {
            $0.reference == table.rules[rule].reference
        }
        return own + (builtIn ?? 0)
    }
}

extension CellTable {
    /// The claim rules about what somebody owns, or nobody does, with the built-in ones behind
    /// them, of products of the catalogue.
    fileprivate static func switches(
        _ policy: Policy, _ catalogue: CellCatalogue, ofOwned isOwned: Bool
    ) -> CellTable {
        let builtIns = isOwned ? builtInClaimRules.dropFirst() : builtInClaimRules.prefix(1)
        let rules =
            policy.claimRules.enumerated().map { CellRule($1, at: $0) }
            + builtIns.map { CellRule($0, at: nil) }
        let space = CellSpace(
            rules.conditions, foldsAccounts: policy.foldsAccounts, hasNobody: false)
        var builder = SubjectBuilder(catalogue, rules, space)
        builder.addClaims(policy.claimRules.map(\.verb) + builtIns.map(\.verb))
        return CellTable(
            list: .accountSwitch, rules: rules, space: space, subjects: builder.subjects)
    }
}
