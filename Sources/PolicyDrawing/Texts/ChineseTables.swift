/// What `policy show` says around its tables, in Chinese.
extension TablePhrase {
    var chinese: String { headingInChinese ?? labelInChinese }

    /// Titles of parts, and what is said below them.
    private var headingInChinese: String? {
        switch self {
        case .title: "{0} 的策略"
        case .digest: "策略 {0}"
        case .productCount: "{0} 个产品"
        case .productsShown: "{1} 个产品中的 {0} 个"
        case .scope: "仅显示与 {0} 有关的内容"
        case .contents: "目录"
        case .nothingFound: "没有匹配的产品"
        case .access: "各类购买在各状态下的权益"
        case .accessIntro: "规则自上而下依次尝试，由第一条匹配的规则决定。只列出在该处确实能作出决定的规则。"
        case .noRights: "没有产品给予任何权益"
        case .products: "产品"
        case .productsIntro: "按订阅组排列，最高级别在前。"
        case .entitlements: "权益"
        case .credits: "点数"
        case .switches: "其他账号认领一项购买时"
        case .switchesIntro: "按购买的令牌与认领账号的关系，以及认领的时机排列。"
        case .dates: "日期"
        case .datesIntro: "时间为 UTC，一天从零点开始。现在：{0}"
        case .noDates: "策略中没有任何日期"
        case .refunds: "用户申请退款时对 Apple 的答复"
        case .refundsIntro: "仅在用户同意后答复。由第一条匹配的规则决定。"
        case .open: "一段时间内所有人都可使用的权益"
        case .openIntro: "没有任何记录的账号也包括在内；账号被停用时仍不给予。"
        case .settings: "设置"
        case .rules: "按顺序排列的访问规则"
        case .rulesIntro: "列出每条规则的全部条件。"
        default: nil
        }
    }

    private var labelInChinese: String {
        switch self {
        case .kind: "类型"
        case .state: "状态"
        case .right: "权益"
        case .deciding: "起决定作用的规则（按顺序）"
        case .product: "产品"
        case .level: "级别"
        case .period: "周期"
        case .price: "价格"
        case .gives: "给予"
        case .givenBy: "由以下产品给予"
        case .name: "名称"
        case .token: "令牌"
        case .owned: "已归其他账号所有"
        case .unowned: "尚无所有者"
        case .setting: "设置"
        case .value: "值"
        case .yes: "有"
        case .no: "无"
        case .depends: "视情况"
        case .builtIn: "内置"
        case .ifAll: "条件：{0}"
        case .unless: "除非：{0}"
        case .only: "仅限 {0}"
        case .elsewhere: "在其他环境中也有效"
        case .onlyElsewhere: "只对其他环境起决定作用"
        case .idle: "在此不起任何决定作用"
        case .deliveries: "以下规则使点数在其他环境中也有效："
        case .groupTitle: "订阅组 {0}"
        case .ungrouped: "{0}（不属于订阅组）"
        case .levels: "级别从高到低：{0}"
        case .noLevel: "无级别"
        case .retired: "已停售：自 {0} 起不再接受新订单"
        case .nothing: "无"
        case .forLength: "{0}（{1}）"
        case .credit: "{0} × {1}"
        case .openToAll: "向所有人开放：{0}"
        case .debt: "退款时收回，余额可为负"
        case .floor: "退款时只收回剩余部分"
        case .freeze: "退款时冻结余额"
        case .ignore: "退款时不收回"
        case .wholeKinds: "类型为{0}的所有产品"
        case .someProducts: "{0}：{1}"
        case .andMore: "以及另外 {0} 个"
        case .unmovable: "从不转移到其他账号（内置）：{0}"
        case .familyNote: "购买时的认领从不转移家人共享的购买（内置）。"
        case .anyMoment: "任何时机"
        case .always: "始终"
        default: ""
        }
    }
}

/// What `policy show` says of settings, in Chinese.
extension SettingsPhrase {
    var chinese: String {
        switch self {
        case .bundle: "Bundle id"
        case .appleID: "应用的 Apple ID"
        case .token: "购买的令牌"
        case .tokenFromOrder: "标明订单"
        case .tokenIsAccount: "即账号标识"
        case .trusted: "记录"
        case .refused: "拒绝"
        case .leeway: "续订延迟的宽限"
        case .claimsFrom: "在此之前购买的消耗型产品和限时产品由人工决定"
        case .environments: "{0}的凭证"
        case .payWithin: "未付款的订单保留"
        case .matchWindow: "订单与付款最多相隔"
        case .latePayment: "逾期付款"
        case .deliver: "照常交付"
        case .review: "等待人工处理"
        case .duplicates: "视为重复的订阅"
        case .scopeGroup: "属于同一订阅组"
        case .scopeEntitlement: "给予同一权益"
        case .before: "购买第二份订阅前"
        case .block: "阻止购买"
        case .warn: "提醒用户"
        case .allow: "不作提示"
        case .kept: "两份订阅中保留"
        case .longestPaid: "付费期最长的"
        case .newest: "最新的"
        case .highestLevel: "级别最高的"
        }
    }
}
