internal import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading

/// What the rules of a policy decide, for each kind of product and each state, exactly: a rule is
/// listed if and only if it decides some case.
package func decidedCells(_ policy: Policy) -> [DecidedCell] {
    let rules = policy.accessRules + builtInAccessRules
    let products = policy.products.values.sorted { $0.id < $1.id }
    return AccessTable(policy, products).cells.map { cell in
        DecidedCell(
            kind: cell.kind, state: cell.state, rules: cell.deciders.map { rules[$0.rule] })
    }
}
