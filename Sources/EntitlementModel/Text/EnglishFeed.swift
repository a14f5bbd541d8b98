/// What the change feed says in English.
extension FeedChange.Kind {
    package var english: String {
        switch self {
        case .rightGained: "right gained"
        case .rightLost: "right lost"
        case .rightMoved: "right moved"
        case .rightState: "state changed"
        case .ownerChanged: "owner changed"
        case .balanceChanged: "balance changed"
        case .findingOpened: "finding opened"
        case .findingClosed: "finding closed"
        case .orderChanged: "order changed"
        case .policyActivated: "policy activated"
        }
    }
}
