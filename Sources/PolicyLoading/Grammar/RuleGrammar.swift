internal import EntitlementModel

/// The two lists of rules and the fields of their conditions (spec 2.1).
enum RuleGrammar {
    static let access = Section(
        title: "access",
        fields: head(accessCondition) + [
            Field(
                "then", .words(AccessRule.Effect.self), required: true,
                "Whether the customer may use it.", "是否可以使用。"),
            Field(
                "only", .oneOrMany(.name),
                "The entitlements that the rule is about. Left out: all.",
                "规则只涉及这些权益；缺省为全部。"),
        ],
        misplaced: ["limits": .fieldNotHere, "max": .fieldNotHere])

    static let accountSwitch = Section(
        title: "account_switch",
        fields: head(claimCondition) + [
            Field(
                "then", .word(ClaimVerbWord.allCases.map(\.rawValue)), required: true,
                "Who holds the purchase afterwards.", "之后由谁持有。"),
            Field(
                "max", .whole(2...1_000), "How many accounts may share it.", "最多由几个账号共享。"),
            Field(
                "limits", .section(limits), "How often a purchase may move.", "转移次数的限制。"),
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
            Field(
                "name", .text, required: true,
                "What the rule says, in a person's words; shown with every answer.",
                "用一句话说明规则；每个答复都会显示。"),
            Field(
                "when", .section(condition),
                "All fields must hold; of a list, any. Left out: always.",
                "所有字段都须成立；列表中任意一项即可。缺省为总是成立。"),
            Field(
                "unless", .section(exception), "The rule does not apply where all of this holds.",
                "以下全部成立时，规则不适用。"),
        ]
    }

    private static let limits = Section(
        title: "limits",
        fields: [
            Field(
                "cooldown", .length(allowsCalendar: false),
                "The time that must pass between two moves.", "两次转移之间须间隔的时长。"),
            Field(
                "moves", .moves, "At most so many moves within a time: 3 per 365d.",
                "一段时间内最多转移几次：3 per 365d。"),
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
        _ key: String, _ type: Word.Type, _ english: String, _ chinese: String
    ) -> Field where Word.RawValue == String {
        Field(key, .oneOrMany(.words(type)), english, chinese)
    }

    private static let conditionFields: [ConditionField] =
        subjectFields + stateFields + timeFields

    private static let subjectFields = [
        both(anyWord("kind", ProductKind.self, "The product's kind.", "产品类型。")),
        both(
            Field(
                "product", .oneOrMany(.productPattern),
                "Product ids; * stands for any characters.", "产品 ID；* 代表任意字符。")),
        both(Field("group", .oneOrMany(.name), "Subscription groups.", "订阅组。")),
        both(Field("level", .oneOrMany(.name), "Levels of a group.", "订阅组内的级别。")),
        accessOnly(Field("entitlement", .oneOrMany(.name), "Entitlements.", "权益。")),
        both(
            Field(
                "account", .oneOrMany(.accountPattern),
                "Accounts; * only at the end. In account_switch, the account that claims.",
                "账号；* 只能在末尾。在 account_switch 中指提出主张的账号。")),
        both(
            anyWord(
                "environment", StoreEnvironment.self, "Where the purchase was made.",
                "购买所在的环境。")),
        both(
            anyWord(
                "ownership", OwnershipWord.self, "How the Apple ID came to it.",
                "Apple ID 取得它的方式。")),
        accessOnly(
            Field(
                "storefront", .oneOrMany(.storefront),
                "App Store countries or regions, as US or USA.",
                "App Store 国家或地区，例如 CN 或 CHN。")),
        accessOnly(
            anyWord(
                "offer", OfferWord.self, "The offer with which it was bought.", "购买时使用的优惠。"
            )),
        claimsOnly(
            anyWord(
                "token", TokenMatch.self,
                "Whether the purchase's appAccountToken names the account that claims.",
                "购买中的 appAccountToken 是否指向提出主张的账号。")),
        claimsOnly(
            anyWord("moment", ClaimMoment.self, "When the claim is made.", "提出主张的时机。")),
    ]

    private static let stateFields = [
        accessOnly(
            anyWord("state", EntitlementState.self, "The state of the purchase.", "购买的状态。")),
        accessOnly(
            Field(
                "state_age", .oneOrMany(.age),
                "How long it has been in that state: under 7d, at least 7d, from 7d to 14d.",
                "处于该状态多久：under 7d（不足）、at least 7d（至少）、from 7d to 14d（区间）。")),
        accessOnly(
            anyWord("expiry_reason", ExpiryReason.self, "Why it expired.", "到期原因。")),
        accessOnly(
            anyWord(
                "auto_renew", AutoRenewWord.self, "Whether it will renew, in quotes.",
                "是否自动续订（加引号）。")),
        accessOnly(
            anyWord("revocation", RevocationWord.self, "How it was taken back.", "撤销的方式。")),
    ]

    private static let timeFields = [
        accessOnly(
            Field(
                "purchased", .oneOrMany(.dateBound),
                "The period's purchase date: before DATE, from DATE, from DATE until DATE.",
                "本期购买日期：before 日期、from 日期、from 日期 until 日期。")),
        accessOnly(
            Field(
                "first_purchased", .oneOrMany(.dateBound),
                "The first purchase date: before DATE, from DATE, from DATE until DATE.",
                "首次购买日期：before 日期、from 日期、from 日期 until 日期。")),
        both(
            Field(
                "at", .oneOrMany(.dateBound),
                "When the rule itself is in force: before DATE, from DATE, from DATE until DATE.",
                "规则本身的生效时间：before 日期、from 日期、from 日期 until 日期。")),
    ]
}

/// The verbs of `account_switch` as they are written; `share` takes its `max` beside it.
enum ClaimVerbWord: String, CaseIterable, Sendable {
    case keep
    case transfer
    case transferIfInactive = "transfer-if-inactive"
    case share
    case ask
    case deny
}
