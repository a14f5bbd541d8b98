package import EntitlementModel

/// A text of this target.
package protocol EngineText: TabledText {}

extension EngineText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # EngineError
    policyRejected: 策略有错误
    policyHistoryUnreadable: 此版本无法读取条目 {0} 中的策略
    unknownEntitlement: 从未有策略定义过此权益
    otherFeed: 该游标属于另一账本的变更流
    futureChange: 变更流尚未到达该变更，最新一条为 {0}
    accountErased: 该账号此后已被擦除（条目 {0}），当时已知的内容也随之擦除
    accountMaybeErased: 没有该账号的任何记录，或者它此后已被擦除：有擦除所用的密钥（USHER_PRIVACY_KEY_FILE）才能得知
    futureKnowledge: 该时刻的情况尚不可知：现在是 {1}，最新条目为 {0}
    noPolicy: 此账本中从未有过生效的策略
    assumption: 假设 {0} 不可能发生：{1}
    changedSince: 条目 {0} 涉及同样的账号，是在所给条目之后写入的；未作任何更改
    # AssumptionFault
    unknownTransaction: 未知的交易
    alreadyRefunded: 该交易已被退款
    notRenewing: 该购买不会续订
    notWaiting: 没有此账号对该购买的待裁定认领
    unknownName: 策略中没有此权益或点数
    impossible: 账号已被合并，或日期与数量不可能
    # EffectPhrase
    now: 现在
    loses: {0} 从{2}起失去 {1}
    gains: {0} 从{2}起拥有 {1}
    gainsUntil: {0} 从{2}起拥有 {1}，到 {3} 为止
    hasUntil: {0} 的 {1} 到 {2} 为止
    hasForever: {0} 的 {1} 没有期限
    getsNot: {0} 不再获得 {1}
    state: {0} 的 {1} 从{2}起：{3}，而不是 {4}
    balance: {0} 从{2}起有 {3} 个 {1}，而不是 {4} 个
    lapses: {0} 的 {3} 个 {1} 于 {2} 失效
    lapsesNot: {0} 的 {3} 个 {1} 不会于 {2} 失效
    findingOpened: {0} 出现待关注事项：{1}
    findingClosed: {0} 的待关注事项已消除：{1}
    order: 订单 {0} 从{3}起：{1}，而不是 {2}
    stillNot: {0} 仍没有 {1}：{3}（此前：{4}）
    owners: {0}：由 {2} 转归 {1}
    movedEnded: {0}；{1}
    findingAbout: {0}（{1}）
    bought: {0}，购买于 {1}
    ended: 已于 {0} 结束（{1}）
    blockBegins: {0} 被封停
    blockEnds: {0} 的一项封停结束
    consents: {0} 同意告知 Apple 待退款购买的使用情况；已发送的无法收回
    consentsNot: {0} 不同意告知 Apple 使用情况
    thaws: {0} 可以重新使用被退款冻结的 {1}
    nobody: 无人
    noPurchase: 没有购买
    claim: {1} 的认领 {0}：{2}，而不是 {3}
    claimMade: 产生 {1} 的认领 {0}：{2}
    # TakenBack
    refunded: Apple 已退款
    family: 已被组织者移出家人共享
    assigned: 机构已不再分配
    unsaid: Apple 已退款或收回
    # OrderState
    created: 已创建
    paying: 付款中
    paid: 已付款
    delivered: 已交付
    finished: 已完成
    deferred: 等待批准
    notAllowed: 设备禁止付款
    cancelled: 已取消
    failed: 付款失败
    noReceipt: 尚无收据
    scheduled: 等待续订时生效
    abandoned: 已放弃
    review: 待人工核对
    refunded: 已退款
    # AuditProblem
    policyUnreadable: 条目 {0} 中的策略无法读取
    policyDiffers: 条目 {0} 中的策略与其摘要不符
    evidenceRefused: 按当时的策略，条目 {0} 中的凭证应被拒绝 [{1}]
    evidenceDiffers: 条目 {0} 中凭证的类型或时间与记录不符
    factUnfounded: 条目 {0} 与其凭证的内容不符
    decisionDiffers: 条目 {0} 与此前的事实和策略应得的结果不符
    scheduleUnfounded: 条目 {0} 与此前的策略排期不符
    outlookDiffers: 变更流所述“{0}”的情况与条目应得的结果不符
    """)
