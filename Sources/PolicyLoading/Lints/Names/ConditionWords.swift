internal import EntitlementModel

/// Words of a name that only some values of a condition can mean.
struct ConditionWords {
    let key: String
    let words: [String]
    /// Any of which is as the name says.
    let values: Set<String>
    /// The one to write; nil where several are possible.
    let line: String?

    init(_ key: String, _ words: String, _ values: String, writes: Bool = true) {
        self.key = key
        self.words = words.split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        let all = values.split(separator: " ").map(String.init)
        self.values = Set(all)
        line =
            writes
            ? all.first.map { ["on", "off"].contains($0) ? "\(key): \"\($0)\"" : "\(key): \($0)" }
            : nil
    }

    /// Of each key, longer phrases first.
    static let all: [ConditionWords] = states + offers + others + storefronts

    private static let states = [
        ConditionWords("state", "grace, grace period, 宽限期", "grace"),
        ConditionWords(
            "state",
            "unpaid, has not paid, is not paid, while it is not paid, 欠费",
            "billing-retry grace"),
        ConditionWords(
            "state", "billing retry, retries, retry, retrying, 扣款重试, 扣费重试, 重试",
            "billing-retry"),
        ConditionWords(
            "state", "lapsed, expired, former, ex-members, has ended, have ended, ran out, 过期, 已到期",
            "expired billing-retry", writes: false),
        ConditionWords("state", "refunded, revoked, 已退款, 退款后, 被撤销", "revoked"),
        ConditionWords("revocation", "family sharing, 家庭共享", "family"),
        ConditionWords("revocation", "in full, fully refunded, 全额", "full"),
        ConditionWords("revocation", "partly, in part, partial, prorated, 部分退款, 按比例", "prorated"),
        ConditionWords("expiry_reason", "cancel, cancels, cancelled, canceled, 取消", "cancelled"),
        ConditionWords(
            "expiry_reason",
            "billing, billing error, card, payment failed, failed payment, could not pay, 扣款失败, 扣费失败",
            "billing-error"),
        ConditionWords(
            "expiry_reason", "price, price increase, dearer, 涨价, 价格", "price-not-accepted"),
        ConditionWords("expiry_reason", "upgrade, upgrades, upgraded, 升级", "upgraded"),
        ConditionWords(
            "expiry_reason", "unavailable, withdrawn, removed from sale, 下架", "product-unavailable"),
        ConditionWords(
            "auto_renew",
            "cancelled, canceled, have cancelled, turned off, switched off, renewal off, renewal is off, "
                + "will not renew, does not renew, do not renew, 已取消, 取消续订, 关闭了续订, 关闭自动续订, "
                + "关闭续订", "off"),
        ConditionWords("auto_renew", "still renews, renews, will renew, 仍在续订, 继续续订", "on"),
    ]

    private static let offers = [
        ConditionWords("offer", "trial, trials, free trial, 试用", "free-trial"),
        ConditionWords("offer", "introductory, intro, 首购优惠, 新用户优惠", "introductory free-trial"),
        ConditionWords("offer", "win-back, win back, winback, came back, 赢回, 回归", "win-back"),
        ConditionWords("offer", "retention, retention offer, 挽留", "retention"),
        ConditionWords(
            "offer", "offer code, offer codes, promo code, voucher, vouchers, 兑换码, 优惠码",
            "offer-code"),
        ConditionWords("offer", "promotional, promotional offer, 促销优惠", "promotional"),
    ]

    private static let others = [
        ConditionWords(
            "ownership", "family, families, family sharing, relatives, 家庭, 家人, 家属",
            "family-shared"),
        ConditionWords("ownership", "buyer, buyers, purchaser, purchasers, 购买者", "purchased"),
        ConditionWords("ownership", "assigned, seat, seats, 分配", "assigned"),
        ConditionWords("moment", "restore, restores, restoring, restored, 恢复购买, 恢复时", "restore"),
        ConditionWords(
            "moment", "buying, buys, when bought, at purchase, on purchase, 购买时, 下单时", "purchase"),
        ConditionWords("moment", "support moves, by support, support may, 客服转移", "support"),
        ConditionWords(
            "environment", "sandbox, testflight, test purchases, 沙盒, 沙箱, 测试购买",
            "sandbox xcode local-testing"),
        ConditionWords("environment", "xcode", "xcode local-testing"),
        ConditionWords(
            "environment", "production, real purchases, 生产环境, 真实购买", "production"),
        ConditionWords(
            "kind", "subscription, subscriptions, subscribers, subscriber, 订阅",
            "auto-renewable non-renewing free"),
        ConditionWords("kind", "consumable, consumables, used up, 消耗型", "consumable"),
        ConditionWords(
            "kind", "for ever, forever, lifetime, bought once, 永久, 终身, 买断", "non-consumable"),
        ConditionWords(
            "kind", "free subscription, free edition, free weekly, newsstand, 免费订阅", "free"),
        ConditionWords("kind", "pass, passes, 通行证", "non-renewing consumable non-consumable"),
        ConditionWords("token", "without a token, no token, token is missing, 没有令牌", "none"),
    ]

    private static let storefronts = [
        ("CHN", "china, chinese, mainland, mainland china, 中国, 大陆, 国区"),
        ("JPN", "japan, japanese, 日本"), ("KOR", "korea, korean, south korea, 韩国"),
        ("USA", "usa, america, american, americans, united states, the us, 美国, 美区"),
        ("GBR", "britain, british, united kingdom, the uk, 英国"),
        ("AUT", "austria, austrian, 奥地利"), ("CHE", "switzerland, swiss, 瑞士"),
        ("NLD", "netherlands, dutch, holland, 荷兰"), ("BEL", "belgium, belgian, 比利时"),
        ("SWE", "sweden, swedish, 瑞典"), ("NOR", "norway, norwegian, 挪威"),
        ("DNK", "denmark, danish, 丹麦"), ("FIN", "finland, finnish, 芬兰"),
        ("POL", "poland, 波兰"), ("PRT", "portugal, portuguese, 葡萄牙"),
        ("IRL", "ireland, irish, 爱尔兰"), ("NZL", "new zealand, 新西兰"),
        ("ARG", "argentina, 阿根廷"), ("ZAF", "south africa, 南非"), ("MYS", "malaysia, 马来西亚"),
        ("PHL", "philippines, 菲律宾"), ("MAC", "macao, macau, 澳门"),
        ("DEU", "germany, german, 德国"), ("FRA", "france, french, 法国"),
        ("ITA", "italy, italian, 意大利"), ("ESP", "spain, spanish, 西班牙"),
        ("IND", "india, indian, 印度"), ("BRA", "brazil, brazilian, 巴西"),
        ("CAN", "canada, canadian, 加拿大"), ("AUS", "australia, australian, 澳大利亚, 澳洲"),
        ("TWN", "taiwan, 台湾"), ("HKG", "hong kong, 香港"), ("SGP", "singapore, 新加坡"),
        ("MEX", "mexico, mexican, 墨西哥"), ("RUS", "russia, russian, 俄罗斯"),
        ("TUR", "turkey, turkish, türkiye, 土耳其"), ("VNM", "vietnam, 越南"),
        ("THA", "thailand, 泰国"), ("IDN", "indonesia, 印尼, 印度尼西亚"),
    ].map { code, words in ConditionWords("storefront", words, code) }
}
