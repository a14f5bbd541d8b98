package import EntitlementModel

/// Everything that is wrong with a file, by line.
package struct PlayMistakes: Error, Sendable {
    package let mistakes: [PlayMistake]
}

/// Why a play cannot be played.
package struct PlayMistake: Error, Hashable, Sendable {
    package enum Reason: Error, Hashable, Sendable {
        case noInstant
        case badInstant(String)
        case notUnderstood(String)
        /// The line.
        case endsEarly
        case unknownProduct(String)
        case unknownPurchase(String)
        case nameTaken(String)
        case notASubscription(String)
        case notWaiting(String)
        /// Of a purchase that is not sold by seats, or more of them than there are.
        case noSeats(String)
    }

    /// Of the file, from 1.
    package let line: Int
    package let reason: Reason

    package init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlayMistake.Reason: LocalizedText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .badInstant(let word), .notUnderstood(let word), .unknownProduct(let word),
            .unknownPurchase(let word), .nameTaken(let word), .notASubscription(let word),
            .notWaiting(let word), .noSeats(let word):
            [word]
        case .noInstant, .endsEarly: []
        }
    }
}
