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
            rules.conditions, foldsAccounts: policy.foldsAccounts, hasNobody: false,
            hasStateless: true)
        var builder = SubjectBuilder(catalogue, rules, space)
        builder.addClaims(policy.claimRules.map(\.verb) + builtIns.map(\.verb))
        return CellTable(
            list: .accountSwitch, rules: rules, space: space, subjects: builder.subjects)
    }
}

/// What two policies make differently of one claim, for products of which they differ alike
/// (spec 2.4).
package struct SwitchChange: Hashable, Sendable {
    package let products: [ProductID]
    /// Whether another account owns the purchase; else nobody does.
    package let isOwned: Bool
    package let token: TokenMatch
    package let moment: ClaimMoment
    /// What may decide, in the order in which it is tried, as far as the cell and the products do
    /// not tell it. Names and places of rules are left out; the last one decides all the rest.
    package let before: [TableRule]
    package let after: [TableRule]
}

/// Every cell of claimant and moment in which the rules of two policies decide otherwise, for the
/// products that both have (spec 2.4).
package func switchChanges(from old: Policy, to new: Policy) -> [SwitchChange] {
    let both = old.products.values.filter { product in
        !product.kind.isAccountScoped
            && new.products[product.id].map { !$0.kind.isAccountScoped } ?? false
    }.map(\.id).sorted()
    let (before, after) = (SwitchCells(old, both), SwitchCells(new, both))
    var order: [SwitchPair] = []
    var members: [SwitchPair: [ProductID]] = [:]
    for id in both {
        guard let old = before.cells[id], let new = after.cells[id], old != new else { continue }
        let pair = SwitchPair(before: old, after: new)
        if members[pair] == nil { order.append(pair) }
        members[pair, default: []].append(id)
    }
    return order.flatMap { pair in
        zip(pair.before, pair.after).filter { $0.0.rules != $0.1.rules }.map { old, new in
            SwitchChange(
                products: members[pair] ?? [], isOwned: old.isOwned, token: old.token,
                moment: old.moment, before: old.rules, after: new.rules)
        }
    }
}

private struct SwitchPair: Hashable {
    let before: [SwitchCell]
    let after: [SwitchCell]
}

private struct SwitchCell: Hashable {
    let isOwned: Bool
    let token: TokenMatch
    let moment: ClaimMoment
    let rules: [TableRule]
}

/// The cells of each product by one policy.
private struct SwitchCells {
    private(set) var cells: [ProductID: [SwitchCell]] = [:]

    init(_ policy: Policy, _ ids: [ProductID]) {
        let table = SwitchTable(policy, ids.compactMap { policy.products[$0] })
        for group in table.groups {
            let cells =
                group.owned.map { SwitchCell($0, isOwned: true, table.rules) }
                + group.unowned.map { SwitchCell($0, isOwned: false, table.rules) }
            for id in group.products { self.cells[id] = cells }
        }
    }
}

extension SwitchCell {
    fileprivate init(_ cell: SwitchTable.Cell, isOwned: Bool, _ rules: [TableRule]) {
        var found = cell.deciders.map { decider in
            rules[decider.rule].bare(isExcepted: decider.isExcepted)
        }
        if let last = found.popLast() {
            // What decides all the rest needs no condition, and what does the same before it
            // makes no difference.
            while found.last?.effect == last.effect { found.removeLast() }
            found.append(last.unconditional)
        }
        self.init(isOwned: isOwned, token: cell.token, moment: cell.moment, rules: found)
    }
}

extension TableRule {
    /// What it does, and what of its conditions neither the product nor the cell tells.
    fileprivate func bare(isExcepted: Bool) -> TableRule {
        TableRule(
            list: list, index: nil, reference: .builtIn(""), when: when.besideSwitch,
            unless: isExcepted ? unless?.besideSwitch : nil, effect: effect)
    }

    fileprivate var unconditional: TableRule {
        TableRule(
            list: list, index: nil, reference: .builtIn(""), when: Condition(), unless: nil,
            effect: effect)
    }
}

extension Condition {
    fileprivate var besideSwitch: Condition { besideProduct.without([.token, .moment]) }
}
