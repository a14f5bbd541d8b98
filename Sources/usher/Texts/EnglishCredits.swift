internal import EntitlementModel

/// What is said about credits in English.
extension CreditPhrase {
    var english: String {
        switch self {
        case .held: "{0} held"
        case .frozen: "frozen by a refund"
        case .opening: "opening balance"
        case .closing: "closing balance"
        case .entry: "entry {0}"
        case .spent: "Spent {0} of {1} (spend {2}). Balance: {3}. To reverse it: {4}"
        case .heldUntil: "Held {0} of {1} until {2} (hold {3}). Balance: {4}."
        case .captured: "Captured {0} of {1} (spend {2}). Balance: {3}."
        case .released: "Released {0} of {1}. Balance: {2}."
        case .reversed: "Gave {0} back to {1}. Balance: {2}."
        case .lifted: "Credit {0} of {1} can be spent again."
        case .nothingToLift: "No refund freezes credit {0} of {1}."
        }
    }
}
