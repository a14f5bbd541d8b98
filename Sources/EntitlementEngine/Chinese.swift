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
    futureKnowledge: 该时刻的情况尚不可知：现在是 {1}，最新条目为 {0}
    noPolicy: 此账本中从未有过生效的策略
    assumption: 假设 {0} 不可能发生：{1}
    # AssumptionFault
    unknownTransaction: 未知的交易
    refunded: 该交易已被退款
    notRenewing: 该购买不会续订
    notWaiting: 没有此账号对该购买的待裁定认领
    unknownName: 策略中没有此权益或点数
    impossible: 账号已被合并，或日期与数量不可能
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
