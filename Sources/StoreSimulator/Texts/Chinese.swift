/// What is wrong with a play in Chinese.
extension PlayMistake.Reason {
    package var chinese: String {
        switch self {
        case .notYAML: "这不是 YAML"
        case .notAList: "“{0}”应为一组文本行"
        case .notAMapping: "“{0}”应由键和值组成"
        case .missingKey: "缺少“{0}”"
        case .unknownKey: "未知的键“{0}”"
        case .notAWord: "“{0}”不能为“{1}”"
        case .noInstant: "此行缺少时刻，例如 @10"
        case .badInstant: "“{0}”不是时刻；请写 @10、@10.5、@60+1h 或 @2026-03-01"
        case .earlierThanBefore: "此行早于上一行"
        case .outsidePlay: "演出须在 2008-07-10 与 2099-12-31 之间"
        case .notUnderstood: "此处不应出现“{0}”"
        case .endsEarly: "此行不完整"
        case .needsName: "缺少“as NAME”：购买需要名称"
        case .unknownProduct: "未知的产品“{0}”"
        case .unknownPurchase: "未知的购买“{0}”"
        case .nameTaken: "“{0}”已是另一笔购买的名称"
        case .notASubscription: "“{0}”不是自动续期订阅"
        case .notWaiting: "“{0}”并未等待批准"
        case .badPrice: "“{0}”不是价格；请写 9.99 USD"
        case .noSeats: "“{0}”没有这么多席位"
        case .incompleteSubscription: "“{0}”自动续期，需要“group”和“period”"
        }
    }
}
