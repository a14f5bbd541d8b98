internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading

/// Where nothing but a built-in rule decides.
extension CellTable {
    /// For each kind and, where states are looked at, each state: the plainest such case.
    var uncovered: [PolicyFinding] {
        var seen: Set<[String]> = []
        var findings: [PolicyFinding] = []
        for subject in subjects where Self.explained.contains(subject.question) {
            let own = regions(of: subject).filter { rules[$0.rule].index != nil }
            for states in statesLookedAt {
                let name = states?.rawValue ?? ""
                let key = [subject.kind?.rawValue ?? "", name]
                guard !seen.contains(key) else { continue }
                let standing = space.layout.restricting(space.layout.full, .standing) {
                    states == nil || space.standings[$0].state == states
                }
                // Of what the device lists no rule but a share is asked.
                let box = space.layout.restricting(standing, .moment) {
                    space.moments[$0] != .listed
                }
                guard let cell = plainest(subject, in: box, beside: own) else { continue }
                seen.insert(key)
                findings.append(finding(subject, cell, states))
            }
        }
        return findings
    }

    private static let explained: Set<CellSubject.Question> = [.right, .owned, .refund]

    private var statesLookedAt: [EntitlementState?] {
        list == .access ? EntitlementState.allCases.map { $0 } : [nil]
    }

    private func finding(
        _ subject: CellSubject, _ cell: CellBox, _ state: EntitlementState?
    ) -> PolicyFinding {
        let rule = builtIn(deciding: cell)
        return PolicyFinding(
            .uncovered, .list(list),
            facts: [.written(list.rawValue), .rule(rule.reference)],
            example: example(subject, cell, rules: Array(rules.indices), builtIn: rule.when))
    }

    private func builtIn(deciding cell: CellBox) -> CellRule {
        let all: [CellRule] =
            switch list {
            case .access: builtInAccessRules.map { CellRule($0, at: nil) }
            case .accountSwitch: builtInClaimRules.dropFirst().map { CellRule($0, at: nil) }
            case .open: preconditionFailure("what is open has no conditions")
            case .refundAnswers: [CellRule(builtInRefundRule, at: nil)]
            }
        let deciding = all.first { rule in
            rule.when.kinds == nil && space.layout.covers(space.box(rule.when), cell)
        }
        guard let deciding else { preconditionFailure("the last built-in rule matches all") }
        return deciding
    }
}
