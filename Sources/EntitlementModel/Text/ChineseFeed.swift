/// What the change feed says in Chinese.
extension FeedChange.Kind {
    package var chinese: String {
        switch self {
        case .rightGained: "获得权益"
        case .rightLost: "失去权益"
        case .rightMoved: "权益期限变更"
        case .rightState: "状态变更"
        case .ownerChanged: "归属变更"
        case .balanceChanged: "余额变更"
        case .findingOpened: "发现问题"
        case .findingClosed: "问题消除"
        case .orderChanged: "订单状态变更"
        case .policyActivated: "策略生效"
        }
    }
}
