/// What is said of what waits for Apple, and of what it asks, in Chinese.
extension EvidenceTicket.Form {
    package var chinese: String {
        switch self {
        case .receipt: "收据"
        case .oldReceipt: "iOS 6 的交易收据"
        case .transaction: "交易 ID"
        case .refresh: "可能已过时的交易"
        case .accountToken: "需要在 Apple 设置的令牌"
        }
    }
}

extension TicketStanding {
    package var chinese: String {
        switch self {
        case .waiting: "等待 Apple"
        case .judged: "已判定"
        case .refused: "已拒收"
        case .givenUp: "已放弃"
        }
    }
}

extension AppStoreTrouble {
    package var chinese: String {
        switch self {
        case .unauthorized: "Apple 不接受我们的密钥、共享密钥或时钟"
        case .notFound: "Apple 没有此 ID"
        case .rateLimited: "Apple 限制了请求频率"
        case .unavailable: "Apple 的服务不可用"
        case .network: "无法连接 Apple 的服务"
        case .badAnswer: "Apple 的应答无法使用"
        case .rejected: "Apple 拒绝了请求"
        case .notConfigured: "没有配置对 App Store 的访问"
        case .superseded: "已由更新的请求取代"
        }
    }
}

extension RefundState {
    package var chinese: String {
        switch self {
        case .open: "待答复"
        case .sent: "已答复 Apple"
        case .refused: "Apple 拒绝了答复"
        case .answered: "已由人工答复"
        case .decided: "Apple 已先作出决定"
        case .superseded: "已有新的提醒"
        case .lapsed: "Apple 不再接受答复"
        }
    }
}

extension RefundDecision {
    package var chinese: String {
        switch self {
        case .refunded: "Apple 已退款"
        case .declined: "Apple 已拒绝退款"
        }
    }
}
