package import EntitlementModel

/// The effective policy: for each kind of product and each state, which rules can decide
/// (spec 2.5).
package struct PolicyTable: Sendable {
    /// One cell: what a purchase of this kind gives in this state.
    package struct Cell: Sendable {
        package var kind: ProductKind
        package var state: EntitlementState
        /// In the order in which they are tried; nothing after the first that always decides.
        package var rules: [CellRule]
        package var verdict: Verdict
    }

    /// What a cell comes to at a glance.
    package enum Verdict: String, CaseIterable, LocalizedText, Sendable {
        case grant
        case withhold
        /// A rule of the policy's own makes exceptions.
        case depends
    }

    /// One rule as far as it matters to a cell.
    package struct CellRule: Sendable {
        package var reference: RuleReference
        package var effect: AccessRule.Effect
        /// What must hold besides kind and state, as a policy writes it.
        package var conditions: [String]
        /// What must not hold.
        package var exceptions: [String]
        package var only: [EntitlementName]?

        /// Whether it decides every purchase of the cell, for every entitlement.
        package var isCertain: Bool { conditions.isEmpty && exceptions.isEmpty && only == nil }
        package var isBuiltIn: Bool { reference.file == "built-in" }
    }

    /// A rule of `refund_answers`; the last one is built in.
    package struct RefundRow: Sendable {
        package var reference: RuleReference
        package var answer: RefundRule.Answer
        /// As a policy writes them.
        package var conditions: [String]
        package var exceptions: [String]

        package var isBuiltIn: Bool { reference.file == "built-in" }
    }

    /// A right of `open`.
    package struct OpenRow: Sendable {
        package var reference: RuleReference
        package var entitlements: [EntitlementName]
        /// As a policy writes them.
        package var windows: [String]
    }

    package var digest: Digest256
    package var cells: [Cell]
    package var open: [OpenRow]
    /// In the order in which they are tried.
    package var refundAnswers: [RefundRow]

    /// The cells of a kind; none where the catalogue has no right that such a product gives.
    package func cells(of kind: ProductKind) -> [Cell] { cells.filter { $0.kind == kind } }
}

/// Lays out the policy's access rules and the built-in ones behind them, and the same of its refund
/// answers.
package func policyTable(
    _ policy: Policy, builtIns: [AccessRule], refundBuiltIn: RefundRule
) -> PolicyTable {
    let rules = policy.accessRules + builtIns
    var cells: [PolicyTable.Cell] = []
    for kind in ProductKind.allCases {
        let products = policy.products.values.filter { $0.kind == kind && $0.givesRight }
        guard !products.isEmpty else { continue }
        for state in kind.states {
            let cellRules = rulesOfCell(rules, kind, state, products)
            cells.append(
                PolicyTable.Cell(
                    kind: kind, state: state, rules: cellRules, verdict: verdict(cellRules)))
        }
    }
    return PolicyTable(
        digest: policy.digest, cells: cells,
        open: policy.openRights.map { right in
            PolicyTable.OpenRow(
                reference: right.reference, entitlements: right.entitlements,
                windows: right.windows.compactMap { window in
                    window.end.map { DateBound.within(window.start, $0).text }
                })
        },
        refundAnswers: (policy.refundRules + [refundBuiltIn]).map { rule in
            PolicyTable.RefundRow(
                reference: rule.reference, answer: rule.answer,
                conditions: rule.when.described, exceptions: rule.unless?.described ?? [])
        })
}

private func rulesOfCell(
    _ rules: [AccessRule], _ kind: ProductKind, _ state: EntitlementState, _ products: [Product]
) -> [PolicyTable.CellRule] {
    var found: [PolicyTable.CellRule] = []
    for rule in rules where rule.when.canHold(kind, state, products) {
        var exceptions: [String] = []
        if let unless = rule.unless, unless.canHold(kind, state, products) {
            exceptions = unless.describedBesideKindAndState
            if exceptions.isEmpty { continue }
        }
        let cellRule = PolicyTable.CellRule(
            reference: rule.reference, effect: rule.effect,
            conditions: rule.when.describedBesideKindAndState, exceptions: exceptions,
            only: rule.only)
        found.append(cellRule)
        if cellRule.isCertain { break }
    }
    return found
}

