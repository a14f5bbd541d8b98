internal import EntitlementModel

/// The other texts of this target in Chinese.
extension Help {
    package var chinese: String {
        switch self {
        case .didYouMean: "是不是想写 {0}？"
        case .didYouMeanEither: "是不是想写其中之一：{0}？"
        case .oneOf: "可以写：{0}"
        case .write: "请写成 {0}"
        case .writeEither, .likeEither: "请写成其中之一：{0}"
        case .writtenLike: "正确的写法：{0}"
        }
    }
}

extension RelatedNote {
    package var chinese: String {
        switch self {
        case .firstWritten: "第一次出现在"
        case .alsoHere: "另一处在"
        case .stoppedHere: "读取止于"
        case .sectionBegan: "所在的节开始于"
        case .definedHere: "其定义在"
        }
    }
}

extension Severity {
    package var chinese: String {
        switch self {
        case .error: "错误"
        case .warning: "警告"
        case .note: "说明"
        }
    }
}

extension PolicyLoss.Kind {
    package var chinese: String {
        switch self {
        case .environment: "拒绝 {0} 环境的凭证"
        case .root: "不再信任 {0} 的根证书 {1}"
        case .deniedKey: "拒绝用密钥 {0} 签署的凭证"
        case .signedAge: "凭证签署的时限比以前更短"
        case .app: "app 中的 {0} 已改变"
        case .list: "列表 {0} 不再有任何规则"
        case .rule: "列表 {0} 少了规则 {1}"
        case .open: "{0} 不再开放 {1}，或时间缩短"
        case .product: "产品 {0} 已不存在"
        case .productKind: "产品 {0} 的类型已改变"
        case .grant: "产品 {0} 不再给予 {1}"
        case .terms: "产品 {0} 给予的变少：{1}"
        case .credit: "点数 {0} 已不存在"
        case .leeway: "宽限（leeway）变短：{0}，原为 {1}"
        case .cell: "{0} 给予 {1} 的情形可能变少，状态为 {2}"
        }
    }
}

extension WrittenForm {
    package var chinese: String {
        switch self {
        case .singleValue: "单个值"
        case .list: "一个列表"
        case .section: "一组键和值"
        case .trueOrFalse: "true 或 false"
        case .wholeNumber: "一个整数"
        case .amount: "一个金额"
        case .listOfValues: "由单个值组成的列表"
        case .listInList: "列表中的列表"
        case .sectionInList: "列表中的一组键和值"
        }
    }
}

extension CheckPhrase {
    var chinese: String {
        switch self {
        case .help: "建议"
        case .oneError: "1 个错误"
        case .errors: "{0} 个错误"
        case .oneWarning: "1 个警告"
        case .warnings: "{0} 个警告"
        case .unchanged: "正在运行的策略没有改变"
        case .replaced: "此策略已生效"
        case .moreLikeIt: "另有 {0} 处相同"
        case .andMore: "{0}，另有 {1} 个"
        case .filesRead: "已读取的文件"
        case .filesIgnored: "已忽略的文件"
        case .products: "产品"
        case .rules: "规则"
        case .none: "无"
        case .labelled: "{0}：{1}"
        case .choiceSeparator: "、"
        case .listSeparator: "，"
        case .waive: "如果本意如此，请在同一节中写：expect-warning: {id: {0}, because: …}"
        case .waiveInFile: "如果本意如此，请在文件最外层写：expect-warning: {id: {0}, because: …}"
        case .clauseSeparator: "；"
        case .schemaTitle: "usher 策略文件"
        case .example: "例如 {0}"
        case .expected: "预期的警告"
        case .repairedLine: "第 {0} 行改正后（--fix --write 会这样改）：{1}"
        case .removedLine: "--fix --write 会删去第 {0} 行"
        }
    }
}

