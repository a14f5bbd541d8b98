internal import EntitlementModel

/// The other texts of this target in Chinese.
extension Help {
    package var chinese: String {
        switch self {
        case .didYouMean: "是不是想写 {0}？"
        case .didYouMeanEither: "是不是想写其中之一：{0}？"
        case .writeEither: "请写成其中之一：{0}"
        case .oneOf: "可以写：{0}"
        case .oneOfOrRemove: "可以写：{0}；或者删去"
        case .alreadyThere: "这一节里已经写了 {0}，请删去其中一个"
        case .writeOneOf: "请写上 {0}，其值可以是：{1}"
        case .unitMissing: "缺少单位：是分钟、小时还是天？请写成 {0} 之一"
        case .listAccounts: "账号不能按结尾匹配：请逐个列出，或去掉这一个"
        case .belongsTo(_, before: .some, _):
            "{0} 的规则才用它：请把规则移到那里，放在 {2} 之前（先匹配的规则决定），或改写成：{1}"
        case .belongsTo:
            "{0} 的规则才用它：请把规则移到那个列表的开头（先匹配的规则决定），或改写成：{1}"
        case .writeBeside: "请写在 {0} 旁边，从同一列开始"
        case .newItem: "如果这里开始了另一项，请在 {0} 前写“- ”；否则请只保留一个"
        case .insteadWrite: "请改写为 {0}"
        case .write: "请写成 {0}"
        case .writtenLike: "正确的写法：{0}"
        case .levelsOrPrices: "请写成 {0}（最好的在前）；如果顺序没有错，请更正价格"
        case .writeAtTop: "请在文件开头写上：{0}"
        case .pointSlippedIn: "有一处小数点错位：请写其中之一：{0}"
        case .withQuotes: "请连同引号写成 {0}：没有引号时，有些工具把它读作真或假"
        case .spaceAfterColon: "冒号后缺少空格：{0}"
        case .pointSlipped: "如果是小数点错位，请写成 {0}；否则请核对两处价格"
        case .retiredThen: "请更正 {1} 的 retired（{0} 或更早），或用 only 写明不给的权益，或收窄 when"
        case .writeOrWaive: "请写成 {0}"
        case .cooldownOrMoves: "请写 {0} 或更短，或者 {1} 或更长的范围，或只保留其中一个限制"
        case .thousandsOrFraction: "若表示千位请写成 {0}，若表示小数请写成 {1}"
        default: newChinese
        }
    }
}