/// The built-in exception for unknown ownership is the same everywhere and does not count.
private func verdict(_ rules: [PolicyTable.CellRule]) -> PolicyTable.Verdict {
    guard let last = rules.last, last.isCertain else { return .depends }
    if rules.contains(where: { !$0.isBuiltIn && $0.effect != last.effect }) { return .depends }
    return last.effect == .grant ? .grant : .withhold
}

extension ProductKind {
    /// The states that a purchase of this kind can be in (spec 1.4). A consumable that gives a
    /// right for a time is treated like a non-renewing product.
    package var states: [EntitlementState] {
        switch self {
        case .autoRenewable: EntitlementState.allCases
        case .nonConsumable, .free: [.active, .revoked]
        case .nonRenewing, .consumable: [.active, .expired, .revoked]
        }
    }
}

extension Product {
    /// Whether it gives an entitlement, which has states; credits have none.
    fileprivate var givesRight: Bool {
        grants.contains { if case .entitlement = $0 { true } else { false } }
    }

    fileprivate func gives(_ name: EntitlementName) -> Bool {
        grants.contains { if case .entitlement(name, _) = $0 { true } else { false } }
    }
}

extension Condition {
    /// Whether some purchase of the kind can meet it in the state, as far as kind, state and
    /// catalogue say.
    fileprivate func canHold(
        _ kind: ProductKind, _ state: EntitlementState, _ products: [Product]
    ) -> Bool {
        guard kinds?.contains(kind) ?? true, states?.contains(state) ?? true else { return false }
        if expiryReasons != nil, state != .expired { return false }
        if revocations != nil, state != .revoked { return false }
        return products.contains { product in
            (self.products?.contains { $0.matches(product.id.text) } ?? true)
                && (groups.map { product.group.map($0.contains) ?? false } ?? true)
                && (levels.map { product.level.map($0.contains) ?? false } ?? true)
                && (entitlements?.contains(where: product.gives) ?? true)
        }
    }
}

extension Condition {
    /// All of its fields that a rule without a state may have, as a policy writes them.
    fileprivate var described: [String] {
        let kinds = kinds.map { "kind: \($0.map(\.rawValue).joined(separator: " | "))" }
        return [kinds].compactMap(\.self) + describedBesideKindAndState
    }

    /// The fields other than kind and state, as a policy writes them: `state_age: under 7d`.
    var describedBesideKindAndState: [String] {
        let named: [(String, [String]?)] = [
            ("product", products?.map(\.text)), ("group", groups?.map(\.text)),
            ("level", levels?.map(\.text)), ("entitlement", entitlements?.map(\.text)),
            ("account", accounts?.map(\.text)),
            ("environment", environments?.map(\.rawValue)),
            ("ownership", ownerships?.map(\.rawValue)), ("storefront", storefronts),
            ("offer", offers?.map(\.rawValue)), ("state_age", stateAges?.map(\.text)),
            ("unpaid_for", unpaidFor?.map(\.text)),
            ("expiry_reason", expiryReasons?.map(\.rawValue)),
            ("auto_renew", autoRenews?.map(\.rawValue)),
            ("revocation", revocations?.map(\.rawValue)),
            ("token", tokens?.map(\.rawValue)), ("moment", moments?.map(\.rawValue)),
            ("purchased", purchased?.map(\.text)),
            ("first_purchased", firstPurchased?.map(\.text)), ("at", at?.map(\.text)),
        ]
        return named.compactMap { key, values in
            values.map { "\(key): \($0.joined(separator: " | "))" }
        }
    }
}

extension AgeBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .under(let period): "under \(period.text)"
        case .atLeast(let period): "at least \(period.text)"
        case .between(let least, let end): "from \(least.text) to \(end.text)"
        }
    }
}

extension DateBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .before(let instant): "before \(instant.shortText)"
        case .from(let instant): "from \(instant.shortText)"
        case .within(let start, let end):
            "from \(start.shortText) until \(end.shortText)"
        }
    }
}

extension Instant {
    /// A midnight as a day, everything else in full.
    fileprivate var shortText: String {
        let text = rfc3339
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : text
    }
}
