internal import EntitlementModel

/// What is said about credits in Chinese.
extension CreditPhrase {
    var chinese: String {
        switch self {
        case .held: "已预留 {0}"
        case .frozen: "因退款冻结"
        case .opening: "期初余额"
        case .closing: "期末余额"
        case .entry: "条目 {0}"
        case .spent: "已花费 {1} 的 {0}（花费 {2}）。余额：{3}。撤销：{4}"
        case .heldUntil: "已预留 {1} 的 {0}，至 {2}（预留 {3}）。余额：{4}。"
        case .captured: "已从预留中花费 {1} 的 {0}（花费 {2}）。余额：{3}。"
        case .released: "已释放 {1} 的 {0}。余额：{2}。"
        case .reversed: "已退还 {0} 给 {1}。余额：{2}。"
        case .lifted: "{1} 的点数 {0} 可以再次花费。"
        case .nothingToLift: "没有退款冻结 {1} 的点数 {0}。"
        }
    }
}
