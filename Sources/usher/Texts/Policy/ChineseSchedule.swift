/// What is said in Chinese of scheduled policies.
extension SchedulePhrase {
    var chinese: String {
        switch self {
        case .title: "已排期的策略"
        case .scheduled: "策略 {0} 已排期于 {1}，编号 {2}；撤回：{3}"
        case .unscheduled: "策略 {0} 不会在 {1} 生效：排期 {2} 已撤回"
        case .whoLoses: "谁会失去什么：“usher policy diff {0} --live”；未排期"
        case .whoLosesThen:
            "届时生效的将是此前已排期的策略 {1}；谁会失去什么（用它的文件夹替换 OLD）："
                + "“usher policy diff OLD {0} --live”；未排期"
        case .losingBeside: "；相比策略 {1}，失去权益的账号数：{0}"
        case .nothing: "没有已排期的策略"
        case .earlier: "此前的排期："
        case .due: "{0}：策略 {2} 将于 {1} 生效"
        case .by: "由 {0} 排期：{1}"
        case .losses: "可能使人失去权益（共 {0} 处）"
        case .noLosses: "没有人失去任何内容"
        case .losing: "会失去内容的账号：{0}"
        case .accepted: "若取代 {1}，最多接受 {0} 个账号失去内容"
        case .would: "届时会生效"
        case .wouldNot: "届时会被拒绝：{0}"
        case .next: "{0} 个；下一个是 {1}，于 {2}"
        case .applied: "{0}：策略 {1}（排期 {2}）已于 {3} 生效"
        case .takenBack: "{0}：策略 {1}（排期 {2}）已于 {3} 撤回：{4}"
        case .refused: "{0}：策略 {1}（排期 {2}）于 {3} 被拒绝：{4}"
        case .alreadyInForce: "{0}：策略 {1}（排期 {2}）在 {3} 时已经生效"
        case .errors: "策略有错误"
        case .notAccepted: "它可能使人失去权益，且未被接受"
        case .tooManyLosing: "失去内容的账号多于所接受的数量"
        case .otherBase: "所接受的损失针对的是另一个策略"
        case .rolledBack: "它已被“usher policy rollback”撤回"
        case .erased: "其文本已被清除"
        case .superseded: "已排期的策略取代了它"
        }
    }
}
