/// What is said of subscriptions and of pushed changes in Chinese.
extension SubscriptionPhrase {
    var chinese: String {
        switch self {
        case .tooMany: "“subscriptions”：最多 {0} 项"
        case .name: "“subscriptions”：“{0}”不是名称；请写 1 到 32 个小写字母、数字和连字符"
        case .notMapping: "“subscriptions”：“{0}”应由键和值组成"
        case .unknownKey:
            "“subscriptions”：“{0}”含有未知的键“{1}”；可用的键为 url、secret-file、secret-env、accounts、"
                + "kinds、entitlements、from"
        case .missing: "“subscriptions”：“{0}”需要一个“{1}”"
        case .url:
            "“subscriptions”：“{0}”不能发送到“{1}”；请写 http://127.0.0.1:PORT/PATH、"
                + "http://[::1]:PORT/PATH 或 /path/of/a.sock:/PATH"
        case .unreadable: "“subscriptions”：“{0}”：无法读取文件 {1}，或它不是不超过 64 KiB 的文件"
        case .exposed: "“subscriptions”：“{0}”：其他用户可以读取文件 {1}；请对它执行“chmod 600”"
        case .variable: "“subscriptions”：“{0}”：环境中没有变量 {1}"
        case .secret: "“subscriptions”：“{0}”：密钥必须是 whsec_ 加上 24 到 64 字节的 base64"
        case .value: "“subscriptions”：“{0}”：“{1}”的写法无效；参见 docs/PUSH.md"
        }
    }
}

extension PushPhrase {
    var chinese: String {
        switch self {
        case .none: "没有订阅方"
        case .title: "{0}：{1}"
        case .receiver: "发送到 {0}"
        case .cursor: "已送达至变更 {0}"
        case .trouble: "{0}，自 {1}"
        case .status: "{0}（HTTP {1}）"
        case .next: "下次尝试 {0}"
        case .undelivered: "{0} 项变更未送达"
        case .change: "变更 {0}：{1}，{2} 次尝试，自 {3}"
        case .again: "正在重新发送"
        case .more: "更多：usher changes undelivered --skip {0}"
        case .unknown: "没有任何策略定义过 {0}：与之有关的变更不会发送"
        case .waiting: "{0} 项变更待发送"
        case .discarded: "{0} 项变更不再发送到 {1}"
        case .wasDiscarded: "{0}：{1} 项变更于 {2} 由 {3} 放弃发送：{4}"
        case .resent: "{0} 项变更将重新发送到 {1}"
        }
    }
}

extension PushStatePhrase {
    var chinese: String {
        switch self {
        case .idle: "全部已送达"
        case .delivering: "正在发送"
        case .failing: "失败"
        case .gone: "接收方不再接收"
        case .full: "等待：未送达的过多"
        case .elsewhere: "由另一节点发送"
        }
    }
}

extension PushTroublePhrase {
    var chinese: String {
        switch self {
        case .rejected: "接收方不接受此变更"
        case .failed: "接收方出错"
        case .busy: "接收方要求稍后再试"
        case .gone: "接收方不再接收"
        case .unreachable: "无人监听"
        }
    }
}
