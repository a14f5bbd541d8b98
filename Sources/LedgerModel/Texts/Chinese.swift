internal import EntitlementModel

/// What is said of ledgers in Chinese.
extension LedgerProblem {
    package var chinese: String {
        switch self {
        case .file: "文件已损坏：{0}"
        case .missing: "条目 {0} 已被删除"
        case .recordedEarlier: "条目 {0} 的记录时间早于前一条"
        case .payloadChanged: "条目 {0} 的内容在写入后被更改"
        case .chainBroken: "条目 {0} 与前一条的哈希链断开"
        case .payloadErased: "条目 {0} 的内容已被擦除"
        case .unreadable: "条目 {0} 无法读取"
        case .evidenceChanged: "条目 {0} 的凭证字节缺失或被更改"
        case .evidenceErased: "条目 {0} 的凭证字节已被擦除"
        case .schemaDiffers: "数据库结构：{0}"
        case .indexDiffers: "索引表“{0}”与条目不一致"
        case .outlookUnreadable: "变更流所保存的“{0}”的内容无法读取或到期时间不符"
        case .feedDiffers: "变更流的第 {0} 条变更缺失、顺序错误或无法读取"
        case .anchorMissing: "条目 {0} 与锚点不符"
        case .headMissing: "据账本旁的 head 文件，条目 {0} 已被确认，但账本中没有该条目"
        }
    }
}

extension SchemaDifference {
    package var chinese: String {
        switch self {
        case .foreign: "{0}不属于账本"
        case .changed: "{0}与账本建立时不同"
        case .missing: "缺少{0}"
        }
    }
}

extension EntryKind {
    package var chinese: String {
        switch self {
        case .policyActivation: "策略生效"
        case .evidence: "凭证"
        case .transaction: "已签名的交易"
        case .renewal: "已签名的续订信息"
        case .appTransaction: "已签名的应用交易"
        case .notification: "通知"
        case .claim: "认领"
        case .decision: "决定"
        case .ruling: "人工裁定"
        case .refusal: "被拒绝的凭证"
        case .quarantine: "隔离"
        case .grant: "人工授予"
        case .grantRevocation: "授予终止"
        case .block: "停用"
        case .blockRemoval: "解除停用"
        case .accountToken: "账号令牌"
        case .accountMerge: "账号合并"
        case .order: "订单"
        case .orderEvent: "订单事件"
        case .storeReport: "商店报告"
        case .repeatedOrder: "重复的下单"
        case .evidenceTicket: "凭证核实单"
        case .ticketClosed: "已关闭的核实单"
        case .creditSpend: "点数花费"
        case .creditHold: "点数预留"
        case .holdEnd: "预留结束"
        case .spendReversal: "花费撤销"
        case .creditThaw: "解除冻结"
        case .refundConsent: "退款答复的同意"
        case .refundAnswer: "已答复的退款询问"
        case .policySchedule: "已排期的策略"
        case .policyScheduleEnd: "策略排期的结束"
        }
    }
}

extension LedgerError {
    /// The store's own sentence.
    package var chinese: String { failure.chinese }
}

extension FleetError {
    package var chinese: String {
        switch self {
        case .unreachable: "数据库没有响应：{0}"
        case .refused: "数据库拒绝了此节点：{0}"
        case .standby: "该数据库是只读备库；请连接主库，或将其提升为主库"
        case .foreign: "数据库中的“usher”结构不是由本程序建立的：{0}"
        case .otherFormat: "数据库中账本的格式为 {0}，本版本的格式为 {1}；请在所有节点上使用同一版本"
        case .otherLedger: "账本文件不是数据库中账本的副本：从条目 {0} 起不同；请先检查数据库地址；若地址无误，请移走该文件以取得新的副本"
        case .unexpectedLedger: "数据库中的账本是 {0}，而“fleet.ledger”指定的是 {1}；请检查数据库地址"
        case .vacant: "数据库中没有账本"
        case .damaged: "数据库中的账本有损坏：{0}"
        case .empty: "数据库是空的，而账本文件不是；请用“usher ledger copy”把账本移入数据库，或移走该文件以新建账本"
        case .behind:
            "数据库以条目 {0} 结尾，而此节点的账本文件多出 {1} 个条目（从 {2} 到 {3}），它们可能已被确认；"
                + "请连接拥有这些条目的数据库，或先用“usher ledger export --after {0}”保存它们，"
                + "再移走该文件及所有以其名称开头的文件，然后重新启动：账本将从数据库取回"
        case .otherChanges:
            "此节点账本文件中的变更 {0} 不在数据库中，而接收方可能已收到它；请连接拥有它的数据库，"
                + "或移走该文件及所有以其名称开头的文件，然后重新启动：账本将从数据库取回，该编号将用于另一个变更"
        case .ahead: "数据库中已有此账本：它以条目 {0} 结尾，而文件以条目 {1} 结尾；没有可复制的内容"
        case .weak: "数据库保证 {0}，而“fleet.durability”要求 {1}"
        case .notLeader: "此节点不主导：由另一个节点写入账本，或目前没有主导节点"
        case .ofFleet:
            "此账本是集群节点保存的副本（存在“{0}”）：单独写入会产生第二个账本；请设置“fleet.database-file”；"
                + "若集群已不存在，请删除该文件"
        case .outcomeUnknown: "提交期间与数据库的连接中断；请重复该请求以确认是否已记录"
        case .full: "数据库空间不足；未写入任何内容"
        case .failed: "数据库失败 [{0}]：{1}"
        }
    }
}
