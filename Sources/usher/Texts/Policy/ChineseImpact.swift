/// What is said in Chinese of accounts that a policy concerns.
extension ImpactPhrase {
    var chinese: String {
        switch self {
        case .title: "以策略 {0} 取代 {1}：{2} 及其后 {3} 天"
        case .counts: "持有受影响产品的账号：{0}；会失去内容的账号：{1}；会获得内容的账号：{2}"
        case .nobody: "没有人失去或获得任何内容"
        case .loses: "失去 {0}：{1}"
        case .gains: "获得 {0}：{1}"
        case .environment: "{0}（{1}）"
        case .now: "现在：{0}"
        case .from: "自 {0} 起：{1}"
        case .paid: "最近一次付款共 {0}"
        case .examples: "例如 {0}"
        case .noPurchase: "并非来自购买"
        case .searching: "正在查找账号"
        case .deriving: "正在比较账号"
        case .stopped: "尚未比较全部账号即已停止"
        case .resumable: "再次运行该命令，即可从 {0} 继续"
        case .accepted: "{0} 接受最多 {1} 个账号失去内容"
        case .nothingToAccept: "没有人失去任何内容：未写入 {0}"
        case .since: "与正在生效的策略相比：{0}"
        case .lose: "{0} 个账号失去 {1}"
        case .gain: "{0} 个账号获得 {1}"
        case .nobodyLoses: "无人失去"
        case .nobodyGains: "无人获得"
        case .cells: "产品、权益与状态的组合：{0}；相同：{1}；更宽：{2}；更窄：{3}；两者皆有：{4}"
        case .wider: "更宽：{0}"
        case .narrower: "更窄：{0}"
        case .both: "更宽且更窄：{0}"
        case .undecided: "可能更窄（情况过多，未逐一尝试）：{0}"
        case .lostWhen: "失去：{0}"
        case .gainedWhen: "获得：{0}"
        case .usual: "任何普通购买"
        case .otherLosses: "其他可能失去的内容："
        case .nothingNarrower: "没有变窄之处"
        }
    }
}
