package import EntitlementModel

/// A text of this target.
package protocol PolicyLoadingText: TabledText {}

extension PolicyLoadingText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # PolicyExplanation.Subject
    diagnostic: 诊断
    finding: 待关注事项
    key: 键
    rule: 规则
    product: 产品
    entitlement: 权益
    credit: 点数
    group: 组
    level: 级别
    # PolicyExplanation.Label
    severity: 级别
    meaning: 含义
    list: 列表
    when: 条件
    unless: 例外
    then: 结果
    only: 仅限
    decides: 可以决定
    before: 在它之前的规则
    kind: 类型
    title: 名称
    group: 组与级别
    gives: 给予
    states: 各状态
    rules: 提到它的规则
    givenBy: 来自
    openedBy: 向所有人开放
    levels: 级别（从高到低）
    products: 产品
    section: 所在部分
    words: 可写
    ofGroup: 组
    # ExplainPolicyPhrase
    after: {0}，在 {1} 之后
    all: 策略中的所有权益，包括以后定义的；目前：
    allExcept: 策略中除 {0} 外的所有权益，包括以后定义的；目前：
    retired: 旧版本的警告；不再给出，预期它的策略照常读取
    nothing: 无：这些情形不会出现，或已由前面的规则全部决定
    # Help
    didYouMean: 是不是想写 {0}？
    didYouMeanEither: 是不是想写其中之一：{0}？
    oneOf: 可以写：{0}
    write: 请写成 {0}
    writeEither: 请写成其中之一：{0}
    likeEither: 请写成其中之一：{0}
    writtenLike: 正确的写法：{0}
    placedIn: 它属于：{0}
    # RelatedNote
    firstWritten: 第一次出现在
    alsoHere: 另一处在
    stoppedHere: 读取止于
    sectionBegan: 所在的节开始于
    definedHere: 其定义在
    # Severity
    error: 错误
    warning: 警告
    note: 说明
    # PolicyLoss.Kind
    environment: 拒绝 {0} 环境的凭证
    root: 不再信任 {0} 的根证书 {1}
    deniedKey: 拒绝用密钥 {0} 签署的凭证
    signedAge: 凭证签署的时限比以前更短
    app: app 中的 {0} 已改变
    list: 列表 {0} 不再有任何规则
    rule: 列表 {0} 少了规则 {1}
    open: {0} 不再开放 {1}，或时间缩短
    product: 产品 {0} 已不存在
    productKind: 产品 {0} 的类型已改变
    grant: 产品 {0} 不再给予 {1}
    terms: 产品 {0} 给予的变少：{1}
    credit: 点数 {0} 已不存在
    refund: 退款收回更多 {0}：on_refund 为 {2}，原为 {1}
    leeway: 宽限（leeway）变短：{0}，原为 {1}
    closed: 已关闭账号的权益终止
    cell: {0} 给予 {1} 的情形可能变少，状态为 {2}
    # WrittenForm
    singleValue: 单个值
    list: 一个列表
    section: 一组键和值
    trueOrFalse: true 或 false
    wholeNumber: 一个整数
    amount: 一个金额
    listOfValues: 由单个值组成的列表
    listInList: 列表中的列表
    sectionInList: 列表中的一组键和值
    # CheckPhrase
    help: 建议
    oneError: 1 个错误
    errors: {0} 个错误
    oneWarning: 1 个警告
    warnings: {0} 个警告
    unchanged: 正在运行的策略没有改变
    replaced: 此策略已生效
    moreLikeIt: 另有 {0} 处相同
    andMore: {0}，另有 {1} 个
    filesRead: 已读取的文件
    filesIgnored: 已忽略的文件
    products: 产品
    rules: 规则
    none: 无
    labelled: {0}：{1}
    listSeparator: ，
    waive: 如果本意如此，请在同一节中写：expect-warning: {id: {0}, because: …}
    waiveInFile: 如果本意如此，请在文件最外层写：expect-warning: {id: {0}, because: …}
    clauseSeparator: ；
    schemaTitle: usher 策略文件
    example: 例如 {0}
    expected: 预期的警告
    repairedLine: 第 {0} 行改正后（--fix --write 会这样改）：{1}
    removedLine: --fix --write 会删去第 {0} 行
    # ChoicePhrase
    separator: 、
    # FieldMeaning
    version: 策略格式的版本：1。
    app: 所售应用。
    trust: 用于验证 Apple 签名的根证书。
    environments: 接受哪些环境的凭证；凭证给予什么权益由 access 规则决定。
    entitlements: 产品给予的权益，按名称。
    credits: 可计数、可花费的点数（例如金币），按名称。
    groups: 订阅组，按名称；同一组内每位用户最多持有一个产品。
    products: 所售产品，名称为 App Store Connect 中的产品 ID。
    appPurchase: 应用本身给予当时购买或下载者什么：所有匹配的规则都给予。
    appCondition: 所有条件都要满足；列表中满足一个即可。
    appGrants: 它给予的权益。
    access: 由状态到权益的规则：由第一条匹配的规则决定。
    accountSwitch: 另一个账号出示同一笔购买时如何处理：由第一条匹配的规则决定。
    refundAnswers: 用户向 Apple 申请退款时如何答复 Apple：由第一条匹配的规则决定。
    duplicateSubscriptions: 同一账号用两个 Apple ID 重复订阅时如何处理。
    orders: 应用自己的订单。
    bundleID: 应用的 Bundle ID，与 App Store Connect 一致。
    appleID: 应用的 Apple ID（App Store Connect 的“App 信息”里的数字）；生产环境必填。
    newsstand: 应用是否提供报刊杂志免费订阅（kind 为 free 的产品）。
    roots: 证书链允许终止于哪些根证书。
    maxSignedAge: 签名早于这个时长的凭证被拒绝；缺省不限。
    deniedKeys: 已泄露的签名密钥，以公钥的 SHA-256 表示（usher inspect 会打印）：用其签署的凭证被拒绝；此前已记录的不受影响。
    jwsRoots: 用于 StoreKit 2 交易与通知的根证书。
    receiptRoots: 用于应用收据的根证书。
    rootEnvironments: 这个根证书适用的环境；缺省为全部。
    rootFile: 策略文件夹中的证书文件（PEM 或 DER）。
    rootFingerprint: 证书（DER）的 SHA-256，64 位十六进制。
    environmentTrust: 是否记录该环境的凭证；缺省 refused（拒绝）。
    title: 英文名称。
    chineseTitle: 中文名称。
    onRefund: 退款时如何收回：全部收回、可为负（debt）；收回剩余（floor）；全部收回并停止花费（freeze）；不收回（ignore）。缺省 debt。
    levels: 服务级别，从高到低。
    productKind: 产品在 App Store Connect 中的类型。
    productGroup: 自动续订订阅所属的订阅组。
    productLevel: 在订阅组内的级别。
    period: 自动续订订阅每期的时长：1w、1mo、1y。
    duration: 非续订订阅一次购买的时长。
    stacking: 多次购买非续订订阅时如何计时：依次顺延（extend）、各自起算（overlap）、新的终止旧的（replace）；缺省 extend。
    stack: 同名 stack 的产品依次顺延。
    price: 按货币（ISO 4217）的价格，用于报表与订单匹配。
    grants: 购买给予什么：权益名称，或点数；写 all 则给予策略中的所有权益，包括以后定义的。
    allExcept: 不给予的权益；其余的全部给予。
    retired: 从这一天起不再接受新订单；已购者保留权益。
    grantedCredit: 给予的点数。
    units: 一次购买给予多少。
    grantedEntitlement: 给予的权益。
    warnBefore: 点数过期前提前多久在变更流中告知。缺省不告知。
    productCredits: 订阅的每个付费周期给予的点数。
    unitsOfPeriod: 每个付费周期给予多少；写了 every 时，指其中每一段。
    every: 付费周期从开始起按多长分段给予：1mo。
    underOffer: 以优惠购买的周期给予多少（若较少）。
    unitsUnderOffer: 该优惠下给予多少；0 为不给。
    expires: 剩余点数何时过期：随付费周期或其中一段（period）、经过一段时长如 90d，或不过期（never）。缺省 never。
    lasting: 消耗型产品给予该权益的时长，从购买起算。
    effect: 是否可以使用。
    only: 规则只涉及这些权益；缺省为全部。
    verb: 之后由谁持有。
    sharingAccounts: 最多由几个账号共享。
    limits: 转移次数的限制。
    ruleName: 用一句话说明规则；每个答复都会显示。
    condition: 所有字段都须成立；列表中任意一项即可。缺省为总是成立。
    exception: 以下全部成立时，规则不适用。
    cooldown: 两次转移之间须间隔的时长。
    moves: 一段时间内最多转移几次：3 per 365d。
    excess: 超出限制的认领如何处理：保持不变（keep），或等待人工裁定（ask）；缺省 keep。
    refundAnswer: 向 Apple 表示倾向于哪种决定：全额退款（grant）、退还未使用的部分（prorate）、不退款（decline）；或不作答复（nothing）。
    acceptedPolicy: 此文件夹所替换的策略的摘要。
    acceptanceReason: 原因。
    accountsAtMost: 最多允许多少个账号失去权益。
    timeZone: 本文件中日期所用的时区，IANA 名称，例如 Asia/Shanghai。默认：UTC。带时间的日期自带时区。
    open: 限时向所有人开放的权益，没有任何记录的账号也包括在内；账号被停用时仍不给予。
    openEntitlements: 开放的权益。
    openWindow: 开放的时间：from 日期 until 日期。
    expectedWarning: 本意如此的警告，写在它所在的节中：{id: …, because: …}。
    expectedID: 警告的标识。
    expectedReason: 为什么本意如此。
    # RepairPhrase
    choice: 一种可能的改法：{0}
    oneRepair: 1 处修改
    repairs: {0} 处修改
    lineEnds: {0}：以 CRLF 或 CR 而非 LF 结尾的行：{1}（共 {2} 行）
    notWritten: {0}；加上 --write 才会写入文件
    written: {0}，已写入文件
    nothing: 没有哪一处恰好只有一种改法；文件未改动
    left: 需要您自己决定的：
    """ + "\n" + chineseDiagnostics)
