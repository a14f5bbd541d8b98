/// What is said of stories in Chinese.
extension StoryPhrase {
    package var chinese: String {
        switch self {
        case .decidedBy: "由规则“{0}”决定（{1}）"
        case .unitIs: "{0} 处于 {1}，已付至 {2}"
        case .ownedByAnother: "它属于另一个账号"
        case .nothingGivesIt: "该账号没有任何购买提供此权益"
        case .changesAt: "答复将于 {0} 改变"
        case .notPlayed: "未能执行：{0}：{1}"
        case .summary: "用例：{0}；期望：{1}；失败：{2}"
        case .coverage: "覆盖率：{0}%（{2} 个规则与状态中的 {1} 个）"
        case .unusedRule: "没有用例由 {0} 规则“{1}”决定（{2}）"
        case .unseenCell: "没有用例包含处于 {1} 状态的 {0} 购买"
        case .belowCoverage: "覆盖率低于 {0}%"
        case .inStore: "在 App Store 中："
        case .outsideStore: "在服务中："
        case .expectations: "期望："
        case .builtIn: "内置"
        case .nothingMatches: "没有与“{0}”匹配的用例"
        }
    }
}
