/// More texts of this target in Chinese.
let chineseAppStoreTexts = """
    # AppStoreSetupPhrase
    notConfigured: 未配置 Apple 的服务器：请设置 app-store.issuer-id、app-store.key-id 和 app-store.key-file
    incomplete: 缺少 {0}：Apple 服务器的 issuer id、key id 和密钥文件须一并设置
    unreadable: {0}：无法读取文件 {1}，或它不是不超过 64 KiB 的文件
    exposed: {0}：其他用户可以读取文件 {1}；请对它执行“chmod 600”
    issuerID: {0}：issuer id 必须是 UUID，如 App Store Connect 所示
    keyID: {0}：key id 必须由字母和数字组成，如 App Store Connect 所示
    notPEM: {0}：文件 {1} 不是含私钥的 .p8 文件
    notP256: {0}：{1} 中的私钥不是 P-256 密钥，或已损坏
    secret: {0}：文件 {1} 必须只有一行，且不超过 256 个可打印字符
    bundleID: 请设置 app-store.bundle-id：没有指明应用的有效策略
    # AppStorePhrase
    subscription: 原始交易 {0}：{1}
    status: 状态 {0}
    transactions: 交易：{0} 笔
    revision: revision：{0}
    more: 还有更多：用 --after {0} 继续
    next: 用 --after {0} 继续
    noMore: 没有更多
    attempts: 投递
    badReport: {0}：“{1}”不是 Apple 为此调用定义的内容
    noAttempts: 投递：尚无记录
    order: 该订单有效
    unknownOrder: App Store 没有该应用的这个订单
    testRequested: 已请求一条测试通知；用 --status {0} 查询结果
    finished: 已完成：交易 {0}
    tokenSet: 已设置：原始交易 {0} 的 appAccountToken
    consumptionSent: 已发送：交易 {0} 的使用情况
    extended: 已延长：原始交易 {0} 将于 {1} 续订
    notExtended: 未延长：原始交易 {0}
    extensionRequested: 已请求；用“usher app-store extend-status {0} {1}”查询进度
    extensionRunning: 尚未完成
    extensionDone: 已完成：延长 {0}，失败 {1}
    environment: 环境：{0}
    # AppStoreStatusPhrase
    active: 有效
    expired: 已过期
    billingRetry: 扣款重试中
    grace: 宽限期内
    revoked: 已撤销
    # AppStoreFailurePhrase
    unauthorized: Apple 的服务器不接受所配置的身份信息：请检查密钥及其 id、共享密钥、bundle id 和时钟
    notFound: Apple 的服务器没有此项记录
    rateLimited: 对 Apple 服务器的请求过于频繁
    unavailable: Apple 的服务器暂时故障
    network: 无法连接 Apple 的服务器
    badAnswer: Apple 的服务器给出的应答无法使用
    rejected: Apple 的服务器拒绝了请求
    # AppStoreFailureDetail
    code: 代码 {0}
    codeMeaning: 代码 {0}：{1}
    status: HTTP {0}
    library: 未安装 libcurl.so.4；在 Debian 上请运行 apt install libcurl4
    retryAt: 请在 {0} 之后重试
    # AppleCodePhrase
    transactionIDInvalid: 交易 ID 无效
    noAppTransactionID: 此接口不接受应用交易的 ID
    cannotExtend: 该订阅不能延长
    accountNotFound: 找不到该 App Store 账号
    accountNotFoundNow: 暂时找不到该 App Store 账号
    appNotFound: 没有使用此 bundle id 的 App
    appNotFoundNow: 暂时找不到该 App
    originalNotFound: 没有此原始交易 ID 的购买
    originalNotFoundNow: 暂时找不到该购买
    noNotificationURL: App Store Connect 中没有设置通知地址
    testNotFound: 测试通知不存在，或尚未发送
    extensionNotFound: 没有此编号的批量延长
    transactionNotFound: 没有此交易 ID 的购买
    noAppTransaction: 该用户没有应用交易
    tooOften: 已达到调用次数上限
    failure: Apple 内部故障
    failureNow: Apple 内部暂时故障
    receiptNotPosted: 收据不是用 POST 提交的
    receiptMalformed: 收据格式不正确，或服务器出错
    receiptNotAuthentic: 收据不是真实的
    wrongSecret: 共享密钥不是该 App 的
    receiptServerDown: 收据服务器暂不可用
    receiptExpired: 收据有效，但订阅已到期
    receiptOfSandbox: 收据来自沙盒
    receiptOfProduction: 收据来自生产环境
    receiptDataFailure: 暂时无法读取 Apple 的数据
    customerGone: 该用户的账号不存在或已删除
    # BoxPhrase
    serving: 盒中 App Store 正在 {0} 提供服务
    |  生产环境        {0}/production
    |  沙盒            {0}/sandbox
    |  控制接口        {0}/box
    |  发行者 ID       {1}
    |  密钥 ID         {2}
    |  根证书 SHA-256  {3}
    trust:
    |要让策略接受它签发的内容，请把 {0}/root.pem 和 {0}/receipt-root.pem 复制到策略文件夹，
    |并在 app.yaml 中写入：
    |
    |  app:
    |    bundle_id: {1}
    |    apple_id: {2}
    |  trust:
    |    roots:
    |      jws: [{file: root.pem}]
    |      receipt: [{file: receipt-root.pem}]
    badListen: “{0}”不是地址；请写 127.0.0.1:8421
    badNotify: “{0}”不是接收通知的地址；请写 http://127.0.0.1:8000/path 或 unix:/path/to/usher.sock
    badStart: “{0}”不是 2008-07-10 至 2099-12-31 之间的时刻
    badSeed: “--seed”必须是 0 到 18446744073709551615 的整数，而不是“{0}”
    badNumber: 速度须在 0 至 1000000000 之间，宽限期须在 0 至 28 天之间
    badKeys: {0} 不是模拟商店保存的密钥文件
    otherSeed: {0} 中的密钥属于种子 {1}；请省略“--seed”，或使用另一个文件夹
    notServing: 无法监听 {0}；另一个程序可能正在使用该地址
    # CreditPhrase
    held: 已预留 {0}
    frozen: 因退款冻结
    lapses: 若不花费将过期
    period: 对应 {0} 至 {1}
    opening: 期初余额
    closing: 期末余额
    entry: 条目 {0}
    spent: 已花费 {1} 的 {0}（花费 {2}）。余额：{3}。撤销：{4}
    heldUntil: 已预留 {1} 的 {0}，至 {2}（预留 {3}）。余额：{4}。
    captured: 已从预留中花费 {1} 的 {0}（花费 {2}）。余额：{3}。
    released: 已释放 {1} 的 {0}。余额：{2}。
    reversed: 已退还 {0} 给 {1}。余额：{2}。
    lifted: {1} 的点数 {0} 可以再次花费。
    nothingToLift: 没有退款冻结 {1} 的点数 {0}。
    # RefundPhrase
    none: 没有待答复的退款询问
    noneYet: 还没有退款询问
    sendsNothing: 本服务不向 Apple 答复：须由人工处理
    title: 退款询问 {0}：{1}
    asked: 询问于 {0}；Apple 接受答复至 {1}
    reason: Apple 给出的原因：{0}
    wouldSay: 将答复 Apple：{0}
    said: 已答复 Apple：{0}
    used: 已使用 {0}
    sample: 此前试用过
    tellsNothing: 不发送：{0} [{1}]
    at: 记录于 {0}
    byPerson: 由 {0}：{1}
    howTo: 人工答复的命令：
    preview: 若每位用户都同意，策略 {0} 会如何答复
    withoutConsent: 其中 {0} 个尚未同意
    newest: 最新的 {0} 个：
    needsLedger: --policies 需要账本：请用 --ledger 指定
    consentGiven: 已记录：{0} 同意把使用情况告知 Apple
    consentWithdrawn: 已记录：{0} 不同意把使用情况告知 Apple
    recorded: 已记录：退款询问 {0} 已由人工答复
    consents: 可以把使用情况告知 Apple
    consentsNot: 不可把使用情况告知 Apple
    file:   FILE：{0}
    begun: 自 {0} 起内容已定；可能已答复 Apple
    # OrderPhrase
    title: 订单 {0}：{1}
    noOrders: 没有订单
    noLost: 没有掉单
    account: 账号
    product: 产品
    quantity: 数量
    price: 价格
    priceUnknown: 价格未知
    appleID: Apple ID
    environment: 环境
    policy: 策略
    changed: 最近变化
    payment: 付款交易
    promised: 承诺保留至
    kept: 此付款按承诺给予
    tooLate: 此付款按现售内容给予
    parent: 另一笔付款所属的订单
    events: 经过
    made: {0}：创建
    by: 由 {0}
    storeCode: StoreKit 代码 {0}
    movedTo: 此后属于账号 {0}
    presentedBy: 由账号 {0} 提交
    gave: 人工授予：{0}
    matched: 匹配依据：{0}
    compared: 与订单 {0} 比较：Apple ID {1}，价格{2}，相隔 {3}
    differs: 付款与订单不一致：{0}
    reports: 应用现在可以报告
    next: 可用的命令
    nothing: 无
    age: 已持续 {0}，自 {1} 起
    more: 更多：{0}
    state: 状态
    eventColumn: 事件
    after: 此后的状态
    unpaid: 超过“pay_within”仍未付款
    undone: {0}：若此后没有其他事件，则回到裁定之前的状态
    legal: ；现在可能的事件：{0}
    nextStep: 下一步：{0}
    difference: 付款不一致之处
    owned: 属于 {0}
    unowned: 不属于任何账号
    takes: 此命令会将交易 {0} 从 {1} 处取走
    owners: 现属于
    possible: 有一笔不属于任何账号的付款可能是它的：{0}
    refused: 被拒绝的凭证
    # OrderEventKind
    paying: 开始付款
    cancelled: 取消
    failed: 付款失败
    deferred: 等待批准
    notAllowed: 设备禁止付款
    noReceipt: 尚无收据
    alreadyOwned: 用户已拥有
    finished: 完成交易
    paid: 付款
    delivered: 交付
    tied: 匹配不唯一
    refunded: 退款
    refundReversed: 退款已撤回
    calledBack: 应用已提交凭证
    scheduled: 方案将在续订时变更
    changedBack: 方案不再变更
    seen: 已知一笔可能属于此订单的付款
    paymentMoved: 付款归于另一订单
    settled: 人工结单
    refused: 人工关闭
    reassigned: 转给其他账号
    undone: 撤回上一次裁定
    # OrderMatchBasis
    orderID: 凭证指明了此订单
    token: 购买带有此订单的 appAccountToken
    transactionID: 应用报告了此交易
    plan: 续订按订单变更方案
    only: 没有其他相符的订单
    appleID: Apple ID 最相符
    price: 价格最相符
    time: 时间最接近
    person: 由人工确定
    # OrderComparison.Likeness
    same: 相同
    unknown: 未知
    different: 不同
    # OrderDifference
    product: 产品
    quantity: 数量
    price: 价格
    environment: 环境
    # FeedPhrase
    fromTo: {0} → {1}
    lapse: {0}（{1} 过期）
    # ReconciliationPhrase
    run: 对账 {0}：{1}
    running: 运行中
    finished: 已完成
    stopped: 提前停止 [{0}]
    resumed: 从中断处继续
    from: 时间
    customers: Apple ID
    of: {0} / {1}
    calls: 调用次数
    notifications: 通知
    written: 写入的凭证
    unanswered: Apple 未能对 {0} 个 Apple ID 给出可用的回答
    refused: Apple 的回答中有 {0} 项作为凭证被拒绝
    noDrift: 没有差异
    nothingCompared: 未比较任何内容
    drift: 差异：{0} 处，{1} 个 Apple ID，{2} 个账号
    customer: {0}：账号 {1}
    noCustomer: 无 Apple ID
    notification: 通知 {0}
    status: Apple 的状态 {0}
    omitted: 另有 {0} 处；“--json” 输出全部
    progress: {0} / {1} 个 Apple ID，{2} 次调用，{3} 处差异
    risk: 风险类别
    planCustomers: Apple ID
    planLineages: 购买
    every: 间隔
    hours: {0} 小时
    silent: Apple 已有 10 秒没有应答；请求会重试约两分钟，受限时按 Apple 的要求等待
    callsPerDay: 每天调用
    due: 现已到期
    callsDue: 到期调用
    sum: 合计
    allowed: 每秒 {0} 次调用，即每天最多 {1} 次
    duration: 按此速率，处理现已到期的部分需要 {0}
    last: 对账
    found: {0} 处差异
    # DriftCause
    missedNotification: 漏收通知
    notificationsUnreadable: 通知历史无法读到末尾
    refundUnknown: 未知退款
    reversalUnknown: 未知的退款撤销
    renewalUnknown: 未知续订
    transactionUnknown: 未知交易
    lineageUnknown: 未知购买
    stateUnknown: 未知续订状态
    detailUnknown: 交易细节未知
    lineageNotFound: Apple 查无此购买
    statusDiffers: 与 Apple 的状态不符
    extraRight: 多出的权益
    missingRight: 缺失的权益
    # RiskClass
    expiring: 即将到期
    retrying: 宽限期或扣款重试中
    silent: 长期无消息
    refunded: 近期退款
    steady: 其余
    # SubscriptionPhrase
    tooMany: “subscriptions”：最多 {0} 项
    name: “subscriptions”：“{0}”不是名称；请写 1 到 32 个小写字母、数字和连字符
    notMapping: “subscriptions”：“{0}”应由键和值组成
    unknownKey: “subscriptions”：“{0}”含有未知的键“{1}”；可用的键为 \
    url、secret-file、secret-env、accounts、kinds、entitlements、from
    missing: “subscriptions”：“{0}”需要一个“{1}”
    url: “subscriptions”：“{0}”不能发送到“{1}”；请写 http://127.0.0.1:PORT/PATH、http://[::1]:PORT/PATH 或 \
    /path/of/a.sock:/PATH
    unreadable: “subscriptions”：“{0}”：无法读取文件 {1}，或它不是不超过 64 KiB 的文件
    exposed: “subscriptions”：“{0}”：其他用户可以读取文件 {1}；请对它执行“chmod 600”
    variable: “subscriptions”：“{0}”：环境中没有变量 {1}
    secret: “subscriptions”：“{0}”：密钥必须是 whsec_ 加上 24 到 64 字节的 base64
    value: “subscriptions”：“{0}”：“{1}”的写法无效；参见 docs/PUSH.md
    # PushPhrase
    none: 没有订阅方
    receiver: 发送到 {0}
    cursor: 已送达至变更 {0}
    trouble: {0}，自 {1}
    status: {0}（HTTP {1}）
    next: 下次尝试 {0}
    undelivered: {0} 项变更未送达
    change: 变更 {0}：{1}，{2} 次尝试，自 {3}
    again: 正在重新发送
    more: 更多：usher changes undelivered --skip {0}
    resent: {0} 项变更将重新发送到 {1}
    discarded: {0} 项变更不再发送到 {1}
    wasDiscarded: {0}：{1} 项变更于 {2} 由 {3} 放弃发送：{4}
    waiting: {0} 项变更待发送
    unknown: 没有任何策略定义过 {0}：与之有关的变更不会发送
    # PushStatePhrase
    idle: 全部已送达
    delivering: 正在发送
    failing: 失败
    gone: 接收方不再接收
    full: 等待：未送达的过多
    elsewhere: 由另一节点发送
    # PushTroublePhrase
    rejected: 接收方不接受此变更
    failed: 接收方出错
    busy: 接收方要求稍后再试
    gone: 接收方不再接收
    unreachable: 无人监听
    """
