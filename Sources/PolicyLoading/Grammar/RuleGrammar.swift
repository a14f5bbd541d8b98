internal import EntitlementModel

/// The two lists of rules and the fields of their conditions (spec 2.1).
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

    static let accessCondition = Section(
        title: "when",
        fields: conditionFields.filter { $0.isForAccess }.map(\.field),
        misplaced: misplaced { !$0.isForAccess })

    static let claimCondition = Section(
        title: "when",
        fields: conditionFields.filter { $0.isForClaims }.map(\.field),
        misplaced: misplaced { !$0.isForClaims })

    private static func misplaced(
        _ isMisplaced: (ConditionField) -> Bool
    ) -> [String: DiagnosticID] {
        let keys = conditionFields.filter(isMisplaced).map(\.field.key)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, .fieldNotHere) })
    }

    private static func head(_ condition: Section) -> [Field] {
        var exception = condition
        exception.title = "unless"
        return [
            Field("name", .text, required: true, .ruleName),
            Field("when", .section(condition), .condition),
            Field("unless", .section(exception), .exception),
        ]
    }

    private static let limits = Section(
        title: "limits",
        fields: [
            Field("cooldown", .length(allowsCalendar: false), .cooldown),
            Field("moves", .moves, .moves),
            Field("else", .words(ClaimLimits.Excess.self), .excess),
        ])

    private struct ConditionField: Sendable {
        var field: Field
        var isForAccess = true
        var isForClaims = true
    }

    private static func both(_ field: Field) -> ConditionField { ConditionField(field: field) }

    private static func accessOnly(_ field: Field) -> ConditionField {
        ConditionField(field: field, isForClaims: false)
    }

    private static func claimsOnly(_ field: Field) -> ConditionField {
        ConditionField(field: field, isForAccess: false)
    }

    private static func anyWord<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Word.Type, _ about: FieldMeaning
    ) -> Field where Word.RawValue == String {
        Field(key, .oneOrMany(.words(type)), about)
    }

    private static let conditionFields: [ConditionField] =
        subjectFields + stateFields + timeFields

    private static let subjectFields = [
        both(anyWord("kind", ProductKind.self, .conditionKind)),
        both(
            Field("product", .oneOrMany(.productPattern), .productPattern)),
        both(Field("group", .oneOrMany(.name), .conditionGroup)),
        both(Field("level", .oneOrMany(.name), .conditionLevel)),
        accessOnly(Field("entitlement", .oneOrMany(.name), .conditionEntitlement)),
        both(
            Field("account", .oneOrMany(.accountPattern), .conditionAccount)),
        both(
            anyWord("environment", StoreEnvironment.self, .conditionEnvironment)),
        both(
            anyWord("ownership", OwnershipWord.self, .ownership)),
        accessOnly(
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
            anyWord("expiry_reason", ExpiryReason.self, .expiryReason)),
        accessOnly(
            anyWord("auto_renew", AutoRenewWord.self, .autoRenew)),
        accessOnly(
            anyWord("revocation", RevocationWord.self, .revocation)),
    ]

    private static let timeFields = [
        accessOnly(
            Field("purchased", .oneOrMany(.dateBound), .purchased)),
        accessOnly(
            Field("first_purchased", .oneOrMany(.dateBound), .firstPurchased)),
        both(
            Field("at", .oneOrMany(.dateBound), .inForce)),
    ]
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
