package import EntitlementModel

/// A list of rules, by its key in a policy.
package enum RuleList: String, CaseIterable, Hashable, Sendable {
    case appPurchase = "app_purchase"
    case access
    case accountSwitch = "account_switch"
    case open
    case refundAnswers = "refund_answers"
}

/// What the rules of all lists with conditions have.
package protocol PolicyRule: Sendable {
    var reference: RuleReference { get }
    var when: Condition { get }
    var unless: Condition? { get }
    /// The word behind `then`.
    var then: String { get }
}

extension AccessRule: PolicyRule {
    package var then: String { effect.rawValue }
}

extension ClaimRule: PolicyRule {
    package var then: String { verb.word }
}

extension RefundRule: PolicyRule {
    package var then: String { answer.rawValue }
}

extension RuleList {
    /// The rules of a policy, in order. What is `open` has no conditions, and so no rules.
    package func rules(of policy: Policy) -> [any PolicyRule] {
        switch self {
        case .appPurchase: policy.appRules.map(\.asWritten)
        case .access: policy.accessRules
        case .accountSwitch: policy.claimRules
        case .open: []
        case .refundAnswers: policy.refundRules
        }
    }

    /// Of all that a policy has in the list, in order.
    package func references(of policy: Policy) -> [RuleReference] {
        self == .open ? policy.openRights.map(\.reference) : rules(of: policy).map(\.reference)
    }
}

/// What was found out about a policy after it was loaded, by what it is about.
package struct PolicyFinding: Hashable, Sendable {
    /// What is shown of it, and where.
    package enum Subject: Hashable, Sendable {
        /// The folder as a whole.
        case catalogue
        /// A file that is not one of the policy's.
        case file(String)
        case list(RuleList)
        /// By its place in the list.
        case rule(RuleList, Int)
        case product(ProductID)
    }

    package var id: DiagnosticID
    package var subject: Subject
    /// The keys below the subject that lead to what is meant; none for its name.
    package var keys: [String]
    package var facts: [Fact]
    /// What else belongs to the story.
    package var related: [Subject]
    /// The plainest case that shows it.
    package var example: [ExamplePart]
    /// What to do in this very case; nil for the general advice.
    package var help: Help?

    package init(
        _ id: DiagnosticID, _ subject: Subject, at keys: [String] = [], facts: [Fact] = [],
        related: [Subject] = [], example: [ExamplePart] = [], help: Help? = nil
    ) {
        self.id = id
        self.subject = subject
        self.keys = keys
        self.facts = facts
        self.related = related
        self.example = example
        self.help = help
    }
}

/// One thing that a case is told by, in the words of a condition: `state_age: under 7d`.
package struct ExamplePart: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// What a policy was loaded from, so that more can be said of it with exact places.
package struct PolicySource: Sendable {
    let draft: PolicyDraft
    let texts: [PolicyText]
    let problems: ProblemList
    let waivers: [Waiver]

    /// Nil for the folder as a whole.
    func span(of subject: PolicyFinding.Subject, _ keys: [String] = []) -> SourceSpan? {
        switch subject {
        case .catalogue: nil
        case .file(let path): SourceSpan(file: path, at: .start)
        case .list(let list): draft.field(list.rawValue)?.keySpan
        case .rule(let list, let index):
            rule(list, index).flatMap { $0.span(at: keys) ?? $0.value("name")?.span }
        case .product(let id):
            draft.tables["products"]?.first { $0.name == id.text }.flatMap {
                keys.isEmpty ? $0.nameSpan : $0.value.section?.span(at: keys) ?? $0.nameSpan
            }
        }
    }

    private func rule(_ list: RuleList, _ index: Int) -> CheckedSection? {
        let sections = draft.field(list.rawValue)?.value.elements.compactMap(\.section) ?? []
        return sections.indices.contains(index) ? sections[index] : nil
    }
}

extension CheckedSection {
    /// Of the value that keys lead to; nil for none, and where one of them is not written.
    fileprivate func span(at keys: [String]) -> SourceSpan? {
        guard let key = keys.first, let value = value(key) else { return nil }
        return keys.count == 1 ? value.span : value.section?.span(at: Array(keys.dropFirst()))
    }
}

extension PolicyReport {
    /// The report with what was found out besides, without the warnings that the folder expects,
    /// and with an error for each warning that it expects in vain.
    package func completed(with findings: [PolicyFinding]) -> PolicyReport {
        guard let source else { return self }
        var problems = source.problems
        for finding in findings {
            problems.add(
                Problem(
                    id: finding.id, span: source.span(of: finding.subject, finding.keys),
                    facts: finding.facts, help: finding.help,
                    related: finding.related.compactMap { subject in
                        source.span(of: subject).map { .init(note: .alsoHere, span: $0) }
                    }, example: finding.example))
        }
        let (left, waived) = problems.waiving(source.waivers, reportsUnneeded: true)
        var report = PolicyReport(
            policy: left.hasErrors ? nil : policy,
            diagnostics: PolicyLoading.diagnostics(of: left.problems, in: source.texts),
            acceptance: left.hasErrors ? nil : acceptance)
        report.waived = waived
        return report
    }
}
