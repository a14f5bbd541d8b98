package import EntitlementModel
internal import PolicyLoading

/// Whose rights and credits a change of policy can change at all; it spares most accounts of a
/// ledger a derivation. Never less than those; more does no harm.
package enum PolicyConcern: Hashable, Sendable {
    case nobody
    /// Whoever holds such a product, signed as one of these kinds.
    case holders([ProductID: Set<ProductKind>])
    case everybody

    /// Whether a transaction of that product may be one that it concerns.
    ///
    /// - Parameter kind: As it was signed; where nothing known was, any kind may be meant.
    package func includes(_ product: ProductID, _ kind: Stated<ProductKind>?) -> Bool {
        switch self {
        case .nobody: return false
        case .everybody: return true
        case .holders(let kinds):
            guard let kinds = kinds[product] else { return false }
            return kind?.known.map(kinds.contains) ?? true
        }
    }
}

/// Whom the step from one policy to another can concern (spec 2.4): whose answers can differ in
/// anything but the line of a rule.
///
/// - Parameter builtIns: the access rules behind those of every policy.
package func policyConcern(
    from old: Policy, to new: Policy, builtIns: [AccessRule]
) -> PolicyConcern {
    let names = RuleCorrespondence(from: old, to: new)
    let isTheSameForAll =
        old.app.bundleID == new.app.bundleID && old.app.isNewsstand == new.app.isNewsstand
        && old.app.accountToken == new.app.accountToken && old.leeway == new.leeway
        && old.closedAccounts == new.closedAccounts
        && old.credits.mapValues(\.onRefund) == new.credits.mapValues(\.onRefund)
        && old.credits.mapValues(\.warnBefore) == new.credits.mapValues(\.warnBefore)
        && old.opened == new.opened
    guard isTheSameForAll else { return .everybody }
    var concerned: [ProductID: Set<ProductKind>] = [:]
    for id in Set(old.products.keys).union(new.products.keys) {
        let (before, after) = (old.products[id], new.products[id])
        let kinds = ProductKind.allCases.filter { kind in
            guard let before, let after, before.givesTheSame(as: after) else { return true }
            return before.rulings(for: kind, by: old.decidingRules + builtIns, names.successor(of:))
                != after.rulings(for: kind, by: new.decidingRules + builtIns) { $0 }
        }
        if !kinds.isEmpty { concerned[id] = Set(kinds) }
    }
    return concerned.isEmpty ? .nobody : .holders(concerned)
}

extension Policy {
    /// What everybody may use, in which environments and when.
    fileprivate var opened: [OpenRight] {
        let environments = StoreEnvironment.allCases.filter { self.environments[$0] == .trusted }
        let names = environments.map(\.rawValue).joined(separator: " ")
        // Where a right stands, and what it is called, gives nobody anything.
        return openRights.map { right in
            OpenRight(
                reference: .builtIn(names), entitlements: right.entitlements,
                windows: right.windows)
        }
    }
}

/// Which rule of a newer policy stands for one of an older: the only one of its section with the
/// same name, wherever it stands.
package struct RuleCorrespondence: Sendable {
    private let successors: [RuleReference: RuleReference]
    /// Whether what is open to everybody is called and ordered as before.
    package let keepsOpenRights: Bool

    package init(from old: Policy, to new: Policy) {
        var successors: [RuleReference: RuleReference] = [:]
        for (before, after) in [
            (old.accessRules.map(\.reference), new.accessRules.map(\.reference)),
            (old.appRules.map(\.reference), new.appRules.map(\.reference)),
            (old.openRights.map(\.reference), new.openRights.map(\.reference)),
        ] {
            let (named, heirs) = (
                Dictionary(grouping: before, by: \.name), Dictionary(grouping: after, by: \.name)
            )
            for (name, references) in named where references.count == 1 {
                guard let heir = heirs[name], heir.count == 1 else { continue }
                successors[references[0]] = heir[0]
            }
        }
        keepsOpenRights =
            old.openRights.map { right in
                OpenRight(
                    reference: successors[right.reference] ?? right.reference,
                    entitlements: right.entitlements, windows: right.windows)
            } == new.openRights
        self.successors = successors
    }

    /// Nil where no rule clearly stands for it.
    package func successor(of rule: RuleReference) -> RuleReference? {
        rule.isBuiltIn ? rule : successors[rule]
    }
}

/// What a rule says of one product once what the product itself decides is known.
private struct ProductRuling: Hashable {
    /// As the newer policy has it.
    let rule: RuleReference?
    let effect: AccessRule.Effect
    let when: Condition
    let unless: Condition?

    /// Whether nothing that stands behind it is ever asked.
    var isLast: Bool { when == Condition() && unless == nil }
}

extension Product {
    /// As far as rights and credits go: titles and prices give nobody anything.
    fileprivate func givesTheSame(as other: Product) -> Bool {
        kind == other.kind && group == other.group && level == other.level
            && period == other.period && duration == other.duration
            && stacking == other.stacking && stack == other.stack && grants == other.grants
    }

