package import EntitlementModel

/// A text of this target.
package protocol LedgerText: TabledText {}

extension LedgerText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # LedgerProblem
    file: 文件已损坏：{0}
    missing: 条目 {0} 已被删除
    recordedEarlier: 条目 {0} 的记录时间早于前一条
    payloadChanged: 条目 {0} 的内容在写入后被更改
    chainBroken: 条目 {0} 与前一条的哈希链断开
    payloadErased: 条目 {0} 的内容已被擦除，却没有相应的擦除记录
    unreadable: 条目 {0} 无法读取
    evidenceChanged: 条目 {0} 的凭证字节缺失或被更改
    evidenceErased: 条目 {0} 的凭证字节已被擦除
    erasureDiffers: 条目 {0} 的擦除与实际被擦除或重述的内容不符
    schemaDiffers: 数据库结构：{0}
    indexDiffers: 索引表“{0}”与条目不一致
    outlookUnreadable: 变更流所保存的“{0}”的内容无法读取或到期时间不符
    feedDiffers: 变更流的第 {0} 条变更缺失、顺序错误或无法读取
    anchorMissing: 条目 {0} 与锚点不符
    contentLeft: 据清单，条目 {0} 已被擦除，但此处仍有其内容
    listDiffers: 清单中条目 {0} 的擦除在此处未进行，且其中的编号在此处是其他条目
    headMissing: 据账本旁的 head 文件，条目 {0} 已被确认，但账本中没有该条目
    # SchemaDifference
    foreign: {0}不属于账本
    changed: {0}与账本建立时不同
    missing: 缺少{0}
    # EntryKind
    policyActivation: 策略生效
    evidence: 凭证
    transaction: 已签名的交易
    renewal: 已签名的续订信息
    appTransaction: 已签名的应用交易
    notification: 通知
    claim: 认领
    decision: 决定
    ruling: 人工裁定
    refusal: 被拒绝的凭证
    quarantine: 隔离
    grant: 人工授予
    grantRevocation: 授予终止
    block: 停用
    blockRemoval: 解除停用
    accountToken: 账号令牌
    accountMerge: 账号合并
    order: 订单
    orderEvent: 订单事件
    storeReport: 商店报告
    repeatedOrder: 重复的下单
    evidenceTicket: 凭证核实单
    ticketClosed: 已关闭的核实单
    creditSpend: 点数花费
    creditHold: 点数预留
    holdEnd: 预留结束
    spendReversal: 花费撤销
    creditThaw: 解除冻结
    refundConsent: 退款答复的同意
    refundAnswer: 已答复的退款询问
    policySchedule: 已排期的策略
    policyScheduleEnd: 策略排期的结束
    orderPromise: 生效的订单承诺
    erasure: 擦除
    restated: 重述的条目
    # PastFailure
    presentOnly: 此内容仅保存当前状态，无法回溯
    # FleetError
    unreachable: 数据库没有响应：{0}
    refused: 数据库拒绝了此节点：{0}
    standby: 该数据库是只读备库；请连接主库，或将其提升为主库
    foreign: 数据库中的“usher”结构不是由本程序建立的：{0}
    otherFormat: 数据库中账本的格式为 {0}，本版本的格式为 {1}；请在所有节点上使用同一版本
    otherLedger: 账本文件不是数据库中账本的副本：从条目 {0} 起不同；请先检查数据库地址；若地址无误，请移走该文件以取得新的副本
    unexpectedLedger: 数据库中的账本是 {0}，而“fleet.ledger”指定的是 {1}；请检查数据库地址
    vacant: 数据库中没有账本
    damaged: 数据库中的账本有损坏：{0}
    empty: 数据库是空的，而账本文件不是；请用“usher ledger copy”把账本移入数据库，或移走该文件以新建账本
    behind: 数据库以条目 {0} 结尾，而此节点的账本文件多出 {1} 个条目（从 {2} 到 {3}），它们可能已被确认；请连接拥有这些条目的数据库，或先用“usher ledger \
    export --after {0}”保存它们，再移走该文件及所有以其名称开头的文件，然后重新启动：账本将从数据库取回
    otherChanges: 此节点账本文件中的变更 {0} 不在数据库中，而接收方可能已收到它；请连接拥有它的数据库，或移走该文件及所有以其名称开头的文件，然后重新启动：账本将从数据库取回，\
    该编号将用于另一个变更
    ahead: 数据库中已有此账本：它以条目 {0} 结尾，而文件以条目 {1} 结尾；没有可复制的内容
    weak: 数据库保证 {0}，而“fleet.durability”要求 {1}
    notLeader: 此节点不主导：由另一个节点写入账本，或目前没有主导节点
    ofFleet: 此账本是集群节点保存的副本（存在“{0}”）：单独写入会产生第二个账本；请设置“fleet.database-file”；若集群已不存在，请删除该文件
    outcomeUnknown: 提交期间与数据库的连接中断；请重复该请求以确认是否已记录
    full: 数据库空间不足；未写入任何内容
    failed: 数据库失败 [{0}]：{1}
    """)
