internal import EntitlementAnswers

/// What the sockets and their client say in Chinese.
extension ProblemCode {
    package var chinese: String {
        switch self {
        case .malformed: "请求不是合规的 HTTP/1.1"
        case .host: "请求必须恰好有一个 Host 字段"
        case .transferEncoding: "此处不接受该传输编码"
        case .contentLength: "Content-Length 必须是一个十进制数"
        case .lengthRequired: "缺少正文长度：请发送 Content-Length；DELETE 也可以不带正文，把 reason 写在查询里"
        case .contentType: "正文类型必须是 application/json"
        case .contentEncoding: "正文不得压缩"
        case .expectation: "不支持 Expect 字段"
        case .timeout: "请求未在规定时间内到达"
        case .targetTooLong: "请求行过长"
        case .headersTooLarge: "请求头字段过多或过长"
        case .notFound: "未知的路径"
        case .methodNotAllowed: "此路径不允许该方法"
        case .methodUnknown: "未知的方法"
        case .version: "只支持 HTTP/1.1 和 HTTP/1.0"
        case .tooLarge: "正文过大"
        case .encoding: "文本不是有效的 UTF-8"
        case .json: "正文不是有效的 JSON"
        case .duplicateKey: "JSON 对象中有重复的键"
        case .number: "值必须是十进制数"
        case .missing: "缺少必需的内容"
        case .type: "值的 JSON 类型不正确"
        case .id: "标识符只能是不含空格的可打印 ASCII 字符，且不能过长"
        case .value: "值不在允许范围内"
        case .instant: "时刻须按 RFC 3339 书写"
        case .appleIDMalformed: "Apple ID 键的写法为 'atx:' 或 'otx:'、环境、':' 和数字"
        case .unknownMember: "对象中有未知的成员"
        case .unknownParameter: "未知的查询参数"
        case .duplicateParameter: "查询参数重复"
        case .unknownEntitlement: "从未有策略定义过此权益"
        case .nothingFound:
            "没有与此标识符相关的记录；Apple 邮件中的订单号请用 usher app-store order 查询"
        case .otherFeed: "该游标属于另一账本的变更流"
        case .futureChange: "变更流尚未到达该变更"
        case .unknownClaim: "没有这项认领"
        case .ownedByOther: "它已属于另一账号：用 'usher claims transfer' 从一个账号转给另一个"
        case .unknownGrant: "没有这项授予"
        case .unknownBlock: "没有这项停用"
        case .unknownGift: "策略没有定义该权益或点数"
        case .emptyGift: "该授予不会给出任何权益"
        case .tooManyUnits: "一次授予最多 1,000,000,000 个单位"
        case .conflict: "该键已用于其他内容"
        case .tokenTaken: "该令牌已指明另一个账号；若两个账号属于同一人，请合并（merge）"
        case .accountMerged: "该账号已合并到另一个账号"
        case .rulingUnknownUnit: "所认领的购买未知"
        case .rulingNotWaiting: "该认领并未等待人工裁定"
        case .rulingMissingAccount: "转移需要指定账号"
        case .rulingAlreadyOwner: "该账号已拥有它"
        case .rulingUnowned: "它没有所有者"
        case .rulingNothingToUndo: "没有可以撤销的裁定"
        case .rulingNotOwner: "该账号不拥有它"
        case .rulingNotNewest: "仍然有效的最新决定属于另一个认领"
        case .rulingMovedSince: "在那次决定之后它已再次易主"
        case .mergeSameAccount: "账号不能与自身合并"
        case .mergeBlocked: "已停用的账号不能合并"
        case .mergeNothing: "该账号没有可以转入的内容"
        case .mergeUnknown: "没有这次合并"
        case .mergeNothingToUndo: "那次合并已没有可以撤回的内容"
        case .unknownOrder: "没有此标识符的订单"
        case .orderConflict: "此 Idempotency-Key 已用于另一个订单"
        case .orderQuantity: "只有消耗型产品可以一次购买多件，且数量不能超出上限"
        case .orderBlocked: "现在不能购买此产品；原因见 preflight"
        case .orderState: "订单当前状态不允许此操作；可用操作见 legal"
        case .orderDelivered:
            "订单已交付：所购内容用 'usher claims transfer' 转移，人工给予的内容用 'usher orders undo' 收回"
        case .orderTransaction: "没有可归入此订单的付款具有此标识符"
        case .orderTooManyReported: "该账号已有 20 笔上报的交易等待提交：请先提交它们的凭证"
        case .orderHasPayment: "此订单已有付款记录：请用 transaction_id 处理"
        case .orderNothingToGive: "策略没有为此产品定义任何权益"
        case .reconciliationRunning: "已有对账正在运行"
        case .unknownReconciliation: "这不是最近一次对账"
        case .unknownCredit: "没有任何策略定义此点数"
        case .insufficientCredit: "该账号的此项点数不足；余额见 balance"
        case .frozenCredit: "退款冻结了此点数，需由人工解除"
        case .blockedCredit: "此点数已被停用"
        case .creditConflict: "此 Idempotency-Key 已用于其他内容；其摘要见 first"
        case .unknownSpend: "没有这个编号的花费"
        case .unknownHold: "没有这个编号的预留"
        case .holdEnded: "该预留已结束"
        case .holdUntil: "预留的结束时间必须晚于现在，且在 30 天之内"
        case .tooMuchCredit: "剩余的数量不足；数量见 balance"
        case .tooManyReports: "该账号在过去 24 小时内的报告过多"
        case .unknownTicket: "没有这个编号的核实单"
        case .unknownRefund: "没有这个编号的退款询问"
        case .refundAnswered: "该退款询问已经答复"
        case .unknownSubscription: "没有此订阅方，或它没有这项未送达的变更"
        case .appStoreNotConfigured:
            "没有配置对 App Store 的访问，而只有 Apple 能验证此凭证"
        case .tooManyWaiting: "等待 Apple 的凭证过多"
        case .policyRejected: "策略有错误，未做任何更改"
        case .nothingToRollBack: "在此策略之前没有生效过其他策略"
        case .schedulePast: "策略只能排期到现在之后"
        case .scheduleTooFar: "策略只能排期到今后五年之内"
        case .scheduleTooMany: "最多可同时排期 32 个策略"
        case .scheduleInstantTaken: "这一时刻已排有另一个策略"
        case .scheduleUnchanged: "届时生效的本来就是该策略"
        case .scheduleChanged: "将被取代的策略在此期间已改变，请重试"
        case .scheduleUnknown: "没有使用该编号的策略排期"
        case .scheduleEnded: "该策略的排期已经结束"
        case .scheduleLoses: "该策略可能使账号失去权益，且未被接受"
        case .policyWaits: "该策略可能使人失去权益，尚未被接受；未做任何更改"
        case .peer: "此调用方不在允许名单中"
        case .role: "此调用方的角色不允许该操作"
        case .socket: "此调用只在 usher.sock 上提供"
        case .tooMany: "此调用方同时请求过多"
        case .revision: "账本尚未到达该版本"
        case .unsupported: "暂不支持此功能"
        case .overloaded: "服务繁忙，请稍后重试"
        case .unavailable: "目前无法读写账本"
        case .ledgerReplaced: "账本文件已被替换；重新启动之前不会记录任何内容"
        case .diskFull: "账本所在磁盘已满；未写入任何内容"
        case .notLeader: "此节点不写入：由集群中的另一个节点主导，或目前没有主导节点；请稍后重试"
        case .databaseUnreachable: "集群的数据库没有响应；未写入任何内容"
        case .policyUnreadable:
            "另一个节点启用了此版本无法读取的策略；安装与其他节点相同的版本之前，此节点不作任何回答"
        case .outcomeUnknown: "提交期间与集群数据库的连接中断；请重复该请求"
        case .clock: "服务的时钟有误，请稍后重试"
        case .stopping: "服务正在停止"
        case .fault: "内部错误"
        }
    }
}

extension BoundPhrase {
    var chinese: String {
        switch self {
        case .number: "值必须不小于 {0}，不大于 {1}"
        case .elements: "列表最多 {1} 项"
        }
    }
}

extension SocketError {
    package var chinese: String {
        switch self {
        case .folderNotOurs: "“{0}”不是本用户的文件夹"
        case .folderLocked: "“{0}”中已有另一个服务在运行"
        case .pathTaken: "“{0}”不是本用户的套接字"
        case .socketInUse: "另一个程序正在使用“{0}”"
        case .pathTooLong: "套接字路径“{0}”过长"
        case .groupUnknown: "没有名为“{0}”的用户组"
        case .unusable: "无法使用“{0}”：{1}"
        case .system: "系统调用“{0}”失败：{1}"
        }
    }
}

extension LocalClientError {
    package var chinese: String {
        switch self {
        case .notRunning: "“{0}”上没有服务在运行"
        case .notAllowed: "当前用户无权使用“{0}”"
        case .timedOut: "服务未在规定时间内响应"
        case .malformed: "服务的响应格式不正确"
        case .system: "系统调用“{0}”失败：{1}"
        }
    }
}