extension Help {
    /// What is to be done with something that has its place elsewhere, or in another form.
    private var newChinese: String {
        switch self {
        case .levelOf: "它是 {0} 的级别：请写“group: {2}”，或写此处这个订阅组的级别：{1}"
        case .groupOfLevel: "它是“{1}”的级别：请写“group: {1}”，级别写 {0}"
        case .levelOrAdd: "可以写：{0}；或者把它加入 {1} 的级别，最好的在最前：{2}"
        case .digitsLost:
            "位数已丢失（电子表格常会如此）：请查出这个数字并写全（apple_id 见 App Store Connect 的“App 信息”）"
        case .nameMissing: "如果这里开始了另一条规则，它缺少第一行：请在上面写“- name: …”"
        case .besideThen:
            "请把“{0}”单独写成一行，与“then: {1}”从同一列开始；limits 只有 cooldown、moves 和 else，"
                + "用于转移购买的规则"
        case .dashTooMany:
            "它属于上面的规则 {1}：请把 {0} 前的“- ”换成两个空格；只有另一条规则才需要“- ”和 name"
        case .nameOrQuoted(_, _, let names) where !names.isEmpty:
            "请写所指的名称：{1}；名称本来如此时需要引号：{0}"
        case .nameOrQuoted: "请写所指的名称；名称本来如此时需要引号：{0}"
        case .braces: "属于一起的内容需要花括号：{0}"
        case .beginsInColumn(_, alone: true): "它是独立的一项：请让这一行从第 {0} 列开始，其下各行不动"
        case .beginsInColumn: "它是独立的一项：请让它的第一行从第 {0} 列开始，其下各行随之移动"
        case .signOfDiff: "行首的 {0} 是版本比较留下的，请删去"
        case .restOfComment(_, let lines) where lines.contains("-"):
            "上面的注释在这里继续：请在第 {1} 行的每一行开头写“# ”：{0}"
        case .restOfComment: "上面的注释在这里继续：请在这一行的开头写“# ”：{0}"
        case .commentOrOneOf: "键只能是一个词：如果这里是注释的后续，请在行首写“# ”；这里可以写的键：{0}"
        case .commentInBrackets: "{0} 开始了注释，该行其余部分因此失效：请写所指的值，或加上引号"
        case .removeCopy: "{0} 看起来是副本：请删去该文件"
        case .endMissing: "until 后面缺少日期（窗口之外的第一天）：{0}"
        case .pricesExchanged: "它与 {0} 的价格像是颠倒了：请对调"
        case .writeInPlaceOf: "请把 {1} 改成 {0}"
        case .oneOfOrWithout: "可以写：{0}；或者删去其中之一：{1}"
        case .joinLines: "如果它属于上一行，请写在同一行：{0}；如果它是键，请写成“键: 值”"
        case .ownLines: "每个键单独占一行，从同一列开始：{0}"
        case .trustOrRefuse: "请写“trusted”（记录其购买）或“refused”（不记录）"
        case .trustWithRoot:
            "请写“refused”；或者写“trusted”，把为 {0} 签名的证书放入策略文件夹，并在 trust 的 roots "
                + "中写上：{1}"
        case .rootOrRefuse:
            "Apple 不为它签名：请把为 {0} 签名的证书放入策略文件夹，并在 trust 的 roots 中写上：{1}；"
                + "或在此拒绝 {0}"
        case .dashes:
            "{0} 的每条规则在第一个键之前写“- ”（“- name: …”），其余的键与 name 从同一列开始"
        case .moveRule: "{0} 里不能有列表项：请把它连同其各行移到所属列表的末尾：{1}"
        case .renameRow: "如果这是另一项，请换一个名称代替 {0}；否则请只保留其中一个"
        case .mergeInto: "请删去这一行，并把其下的内容移到第 {1} 行 {0} 的末尾"
        case .mergeIntoFile: "请把其下的规则移到 {0} 中（{1} 第 {2} 行），并删去这一行"
        case .keepOneSide: "请保留第 {0} 行或第 {1} 行，删去另一处和第 {2} 行"
        case .leftOfMerge(let lines) where lines.areSeveral:
            "这是合并两个版本时遗留的：请删去第 {0} 行，并检查它们前后有无重复的内容"
        case .leftOfMerge: "这是合并两个版本时遗留的：请删去第 {0} 行，并检查前后有无重复的内容"
        case .oneSide: "请删去第 {1} 行；其间的第 {0} 行只在一个版本中有：需要就保留，否则一并删去"
        case .writeOut(_, value: .some): "策略没有引用：请在 {0} 处写 {1}"
        case .writeOut: "策略没有引用：请在 {0} 处写出值本身；以“*”开头的文本要加引号"
        case .removeMark: "策略没有引用：请删去 {0}，保留其后的值；以“&”开头的文本要加引号"
        case .quote: "请加上引号：{0}"
        case .replaceBySpaces: "请逐个改为普通空格；缩进中的也要改"
        case .conditionsHere: "此列表可用的条件：{0}；给予某项权益的产品请用 product 或 group 写明"
        case .calculated: "这里不作计算：请写结果，例如 9.99"
        case .otherFingerprint:
            "该指纹有 {0} 位，SHA-256 有 64 位（0-9、a-f，不带冒号）：openssl x509 -in root.pem -noout "
                + "-fingerprint -sha256；或把证书放进策略文件夹并写 {file: root.pem}"
        default: ""
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
