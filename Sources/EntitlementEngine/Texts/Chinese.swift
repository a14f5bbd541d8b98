internal import LedgerModel

/// What the engine says in Chinese.
extension EngineError {
    package var chinese: String {
        switch self {
        case .ledger(let error): error.chinese
        case .policyRejected: "策略有错误"
        case .policyHistoryUnreadable: "此版本无法读取条目 {0} 中的策略"
        case .unknownEntitlement: "从未有策略定义过此权益"
        case .otherFeed: "该游标属于另一账本的变更流"
        case .futureChange: "变更流尚未到达该变更，最新一条为 {0}"
        case .noPolicy: "此账本中从未有过生效的策略"
        }
    }
}

extension AuditProblem {
    package var chinese: String {
        switch self {
        case .ledger(let problem): problem.chinese
        case .policyUnreadable: "条目 {0} 中的策略无法读取"
        case .policyDiffers: "条目 {0} 中的策略与其摘要不符"
        case .evidenceRefused: "按当时的策略，条目 {0} 中的凭证应被拒绝 [{1}]"
        case .evidenceDiffers: "条目 {0} 中凭证的类型或时间与记录不符"
        case .factUnfounded: "条目 {0} 与其凭证的内容不符"
        case .decisionDiffers: "条目 {0} 与此前的事实和策略应得的结果不符"
        case .scheduleUnfounded: "条目 {0} 与此前的策略排期不符"
        case .outlookDiffers: "变更流所述“{0}”的情况与条目应得的结果不符"
        }
    }
}
