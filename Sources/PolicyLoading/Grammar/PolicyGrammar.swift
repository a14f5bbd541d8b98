internal import EntitlementModel

/// Every key that a policy file may hold (spec 2.0), with its meaning.
enum PolicyGrammar {
    static let version: Int64 = 1

    /// A whole file; any file may hold any sections.
    static let file = Section(
        title: "",
        fields: [
            Field(
                "usher", .version,
                "The version of the policy format: 1.", "策略格式的版本：1。"),
            Field("app", .section(app), "The app that is sold.", "所售应用。"),
            Field(
                "trust", .section(trust),
                "Which root certificates may stand behind Apple's signatures.",
                "哪些根证书可以为苹果的签名作保。"),
            Field(
                "environments", .section(environments),
                "Whose evidence may be recorded. What it grants is for the access rules to say.",
                "接受哪些环境的凭证；凭证给予什么权益由 access 规则决定。"),
            Field(
                "leeway", .length(allowsCalendar: false),
                "Access after the paid end while a renewal is on its way; never more than a tenth"
                    + " of the period. Left out: 1h.",
                "付费到期后、续订在途期间仍可使用的时长，最多为周期的十分之一；缺省 1h。"),
            Field(
                "entitlements", .table(of: .entitlement, .section(entitlement)),
                "The rights that products give, by name.", "产品给予的权益，按名称。"),
            Field(
                "credits", .table(of: .credit, .section(credit)),
                "What is counted and spent, such as coins, by name.",
                "可计数、可花费的点数（例如金币），按名称。"),
            Field(
                "groups", .table(of: .group, .section(group)),
                "The subscription groups, by name. A customer has at most one product of a group.",
                "订阅组，按名称；同一组内每位顾客最多持有一个产品。"),
            Field(
                "products", .table(of: .product, .section(CatalogueGrammar.product)),
                "What is sold, under the product ids of App Store Connect.",
                "所售产品，名称为 App Store Connect 中的产品 ID。"),
            Field(
                "access", .list(.section(RuleGrammar.access)),
                "From state to right: the first rule that matches decides.",
                "由状态到权益的规则：第一条匹配的规则说了算。"),
            Field(
                "account_switch", .list(.section(RuleGrammar.accountSwitch)),
                "What happens when another account presents a purchase: the first rule that"
                    + " matches decides.",
                "另一个账号出示同一笔购买时如何处理：第一条匹配的规则说了算。"),
            Field(
                "duplicate_subscriptions", .section(duplicates),
                "One account that pays twice, from two Apple IDs.",
                "同一账号用两个 Apple ID 重复订阅时如何处理。"),
            Field("orders", .section(orders), "The app's own purchase orders.", "应用自己的订单。"),
        ])

    /// Every key of every section.
    static let keys: Set<String> = keys(of: .section(file))

    private static func keys(of shape: Shape) -> Set<String> {
        switch shape {
        case .list(let inner), .oneOrMany(let inner), .table(_, let inner): keys(of: inner)
        case .section(let section):
            section.fields.reduce(into: []) {
                $0.formUnion(keys(of: $1.shape).union([$1.key]))
            }
        case .either(_, let sections):
            sections.reduce(into: []) { $0.formUnion(keys(of: .section($1))) }
        default: []
        }
    }

    private static let app = Section(
        title: "app",
        fields: [
            Field(
                "bundle_id", .bundleID, required: true,
                "The app's bundle id, as in App Store Connect.",
                "应用的 Bundle ID，与 App Store Connect 一致。"),
            Field(
                "apple_id", .whole(1...99_999_999_999),
                "The app's Apple ID (a number, in App Store Connect under App Information);"
                    + " required for production.",
                "应用的 Apple ID（App Store Connect 的“App 信息”里的数字）；正式环境必填。"),
            Field(
                "newsstand", .boolean,
                "Whether the app sells Newsstand free subscriptions (products of kind free).",
                "应用是否提供报刊杂志免费订阅（kind 为 free 的产品）。"),
            Field(
                "account_token", .words(AccountTokenRule.self),
                "How a purchase's appAccountToken names an account: through the order that made"
                    + " it, or by being the account id itself. Left out: from-order.",
                "购买中的 appAccountToken 如何对应账号：经由生成它的订单，或本身就是账号 ID；"
                    + "缺省 from-order。"),
        ])