    /// For each thing that it gives, what may decide about it, in order.
    fileprivate func rulings(
        for kind: ProductKind, by rules: [AccessRule],
        _ name: (RuleReference) -> RuleReference?
    ) -> [[ProductRuling]] {
        grants.map { grant in
            let entitlement: EntitlementName? =
                if case .entitlement(let name, _) = grant { name } else { nil }
            var rulings: [ProductRuling] = []
            for rule in rules {
                guard
                    let ruling = self.ruling(
                        by: rule, called: name(rule.reference), of: entitlement, as: kind)
                else { continue }
                rulings.append(ruling)
                if ruling.isLast { break }
            }
            return rulings
        }
    }

    /// - Parameter entitlement: nil for a credit, of which a rule for named entitlements does not
    ///   speak.
    private func ruling(
        by rule: AccessRule, called name: RuleReference?, of entitlement: EntitlementName?,
        as kind: ProductKind
    ) -> ProductRuling? {
        guard entitlement.map({ name in rule.only?.contains(name) ?? true }) ?? (rule.only == nil),
            rule.when.admits(self, as: kind, giving: entitlement)
        else { return nil }
        let unless = rule.unless.flatMap { unless in
            unless.admits(self, as: kind, giving: entitlement) ? unless.besideProduct : nil
        }
        return ProductRuling(
            rule: name, effect: rule.effect, when: rule.when.besideProduct, unless: unless)
    }
}

/// A date of a changed rule that lies beyond a window: what it changes is not seen (spec 2.4).
package struct LaterDate: Hashable, Sendable {
    package enum Step: String, CaseIterable, Sendable {
        case begins
        case ends
        /// It is a date of an exception, or of a rule that is gone or differs.
        case changes
    }

    /// The key of the section in a policy file.
    package let section: String
    /// The rule's name.
    package let rule: String
    package let step: Step
    package let at: Instant
}

/// The dates beyond the window of rules that only one of two policies has, or that they write
/// differently: by date, then by name.
package func laterDates(
    from old: Policy, to new: Policy, beyond window: ImpactWindow
) -> [LaterDate] {
    let (before, after) = (RuleDates(old, unlike: new), RuleDates(new, unlike: old))
    // A date that the new policy has as well is said once.
    let gone = before.dates.filter { date in
        !after.dates.contains { $0.section == date.section && $0.at == date.at }
    }.map { LaterDate(section: $0.section, rule: $0.rule, step: .changes, at: $0.at) }
    return Set(after.dates + gone).filter { $0.at > window.end }.sorted { left, right in
        left.at != right.at
            ? left.at < right.at
            : [left.section, left.rule, left.step.rawValue]
                .lexicographicallyPrecedes([right.section, right.rule, right.step.rawValue])
    }
}

/// Every date that the rules of a policy name.
package func ruleDates(of policy: Policy) -> [Instant] {
    let bounds = policy.accessRules.flatMap { ($0.when.at ?? []) + ($0.unless?.at ?? []) }
    let windows = policy.openRights.flatMap(\.windows)
    return bounds.flatMap(\.instants)
        + windows.flatMap { [$0.start, $0.end].compactMap(\.self) }
}

/// The dates of the rules of one policy that another one does not have so.
private struct RuleDates {
    private(set) var dates: [LaterDate] = []

    init(_ policy: Policy, unlike other: Policy) {
        let known = Set(other.accessRules.map(\.withoutPlace))
        for rule in policy.accessRules where !known.contains(rule.withoutPlace) {
            let name = rule.reference.name
            for bound in rule.when.at ?? [] {
                for (step, instant) in bound.steps { add("access", name, step, instant) }
            }
            for bound in rule.unless?.at ?? [] {
                for (_, instant) in bound.steps { add("access", name, .changes, instant) }
            }
        }
        let openings = Set(other.openRights.map(\.withoutPlace))
        for right in policy.openRights where !openings.contains(right.withoutPlace) {
            for window in right.windows {
                add("open", right.reference.name, .begins, window.start)
                if let end = window.end { add("open", right.reference.name, .ends, end) }
            }
        }
    }

    private mutating func add(
        _ section: String, _ rule: String, _ step: LaterDate.Step, _ instant: Instant
    ) {
        dates.append(LaterDate(section: section, rule: rule, step: step, at: instant))
    }
}

extension DateBound {
    fileprivate var steps: [(LaterDate.Step, Instant)] {
        let steps: [(LaterDate.Step, Int64?)] = [(.begins, range.lower), (.ends, range.upper)]
        return steps.compactMap { step, instant in
            instant.map { (step, Instant(milliseconds: $0)) }
        }
    }
}

extension AccessRule {
    /// Where it is written says nothing about what it does.
    fileprivate var withoutPlace: AccessRule {
        var rule = self
        rule.reference = .builtIn(reference.name)
        return rule
    }
}

extension OpenRight {
    fileprivate var withoutPlace: OpenRight {
        var right = self
        right.reference = .builtIn(reference.name)
        return right
    }
}
