package import EntitlementModel
internal import PolicyLoading

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
    fileprivate var besideSwitch: Condition {
        var rest = besideProduct
        (rest.tokens, rest.moments) = (nil, nil)
        return rest
    }
}
