/// Words that people write for those of the grammar, in English and in Chinese.
enum Synonyms {
    /// The key of a section that was most likely meant; nil where none or several may be.
    static func key(meantBy written: String, among keys: [String]) -> String? {
        onlyOne(keySynonyms[plain(written)] ?? [], among: keys)
    }

    /// The same for a value of an enumeration.
    static func word(meantBy written: String, among words: [String]) -> String? {
        onlyOne(wordSynonyms[plain(written)] ?? [], among: words)
    }

    /// Whether the text says that nothing is to be excluded.
    static func meansAll(_ written: String) -> Bool {
        ["all", "any", "*", "everything", "everyone", "全部", "所有", "任意"].contains(plain(written))
    }

    /// The condition of a rule that says what somebody writes of a product; nil for other keys.
    static func condition(meantBy written: String) -> String? {
        conditions[plain(written)]?.first
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { !" -_".contains($0) }
    }

    private static func onlyOne(_ meant: [String], among known: [String]) -> String? {
        let possible = meant.filter(known.contains)
        return possible.count == 1 ? possible[0] : nil
    }

    private static let keySynonyms = table([
        "type 类型 种类": "kind",
        "action effect decision result do 动作 结果": "then",
        "if condition conditions where match 条件": "when",
        "except exception not exclude 除外 例外": "unless",
        "user users uid account_id customer 账号 用户": "account",
        "country countries region regions territory 国家 地区": "storefront",
        "age since for_how_long": "state_age",
        "id 名称 rule title": "name",
        "expires end ends discontinued 停售": "retired",
        "prod live 生产": "production",
        "test testing testflight 沙盒": "sandbox",
        "amount count number quantity 数量": "units",
        "cost costs 价格": "price",
        "gives rights entitlement entitlements benefits 权益": "grants",
        "rights right benefits only grants": "entitlements",
        "max_moves times count": "moves",
        "wait pause interval": "cooldown",
        "length term validity": "duration period",
        "tier rank 等级": "level",
        "tiers ranks 各级": "levels",
        "family 家庭": "group",
        "trial promotion": "offer",
        "window during when dates": "at",
        "reason why note": "because",
        "maximum limit members": "max",
        "access_rules rules": "access",
        "claims transfers switching": "account_switch",
        "items skus sku 产品": "products",
        "rights_list features": "entitlements",
        "bundle app_id": "bundle_id",
        "display_name label caption localized_title 标题": "title",
        "subscription_group subscription_group_id group_id product_group": "group",
        "subscription_period renewal_period billing_period recurring_subscription_period":
            "period",
        "entitlement_id entitlement_ids": "grants",
        "prices": "price",
        "title_zh_hans title_zh_cn title_zh_hans_cn title_cn title_chinese zh_title name_zh":
            "title_zh",
        "title_en name_en title_english en_title": "title",
        "version format_version usher_version": "usher",
        "reader app_apple_id": "apple_id",
    ])

    private static let wordSynonyms = table([
        "allow allowed yes give permit true 允许 同意 grant_access": "grant trusted matches",
        "deny denied block forbid refuse reject false no 拒绝 禁止": "withhold refused decline keep",
        "grant_prorated prorated pro_rata partial 按比例": "prorate",
        "withhold": "decline",
        "grant_full full refund approve 全额": "grant",
        "order": "from-order", "account": "is-account-id",
        "match same": "matches", "different": "other",
        "support review manual human 人工": "ask",
        "move": "transfer", "shared": "share",
        "refunded cancelled canceled 撤销 退款": "revoked",
        "valid current paid 有效 生效": "active",
        "lapsed ended inactive 过期 到期": "expired",
        "graceperiod 宽限 宽限期": "grace",
        "retry billing_issue 扣费重试": "billing-retry",
        "subscription autorenewing renewing renewable 自动续订 自动续订订阅 自动续期": "auto-renewable",
        "recurring recurringsubscription renewablesubscription subs 自动续期订阅":
            "auto-renewable",
        "inapppurchasesubscription inapppurchaseautorenewable inapppurchaseautorenewablesubscription":
            "auto-renewable",
        "autorenew autorenewal autorenewsubscription autorenewingsubscription": "auto-renewable",
        "nonrenewable nonrenewing 非续订 非续订订阅 非续期 非续期订阅 prepaid nonrecurring": "non-renewing",
        "nonrenewablesubscription nonrecurringsubscription prepaidsubscription": "non-renewing",
        "inapppurchasenonrenewing inapppurchasenonrenewingsubscription": "non-renewing",
        "lifetime permanent onetime 非消耗型 永久 onetimepurchase": "non-consumable",
        "inapppurchasenonconsumable nonconsumableproduct nonconsumableiap": "non-consumable",
        "coins 消耗型 inapppurchaseconsumable consumableproduct consumableiap": "consumable",
        "免费 freesubscription inapppurchasefreesubscription 免费订阅": "free",
        "family familysharing 家庭共享": "family-shared",
        "bought own owner": "purchased",
        "intro": "introductory", "trial": "free-trial", "promo promotion": "promotional",
        "buy bought buying 购买": "purchase", "restoring 恢复": "restore",
        "trust accept": "trusted",
        "prod live 生产": "production", "test testing testflight 沙盒": "sandbox",
        "didfailtorenew inbillingretry inbillingretryperiod billingretryperiod": "billing-retry",
        "onhold accounthold subscription_state_on_hold subscription_on_hold": "billing-retry",
        "subscription_state_in_grace_period subscription_in_grace_period": "grace",
        "subscription_state_active": "active", "subscription_state_expired": "expired",
        "subscription_state_canceled subscription_canceled": "cancelled",
        "ingrace ingraceperiod billinggraceperiod": "grace",
        "voluntary": "cancelled",
        "autorenewablesubscription subscriptions": "auto-renewable",
        "nonrenewingsubscription": "non-renewing",
    ])

    private static let conditions = table([
        "family_sharing family_shareable family_sharable family_shared shareable 家庭共享":
            "ownership:family-shared",
        "grace grace_period billing_grace 宽限 宽限期": "state:grace",
        "retry billing_retry 扣费重试": "state:billing-retry",
        "trial free_trial 试用": "offer:free-trial",
        "intro introductory introductory_offer intro_offer": "offer:introductory",
        "promo promotion promotional promotional_offer": "offer:promotional",
    ])

    private static func table(_ rows: KeyValuePairs<String, String>) -> [String: [String]] {
        var all: [String: [String]] = [:]
        for (written, meant) in rows {
            for word in written.split(separator: " ") {
                all[plain(String(word)), default: []] += meant.split(separator: " ").map(
                    String.init)
            }
        }
        return all
    }
}
