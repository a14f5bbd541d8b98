/// What is wrong with a play in Chinese.
extension PlayMistake.Reason {
    package var chinese: String {
        switch self {
        case .noInstant: "此行缺少时刻，例如 @10"
        case .badInstant: "“{0}”不是时刻；请写 @10、@10.5、@60+1h 或 @2026-03-01"
        case .notUnderstood: "此处不应出现“{0}”"
        case .endsEarly: "此行不完整"
        case .unknownProduct: "未知的产品“{0}”"
        case .unknownPurchase: "未知的购买“{0}”"
        case .nameTaken: "“{0}”已是另一笔购买的名称"
        case .notASubscription: "“{0}”不是自动续订订阅"
        case .notWaiting: "“{0}”并未等待批准"
        case .noSeats: "“{0}”没有这么多席位"
        }
    }
}
