package import EntitlementModel

/// Why a play cannot be played.
package struct PlayMistake: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case notYAML
        case notAList(String)
        case notAMapping(String)
        case missingKey(String)
        case unknownKey(String)
        case notAWord(key: String, value: String)
        case noInstant
        case badInstant(String)
        case earlierThanBefore
        case outsidePlay
        case notUnderstood(String)
        case unknownProduct(String)
        case unknownPurchase(String)
        case nameTaken(String)
        case notASubscription(String)
        case notWaiting(String)
        case incompleteSubscription(String)
    }

    /// Of the file, from 1.
    package let line: Int
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlayMistake.Reason: LocalizedText {
    package func facts(in language: Language) -> [String] {
        switch self {
        case .notAWord(let key, let value): [key, value]
        case .notAList(let word), .notAMapping(let word), .missingKey(let word),
            .unknownKey(let word), .badInstant(let word), .notUnderstood(let word),
            .unknownProduct(let word), .unknownPurchase(let word), .nameTaken(let word),
            .notASubscription(let word), .notWaiting(let word), .incompleteSubscription(let word):
            [word]
        case .notYAML, .noInstant, .earlierThanBefore, .outsidePlay: []
        }
    }
}
