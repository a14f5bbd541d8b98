/// What is wrong with a play in English.
extension PlayMistake.Reason {
    package var english: String {
        switch self {
        case .notYAML: "this is not YAML"
        case .notAList: "'{0}' must be a list of lines"
        case .notAMapping: "'{0}' must have keys and values"
        case .missingKey: "'{0}' is missing"
        case .unknownKey: "unknown key '{0}'"
        case .notAWord: "'{0}' cannot be '{1}'"
        case .noInstant: "the line needs an instant such as @10"
        case .badInstant: "'{0}' is not an instant; write @10, @10.5, @60+1h or @2026-03-01"
        case .earlierThanBefore: "the line is earlier than the one before it"
        case .outsidePlay: "a play must lie between 2008-07-10 and 2099-12-31"
        case .notUnderstood: "unexpected '{0}'"
        case .endsEarly: "the line ends too early"
        case .needsName: "'as NAME' is missing: a purchase needs a name"
        case .unknownProduct: "unknown product '{0}'"
        case .unknownPurchase: "unknown purchase '{0}'"
        case .nameTaken: "another purchase is already called '{0}'"
        case .notASubscription: "'{0}' is not an auto-renewable subscription"
        case .notWaiting: "'{0}' is not waiting for approval"
        case .badPrice: "'{0}' is not a price; write 9.99 USD"
        case .noSeats: "'{0}' does not have so many seats"
        case .incompleteSubscription: "'{0}' is auto-renewable and needs a 'group' and a 'period'"
        }
    }
}
