internal import EntitlementDerivation
package import EntitlementModel

/// The effective policy with its built-in rules, as tables (spec 2.5).
package struct PolicyTables: Sendable {
    /// What a policy says of the app as a whole.
    package struct Settings: Sendable {
        package let app: AppSettings
        package let environments: [StoreEnvironment: EnvironmentTrust]
        package let leeway: Period
        package let claimsFrom: Instant?
        package let duplicates: DuplicateSettings
        package let orders: OrderSettings
    }

    package let digest: Digest256
    package let settings: Settings
    package let products: ProductTable
    package let access: AccessTable
    package let switches: SwitchTable
    /// In their order; the last one is built in.
    package let refundAnswers: [TableRule]
    package let open: [OpenRight]
    package let dates: DateTable
}

/// Lays out a policy, or what of it concerns some products and an entitlement. Which rules decide
/// in a cell is exact: a rule that is listed decides some case there, and no other rule does.
package func policyTables(_ policy: Policy, _ scope: TableScope = TableScope()) -> PolicyTables {
    let products = scope.products(of: policy)
    let access = AccessTable(policy, products)
    let switches = SwitchTable(policy, products)
    let refunds =
        policy.refundRules.enumerated().map { TableRule($1, at: $0) }
        + [TableRule(builtInRefundRule, at: nil)]
    let rules = (access.rules + switches.rules + refunds).filter { !$0.isBuiltIn }
    return PolicyTables(
        digest: policy.digest,
        settings: PolicyTables.Settings(
            app: policy.app, environments: policy.environments, leeway: policy.leeway,
            claimsFrom: policy.claimsFrom,
            duplicates: policy.duplicates, orders: policy.orders),
        products: ProductTable(policy, products, scope), access: access, switches: switches,
        refundAnswers: refunds.filter { scope.isWhole || $0.concerns(products) },
        open: policy.openRights.filter { right in
            scope.products == nil && (scope.entitlement.map(right.entitlements.contains) ?? true)
        },
        dates: DateTable(policy, rules, products, scope))
}
