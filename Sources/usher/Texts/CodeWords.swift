/// What the codes of answers mean, in words. The codes are the contract; a code that is not in
/// the table is shown as it is.
enum CodeWords {
    static func state(_ code: String, _ language: Language) -> String {
        word(code, in: states, language)
    }

    static func expiryReason(_ code: String, _ language: Language) -> String {
        word(code, in: expiryReasons, language)
    }

    /// How a claim stands.
    static func outcome(_ code: String, _ language: Language) -> String {
        word(code, in: outcomes, language)
    }

    /// On what occasion a claim was made.
    static func moment(_ code: String, _ language: Language) -> String {
        word(code, in: moments, language)
    }

    static func kind(_ code: String, _ language: Language) -> String {
        word(code, in: kinds, language)
    }

    static func finding(_ code: String, _ language: Language) -> String {
        word(code, in: findings, language)
    }

    /// What a person did with a purchase.
    static func ruling(_ code: String, _ language: Language) -> String {
        word(code, in: rulings, language)
    }

    /// What put credits on a balance, or took them off.
    static func creditCause(_ code: String, _ language: Language) -> String {
        word(code, in: creditCauses, language)
    }

    /// The gravity of a preflight.
    static func effect(_ code: String, _ language: Language) -> String {
        word(code, in: effects, language)
    }

    /// Why evidence is kept aside.
    static func quarantine(_ code: String, _ language: Language) -> String {
        word(code, in: quarantines, language)
    }

    private typealias Table = [String: (english: String, chinese: String)]

    private static func word(_ code: String, in table: Table, _ language: Language) -> String {
        guard let words = table[code] else { return code }
        return language == .english ? words.english : words.chinese
    }

    private static let states: Table = [
        "active": ("active", "有效"),
        "renewing": ("renewing", "续订中"),
        "grace": ("grace period", "宽限期"),
        "billing-retry": ("billing retry", "扣款重试中"),
        "expired": ("expired", "已过期"),
        "revoked": ("refunded or revoked", "已退款或被撤销"),
    ]

    private static let expiryReasons: Table = [
        "cancelled": ("cancelled by the customer", "用户已取消订阅"),
        "billing-error": ("the payment failed", "扣款失败"),
        "price-not-accepted": ("the new price was not accepted", "未同意新价格"),
        "product-unavailable": ("Apple could not sell it any more", "商品已无法续订"),
        "other": ("for another reason", "其他原因"),
        "upgraded": ("replaced by an upgrade", "已升级为其他套餐"),
        "unknown": ("it ran out, with no word of a renewal", "已到期，未收到续订消息"),
    ]

    private static let outcomes: Table = [
        "accepted": ("accepted", "已接受"),
        "already-owned": ("already the owner", "本已归该账号"),
        "approved": ("approved by hand", "已人工批准"),
        "kept": ("refused: the owner keeps it", "已拒绝：仍归原账号"),
        "cooldown": ("refused: it moved too short a time ago", "已拒绝：距上次转移时间过短"),
        "limit": ("refused: it has moved too often", "已拒绝：转移次数过多"),
        "denied": ("refused by a rule", "已拒绝：规则不允许"),
        "waiting": ("waits for a person", "等待人工处理"),
        "token": ("refused: the purchase names another account", "已拒绝：该购买指明了其他账号"),
        "unknown-transaction": ("the purchase is not known yet", "尚无该笔交易的记录"),
    ]

    private static let rulings: Table = [
        "approve": ("the waiting claim is approved", "批准等待中的认领"),
        "refuse": ("the waiting claim is refused", "拒绝等待中的认领"),
        "transfer": ("it moves to another account", "转到其他账号"),
        "release": ("its owners give it up", "解除所属"),
        "undo": ("the last decision is taken back", "撤回上一次决定"),
    ]

    private static let creditCauses: Table = [
        "delivery": ("delivered", "购买到账"),
        "grant": ("given by hand", "人工授予"),
        "claw-back": ("taken back after a refund", "退款后收回"),
        "expiry": ("expired", "已过期"),
        "merge": ("accounts were merged", "账号合并"),
        "ruling": ("moved by a ruling", "人工裁定后转移"),
    ]

    private static let moments: Table = [
        "purchase": ("as a purchase", "作为购买"),
        "restore": ("as a restore", "作为恢复购买"),
        "notification": ("by a notification", "通过通知"),
        "support": ("by support", "通过客服"),
    ]

    private static let kinds: Table = [
        "consumable": ("consumable", "消耗型"),
        "non-consumable": ("non-consumable", "非消耗型"),
        "auto-renewable": ("auto-renewable", "自动续期订阅"),
        "non-renewing": ("non-renewing", "非续期订阅"),
        "free": ("free subscription", "免费订阅"),
    ]

    private static let findings: Table = [
        "account-case-conflict": (
            "two spellings of one account were judged against each other",
            "同一账号的两种大小写写法曾被当作不同账号裁决"
        ),
        "account-switch": (
            "an account presented a purchase that belongs to another account",
            "有账号出示了属于其他账号的购买"
        ),
        "apple-id-conflict": (
            "purchases of one receipt carry different Apple IDs",
            "同一收据中的购买属于不同的 Apple ID"
        ),
        "duplicate-apple-id": (
            "the account pays twice, on two Apple IDs", "该账号在两个 Apple ID 上重复付费"
        ),
        "duplicate-apple-id-possible": (
            "the account perhaps pays twice, on two Apple IDs",
            "该账号可能在两个 Apple ID 上重复付费"
        ),
        "kind-mismatch": (
            "Apple and the catalogue name different kinds of product",
            "Apple 与商品目录中的商品类型不一致"
        ),
        "paid-without-right": (
            "the account has paid and got nothing for it", "该账号已付款但没有得到权益"
        ),
        "quarantined": (
            "evidence that is genuine and cannot be right is kept aside",
            "凭证真实但内容不合理，已留存待查"
        ),
        "successor-missing": (
            "an upgrade whose new subscription is not known", "已升级，但没有新订阅的记录"
        ),
        "unclaimed-payment": ("a payment that no account has claimed", "没有账号认领的付款"),
        "unmapped-product": ("a product that the catalogue lacks", "商品目录中没有该商品"),
    ]

    private static let effects: Table = [
        "proceed": ("go on", "可以继续"),
        "warn": ("warn", "提醒"),
        "block": ("stop", "阻止"),
    ]

    private static let quarantines: Table = [
        "payload.json": ("it is no strict JSON", "内容不是规范的 JSON"),
        "payload.type": ("a member is of another type than Apple documents", "字段类型与 Apple 文档不符"),
        "payload.missing": ("a member that it must have is missing", "缺少必需的字段"),
        "payload.id": ("an id is no printable ASCII, or too long", "标识符不合规范"),
        "implausible.expiry": ("a subscription cannot end then", "订阅的到期时间不合理"),
        "implausible.quantity": ("nobody can buy so many at once", "购买数量不合理"),
        "implausible.date": ("a date is outside the years 2008 to 2100", "日期不在 2008 至 2100 年之间"),
    ]
}
