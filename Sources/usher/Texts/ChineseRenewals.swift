/// How subscriptions go on, in Chinese.
extension RenewalPhrase {
    var chinese: String {
        switch self {
        case .renewsAt: "{0} 续订"
        case .renewsAs: "{0} 续订为 {1}"
        case .unknown: "Apple 尚未说明是否续订"
        case .price: "价格 {0}"
        case .paidLast: "上次支付 {0}"
        case .offer: "优惠：{0}"
        }
    }
}

extension OfferPhrase {
    var chinese: String {
        switch self {
        case .introductory: "推介促销"
        case .promotional: "促销优惠"
        case .freeTrial: "免费试用"
        case .offerCode: "优惠代码"
        case .winBack: "赢回优惠"
        case .retention: "挽留优惠"
        case .other: "其他优惠"
        }
    }
}
