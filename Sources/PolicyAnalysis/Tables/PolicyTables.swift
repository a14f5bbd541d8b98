internal import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading

/// The effective policy with its built-in rules, as tables (spec 2.5).
package struct PolicyTables: Sendable {
    /// For what it says of the app as a whole.
    package let policy: Policy
    package let products: ProductTable
    package let access: AccessTable
    /// What the app itself gives.
    package let app: [TableRule]
    package let switches: SwitchTable
    /// In their order; the last one is built in.
    package let refundAnswers: [TableRule]
    package let open: [OpenRight]
    package let dates: DateTable
}

/// Lays out a policy, or what of it concerns some products and an entitlement. Which rules decide
/// in a cell is exact: a rule that is listed decides some case there, and no other rule does.
package func policyTables(_ policy: Policy, _ scope: TableScope = TableScope()) -> PolicyTables {
    let all = scope.products(of: policy)
    let products = all.filter { $0.id != .app }
    let app = policy.appRules.enumerated().map { TableRule(ofApp: $1, at: $0) }
        .filter { scope.isWhole || $0.concerns(all) }
    let access = AccessTable(policy, products)
    let switches = SwitchTable(policy, all)
    let refunds =
        policy.refundRules.enumerated().map { TableRule($1, at: $0) }
        + [TableRule(builtInRefundRule, at: nil)]
    let rules = (app + access.rules + switches.rules + refunds).filter { !$0.isBuiltIn }
    return PolicyTables(
        policy: policy, products: ProductTable(policy, all, scope), access: access,
        app: app, switches: switches,
        refundAnswers: refunds.filter { scope.isWhole || $0.concerns(products) },
        open: policy.openRights.filter { right in
            scope.products == nil && (scope.entitlement.map(right.entitlements.contains) ?? true)
        },
        dates: DateTable(policy, rules, all, scope))
}

/// For each kind of product and each state: what a purchase gives, and which rules decide that,
/// in order (spec 2.5). Exact: a rule is in a cell if and only if it decides some case of it.
package struct AccessTable: Sendable {
    /// What a cell comes to at a glance.
    package enum Verdict: String, CaseIterable, Hashable, Sendable {
        case grant
        case withhold
        /// It depends on more than kind and state.
        case depends
    }

    package struct Cell: Sendable {
        package let kind: ProductKind
        package let state: EntitlementState
        package let verdict: Verdict
        /// In the order in which they are tried.
        package let deciders: [Decider]
    }

    /// The policy's own in their order, then the built-in ones.
    package let rules: [TableRule]
    package let cells: [Cell]
    /// Rules by which credits that were bought in one environment count in others.
    package let deliveries: [Decider]

    /// The kinds that have cells: those of products that give a right.
    package var kinds: [ProductKind] {
        ProductKind.allCases.filter { kind in cells.contains { $0.kind == kind } }
    }

    package func cells(of kind: ProductKind) -> [Cell] { cells.filter { $0.kind == kind } }

    /// The policy's own rules that decide nothing of what the table is about.
    package var idle: [Int] {
        let deciding = Set((cells.flatMap(\.deciders) + deliveries).map(\.rule))
        return rules.indices.filter { !rules[$0].isBuiltIn && !deciding.contains($0) }
    }
}

extension AccessTable {
    init(_ policy: Policy, _ products: [Product]) {
        let table = CellTable.access(policy, CellCatalogue(policy, products: products))
        rules =
            policy.accessRules.enumerated().map { TableRule($1, at: $0) }
            + builtInAccessRules.map { TableRule($0, at: nil) }
        let states = EntitlementState.allCases
        let boxes = states.map(table.space.box(of:))
        let unknownOwnership = policy.accessRules.count
        var cells: [Cell] = []
        for kind in ProductKind.allCases {
            var own = CellDeciders(table, boxes)
            var elsewhere = CellDeciders(table, boxes)
            for subject in table.subjects where subject.kind == kind {
                if subject.question == .right { own.add(subject) }
                if subject.question == .rightElsewhere { elsewhere.add(subject) }
            }
            for (index, state) in states.enumerated() where !own.found[index].isEmpty {
                let deciding = own.found[index].keys.filter { $0 != unknownOwnership }
                cells.append(
                    Cell(
                        kind: kind, state: state,
                        verdict: Verdict(deciding.map { table.rules[$0].grants }),
                        deciders: deciders(own.found[index], elsewhere.found[index])))
            }
        }
        self.cells = cells
        var credits = CellDeciders(table, [table.space.layout.full])
        for subject in table.subjects where subject.question == .deliveryElsewhere {
            credits.add(subject)
        }
        deliveries = deciders([:], credits.found[0])
    }
}

/// In the order of the rules.
func deciders(_ own: [Int: Bool], _ elsewhere: [Int: Bool] = [:]) -> [Decider] {
    Set(own.keys).union(elsewhere.keys).sorted().map { rule in
        let reach: Decider.Reach =
            own[rule] == nil ? .elsewhere : elsewhere[rule] == nil ? .own : .both
        return Decider(
            rule: rule, isExcepted: own[rule] == true || elsewhere[rule] == true, reach: reach)
    }
}

extension AccessTable.Verdict {
    /// Of all rules that decide; the built-in one about unknown ownership, which is the same
    /// everywhere, is not among them.
    fileprivate init(_ grants: [Bool]) {
        self = Set(grants).count > 1 ? .depends : grants.first == true ? .grant : .withhold
    }
}

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
