/// A text of this target.
package protocol ModelText: TabledText {}

extension ModelText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # EntitlementState
    active: 有效
    renewing: 续订中
    grace: 宽限期
    billingRetry: 扣款重试中
    expired: 已过期
    revoked: 已撤销
    # ExpiryReason
    cancelled: 用户已取消订阅
    billingError: 扣款失败
    priceNotAccepted: 未同意新价格
    productUnavailable: 产品已无法续订
    other: 其他原因
    upgraded: 已升级为其他套餐
    unknown: 已到期，未收到续订消息
    # ProductKind
    consumable: 消耗型
    nonConsumable: 非消耗型
    autoRenewable: 自动续订订阅
    nonRenewing: 非续订订阅
    free: 免费订阅
    # StoreEnvironment
    production: 生产环境
    sandbox: 沙盒环境
    xcode: Xcode 环境
    localTesting: 本地测试环境
    # ConditionField
    kind: 类型为{0}
    product: 产品为 {0}
    group: 订阅组为 {0}
    level: 级别为 {0}
    entitlement: 权益为 {0}
    account: 账号为 {0}
    environment: 购买于{0}
    ownership: 归属：{0}
    storefront: 商店地区为 {0}
    offer: 优惠：{0}
    token: 令牌{0}
    moment: {0}认领
    state: 状态为{0}
    paid: 是否已付费：{0}
    quantity: 席位数{0}
    stateAge: 处于该状态{0}
    unpaidFor: 付费期结束{0}
    memberFor: 累计付费订阅{0}
    expiryReason: 原因：{0}
    autoRenew: 自动续订{0}
    revocation: 撤销：{0}
    purchased: 购买时间{0}
    firstPurchased: 首次购买时间{0}
    firstVersion: 最初版本{0}
    bought: 应用购买时间{0}
    at: 时间{0}
    # ConditionMeaning
    kind: 产品类型。
    product: 产品 ID；* 代表任意字符。
    group: 订阅组。
    level: 订阅组内的级别。
    entitlement: 权益。
    account: 账号；* 只能在末尾。在 account_switch 中指提出认领的账号。
    environment: 购买所在的环境。
    ownership: Apple ID 取得它的方式。
    storefront: App Store 国家或地区，例如 CN 或 CHN。
    offer: 购买时使用的优惠。
    token: 购买中的 appAccountToken 是否指向提出认领的账号。
    moment: 提出认领的时机。
    state: 购买的状态；在 account_switch 中为认领时的状态。
    paid: 认领时是否已付费，即状态为 active。
    quantity: 认领时的席位数，不是多人订阅时为 1：at least 5（至少）、under 5（不足）、5。
    stateAge: 处于该状态多久：under 7d（不足）、at least 7d（至少）、from 7d to 14d（区间）。
    unpaidFor: 付费到期后过了多久，不论其间处于什么状态：under 7d（不足）、at least 7d（至少）、from 7d to 14d（区间）。到期之前不成立。
    memberFor: 账号为该产品所在订阅组累计付费多久，不计中断和免费试用：under 365d（不足）、at least 365d（至少）、from 365d to 730d（区间）。
    expiryReason: 到期原因。
    autoRenew: 是否自动续订（加引号）。
    revocation: 撤销的方式。
    purchased: 本期购买日期：before 日期、from 日期、from 日期 until 日期。
    firstPurchased: 首次购买日期：before 日期、from 日期、from 日期 until 日期。
    firstVersion: 最初购买的应用版本，iOS 上为其构建号：before 3.0、from 3.0、from 2.0 until 3.0。
    bought: 购买应用的日期：before 日期、from 日期、from 日期 until 日期。
    at: 规则本身的生效时间：before 日期、from 日期、from 日期 until 日期。
    # PolicySetting
    accountToken: 购买的令牌
    leeway: 续订延迟的宽限
    claimsFrom: 在此之前购买的消耗型产品和限时产品由人工决定
    closedAccounts: 已关闭账号的权益
    onReturn: 已擦除账号的购买
    payWithin: 未付款的订单保留
    matchWindow: 订单与付款最多相隔
    latePayment: 逾期付款
    promise: 下单时的承诺保留
    duplicateScope: 视为重复的订阅
    beforePurchase: 购买第二份订阅前
    keep: 两份订阅中保留
    # SettingMeaning
    accountToken: 购买中的 appAccountToken 如何对应账号：经由生成它的订单，或本身就是账号 ID；缺省 from-order。
    leeway: 付费到期后、续订在途期间仍可使用的时长，最多为周期的十分之一；缺省 1h。
    claimsFrom: 这一天之前购买的消耗型产品和限时产品已由先前的后端交付：对它们的认领由人工决定。缺省为没有先前的后端。
    closedAccounts: 已关闭账号的权益终止到重新开放为止，还是保留。无论如何，它都不再认领、消费或下单。缺省 end。
    onReturn: 账号已擦除的购买，由其他账号出示时，是给予该账号，还是等待人工裁定。缺省 give。
    payWithin: 超过这个时长未付款的订单视为放弃；缺省 30m。
    matchWindow: 没有令牌时，订单与付款相隔多久仍可匹配；缺省 24h。
    latePayment: 订单放弃之后才到的付款如何处理；缺省 deliver。
    promise: 下单后多长时间内付款，仍按下单时该产品给予的点数与权益计；最长 30d；缺省不承诺。
    duplicateScope: 怎样算重复：同一订阅组（group）或同一权益（entitlement）；缺省 group。
    beforePurchase: 用户重复付费之前如何答复应用；缺省 warn。
    keep: 建议保留哪一个；缺省 longest-paid。
    # ClosedAccountRule
    end: 终止到重新开放为止
    keep: 保留
    # ReturnRule
    give: 归出示它的账号
    ask: 等待人工裁定
    # AccountTokenRule
    fromOrder: 标明订单
    isAccountID: 即账号标识
    # OrderSettings.LatePayment
    deliver: 照常交付
    review: 等待人工处理
    # DuplicateSettings.Scope
    group: 属于同一订阅组
    entitlement: 给予同一权益
    # DuplicateSettings.BeforePurchase
    block: 阻止购买
    warn: 提醒用户
    allow: 不作提示
    # DuplicateSettings.Keep
    longestPaid: 付费期最长的
    newest: 最新的
    highestLevel: 级别最高的
    # OwnershipWord
    purchased: 自己购买
    familyShared: 家人共享
    assigned: 分配所得
    notStated: 未说明
    unknown: 未知
    # OfferWord
    none: 无
    freeTrial: 免费试用
    introductory: 首次优惠
    promotional: 促销优惠
    offerCode: 优惠代码
    winBack: 赢回优惠
    retention: 挽留优惠
    other: 其他优惠
    # PaidWord
    yes: 是
    no: 否
    # AutoRenewWord
    on: 已开启
    off: 已关闭
    unknown: 未知
    # RevocationWord
    full: 全部
    prorated: 部分
    family: 家人共享已结束
    assigned: 分配已结束
    unknown: 未知
    # TokenMatch
    matches: 指向认领者
    other: 指向其他账号
    none: 不存在
    # EvidenceKind
    transaction: 交易
    renewalInfo: 续订信息
    appTransaction: 应用交易
    notification: 通知
    receipt: 收据
    receiptAnswer: verifyReceipt 应答
    importedAnswer: 导入的 verifyReceipt 应答
    unverified: 只有 Apple 能验证的凭证
    # ClaimMoment
    purchase: 作为购买
    restore: 作为恢复购买
    notification: 通过通知
    support: 通过客服
    listed: 作为设备列出的购买
    # ClaimDenial
    kept: 已拒绝：仍归原账号
    cooldown: 已拒绝：距上次转移时间过短
    limit: 已拒绝：转移次数过多
    denied: 已拒绝：规则不允许
    waiting: 等待人工裁定
    token: 已拒绝：该购买指明了其他账号
    ownedByOther: 已拒绝：属于其他账号
    accountClosed: 已拒绝：该账号已关闭
    # Ruling.Verb
    approve: 已批准等待中的认领
    refuse: 已拒绝等待中的认领
    transfer: 已转移到其他账号
    release: 已解除所属
    undo: 已撤回上一次决定
    # CreditTimeline.Entry.Cause
    delivery: 购买到账
    grant: 人工授予
    spend: 已花费
    reversal: 花费已撤销
    hold: 已预留
    release: 预留结束
    clawBack: 退款后收回
    expiry: 已过期
    merge: 账号合并
    ruling: 人工裁定后转移
    # Finding.Kind
    accountCaseConflict: 同一账号的两种大小写写法曾被当作不同的账号
    accountSwitch: 有账号出示了属于其他账号的购买
    appleIDConflict: 同一收据中的购买属于不同的 Apple ID
    balanceBelowZero: 账号的点数余额为负
    creditFrozen: 退款冻结了账号的点数
    duplicateAppleID: 该账号在两个 Apple ID 上重复付费
    duplicateAppleIDPossible: 该账号可能在两个 Apple ID 上重复付费
    appleNotice: Apple 通知了一件购买记录中看不到的事
    evidenceUnconfirmed: Apple 没有确认此凭证
    refundAnswerDue: Apple 询问退款，答复期限将至
    evidenceWaiting: Apple 已超过一小时没有答复
    invalidProduct: 应用报告商店中没有这个产品
    kindMismatch: Apple 与产品目录中的产品类型不一致
    orderMismatch: 付款与订单不一致
    orderPresentedByOther: 订单的付款由其他账号提交
    paidWithoutRight: 该账号已付款但没有得到权益
    payerErased: 账号已被擦除，而付款仍在继续
    quarantined: 凭证真实但内容不合理，已隔离
    splitTransaction: Apple 将同一笔交易归于不同的原始交易
    successorMissing: 已升级，但没有新订阅的记录
    tokenOfAnother: Apple 签名的令牌属于所有者以外的账号
    unclaimedPayment: 没有账号认领的付款
    unmappedProduct: 产品目录中没有该产品
    # BuiltInRule
    nothing: 没有任何来源给予它
    unknownOwnership: 购买方式不明的不给予权益
    usable: 有效、宽限期和续订中给予权益
    otherwise: 其余情况不给予权益
    otherApp: app_purchase 中没有匹配的规则
    grantedByHand: 人工授予
    grantEnded: 授予已结束
    blocked: 账号已被停用
    token: 令牌指明另一个账号
    accountScoped: 限于账号的购买不会转移
    familyShared: 购买不会转移家人共享的内容
    lapsedMoves: 已失效的订阅由新账号再次购买时转移
    freshPurchase: 24 小时内的购买不会因恢复购买而转移
    listed: 设备列出的购买不会从其他账号转移
    ownerKeeps: 拥有者保留
    takenByHand: 已由人工从该账号收回
    closedAccount: 该账号已关闭
    ownerErased: 其账号已被擦除
    beforeClaims: 购买早于 claims_from
    firstClaim: 首个被接受的认领拥有它
    ownClaim: 拥有者自己的认领不改变任何内容
    merged: 账号已合并
    succession: 承接
    byHand: 人工裁定
    formerOwner: 不再拥有
    nothingTold: 不向 Apple 提供任何信息
    # FeedChange.Kind
    rightGained: 获得权益
    rightLost: 失去权益
    rightMoved: 权益期限变更
    rightState: 状态变更
    ownerChanged: 归属变更
    balanceChanged: 余额变更
    creditLapsing: 点数即将过期
    findingOpened: 发现问题
    findingClosed: 问题消除
    orderChanged: 订单状态变更
    policyActivated: 策略生效
    erased: 已擦除
    # LostOrderReason
    neverPaid: 未在期限内付款
    withoutOutcome: 应用开始付款后一直没有报告结果
    withoutEvidence: 应用报告了交易，但没有收到其凭证
    withoutReceipt: 已购买，但设备上没有收据
    waitsForApproval: 购买须由他人批准
    withoutCallBack: 仅由 Apple 得知：没有应用提交过凭证或完成该交易
    notDelivered: 已付款，但未交付
    notFinished: 已交付，但应用尚未完成该交易
    inReview: 须由人工确定哪笔付款属于哪个订单
    refundedAfterDelivery: 交付后又退款
    unclaimedPayment: 已验证的付款，没有账号认领
    waitsForApple: 凭证只有 Apple 能验证，而 Apple 尚未答复
    # LostOrderStep
    close: 关闭订单；此后若仍有付款，订单将重新打开
    askApp: 让应用提交其支付队列中仍有的交易；若没有，则关闭订单：此后若仍有付款，订单将重新打开
    refusedEvidence: 为此订单提交的凭证已被拒绝（见订单）：不要交付；关闭订单，此后若仍有付款，订单将重新打开
    leave: 其付款属于别处或已退款：不要交付，关闭订单
    deliver: 让应用重新提交凭证；只有账单显示已付款时才人工交付订单
    settle: 核对付款，并以该付款结单
    take: 核对这笔付款属于谁：此命令会将其从现有账号处取走
    finish: 让应用提交并完成该交易，并报告“finished”；若应用已无此交易，则关闭订单：已交付的内容保留
    closeGift: 将订单作为赠送关闭：已给予的内容保留，以后若有其付款仍由付款取代
    acknowledge: 核对该账号现有的权益，然后关闭订单
    give: 查明付款人的账号，并将付款给予该账号
    askApple: 查明 Apple 为何没有答复；系统会自动重试
    # FinishReason
    delivered: 交易已记录，购买归该账号所有
    recorded: 交易已记录；没有账号认领
    claimRefused: 交易已记录；购买归其他账号所有
    quarantined: 在人工核对之前，该交易没有效力：请勿完成
    # EvidenceTicket.Form
    receipt: 收据
    oldReceipt: iOS 6 的交易收据
    transaction: 交易 ID
    refresh: 可能已过时的交易
    accountToken: 需要在 Apple 设置的令牌
    # TicketStanding
    waiting: 等待 Apple
    judged: 已判定
    refused: 已拒收
    givenUp: 已放弃
    # AppStoreTrouble
    unauthorized: Apple 不接受我们的密钥、共享密钥或时钟
    notFound: Apple 没有此 ID
    rateLimited: Apple 限制了请求频率
    unavailable: Apple 的服务不可用
    network: 无法连接 Apple 的服务
    badAnswer: Apple 的应答无法使用
    rejected: Apple 拒绝了请求
    notConfigured: 没有配置对 App Store 的访问
    superseded: 已由更新的请求取代
    # RefundState
    open: 待答复
    sent: 已答复 Apple
    refused: Apple 拒绝了答复
    answered: 已由人工答复
    decided: Apple 已先作出决定
    superseded: 已有新的提醒
    lapsed: Apple 不再接受答复
    # RefundDecision
    refunded: Apple 已退款
    declined: Apple 已拒绝退款
    """)