/// What each key of a policy means, in Chinese.
extension FieldMeaning {
    var chinese: String {
        switch self {
        case .version: "策略格式的版本：1。"
        case .app: "所售应用。"
        case .trust: "用于验证 Apple 签名的根证书。"
        case .environments: "接受哪些环境的凭证；凭证给予什么权益由 access 规则决定。"
        case .leeway: "付费到期后、续订在途期间仍可使用的时长，最多为周期的十分之一；缺省 1h。"
        case .claimsFrom:
            "这一天之前购买的消耗型产品和限时产品已由先前的后端交付：对它们的认领由人工决定。缺省为没有先前的后端。"
        case .entitlements: "产品给予的权益，按名称。"
        case .credits: "可计数、可花费的点数（例如金币），按名称。"
        case .groups: "订阅组，按名称；同一组内每位用户最多持有一个产品。"
        case .products: "所售产品，名称为 App Store Connect 中的产品 ID。"
        case .access: "由状态到权益的规则：由第一条匹配的规则决定。"
        case .accountSwitch: "另一个账号出示同一笔购买时如何处理：由第一条匹配的规则决定。"
        case .refundAnswers: "用户向 Apple 申请退款时如何答复 Apple：由第一条匹配的规则决定。"
        case .duplicateSubscriptions: "同一账号用两个 Apple ID 重复订阅时如何处理。"
        case .orders: "应用自己的订单。"
        case .bundleID: "应用的 Bundle ID，与 App Store Connect 一致。"
        case .appleID: "应用的 Apple ID（App Store Connect 的“App 信息”里的数字）；生产环境必填。"
        case .newsstand: "应用是否提供报刊杂志免费订阅（kind 为 free 的产品）。"
        case .accountToken: "购买中的 appAccountToken 如何对应账号：经由生成它的订单，或本身就是账号 ID；缺省 from-order。"
        case .roots: "证书链允许终止于哪些根证书。"
        case .maxSignedAge: "签名早于这个时长的凭证被拒绝；缺省不限。"
        case .deniedKeys: "已泄露的签名密钥，以公钥的 SHA-256 表示（usher inspect 会打印）：用其签署的凭证被拒绝；此前已记录的不受影响。"
        case .jwsRoots: "用于 StoreKit 2 交易与通知的根证书。"
        case .receiptRoots: "用于应用收据的根证书。"
        case .rootEnvironments: "这个根证书适用的环境；缺省为全部。"
        case .rootFile: "策略文件夹中的证书文件（PEM 或 DER）。"
        case .rootFingerprint: "证书（DER）的 SHA-256，64 位十六进制。"
        case .environmentTrust: "是否记录该环境的凭证；缺省 refused（拒绝）。"
        case .title: "英文名称。"
        case .chineseTitle: "中文名称。"
        case .onRefund: "退款时如何收回：全部收回、可为负（debt）；收回剩余（floor）；全部收回并停止花费（freeze）；不收回（ignore）。缺省 debt。"
        case .levels: "服务级别，从高到低。"
        case .duplicateScope: "怎样算重复：同一订阅组（group）或同一权益（entitlement）；缺省 group。"
        case .beforeSecondPurchase: "用户重复付费之前如何答复应用；缺省 warn。"
        case .keptSubscription: "建议保留哪一个；缺省 longest-paid。"
        case .payWithin: "超过这个时长未付款的订单视为放弃；缺省 30m。"
        case .matchWindow: "没有令牌时，订单与付款相隔多久仍可匹配；缺省 24h。"
        case .latePayment: "订单放弃之后才到的付款如何处理；缺省 deliver。"
        case .productKind: "产品在 App Store Connect 中的类型。"
        case .productGroup: "自动续订订阅所属的订阅组。"
        case .productLevel: "在订阅组内的级别。"
        case .period: "自动续订订阅每期的时长：1w、1mo、1y。"
        case .duration: "非续订订阅一次购买的时长。"
        case .stacking: "多次购买非续订订阅时如何计时：依次顺延（extend）、各自起算（overlap）、新的终止旧的（replace）；缺省 extend。"
        case .stack: "同名 stack 的产品依次顺延。"
        case .price: "按货币（ISO 4217）的价格，用于报表与订单匹配。"
        case .grants: "购买给予什么：权益名称，或点数。"
        case .retired: "从这一天起不再接受新订单；已购者保留权益。"
        case .grantedCredit: "给予的点数。"
        case .units: "一次购买给予多少。"
        case .grantedEntitlement: "给予的权益。"
        case .lasting: "消耗型产品给予该权益的时长，从购买起算。"
        case .effect: "是否可以使用。"
        case .only: "规则只涉及这些权益；缺省为全部。"
        case .verb: "之后由谁持有。"
        case .sharingAccounts: "最多由几个账号共享。"
        case .limits: "转移次数的限制。"
        case .ruleName: "用一句话说明规则；每个答复都会显示。"
        case .condition: "所有字段都须成立；列表中任意一项即可。缺省为总是成立。"
        case .exception: "以下全部成立时，规则不适用。"
        case .cooldown: "两次转移之间须间隔的时长。"
        case .moves: "一段时间内最多转移几次：3 per 365d。"
        case .excess: "超出限制的认领如何处理：保持不变（keep），或等待人工裁定（ask）；缺省 keep。"
        case .conditionKind: "产品类型。"
        case .productPattern: "产品 ID；* 代表任意字符。"
        case .conditionGroup: "订阅组。"
        case .conditionLevel: "订阅组内的级别。"
        case .conditionEntitlement: "权益。"
        case .conditionAccount: "账号；* 只能在末尾。在 account_switch 中指提出认领的账号。"
        case .conditionEnvironment: "购买所在的环境。"
        case .ownership: "Apple ID 取得它的方式。"
        case .storefront: "App Store 国家或地区，例如 CN 或 CHN。"
        case .offer: "购买时使用的优惠。"
        case .tokenMatch: "购买中的 appAccountToken 是否指向提出认领的账号。"
        case .moment: "提出认领的时机。"
        case .state: "购买的状态。"
        case .stateAge: "处于该状态多久：under 7d（不足）、at least 7d（至少）、from 7d to 14d（区间）。"
        case .expiryReason: "到期原因。"
        case .autoRenew: "是否自动续订（加引号）。"
        case .revocation: "撤销的方式。"
        case .purchased: "本期购买日期：before 日期、from 日期、from 日期 until 日期。"
        case .firstPurchased: "首次购买日期：before 日期、from 日期、from 日期 until 日期。"
        case .refundAnswer:
            "向 Apple 表示倾向于哪种决定：全额退款（grant）、退还未使用的部分（prorate）、不退款（decline）；或不作答复（nothing）。"
        case .unpaidFor:
            "付费到期后过了多久，不论其间处于什么状态：under 7d（不足）、at least 7d（至少）、"
                + "from 7d to 14d（区间）。到期之前不成立。"
        case .timeZone:
            "本文件中日期所用的时区，IANA 名称，例如 Asia/Shanghai。默认：UTC。带时间的日期自带时区。"
        case .open: "限时向所有人开放的权益，没有任何记录的账号也包括在内；账号被停用时仍不给予。"
        case .openEntitlements: "开放的权益。"
        case .openWindow: "开放的时间：from 日期 until 日期。"
        case .inForce: "规则本身的生效时间：before 日期、from 日期、from 日期 until 日期。"
        case .acceptedPolicy: "此文件夹所替换的策略的摘要。"
        case .acceptanceReason: "原因。"
        case .accountsAtMost: "最多允许多少个账号失去权益。"
        case .expectedWarning: "本意如此的警告，写在它所在的节中：{id: …, because: …}。"
        case .expectedID: "警告的标识。"
        case .expectedReason: "为什么本意如此。"
        }
    }
}
