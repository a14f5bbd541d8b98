package import EntitlementModel

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
    return bounds.flatMap { $0.steps.map(\.1) }
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
        switch self {
        case .before(let end): [(.ends, end)]
        case .from(let start): [(.begins, start)]
        case .within(let start, let end): [(.begins, start), (.ends, end)]
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
