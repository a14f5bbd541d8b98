internal import EntitlementAnswers

/// What is said about reconciliations in Chinese.
extension ReconciliationPhrase {
    var chinese: String {
        switch self {
        case .run: "对账 {0}：{1}"
        case .running: "运行中"
        case .finished: "已完成"
        case .stopped: "提前停止 [{0}]"
        case .resumed: "从中断处继续"
        case .from: "时间"
        case .customers: "Apple ID"
        case .of: "{0} / {1}"
        case .calls: "调用次数"
        case .notifications: "通知"
        case .written: "写入的凭证"
        case .unanswered: "Apple 未能对 {0} 个 Apple ID 给出可用的回答"
        case .refused: "Apple 的回答中有 {0} 项作为凭证被拒绝"
        case .noDrift: "没有差异"
        case .nothingCompared: "未比较任何内容"
        case .drift: "差异：{0} 处，{1} 个 Apple ID，{2} 个账号"
        case .customer: "{0}：账号 {1}"
        case .noCustomer: "无 Apple ID"
        case .notification: "通知 {0}"
        case .status: "Apple 的状态 {0}"
        case .omitted: "另有 {0} 处；“--json” 输出全部"
        case .progress: "{0} / {1} 个 Apple ID，{2} 次调用，{3} 处差异"
        case .silent: "Apple 已有 10 秒没有应答；请求会重试约两分钟，受限时按 Apple 的要求等待"
        case .risk: "风险类别"
        case .planCustomers: "Apple ID"
        case .planLineages: "购买"
        case .every: "间隔"
        case .hours: "{0} 小时"
        case .callsPerDay: "每天调用"
        case .due: "现已到期"
        case .callsDue: "到期调用"
        case .sum: "合计"
        case .allowed: "每秒 {0} 次调用，即每天最多 {1} 次"
        case .duration: "按此速率，处理现已到期的部分需要 {0}"
        case .last: "对账"
        case .found: "{0} 处差异"
        }
    }
}

extension DriftCause {
    package var chinese: String {
        switch self {
        case .missedNotification: "漏收通知"
        case .notificationsUnreadable: "通知历史无法读到末尾"
        case .refundUnknown: "未知退款"
        case .reversalUnknown: "未知的退款撤销"
        case .renewalUnknown: "未知续订"
        case .transactionUnknown: "未知交易"
        case .lineageUnknown: "未知购买"
        case .stateUnknown: "未知续订状态"
        case .detailUnknown: "交易细节未知"
        case .lineageNotFound: "Apple 查无此购买"
        case .statusDiffers: "与 Apple 的状态不符"
        case .extraRight: "多出的权益"
        case .missingRight: "缺失的权益"
        }
    }
}

extension RiskClass {
    package var chinese: String {
        switch self {
        case .expiring: "即将到期"
        case .retrying: "宽限期或扣款重试中"
        case .silent: "长期无消息"
        case .refunded: "近期退款"
        case .steady: "其余"
        }
    }
}
