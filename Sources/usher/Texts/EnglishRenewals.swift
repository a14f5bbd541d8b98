/// How subscriptions go on, in English.
extension RenewalPhrase {
    var english: String {
        switch self {
        case .renewsAt: "renews {0}"
        case .renewsAs: "renews {0} as {1}"
        case .unknown: "Apple has not said whether it renews"
        case .price: "for {0}"
        case .paidLast: "last paid {0}"
        case .offer: "offer: {0}"
        }
    }
}

extension OfferPhrase {
    var english: String {
        switch self {
        case .introductory: "introductory offer"
        case .promotional: "promotional offer"
        case .freeTrial: "free trial"
        case .offerCode: "offer code"
        case .winBack: "win-back offer"
        case .retention: "retention offer"
        case .other: "an offer"
        }
    }
}