    private static let trust = Section(
        title: "trust",
        fields: [
            Field(
                "roots", .section(roots), required: true,
                "The roots that a chain of certificates may end in.", "证书链允许终止于哪些根证书。"),
            Field(
                "max_signed_age", .length(allowsCalendar: false),
                "Evidence that was signed longer ago is refused. Left out: no limit.",
                "签名早于这个时长的凭证被拒绝；缺省不限。"),
            Field(
                "denied_keys", .oneOrMany(.fingerprint),
                "Signing keys that leaked, by the SHA-256 of the public key (`usher inspect` prints"
                    + " it): what they sign is refused. What was recorded before stays.",
                "已泄露的签名密钥，以公钥的 SHA-256 表示（usher inspect 会打印）：用其签署的凭证被拒绝；"
                    + "此前已记录的不受影响。"),
        ])

    private static let roots = Section(
        title: "roots",
        fields: [
            Field(
                "jws", .list(anchor),
                "Roots for StoreKit 2 transactions and notifications.",
                "用于 StoreKit 2 交易与通知的根证书。"),
            Field("receipt", .list(anchor), "Roots for app receipts.", "用于应用收据的根证书。"),
        ])

    private static let anchorEnvironments = Field(
        "environments", .oneOrMany(.words(StoreEnvironment.self)),
        "The environments that this root is good for. Left out: all.",
        "这个根证书适用的环境；缺省为全部。")

    private static let anchor = Shape.either(
        .root,
        [
            Section(
                title: "roots",
                fields: [
                    Field(
                        "file", .certificatePath, required: true,
                        "A certificate (PEM or DER) in the policy folder.",
                        "策略文件夹中的证书文件（PEM 或 DER）。"),
                    anchorEnvironments,
                ]),
            Section(
                title: "roots",
                fields: [
                    Field(
                        "fingerprint", .fingerprint, required: true,
                        "The SHA-256 of the certificate (DER), 64 hexadecimal digits.",
                        "证书（DER）的 SHA-256，64 位十六进制。"),
                    anchorEnvironments,
                ]),
        ])

    private static let environments = Section(
        title: "environments",
        fields: StoreEnvironment.allCases.map { environment in
            Field(
                environment.rawValue, .words(EnvironmentTrust.self),
                "Whether evidence of \(environment.signedName) is recorded. Left out: refused.",
                "是否记录 \(environment.signedName) 环境的凭证；缺省 refused（拒绝）。")
        })

    static let title = Field(
        "title", .text, "How people call it, in English.", "英文名称。")
    static let chineseTitle = Field(
        "title_zh", .text, "How people call it, in Chinese.", "中文名称。")

    private static let entitlement = Section(
        title: "entitlements",
        fields: [
            Field(
                "title", .text, required: true, "How people call it, in English.", "英文名称。"),
            chineseTitle,
        ])

    private static let credit = Section(
        title: "credits",
        fields: [
            Field(
                "title", .text, required: true, "How people call it, in English.", "英文名称。"),
            chineseTitle,
            Field(
                "on_refund", .words(CreditDefinition.OnRefund.self),
                "What a refund takes back: all, even below zero (debt); what is left (floor);"
                    + " all, and spending stops (freeze); nothing (ignore). Left out: debt.",
                "退款时如何收回：全部收回、可为负（debt）；收回剩余（floor）；全部收回并停止花费"
                    + "（freeze）；不收回（ignore）。缺省 debt。"),
        ])

    private static let group = Section(
        title: "groups",
        fields: [
            title, chineseTitle,
            Field(
                "levels", .list(.name), required: true,
                "The levels of service, best first.", "服务级别，从高到低。"),
        ])

    private static let duplicates = Section(
        title: "duplicate_subscriptions",
        fields: [
            Field(
                "scope", .words(DuplicateSettings.Scope.self),
                "What counts as the same: one group, or one entitlement. Left out: group.",
                "怎样算重复：同一订阅组（group）或同一权益（entitlement）；缺省 group。"),
            Field(
                "before_purchase", .words(DuplicateSettings.BeforePurchase.self),
                "What the app is told before the customer pays twice. Left out: warn.",
                "顾客重复付费之前如何答复应用；缺省 warn。"),
            Field(
                "keep", .words(DuplicateSettings.Keep.self),
                "Which of the two to recommend keeping. Left out: longest-paid.",
                "建议保留哪一个；缺省 longest-paid。"),
        ])

    private static let orders = Section(
        title: "orders",
        fields: [
            Field(
                "pay_within", .length(allowsCalendar: false),
                "An order without payment for so long counts as abandoned. Left out: 30m.",
                "超过这个时长未付款的订单视为放弃；缺省 30m。"),
            Field(
                "match_window", .length(allowsCalendar: false),
                "How far order and payment may lie apart to be matched without a token."
                    + " Left out: 24h.",
                "没有令牌时，订单与付款相隔多久仍可匹配；缺省 24h。"),
            Field(
                "late_payment", .words(OrderSettings.LatePayment.self),
                "What happens with a payment after the order was given up. Left out: deliver.",
                "订单放弃之后才到的付款如何处理；缺省 deliver。"),
        ])
}
