/// What the sockets and their client say in Chinese.
extension ProblemCode {
    package var chinese: String {
        switch self {
        case .malformed: "请求不是合规的 HTTP/1.1"
        case .host: "请求必须恰好有一个 Host 字段"
        case .transferEncoding: "此处不接受该传输编码"
        case .upgrade: "此套接字只支持 HTTP/1.1"
        case .contentLength: "Content-Length 必须是一个十进制数"
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
        case .nothingFound: "没有与此标识符相关的记录"
        case .unknownClaim: "没有这项认领"
        case .unknownGrant: "没有这项授予"
        case .unknownBlock: "没有这项停用"
        case .unknownGift: "策略没有定义该权益或点数"
        case .emptyGift: "该授予不会给出任何权益"
        case .tooManyUnits: "一次授予最多 1,000,000,000 个单位"
        case .conflict: "该键已用于其他内容"
        case .rulingUnknownUnit: "所认领的购买未知"
        case .rulingNotWaiting: "该认领并未等待人工裁定"
        case .rulingMissingAccount: "转移需要指定账号"
        case .rulingAlreadyOwner: "该账号已拥有它"
        case .rulingUnowned: "它没有所有者"
        case .rulingNothingToUndo: "没有可以撤销的裁定"
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
        case .orderTransaction: "没有可归入此订单的付款具有此标识符"
        case .orderHasPayment: "此订单已有付款记录：请用 transaction_id 处理"
        case .orderNothingToGive: "策略没有为此产品定义任何权益"
        case .reconciliationRunning: "已有对账正在运行"
        case .unknownReconciliation: "这不是最近一次对账"
        case .tooManyReports: "该账号在过去 24 小时内的报告过多"
        case .unknownTicket: "没有这个编号的工单"
        case .appStoreNotConfigured:
            "没有配置对 App Store 的访问，而只有 Apple 能验证此凭证"
        case .tooManyWaiting: "等待 Apple 的凭证过多"
        case .policyRejected: "策略有错误，未做任何更改"
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
        case .clock: "服务的时钟有误，请稍后重试"
        case .stopping: "服务正在停止"
        case .fault: "内部错误"
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
        case .system: "系统调用“{0}”失败，错误码 {1}"
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
        case .system: "系统调用“{0}”失败，错误码 {1}"
        }
    }
}
