/// The languages of the pictures.
package enum ChartLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case chinese = "zh"
}

/// The words of the pictures, in both languages. `%1` and `%2` stand for what is filled in.
enum ChartPhrase: CaseIterable {
    case title
    case asOf
    case basis
    case rights
    case purchases
    case stretches
    case nothingKnown
    case yes
    case no
    case until
    case since
    case withoutEnd
    case owner
    case nobody
    case appleID
    case given
    case withheld
    case owned
    case byHand
    case comma
    case clause
    case colon
    case entitlement
    case answer
    case from
    case to
    case source
    case rule
    case state
    case product
    case transaction
    case account
    case explanation
    case mark

    private var texts: (english: String, chinese: String) {
        switch self {
        case .title: ("%1 over time", "%1 的时间线")
        case .asOf: ("%1 UTC", "%1（UTC）")
        case .basis: ("ledger entry %1, policy %2", "账本条目 %1，策略 %2")
        case .rights: ("Rights", "权益")
        case .purchases: ("Purchases", "购买")
        case .stretches: ("All stretches of time", "所有时间段")
        case .nothingKnown: ("nothing is known of this account", "没有此账号的任何记录")
        case .yes: ("yes", "可用")
        case .no: ("no", "不可用")
        case .until: ("until %1", "至 %1")
        case .since: ("since %1", "自 %1")
        case .withoutEnd: ("without end", "无期限")
        case .owner: ("owner %1", "归属 %1")
        case .nobody: ("nobody owns it", "无归属")
        case .appleID: ("Apple ID %1", "Apple ID %1")
        case .given: ("may use it", "可以使用")
        case .withheld: ("may not use it", "不可使用")
        case .owned: ("owns it", "拥有")
        case .byHand: ("given by hand", "人工授予")
        case .comma: (", ", "、")
        case .clause: ("; ", "；")
        case .colon: (": ", "：")
        case .entitlement: ("Entitlement", "权益")
        case .answer: ("May use it", "可否使用")
        case .from: ("From", "开始")
        case .to: ("Until", "结束")
        case .source: ("Source", "来源")
        case .rule: ("Rule", "规则")
        case .state: ("State", "状态")
        case .product: ("Product", "商品")
        case .transaction: ("Transaction", "交易")
        case .account: ("Owner", "归属账号")
        case .explanation:
            (
                "The dashed line marks the instant that is asked about. Times are UTC.",
                "虚线标出所问的时刻。时间均为 UTC。"
            )
        case .mark: ("asked about", "所问时刻")
        }
    }

    func text(_ language: ChartLanguage, _ first: String = "", _ second: String = "") -> String {
        let template = language == .english ? texts.english : texts.chinese
        var text = ""
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            text += rest.popFirst() == "1" ? first : second
        }
        return text + rest
    }
}

/// The words of the service's own that people read: states, reasons, kinds. What has no entry is
/// shown as it is.
enum ChartWord {
    static func text(_ word: String, _ language: ChartLanguage) -> String {
        language == .chinese ? chinese[word] ?? word : word
    }

    private static let chinese = [
        "active": "有效", "renewing": "续订中", "grace": "宽限期", "billing-retry": "扣款重试",
        "expired": "已到期", "revoked": "已撤回", "cancelled": "已取消",
        "billing-error": "扣款失败", "price-not-accepted": "未接受新价格",
        "product-unavailable": "商品已下架", "other": "其他", "upgraded": "已升级",
        "unknown": "未知", "consumable": "消耗型", "non-consumable": "非消耗型",
        "auto-renewable": "自动续期订阅", "non-renewing": "非续期订阅", "free": "免费订阅",
        "production": "生产环境", "sandbox": "沙盒环境", "xcode": "Xcode 环境",
        "local-testing": "本地测试",
    ]
}
