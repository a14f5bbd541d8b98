package import EntitlementModel

/// A text of this target.
package protocol UsherText: TabledText {}

extension UsherText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # Phrase
    mayUse: 可以：{0} 可以使用 {1}
    mayNotUse: 不可以：{0} 不可以使用 {1}
    until: ，到 {0} 为止
    because: （{0}）
    listSeparator: ，
    clauseSeparator: ；
    grant: 人工授予：{0}
    rule: 规则“{0}”，位于 {1}
    builtInRule: 内置规则“{0}”
    noService: {0} 上没有服务应答；请用“usher serve”启动服务
    noServiceNorLedger: {0} 上没有服务应答；请用“usher serve”启动服务，或用 --ledger 指定账本文件
    serviceRejected: 服务拒绝了请求：{1} [{0}]
    unreadableAnswer: 无法读取服务的应答
    labelled: {0}：{1}
    bracketed: {0}（{1}）
    coded: {0} [{1}]
    fileUnreadable: 无法读取 {0}
    fileUnwritable: 无法写入 {0}
    played: 共 {0} 条凭证
    policyClean: 策略有效：{0}
    policyFolderUnreadable: 无法读取策略文件夹 {0}
    serving: 正在 {0} 提供服务，策略 {1}
    policyRefusedAtStart: 策略有错误，服务未启动
    lastPolicyStays: 策略文件夹有错误；此前生效的策略保持不变：{0}
    policyWaits: 策略文件夹可能使人失去权益，正在等待接受；此前生效的策略保持不变：{0}
    policyHasErrors: 策略有错误，未执行任何操作
    unknownAccount: 没有账号“{0}”的任何记录；若确为新账号，请加 --new-account
    nothingKnown: 警告：没有账号“{0}”的任何记录
    maybeErased: 没有账号“{0}”的任何记录，或者它已被擦除：设置 privacy.key-file（USHER_PRIVACY_KEY_FILE）后才能得知
    unknownCommand: 未知的命令“{0}”
    seeHelp: “{0} --help”会列出所有命令
    unknownEntitlement: 从未有策略定义过此权益 [entitlement.unknown]
    mistake: {0}: 错误：{1}
    noArguments: 无法读取命令行参数：未挂载 /proc
    # ReplayPhrase
    same: 相同：重新得到的答复与原来一致
    different: 不同：截至该条目，账本给出另一答复
    rulesUnknown: 不同，且该答复未注明所依据的规则版本
    otherRules: 不同：该答复依据规则版本 {0}，本程序的版本为 {1}
    needsQuestion: 该答复未注明所问的内容：请用 --account 给出账号，用 --at 给出时刻
    notAnswer: 这不是关于权益的答复
    # AccountPhrase
    title: {0}，截至 {1}
    mergedInto: 已合并到 {0}，原有内容归该账号：{1}
    nothingKnown: 没有该账号的任何记录
    erased: 该账号已于 {1} 被擦除（条目 {0}），此后没有任何记录
    erasedBefore: 该账号曾于 {1} 被擦除（条目 {0}）；以下均为此后的记录
    pseudonym: 这是某个已擦除账号的化名
    rights: 权益
    purchases: 购买
    balances: 余额
    grants: 人工授予
    blocks: 停用
    claims: 认领
    refunds: 退款请求
    actions: 人工决定
    superseded: 此后另有裁定（决定 {0}）
    findings: 待关注事项
    orders: 订单
    leftOut: 未列出（应用报告为无效）：{0}
    yes: 可用
    no: 不可用
    always: 永久
    since: 自 {0} 起
    until: 到 {0} 为止
    fromUntil: {0} 至 {1}
    paidUntil: 已付费至 {0}
    lineage: 原始交易 {0}
    transaction: 交易 {0}
    appleID: Apple ID：{0}
    ownedAlways: 归 {0} 所有（决定 {1}）
    ownedBy: 归 {0} 所有，{1}（决定 {2}）
    ownedByNobody: 无所属账号
    entries: 共 {0} 笔
    noCredits: 没有余额
    grantNamed: 授予 {0}
    given: {0}，{1}（授予 {2}）
    givenBy: 操作者 {0}：{1}
    grantOver: 已于 {0} 由 {1} 终止：{2}
    blockStanding: 自 {0} 起停用（停用 {1}）
    closedStanding: 自 {0} 起关闭（停用 {1}）
    erasureDue: 将于 {0} 擦除
    blockWas: 曾自 {0} 停用至 {1}（停用 {2}）
    closedWas: 曾自 {0} 关闭至 {1}（停用 {2}）
    blockStops: 只停用 {0}
    blockOver: 已于 {0} 由 {1} 解除：{2}
    claim: 认领 {0}：{1} {3}出示交易 {2}，{4}
    owners: 之后归 {0} 所有
    noOwner: 之后无所属账号
    noFindings: 没有待关注事项
    findingsIncomplete: 账本尚未全部检查完，请稍后再查
    noClaims: 没有认领
    nothingOtherwise: 今天没有任何认领会有不同的裁定
    today: 今天：{0}
    leftByOlderRules: 旧规则留给人工处理的（完整列表：usher orders lost）：
    about: 涉及 {0}
    repeated: 同一凭证的 {0} 次认领
    duplicateSide: {0}（{1}），Apple ID：{2}
    overlap: 重叠 {0} 天
    keep: 建议保留 {0}；取消 {1}
    wouldKeep: 当时只保留 {0} 并取消 {1} 即可
    givenByOther: 建议取消的一份现在给予：{0}；请先确认另一份给予什么
    purchaseCount: 共 {0} 笔购买
    purchasedAt: 购买于 {0}
    renewedAt: 续订于 {0}
    quantity: 数量 {0}
    familyShared: 家人共享
    seats: {0} 个席位
    commitmentMonth: 第 {0} 个月（共 {1} 个月）
    commitmentEnd: 承诺期至 {0}
    # FindPhrase
    accounts: 账号 {0}
    presentedBy: {0} 也出示过
    mergedInto: 已合并到 {0}
    products: 产品 {0}
    entry: 账本条目 {0}
    nothing: 没有以“{0}”为标识的记录 [find.nothing]
    |  Apple 邮件中的订单号：
    |    {1}
    |  从未到达这里的交易 ID：
    |    {2}
    |  含有已签名凭证的文件：
    |    usher inspect FILE
    |  否则：在应用中点“恢复购买”，应用会提交设备上的凭证
    # FoundKindPhrase
    transaction: 交易
    lineage: 原始交易
    token: appAccountToken
    claim: 认领
    grant: 授予
    block: 停用
    merge: 合并
    ticket: 核实单
    order: 订单
    account: 账号
    appleID: Apple ID
    lineItem: webOrderLineItemId
    appleOrder: App Store 订单
    # HistoryPhrase
    change: {0} → {1}
    noPurchase: 没有购买
    learned: 回答随所知内容的变化：
    entry: {0}：{1}之一
    nothing: 此回答从未改变
    asExpected: 回答符合预期
    neverExpected: 回答从未符合预期
    wrongSince: 自以下条目起，回答不再符合预期
    more: 更早的变化：--after {0}
    # ExplainPhrase
    asked: （{0}，截至 {1}）
    because: 原因：{0}
    stateIs: 状态：{0}
    takenBackOn: {0}（{1}）
    saidLater: {0}（Apple 于 {1} 告知）
    stillRenews: Apple 仍显示为会自动续订
    silentSince: 自 {0} 起未收到 Apple 的消息
    becameProduct: 该订阅已由 {0} 变更为 {1}
    memberships: 付费会员时间
    member: {0}：累计 {1} 天，自 {2} 起
    neverMember: {0}：从未付费
    gap: 中断：{0}
    holds: 期间不变：{0}
    holdsAlways: 任何时候都是如此
    source: 来自 {0}，交易 {1}，原始交易 {2}
    granted: 来自人工授予 {0}
    renews: 会自动续订
    renewsAs: 续订为 {0}
    doesNotRenew: 不会续订
    retries: Apple 正在重试扣款
    graceUntil: 宽限期至 {0}
    purchases: 可带来该权益的购买
    noPurchases: 该账号现在和以前都没有可带来该权益的购买
    notOwned: 该时刻不归此账号所有
    claims: 相关认领
    noClaims: 没有账号出示过这样的购买
    grants: 人工授予
    blocks: 账号停用
    unclaimed: 此 Apple ID 上没有账号认领的付款
    facts: 依据的事实
    noFacts: 没有任何事实带来该权益
    factTransaction: {0}：Apple 签署了交易 {1}（{2}）
    factBought: 购买于 {0}
    factVersion: 最初版本 {0}
    factPaidUntil: 已付费至 {0}
    factRevoked: 退款或撤销于 {0}
    factSigned: 签署于 {0}
    factRecorded: 记录于 {0}
    factRenewal: {0}：Apple 签署了原始交易 {1} 的续订信息
    factClaimDecision: {0}：对 {2} 的认领 {1} 作出决定：{3}
    factRuling: {0}：人工裁定：{1}
    factGiven: {0}：手动归入；它支付订单 {1}
    factMerge: {0}：账号 {1} 已并入 {2}
    factUnmerge: {0}：已撤回 {1} 并入 {2} 的合并
    factGrant: {0}：人工授予 {1}：{2}
    factGrantRevocation: {0}：人工授予 {1} 已终止：{2}
    factBlock: {0}：账号已停用，停用 {1}：{2}
    factThaw: {0}：已解除因 {1} 退款而来的冻结
    factOther: {0}：其他事实
    evidence: 凭证 {0}（{1}），SHA-256 {2}
    wouldChange: 如何改变结果：{0}
    missTime: 到 {0} 自行改变
    missLiftBlock: 解除停用 {0}
    missApproveClaim: 批准认领 {0}
    missTransferClaim: 由客服把认领 {0} 的购买转到此账号
    missExtendGrant: 延长人工授予 {0}
    missRenew: 原始交易 {0} 续订（{1}）
    missShareAgain: 购买者再次通过家人共享提供交易 {0}
    missAssignAgain: 企业重新分配交易 {0} 的席位
    missTransferOrWait: 由客服把认领 {0} 的购买转到此账号；或自 {1} 起再次出示（届时不再受转移限制）
    missReverseRefund: Apple 撤回交易 {0} 的退款
    missBuy: 购买 {0}
    missRefund: 交易 {0} 退款
    missRevokeGrant: 终止人工授予 {0}
    missBlock: 停用该账号
    missPolicy: 只有修改策略：在售产品都不含此权益
    missMerged: 没有：该账号已合并到 {0}，原有内容归该账号
    command: 命令：{0}
    orders: 会授予该权益的产品的订单
    order: 订单 {0}（{1}）：{2}，创建于 {3}
    # AdminActionPhrase
    granted: 已授予：{0} 可以使用 {1}，{2}（授予 {3}；终止：{4}）
    creditGranted: 已授予：{0} 获得 {1}（授予 {3}；收回：{4}）
    revoked: 已终止：授予 {0}（{1}，账号 {2}）
    blocked: 已停用：{0}（停用 {1}；解除：{2}）
    unblocked: 已解除停用：{0}（停用 {1}）
    closed: 已关闭：{0}（重新开放：{1}）
    reopened: 已重新开放：{0}
    ruledFor: 已完成：{0} 归 {1} 所有
    ruledNobody: 已完成：{0} 无所属账号
    ruledDenied: 已完成：认领已拒绝；{0} 归 {1} 所有
    merged: 已合并：{0} 并入 {1}（合并 {2}；撤回：{3}）
    unmerged: 已撤回：{0} 与 {1} 的合并 {2}
    policyActivated: 策略已生效：{0}
    policyUnchanged: 策略未变：{0}
    policyRolledBack: 策略 {0} 已取代 {1} 恢复生效
    checkFolder: 运行中的策略保持不变；可用“usher policy check 文件夹”查看错误
    proceed: 可以继续：{0} 可以购买 {1}
    warn: 先提醒：{0} 想购买 {1}
    block: 阻止：{0} 不应购买 {1}
    claimWouldBe: 认领结果将是：{0}
    owner: 属于账号 {0}
    orderSettled: 已结单：订单 {0}，付款交易 {3}；{1} 拥有这笔 {2} 购买
    orderGiven: 已结单：订单 {0}；{1} 已获得 {2} 的内容，以后若有付款则由付款取代（撤回：{3}）
    orderRefused: 已关闭：订单 {0}；此后若仍有付款，订单将重新打开（撤回：{1}）
    orderReassigned: 已完成：订单 {0} 及其付款归 {1} 所有
    orderUndone: 已撤回：订单 {0} 恢复为此前的状态：{1}
    costs: 价格为 {0}
    costsEvery: 每 {1} 收费 {0}
    inStorefront: {0} 商店
    storefrontUnknown: 不知道此 Apple ID 的商店
    claimWouldBeBoth: 认领结果将是：{0}；若购买未带账号的令牌：{1}
    takesEffectAt: {0} 生效
    # PolicyPhrase
    unchanged: 此策略正在生效
    activates: 没有人会因此失去权益：它将自动取代 {0} 生效
    accepted: 其 accept.yaml 已接受由此失去的内容（共 {0} 项）；它将取代 {1} 生效：
    waits: 它可能使人失去权益，因此等待接受，{1} 继续生效（共 {0} 项）：
    waitsForPerson: 它在等待人工处理，{0} 继续有效
    more: 以及另外 {0} 项
    otherAcceptance: 其 accept.yaml 针对的是另一个策略：{0}
    howToAccept: 如要接受：在文件夹中放入 accept.yaml，内容为 {from: {0}, because: …, accounts_at_most: \
    N}；或运行“usher policy reload --reason '…' --accept-loss N”
    notCounted: 正在统计会失去内容的账号
    counting: 已比较 {0}，共 {1}
    nothingWaits: 没有等待接受的策略
    notCompared: 未与正在生效的策略比较：{0}
    counted: 现在或以后会失去内容的账号：{0}
    tooMany: 只接受了 {0} 个
    rolledBack: 它已被“usher policy rollback”撤回
    harmless: 没有账号失去任何内容，因此它将自动取代 {0} 生效
    missingFiles: 当前策略有 {0}，而此文件夹没有
    filesGone: 之前的策略有 {0}，而此策略没有
    # IngestPhrase
    done: 已提交 {0} 条
    rate: 每秒 {0} 条
    left: 剩余 {0}
    refusedSoFar: 拒绝 {0} 条
    refused: 被拒绝 {0} 条：{1} [{2}]
    keptAside: 已隔离 {0} 项：{1} [{2}]
    claimDenied: 认领 {0} 项：{1} [{2}]
    more: 以及另外 {0} 条
    summary: 共提交 {0} 条：接受 {1} 条，隔离 {2} 条，拒绝 {3} 条；认领被拒绝 {4} 项
    policyWaits: 该策略可能使账号失去权益；请在其 accept.yaml 中以“from: {0}”表示接受
    stopping: 完成当前批次后停止；再次中断则立即停止
    stopped: 已在第 {0} 条后停止：用同一命令加 --skip {0} 可继续；全部重新提交也无妨，已有的凭证不会重复记录
    badLine: 这不是一条凭证记录
    badFile: 无法读取文件
    recordedAt: 导入时每条都须注明首次获知的时间（recorded_at），不得早于前一条，也不得在未来
    notImported: recorded_at 仅用于向账本导入（--ledger）
    # ErasurePhrase
    done: 已按 {0} 擦除 {1} 条条目，其中 {2} 条也涉及他人，去名后保留
    held: 关闭至 {0}，届时为 {1} 擦除；'usher reopen' 可取消
    goes: 将擦除 {0} 条条目；另有 {1} 条也涉及他人，去名后保留
    closes: 关闭至 {0}，届时擦除；'usher reopen' 可取消
    other: ：{0}（条目 {1}）
    unknown: 没有关于该账号的任何记录
    credits: 随之终止的点数：{0}
    orders: 随之终止的未完成订单：{0}
    running: Apple 会继续对 {0} 收费（已付至 {1}）
    ending: {0} 不再续订（已付至 {1}）
    tell: 请告知用户：删除账号不会取消订阅，取消请到 {0}
    certificate: 由 {2} 于 {1} 记录为条目 {0}
    digest: 条目编号的 SHA-256：{0}
    anchor: 锚点：{0}
    # LedgerPhrase
    verifying: 正在核对
    sound: 完好：{0}
    soundChain: 完好：{0}（仅核对了文件、哈希链和索引）
    notSound: 不可信：{0}
    looked: 条目 {0} 条；重新验证凭证 {1} 条；重新作出决定 {2} 项
    otherRules: 由规则版本 {0} 作出、未重新作出的决定 {1} 项
    unknownDecisions: 取决于已擦除条目、未重新作出的决定 {0} 项
    keyMade: 已生成：{0}；请与账本及其备份分开保存
    keyNotMade: 无法生成“{0}”，或它已存在
    erased: {1} 次擦除共擦除 {0} 条条目
    erasedAgain: 备份中缺少的 {0} 次擦除已重新进行
    unlisted: 没有擦除清单：在此备份之后被擦除的人又回到了账本中（请用 --against 给出清单）
    against: 清单中的 {0} 次擦除、{1} 条条目均无残留
    problem: 条目 {0}
    anchor: 锚点 {0}
    backedUp: {0} 已保存账本至条目 {1}
    noFolder: 服务没有备份文件夹：请在其配置中设置“backups”
    restored: 已由 {1} 恢复 {0}
    notRestored: {0} 不完好，未作任何恢复
    copied: 已将 {0} 复制到 {1}，直到条目 {2}
    newest: 最新条目
    newestAt: {0}，记录于 {1}
    accounts: 账号
    lineages: 购买与订阅
    transactions: 交易
    size: 大小
    sizeWithLog: {0}，日志 {1}
    outdated: SQLite {0} 在其他程序写入该文件时可能损坏日志；请更新
    entries: 条目
    # TicketPhrase
    title: 核实单 {0}：{1}
    none: 没有等待 Apple 的凭证
    fromFile: 从文件读取：只有服务知道何时询问 Apple
    attempts: 本服务已尝试 {0} 次
    next: 下次 {0}
    failure: 上次尝试：{0} [{1}]
    closed: 关闭于 {0}
    transaction: 交易 {0}（{1}），所有者：{2}
    unowned: 交易 {0}（{1}），尚无所有者
    idClaimsNothing: ID 不能为提交它的账号认领：请提交签名的交易
    # StatusPhrase
    ready: 运行正常
    readOnly: 只读：发生故障后不再写入；请修复后重新启动
    diskFull: 只读：账本所在磁盘已满；腾出空间后将自动恢复
    version: 版本
    running: 运行时间
    since: 自 {0} 起（{1}）
    days: {0} 天 {1} 小时
    hours: {0} 小时 {1} 分
    minutes: {0} 分
    policy: 策略
    policyRejected: 策略文件夹已更改，但有错误；见“usher policy check”：
    ledger: 账本
    kept: 条目 {0}，记录于 {1}；{2}，日志 {3}；等待写入：{4}
    ledgerUnreadable: 账本无法读取
    ledgerReplaced: 账本已被移动、删除、替换或被其他程序写入：请放回正确的文件，然后重新启动
    clockBehind: 系统时钟落后于账本：按最新条目的时间减五分钟应答；请校正时钟
    clockStepped: 启动以来系统时钟被调整超过五分钟
    feedAhead: 变更流比系统时钟超前五分钟以上：在时钟赶上之前，新条目按变更流的时间记录
    connections: 连接
    open: query.sock {0} 个，usher.sock {1} 个
    turnedAway: 已拒绝：{0}
    questions: 查询
    linesLost: 丢失的日志行数：{0}
    evidence: 凭证
    judged: 启动以来接受 {0} 条
    refused: 拒绝 {0} 条
    unrecorded: 其中 {0} 条未留审计记录
    quarantined: 隔离 {0} 条
    waiting: 等待
    waits: {0} 个核实单在等待 Apple，最早的已等待 {1}
    noPrivacyKey: 有账号已被擦除或等待擦除，但未设置 privacy.key-file，或其中是另一个密钥：无法再次认出它们拥有过的内容，消耗型产品可能被重复交付（docs/PRIVACY.md）
    erasureOverdue: 有账号到期仍未擦除：原因见日志中的“account not erased”
    appStore: 有凭证在等待，但没有询问 Apple 或 Apple 没有答复：见 'usher evidence waiting'
    push: 推送至 {0}
    fleet: 集群
    fleetLedger: 集群账本
    fleetLeads: “{0}”为主节点，第 {1} 次更换主节点；提交保存于 {2}
    fleetFollows: “{0}”跟随“{1}”，第 {2} 次更换主节点；提交保存于 {3}
    fleetAlone: “{0}”不知道有主节点
    fleetProblem: ；既不主导也不跟随 [{0}]
    noLeader: 集群中没有主导节点：查询照常回答，写入被拒绝
    fleetSince: ，按数据库在 {0} 的内容回答
    halted: 不作任何回答：无法读取另一个节点写入账本的内容
    policyUnreadable: 此版本无法读取条目 {0} 中的策略；请安装其他节点所用的版本
    feedBehind: 变更流落后 {0} 秒
    untoldEntries: 还有 {0} 个条目待通知，从条目 {1} 起
    untoldPolicy: 正在逐个账号应用新策略
    untoldTime: 已到期或已开始的变化待通知
    # EffectPagePhrase
    heading: 截至条目 {0}，此操作将更改：
    nothing: 截至条目 {0}，没有人的权益、点数或购买会变化
    noRights: 没有人的权益因此变化
    laterMore: 之后还有 {0} 项变化
    sentAgain: 将向 {1} 重新发送 {0} 项变更
    struckOff: 不再向 {1} 发送 {0} 项变更
    more: 另有 {0} 项
    told: 变更流将通知 {0} 项变更
    undo: 撤销命令：{0}
    undoable: 可以撤销
    noUndo: 此操作无法撤销
    blockAgain: 此操作无法撤销，但可以再次停用该账号
    question: 要执行吗？[y/N]
    # ClaimStandingPhrase
    accepted: 已接受
    alreadyOwned: 本已归该账号
    approved: 已由人工裁定批准
    unknownTransaction: 尚无该笔交易的记录
    # PlayPhrase
    notChecked: {0} 项未检查
    notPlayed: {0} 步未执行
    outsideStore: {0}：未执行，不发生在 App Store 中：第 {1} 行
    withoutService: {0}：未检查，需要 --socket：第 {1} 行
    notAsked: {0}：未检查，需要 'usher policy test'：第 {1} 行
    changedSince: {0}：未检查，此后情况已变，而服务按自己的时钟答复：第 {1} 行
    incomplete: {0}：未检查，服务尚未给出全部内容：第 {1} 行
    # RenewalPhrase
    renewsAt: {0} 续订
    renewsAs: {0} 续订为 {1}
    unknown: Apple 尚未说明是否续订
    price: 价格 {0}
    paidLast: 上次支付 {0}
    offer: 优惠：{0}
    # OfferPhrase
    introductory: 推介促销
    promotional: 促销优惠
    freeTrial: 免费试用
    offerCode: 优惠代码
    winBack: 赢回优惠
    retention: 挽留优惠
    other: 其他优惠
    # SettingPhrase
    bad: 设置 {0} 不能为“{1}”；可以是：{2}
    unknown: {1}：没有名为“{0}”的设置
    unknownVariable: 未知的环境变量 {0}
    didYouMean: ；是不是想写“{0}”？
    range: {0} 到 {1} 的整数
    mode: 不超过 0777 的八进制权限
    group: 组名或组号
    peers: uid:N=角色 或 gid:N=角色，以逗号分隔
    callerNames: uid:N=名称，以逗号分隔，每个用户一次
    consoleRole: “{0}”不是名称，或其角色不是 query、ingest 或 admin
    baseURL: https 地址，末尾不带斜杠
    serverURL: https 地址，或本机的 http 地址，不含用户名、查询和片段
    anyText: 单个文本
    ledgerFile: 一个文件；集群的节点也有自己的文件，另设 fleet.database-file（docs/FLEET.md）
    databaseFile: 一个只有其所有者可读的文件，唯一的一行是数据库的地址
    privacyKeyFile: 只有所有者可读的文件，由 usher ledger key 生成
    node: 1 到 64 个可打印字符，不含空格
    ledgerName: 16 到 64 位 0–9、a–f，如“usher status”所示
    withoutDatabases: 此程序在构建时没有启用“PostgreSQL”，而集群的数据库需要它
    databaseUnreadable: 无法读取存放数据库地址的文件“{0}”
    databaseExposed: 存放数据库地址的文件“{0}”可被其所有者以外的人读取；请将其权限设为 0600
    databaseLines: 文件“{0}”必须只有一行：数据库的地址
    databaseVariable: {0} 必须只有一行：数据库的地址
    twoDatabases: “fleet.database-file”和 {0} 都指定了数据库；请只保留一个
    withoutValue: {1}：设置“{0}”没有值；请写 {0}=值
    fileMissing: 没有这个文件
    fileFolder: 这是文件夹，不是文件
    fileUnreadable: 当前用户无法读取该文件
    ofOther: 文件“{0}”属于 uid {1}，而当前用户是 uid {2}，无法读取
    fileNotText: 该文件不是 UTF-8 的 YAML
    fileNotMapping: 设置须写成“名称: 值”，不能是列表或文本
    fileTwice: “{0}”写了两次
    fileSyntax: 这不是 YAML：{0}
    # ImpactPhrase
    title: 以策略 {0} 取代 {1}：{2} 及其后 {3} 天
    counts: 持有受影响产品的账号：{0}；会失去内容的账号：{1}；会获得内容的账号：{2}
    nobody: 没有人失去或获得任何内容
    loses: 失去 {0}：{1}
    gains: 获得 {0}：{1}
    now: 现在：{0}
    from: 自 {0} 起：{1}
    firstAt: 最早于 {0}
    on: {0} 时：{1}
    paid: 最近一次付款共 {0}
    examples: 例如 {0}
    noPurchase: 并非来自购买
    searching: 正在查找账号
    deriving: 正在比较账号
    stopped: 尚未比较全部账号即已停止
    resumable: 再次运行该命令，即可从 {0} 继续
    accepted: {0} 接受最多 {1} 个账号失去内容
    nothingToAccept: 没有人失去任何内容：未写入 {0}
    since: 与正在生效的策略相比：{0}
    lose: {0} 个账号失去 {1}
    gain: {0} 个账号获得 {1}
    nobodyLoses: 无人失去
    nobodyGains: 无人获得
    cells: 产品、权益与状态的组合：{0}；相同：{1}；更宽：{2}；更窄：{3}；两者皆有：{4}
    wider: 更宽：{0}
    narrower: 更窄：{0}
    both: 更宽且更窄：{0}
    undecided: 可能更窄（情况过多，未逐一尝试）：{0}
    lostWhen: 失去：{0}
    gainedWhen: 获得：{0}
    usual: 任何普通购买
    otherLosses: 其他可能失去的内容：
    nothingNarrower: 没有任何购买给予的内容比以前少
    open: 对所有人开放的内容：
    lasts: 持续：{0} → {1}
    never: 从不
    whileState: 与该状态同样长
    forAge: {0} 之内
    fromAge: 自 {0} 起
    betweenAges: 自 {0} 至 {1}
    switches: 认领的结果（已归属的仍归原账号）：
    zone: “{1}”的 {0} 由 {2} 改为 {3}：其中所写的每一天都从另一时刻开始
    laterBegin: {0}：“{1}”自 {2} 起生效，晚于所比较的 {3} 天
    laterEnd: {0}：“{1}”至 {2} 结束，晚于所比较的 {3} 天
    laterChange: {0}：“{1}”在 {2} 有一个日期，晚于所比较的 {3} 天
    useDays: 使用 --days {0} 可看到其影响
    outOfReach: 任何比较都无法覆盖该日期
    losingLater: {0} 个账号在此之后才会失去内容
    undoing: {0}（与更早的策略相同）
    edits: 写法不同之处：
    added: {0}：新增“{1}”
    removed: {0}：去掉了“{1}”
    changed: {0}：“{1}”的 {2} 不同
    changedCredits: {0}：“{1}”的 {2} 不同：{3} → {4}
    changedKeys: {0}：{1} 不同
    laterCredits: 点数按已记录的内容比较：以后的购买和续订所给的不计入
    reordered: {0}：规则的顺序不同
    # RepairFailurePhrase
    readOnly: {0} 是只读文件；未作任何修改
    changedMeanwhile: {0} 读取之后又有改动；请重新运行该命令
    unwritable: 无法在所在文件夹中替换 {0}；请检查权限和磁盘空间
    # ExplainUnknownPhrase
    unknown: “{0}”不是诊断、待关注事项或键，策略里也没有这个名称
    unknownNear: “{0}”不是诊断、待关注事项或键，策略里也没有这个名称；是不是想写“{1}”？
    # SchedulePhrase
    title: 已排期的策略
    scheduled: 策略 {0} 已排期于 {1}，编号 {2}；撤回：{3}
    unscheduled: 策略 {0} 不会在 {1} 生效：排期 {2} 已撤回
    whoLoses: 谁会失去什么：“usher policy diff {0} --live”；未排期
    whoLosesThen: 届时生效的将是此前已排期的策略 {1}；谁会失去什么（用它的文件夹替换 OLD）：“usher policy diff OLD {0} --live”；未排期
    losingBeside: ；相比策略 {1}，失去权益的账号数：{0}
    nothing: 没有已排期的策略
    earlier: 此前的排期：
    due: {0}：策略 {2} 将于 {1} 生效
    by: 由 {0} 排期：{1}
    losses: 可能使人失去权益（共 {0} 处）
    noLosses: 没有人失去任何内容
    losing: 会失去内容的账号：{0}
    accepted: 若取代 {1}，最多接受 {0} 个账号失去内容
    would: 届时会生效
    wouldNot: 届时会被拒绝：{0}
    next: {0} 个；下一个是 {1}，于 {2}
    applied: {0}：策略 {1}（排期 {2}）已于 {3} 生效
    takenBack: {0}：策略 {1}（排期 {2}）已于 {3} 撤回：{4}
    refused: {0}：策略 {1}（排期 {2}）于 {3} 被拒绝：{4}
    alreadyInForce: {0}：策略 {1}（排期 {2}）在 {3} 时已经生效
    errors: 策略有错误
    notAccepted: 它可能使人失去权益，且未被接受
    tooManyLosing: 失去内容的账号多于所接受的数量
    otherBase: 所接受的损失针对的是另一个策略
    rolledBack: 它已被“usher policy rollback”撤回
    erased: 其文本已被清除
    superseded: 已排期的策略取代了它
    # ShowPhrase
    unknownEntitlement: 策略中没有权益“{0}”
    notCounted: 服务尚未统计账号；请稍后再试
    otherPolicy: 服务是按策略 {0} 统计的，而此策略是 {1}
    # ArgumentPhrase
    range: {0} 是 {1} 到 {2} 的数
    exclusive: {0} 与 {1} 不能同时使用
    belongsTo: {0} 属于 {1}
    statementOnly: --from、--until 和 --csv 属于 --statement
    needs: {0} 需要 {1}
    needsEither: {0} 需要 {1} 或 {2}
    bothNeed: {0} 和 {1} 需要 {2}
    together: {0} 与 {1} 须同时使用
    notNegative: {0} 不能为负
    aboveZero: 编号大于 0
    notWithAccount: {0} 不能与账号同时使用
    notCredit: “{0}”不是点数和 1 到 1000000000 的数量，如 coins=5
    reference: 用途是一行文字，最多 200 个字符
    ascii: 须为不含空格的可打印 ASCII
    uuid: appAccountToken 是一个 UUID
    fromBeforeTo: --from 须早于 --to
    extensionDays: --days 为 1 到 90，--request-id 最多 128 字节
    storefronts: 请写 --storefront 或 --all-storefronts 之一
    storefront: 店面是三个大写字母，如 USA
    consent: 没有 --customer-consented 就不能发送
    advanced: --advanced-commerce 的一切都取自其文件
    delivery: 请写 --delivery，以及 --sample 或 --no-sample
    appleServers: Apple 的服务器只有 production 和 sandbox 环境
    patternLength: {0} 是 1 到 256 字节的模式
    withNeither: {0} 不能与 {1} 或 {2} 同时使用
    fixFormats: --fix 的格式为 text 和 json
    folderOnce: 策略文件夹只写一次
    changesNow: --at 不能用于 changes
    followService: --follow 需要服务：不能跟随文件
    contradiction: 这一种变化都与权益无关
    notCursor: “{0}”不是变化的编号或 cursor
    allOrOne: --all 与变化的编号不能同时使用
    pace: --calls-per-second 为 1 到 1000，--limit 为正数
    planOnly: {0} 需要 {1}：凭证只由正在运行的服务写入
    appleNow: --at 不适用：Apple 的答案是现在的
    oneOrTwoFolders: 请写一个或两个策略文件夹
    twoFolders: 请写两个策略文件夹，或 {0} 或 {1}
    acceptReason: --accept 是 1 到 1,000 字节的原因
    accountsLedger: {0} 需要 {1}：服务不列出账号
    accountsFile: {0} 是以 .csv 或 .jsonl 结尾的文件名
    copyOrReason: 请写副本的名称，或用 --reason 告知服务原因
    serviceReason: --reason 只用于由服务制作的备份
    copyName: --ledger 需要副本的名称：服务使用自己的账本
    copyCommand: 把账本复制到数据库用 usher ledger copy
    copySides: 两者之一须为账本文件，另一个为 database: 加文件
    entryNumber: 条目用编号表示
    expectedAnswer: --first-wrong 需要 --expected：yes、no 或 until=2026-03-01
    assumption: --assume 须为类似“{0}”的句子
    mostAssumptions: 一次最多 {0} 个假设
    anchor: 锚点是一个数、冒号和 64 位十六进制数字
    ordersNow: 不能使用 --at：订单按现在读取
    gift: 请写权益，或用 --credit 写点数
    waitingNow: --at 需要账号：等待中的认领按现在列出
    presentOnly: 不能使用 --known-at 和 --revision：此处只显示当前状态
    reviewNow: 不能使用 --at：认领按现在复核
    inspected: 请写 --policies，或 --bundle-id 和 --environment，或 --any-bundle
    outOrSocket: 请写 --out 或 --socket 之一
    findNow: 不能使用 --at：标识按现在查找
    pastAccount: --at、--past 和 --assume 需要账号
    pictureEnds: 图的结束早于开始
    pictureWidth: 图宽 40 到 1000 列
    consentWord: 请写 --given 或 --withdrawn 之一
    appleIDKey: Apple ID 的标识是 atx: 或 otx:、环境、冒号和数字，如 otx:production:400000000001001
    name: 名称是不含空格的可打印 ASCII，最多 {0} 字节
    date: 日期写作 2026-03-01 或 2026-03-01T12:00:00Z
    # UsagePhrase
    overview: 概述：{0}
    usage: 用法：{0}
    arguments: 参数：
    options: 选项：
    subcommands: 子命令：
    example: 示例：
    error: 错误：{0}
    help: 说明：{0}
    values: （可选：{0}）
    standard: （缺省：{0}）
    moreHelp: 更多信息见“{0} --help”。
    seeHelp: 各子命令的说明见“{0} help <子命令>”。
    unknownOptionMeant: 未知的选项“{0}”；是不是想写“{1}”？
    unknownOption: 未知的选项“{0}”
    missingValue: “{0}”缺少值
    takesNoValue: 选项“{0}”不带值，这里却写了“{1}”
    unexpected: 多余的参数“{0}”
    severalUnexpected: 多余的 {0} 个参数：{1}
    missingArgument: 缺少参数“{0}”
    notOneOf: “{1}”不能为“{0}”；可以是：{2}
    invalidBecause: “{1}”不能为“{0}”：{2}
    invalid: “{1}”不能为“{0}”
    """ + "\n" + chineseAppStoreTexts + "\n" + chineseConsoleTexts)
