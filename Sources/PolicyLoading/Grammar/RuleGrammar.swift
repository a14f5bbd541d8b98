internal import EntitlementModel

/// The lists of rules and the fields of their conditions (spec 2.1).
enum RuleGrammar {
    static let access = Section(
        title: "access",
        fields: head(accessCondition) + [
            Field("then", .words(AccessRule.Effect.self), required: true, .effect),
            Field("only", .oneOrMany(.name), .only),
        ],
        misplaced: ["limits": .fieldNotHere, "max": .fieldNotHere])

    static let accountSwitch = Section(
        title: "account_switch",
        fields: head(claimCondition) + [
            Field("then", .word(ClaimVerbWord.allCases.map(\.rawValue)), required: true, .verb),
            Field("max", .whole(2...1_000), .sharingAccounts),
            Field("limits", .section(limits), .limits),
        ],
        misplaced: ["only": .fieldNotHere])

    static let appPurchase = Section(
        title: "app_purchase",
        fields: [
            Field("name", .text, required: true, .ruleName),
            Field(
                "when", .section(condition(of: .appPurchase)), required: true, .appCondition),
            Field("grants", .oneOrMany(.name), required: true, .appGrants),
            Waiver.field,
        ],
        misplaced: [
            "unless": .fieldNotHere, "then": .fieldNotHere, "only": .fieldNotHere,
            "limits": .fieldNotHere, "max": .fieldNotHere,
        ])

    static let open = Section(
        title: "open",
        fields: [
            Field("name", .text, required: true, .ruleName),
            Field("entitlements", .oneOrMany(.name), required: true, .openEntitlements),
            Field("at", .oneOrMany(.window), required: true, .openWindow),
            Waiver.field,
        ],
        misplaced: [
            "when": .fieldNotHere, "unless": .fieldNotHere, "then": .fieldNotHere,
            "only": .fieldNotHere, "limits": .fieldNotHere, "max": .fieldNotHere,
        ])

    static let refundAnswers = Section(
        title: "refund_answers",
        fields: head(refundCondition) + [
            Field("then", .words(RefundRule.Answer.self), required: true, .refundAnswer)
        ],
        misplaced: ["only": .fieldNotHere, "limits": .fieldNotHere, "max": .fieldNotHere])

    private static let ruleLists = [
        ("access", access), ("account_switch", accountSwitch), ("refund_answers", refundAnswers),
    ]

    static let accessCondition = condition(of: .access)
    static let claimCondition = condition(of: .claims)
    static let refundCondition = condition(of: .refunds)

    private static func condition(of list: ConditionLists) -> Section {
        var section = Section(title: "when", fields: [])
        for field in ConditionField.allCases {
            if field.slot.lists.contains(list) {
                section.fields.append(Field(field))
            } else {
                section.misplaced[field.rawValue] = .fieldNotHere
            }
        }
        return section
    }

    private static func head(_ condition: Section) -> [Field] {
        var exception = condition
        exception.title = "unless"
        return [
            Field("name", .text, required: true, .ruleName),
            Field("when", .section(condition), .condition),
            Field("unless", .section(exception), .exception),
            Waiver.field,
        ]
    }

    private static let limits = Section(
        title: "limits",
        fields: [
            Field("cooldown", .length(allowsCalendar: false), .cooldown),
            Field("moves", .moves, .moves),
            Field("else", .words(ClaimLimits.Excess.self), .excess),
        ])
}

/// Whole lists under a wrong name; a single rule in a wrong list is said of the rule.
extension RuleGrammar {
    /// The list whose rules stand under the name of another one; nil where some rule is right.
    static func listMeant(by node: YAMLNode, under key: String) -> String? {
        guard case .list(let rules) = node.content,
            let own = ruleLists.first(where: { $0.0 == key })?.1
        else { return nil }
        let verbs = rules.compactMap { $0.text(of: "then") }
        guard !verbs.isEmpty, !verbs.contains(where: own.verbs.contains) else { return nil }
        let ownStrangers = strangers(in: rules, own)
        let possible = ruleLists.filter { _, section in
            guard verbs.contains(where: section.verbs.contains) else { return false }
            let others = strangers(in: rules, section)
            return others < ownStrangers || (rules.count > 1 && others == ownStrangers)
        }
        return possible.min { strangers(in: rules, $0.1) < strangers(in: rules, $1.1) }?.0
    }

    /// How many keys and conditions of rules a list does not have.
    private static func strangers(in rules: [YAMLNode], _ list: Section) -> Int {
        rules.flatMap(\.entries).reduce(0) { count, entry in
            guard let field = list[entry.key] else { return count + 1 }
            guard case .section(let inner) = field.shape, entry.key != Waiver.key else {
                return count
            }
            return count + entry.value.entries.count { inner[$0.key] == nil }
        }
    }
}

extension Section {
    /// The words after `then`.
    fileprivate var verbs: [String] {
        if case .word(let words)? = self["then"]?.shape { words } else { [] }
    }
}

extension YAMLNode {
    /// The keys of a section with their values; none of anything else.
    fileprivate var entries: [YAMLEntry] {
        if case .map(let entries) = content { entries } else { [] }
    }

    private func value(of key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    fileprivate func text(of key: String) -> String? {
        if case .text(let text, _)? = value(of: key)?.content { text } else { nil }
    }
}

/// The verbs of `account_switch` as they are written; `share` takes its `max` next to it.
enum ClaimVerbWord: String, CaseIterable, Sendable {
    case keep
    case transfer
    case transferIfInactive = "transfer-if-inactive"
    case share
    case ask
    case deny
    case inherit
}
