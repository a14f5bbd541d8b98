/// What is wrong with a play in English.
extension PlayMistake.Reason {
    package var english: String {
        switch self {
        case .noInstant: "the line needs an instant such as @10"
        case .badInstant: "'{0}' is not an instant; write @10, @10.5, @60+1h or @2026-03-01"
        case .notUnderstood: "unexpected '{0}'"
        case .endsEarly: "the line ends too early"
        case .unknownProduct: "unknown product '{0}'"
        case .unknownPurchase: "unknown purchase '{0}'"
        case .nameTaken: "another purchase is already called '{0}'"
        case .notASubscription: "'{0}' is not an auto-renewable subscription"
        case .notWaiting: "'{0}' is not waiting for approval"
        case .noSeats: "'{0}' does not have so many seats"
        }
    }
}
