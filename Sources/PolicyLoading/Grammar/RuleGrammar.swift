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

    /// The lists whose rules have this after `then`; all of them where nothing is known.
    static func lists(withVerb verb: String?) -> [String] {
        let found = ruleLists.filter { _, section in
            if let verb, case .word(let words)? = section["then"]?.shape {
                words.contains(verb)
            } else {
                false
            }
        }
        return (found.isEmpty ? ruleLists : found).map(\.0)
    }

    /// The first list whose rules have this after `then`; nil for none.
    static func list(withVerb verb: String) -> String? {
        ruleLists.first { _, section in
            if case .word(let words)? = section["then"]?.shape {
                words.contains(verb)
            } else {
                false
            }
        }?.0
    }

    private static let ruleLists = [
        ("access", access), ("account_switch", accountSwitch), ("refund_answers", refundAnswers),
    ]

    static let accessCondition = condition(of: .access)
    static let claimCondition = condition(of: .claims)
    static let refundCondition = condition(of: .refunds)

    private static func condition(of list: RuleLists) -> Section {
        let misplaced = conditionFields.filter { !$0.lists.contains(list) }.map(\.field.key)
        return Section(
            title: "when",
            fields: conditionFields.filter { $0.lists.contains(list) }.map(\.field),
            misplaced: Dictionary(uniqueKeysWithValues: misplaced.map { ($0, .fieldNotHere) }))
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

    /// The lists whose conditions may have a field.
    private struct RuleLists: OptionSet, Sendable {
        let rawValue: UInt8

        static let access = RuleLists(rawValue: 1)
        static let claims = RuleLists(rawValue: 2)
        static let refunds = RuleLists(rawValue: 4)
    }

    private struct ConditionField: Sendable {
        var field: Field
        var lists: RuleLists
    }

    private static func all(_ field: Field) -> ConditionField {
        ConditionField(field: field, lists: [.access, .claims, .refunds])
    }

    private static func notForClaims(_ field: Field) -> ConditionField {
        ConditionField(field: field, lists: [.access, .refunds])
    }

    private static func accessOnly(_ field: Field) -> ConditionField {
        ConditionField(field: field, lists: .access)
    }

    private static func claimsOnly(_ field: Field) -> ConditionField {
        ConditionField(field: field, lists: .claims)
    }

    private static func anyWord<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Word.Type, _ about: FieldMeaning
    ) -> Field where Word.RawValue == String {
        Field(key, .oneOrMany(.words(type)), about)
    }

    private static let conditionFields: [ConditionField] =
        subjectFields + stateFields + timeFields

    private static let subjectFields = [
        all(anyWord("kind", ProductKind.self, .conditionKind)),
        all(
            Field("product", .oneOrMany(.productPattern), .productPattern)),
        all(Field("group", .oneOrMany(.name), .conditionGroup)),
        all(Field("level", .oneOrMany(.name), .conditionLevel)),
        accessOnly(Field("entitlement", .oneOrMany(.name), .conditionEntitlement)),
        all(
            Field("account", .oneOrMany(.accountPattern), .conditionAccount)),
        all(
            anyWord("environment", StoreEnvironment.self, .conditionEnvironment)),
        all(
            anyWord("ownership", OwnershipWord.self, .ownership)),
        notForClaims(
            Field("storefront", .oneOrMany(.storefront), .storefront)),
        accessOnly(
            anyWord("offer", OfferWord.self, .offer)),
        claimsOnly(
            anyWord("token", TokenMatch.self, .tokenMatch)),
        claimsOnly(
            anyWord("moment", ClaimMoment.self, .moment)),
    ]

    private static let stateFields = [
        accessOnly(
            anyWord("state", EntitlementState.self, .state)),
        accessOnly(
            Field("state_age", .oneOrMany(.age), .stateAge)),
        accessOnly(
            Field("unpaid_for", .oneOrMany(.age), .unpaidFor)),
        accessOnly(
            anyWord("expiry_reason", ExpiryReason.self, .expiryReason)),
        accessOnly(
            anyWord("auto_renew", AutoRenewWord.self, .autoRenew)),
        accessOnly(
            anyWord("revocation", RevocationWord.self, .revocation)),
    ]

    private static let timeFields = [
        notForClaims(
            Field("purchased", .oneOrMany(.dateBound), .purchased)),
        accessOnly(
            Field("first_purchased", .oneOrMany(.dateBound), .firstPurchased)),
        all(
            Field("at", .oneOrMany(.dateBound), .inForce)),
    ]
}

/// A list of rules that stands under the name of another one.
struct StrayList: Sendable {
    var written: String
    var meant: String
    var span: SourceSpan
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
