package import EntitlementModel

/// A text of this target.
package protocol ServerText: TabledText {}

extension ServerText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # ProblemCode
    malformed: 请求不是合规的 HTTP/1.1
    host: 请求必须恰好有一个 Host 字段
    transferEncoding: 此处不接受该传输编码
    contentLength: Content-Length 必须是一个十进制数
    lengthRequired: 缺少正文长度：请发送 Content-Length；DELETE 也可以不带正文，把 reason 写在查询里
    contentType: 正文类型必须是 application/json
    contentEncoding: 正文不得压缩
    expectation: 不支持 Expect 字段
    timeout: 请求未在规定时间内到达
    targetTooLong: 请求行过长
    headersTooLarge: 请求头字段过多或过长
    notFound: 未知的路径
    methodNotAllowed: 此路径不允许该方法
    methodUnknown: 未知的方法
    version: 只支持 HTTP/1.1 和 HTTP/1.0
    tooLarge: 正文过大
    encoding: 文本不是有效的 UTF-8
    json: 正文不是有效的 JSON
    duplicateKey: JSON 对象中有重复的键
    number: 值必须是十进制数
    missing: 缺少必需的内容
    type: 值的 JSON 类型不正确
    id: 标识符只能是不含空格的可打印 ASCII 字符，且不能过长
    value: 值不在允许范围内
    instant: 时刻须按 RFC 3339 书写
    appleIDMalformed: Apple ID 键的写法为 'atx:' 或 'otx:'、环境、':' 和数字
    unknownMember: 对象中有未知的成员
    unknownParameter: 未知的查询参数
    duplicateParameter: 查询参数重复
    twoMoments: 'known_at' 与 'revision' 含义相同，只能给出其一
    futureKnowledge: 该时刻的情况尚不可知；'newest' 是最新的条目
    accountErased: 该账号此后已被擦除，当时已知的内容也随之擦除；'newest' 是说明此事的条目
    accountMaybeErased: 没有该账号的任何记录，或者它此后已被擦除：有擦除所用的密钥（'privacy.key-file'）才能得知
    accountUnknown: 没有该账号的任何记录；若名称无误，请加 'new_account'（--new-account）
    unknownEntitlement: 从未有策略定义过此权益
    nothingFound: 没有与此标识符相关的记录；Apple 邮件中的订单号请用 usher app-store order 查询
    otherFeed: 该游标属于另一账本的变更流
    futureChange: 变更流尚未到达该变更
    assumptionUnclear: 假设须为故事中的句子，例如“退款 4000000001”
    assumptionUnknownTransaction: 未知的假设交易
    assumptionRefunded: 假设退款的交易已被退款
    assumptionNotRenewing: 该购买不会续订
    assumptionNotWaiting: 没有此账号对该购买的待裁定认领
    assumptionUnknownName: 策略未定义假设中的权益或点数
    assumptionImpossible: 账号已被合并，或日期与数量不可能
    unknownClaim: 没有这项认领
    ownedByOther: 它已属于另一账号：用 'usher claims transfer' 从一个账号转给另一个
    unknownGrant: 没有这项授予
    unknownBlock: 没有这项停用
    accountNotClosed: 该账号没有关闭
    unknownGift: 策略没有定义该权益或点数
    emptyGift: 该授予不会给出任何权益
    tooManyUnits: 一次授予最多 1,000,000,000 个单位
    conflict: 该键已用于其他内容
    tokenTaken: 该令牌已指明另一个账号；若两个账号属于同一人，请合并（merge）
    accountMerged: 该账号已合并到另一个账号
    changedSince: 此后写入了与此有关的内容，见 'changed'；未作任何更改
    rulingUnknownUnit: 所认领的购买未知
    rulingNotWaiting: 该认领并未等待人工裁定
    rulingMissingAccount: 转移需要指定账号
    rulingAlreadyOwner: 该账号已拥有它
    rulingUnowned: 它没有所有者
    rulingNothingToUndo: 没有可以撤销的裁定
    rulingNotOwner: 该账号不拥有它
    rulingNotNewest: 仍然有效的最新决定属于另一个认领
    rulingMovedSince: 在那次决定之后它已再次易主
    mergeSameAccount: 账号不能与自身合并
    mergeBlocked: 已停用的账号不能合并
    mergeNothing: 该账号没有可以转入的内容
    mergeUnknown: 没有这次合并
    erasureWithoutKey: 没有用来再次认出已擦除账号的密钥，不擦除任何内容：请设置 privacy.key-file，并使用先前擦除时的密钥（docs/PRIVACY.md）
    erasedBefore: 该账号此前已为另一编号擦除
    erasureWaits: 该账号已在为另一编号等待擦除
    erasureReference: 编号会保留，而其中含有该账号或并入它的账号的名称
    mergeNothingToUndo: 那次合并已没有可以撤回的内容
    unknownOrder: 没有此标识符的订单
    orderConflict: 此 Idempotency-Key 已用于另一个订单
    orderQuantity: 只有消耗型产品可以一次购买多件，且数量不能超出上限
    orderBlocked: 现在不能购买此产品；原因见 preflight
    orderState: 订单当前状态不允许此操作；可用操作见 legal
    orderDelivered: 订单已交付：所购内容用 'usher claims transfer' 转移，人工给予的内容用 'usher orders undo' 收回
    orderTransaction: 没有可归入此订单的付款具有此标识符
    orderTooManyReported: 该账号已有 20 笔上报的交易等待提交：请先提交它们的凭证
    orderHasPayment: 此订单已有付款记录：请用 transaction_id 处理
    orderNothingToGive: 策略没有为此产品定义任何权益
    reconciliationRunning: 已有对账正在运行
    unknownReconciliation: 这不是最近一次对账
    unknownCredit: 没有任何策略定义此点数
    insufficientCredit: 该账号的此项点数不足；余额见 balance
    frozenCredit: 退款冻结了此点数，需由人工解除
    blockedCredit: 此点数已被停用
    creditConflict: 此 Idempotency-Key 已用于其他内容；其摘要见 first
    unknownSpend: 没有这个编号的花费
    unknownHold: 没有这个编号的预留
    holdEnded: 该预留已结束
    holdUntil: 预留的结束时间必须晚于现在，且在 30 天之内
    tooMuchCredit: 剩余的数量不足；数量见 balance
    tooManyReports: 该账号在过去 24 小时内的报告过多
    unknownTicket: 没有这个编号的核实单
    unknownRefund: 没有这个编号的退款询问
    refundAnswered: 该退款询问已经答复
    unknownSubscription: 没有此订阅方，或它没有这项未送达的变更
    appStoreNotConfigured: 没有配置对 App Store 的访问，而只有 Apple 能验证此凭证
    tooManyWaiting: 等待 Apple 的凭证过多
    policyRejected: 策略有错误，未做任何更改
    nothingToRollBack: 在此策略之前没有生效过其他策略
    schedulePast: 策略只能排期到现在之后
    scheduleTooFar: 策略只能排期到今后五年之内
    scheduleTooMany: 最多可同时排期 32 个策略
    scheduleInstantTaken: 这一时刻已排有另一个策略
    scheduleUnchanged: 届时生效的本来就是该策略
    scheduleChanged: 将被取代的策略在此期间已改变，请重试
    scheduleUnknown: 没有使用该编号的策略排期
    scheduleEnded: 该策略的排期已经结束
    scheduleLoses: 该策略可能使账号失去权益，且未被接受
    policyWaits: 该策略可能使人失去权益，尚未被接受；未做任何更改
    peer: 此调用方不在允许名单中
    role: 此调用方的角色不允许该操作
    notDelegate: 只有代理方（delegate）才能说明代谁调用
    delegation: 代理方（delegate）每次调用都须说明代谁调用：Usher-Actor 为名称（至多 255 个可打印字符，不含空格），Usher-Role 为 query、ingest 或 admin，各一次
    socket: 此调用只在 usher.sock 上提供
    tooManyPreviews: 一秒内的预览超过 10 次
    tooMany: 此调用方同时请求过多
    revision: 账本尚未到达该版本
    unsupported: 暂不支持此功能
    overloaded: 服务繁忙，请稍后重试
    unavailable: 目前无法读写账本
    ledgerReplaced: 账本文件已被替换；重新启动之前不会记录任何内容
    diskFull: 账本所在磁盘已满；未写入任何内容
    notLeader: 此节点不写入：由集群中的另一个节点主导，或目前没有主导节点；请稍后重试
    databaseUnreachable: 集群的数据库没有响应；未写入任何内容
    policyUnreadable: 另一个节点启用了此版本无法读取的策略；安装与其他节点相同的版本之前，此节点不作任何回答
    outcomeUnknown: 提交期间与集群数据库的连接中断；请重复该请求
    clock: 服务的时钟有误，请稍后重试
    stopping: 服务正在停止
    fault: 内部错误
    # BoundPhrase
    number: 值必须不小于 {0}，不大于 {1}
    elements: 列表最多 {1} 项
    # SocketError
    folderNotOurs: “{0}”不是本用户的文件夹
    folderLocked: “{0}”中已有另一个服务在运行
    pathTaken: “{0}”不是本用户的套接字
    socketInUse: 另一个程序正在使用“{0}”
    pathTooLong: 套接字路径“{0}”过长
    groupUnknown: 没有名为“{0}”的用户组
    unusable: 无法使用“{0}”：{1}
    system: 系统调用“{0}”失败：{1}
    # LocalClientError
    notRunning: “{0}”上没有服务在运行
    notAllowed: 当前用户无权使用“{0}”
    timedOut: 服务未在规定时间内响应
    malformed: 服务的响应格式不正确
    system: 系统调用“{0}”失败：{1}
    """)
