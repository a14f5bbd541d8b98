package import EntitlementModel

/// A text of this target.
package protocol ToolText: TabledText {}

extension ToolText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # ChartPhrase
    title: {0} 的时间线
    asOf: {0}（UTC）
    basis: 账本条目 {0}，策略 {1}
    rights: 权益
    purchases: 购买
    orders: 订单
    stretches: 所有时间段
    nothingKnown: 没有该账号的任何记录
    yes: 可用
    no: 不可用
    until: 至 {0}
    since: 自 {0}
    withoutEnd: 无期限
    owner: 归属 {0}
    nobody: 无归属
    appleID: Apple ID {0}
    given: 可以使用
    withheld: 不可使用
    owned: 拥有
    renews: 续订
    renewsAt: {0} 续订
    byHand: 人工授予
    comma: 、
    clause: ；
    colon: ：
    entitlement: 权益
    answer: 可否使用
    from: 开始
    to: 结束
    source: 来源
    rule: 规则
    state: 状态
    product: 产品
    transaction: 交易
    account: 归属账号
    explanation: 虚线标出查询的时刻。时间均为 UTC。
    mark: 查询时刻
    made: 下单
    paid: 已付款
    delivered: 已交付
    refunded: 已退款
    closed: 未付款而关闭
    order: 订单
    course: 经过
    orderNumber: 订单 {0}
    # TablePhrase
    title: {0} 的策略
    digest: 策略 {0}
    productCount: {0} 个产品
    productsShown: {1} 个产品中的 {0} 个
    scope: 仅显示与 {0} 有关的内容
    contents: 目录
    nothingFound: 没有匹配的产品
    access: 各类购买在各状态下的权益
    accessIntro: 规则自上而下依次尝试，由第一条匹配的规则决定。只列出在该处确实能作出决定的规则。
    counted: 数字为持有该类购买的账号数，共 {0} 个账号，统计于 {1}。
    app: 应用本身给予的权益
    appIntro: 给予出示该应用的账号。每条匹配的规则都给予。
    noRights: 没有产品给予任何权益
    products: 产品
    productsIntro: 按订阅组排列，最高级别在前。
    entitlements: 权益
    credits: 点数
    switches: 其他账号认领一项购买时
    switchesIntro: 按购买的令牌与认领账号的关系，以及认领的时机排列。
    dates: 日期
    datesIntro: 时间为 UTC，一天从零点开始。现在：{0}
    noDates: 策略中没有任何日期
    refunds: 用户申请退款时对 Apple 的答复
    refundsIntro: 仅在用户同意后答复。由第一条匹配的规则决定。
    open: 一段时间内所有人都可使用的权益
    openIntro: 没有任何记录的账号也包括在内；账号被停用时仍不给予。
    settings: 设置
    rules: 按顺序排列的访问规则
    rulesIntro: 列出每条规则的全部条件。
    kind: 类型
    state: 状态
    right: 权益
    deciding: 起决定作用的规则（按顺序）
    product: 产品
    level: 级别
    period: 周期
    price: 价格
    gives: 给予
    givenBy: 由以下产品给予
    name: 名称
    token: 令牌
    owned: 已归其他账号所有
    unowned: 尚无所有者
    setting: 设置
    value: 值
    yes: 有
    no: 无
    depends: 视情况
    builtIn: 内置
    ifAll: 条件：{0}
    unless: 除非：{0}
    only: 仅限 {0}
    elsewhere: 在其他环境中也有效
    onlyElsewhere: 只对其他环境起决定作用
    idle: 在此不起任何决定作用
    deliveries: 以下规则使点数在其他环境中也有效：
    groupTitle: 订阅组 {0}
    ungrouped: {0}（不属于订阅组）
    levels: 级别从高到低：{0}
    noLevel: 无级别
    retired: 已停售：自 {0} 起不再接受新订单
    nothing: 无
    forLength: {0}（{1}）
    all: 策略中的所有权益，包括以后定义的；目前为 {0}
    allExcept: 策略中除 {1} 外的所有权益，包括以后定义的；目前为 {0}
    credit: {0} × {1}
    withTerms: {0}（{1}）
    every: 每 {0}
    underOffer: 优惠 {1} 下 {0}
    lapsesAfter: {0} 后过期
    lapsesWithPeriod: 付费周期结束时过期
    lapsesWithPart: 该段结束时过期
    warned: 变更流提前 {0} 告知将过期的点数
    openToAll: 向所有人开放：{0}
    debt: 退款时收回，余额可为负
    floor: 退款时只收回剩余部分
    freeze: 退款时冻结余额
    ignore: 退款时不收回
    wholeKinds: 类型为{0}的所有产品
    someProducts: {0}：{1}
    andMore: 以及另外 {0} 个
    unmovable: 从不转移到其他账号（内置）：{0}
    familyNote: 家人共享的购买，作为购买认领时从不转移（内置）；作为恢复购买认领时按规则转移。
    anyMoment: 任何时机
    always: 始终
    # SettingsPhrase
    bundle: Bundle id
    appleID: 应用的 Apple ID
    trusted: 记录
    refused: 拒绝
    environments: {0}的凭证
    # ConditionPhrase
    under: 不到 {0}
    atLeast: 至少 {0}
    between: {0}至 {1}
    before: 早于 {0}
    from: 自 {0} 起
    within: 自 {0} 起至 {1} 前
    or:  或\u{20}
    list: 、
    clauses: ；
    milliseconds: {0} 毫秒
    seconds: {0} 秒
    minutes: {0} 分钟
    hours: {0} 小时
    days: {0} 天
    weeks: {0} 周
    months: {0} 个月
    years: {0} 年
    # WordPhrase
    grant: 给予
    withhold: 不给予
    keep: 仍归所有者
    transfer: 转移给认领者
    transferIfInactive: 当时无人付费则转移给认领者
    share: 最多由 {0} 个账号共享
    ask: 等待人工处理
    deny: 拒绝
    inherit: 归拥有该 Apple ID 其他购买的账号所有
    owns: 归认领者所有
    cooldown: 距上次转移不少于 {0}
    moves: {1}内最多 {0} 次
    excessKeep: 超出时仍归所有者
    excessAsk: 超出时等待人工处理
    refundGrant: 全额退款
    refundProrate: 部分退款
    refundDecline: 拒绝退款
    refundNothing: 不答复
    inForce: 规则生效
    purchasedThen: 在此期间购买
    firstPurchasedThen: 在此期间首次购买
    openThen: 向所有人开放
    retiredThen: 不再接受新订单
    exceptThen: 排除：{0}
    past: 已过去
    current: 进行中
    future: 尚未开始
    # EditingPhrase
    started: usher {0}：策略文件的语言服务器；位置单位 {1}，语言 {2}
    streamEnded: 编辑器已关闭消息流
    streamUnreadable: 无法继续读取消息流：{0}
    messageRefused: 一条消息被拒绝：{0}
    help: 建议：{0}
    example: 例如：{0}
    moreLikeIt: 另有 {0} 处类似问题
    required: 必填
    oneOf: 可选值：{0}
    writtenLike: 写法如 {0}
    productCount: {0} 个产品
    write: 改写为 '{0}'
    matches: 匹配 {0}
    givenBy: 由这些产品提供：{0}
    givenByNone: 没有产品提供它
    namedBy: 提到它的规则：{0}
    gives: 提供 {0}
    price: 价格：{0}
    soldAs: 产品：{0}
    levelOf: 所属组：{0}
    andMore: {0} 等，另有 {1} 项
    products: 涉及的产品：{0}
    allProducts: 涉及全部产品：{0}
    noProducts: 不涉及产品目录中的任何产品
    states: 在这些状态下作出决定：{0}
    before: 排在前面并已决定其部分情形的规则：{0}
    decidesNothing: 不决定任何情形
    openRights: 所有人都有 {0}
    notWhileErrors: 文件夹没有错误之后，才显示规则决定的内容
    # StoryPhrase
    decidedBy: 由规则“{0}”决定（{1}）
    unitIs: {0} 处于 {1}，已付至 {2}
    ownedByAnother: 它属于另一个账号
    nothingGivesIt: 该账号没有任何购买提供此权益
    changesAt: 答复将于 {0} 改变
    notPlayed: 未能执行：{0}：{1}
    summary: 用例：{0}；期望：{1}；失败：{2}
    coverage: 覆盖率：{0}%（{2} 个规则与状态中的 {1} 个）
    unusedRule: 没有用例由 {0} 规则“{1}”决定（{2}）
    unseenCell: 没有用例包含处于 {1} 状态的 {0} 购买
    belowCoverage: 覆盖率低于 {0}%
    inStore: 在 App Store 中：
    outsideStore: 在服务中：
    expectations: 期望：
    builtIn: 内置
    nothingMatches: 没有与“{0}”匹配的用例
    """)
