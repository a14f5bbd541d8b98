package import EntitlementModel

/// One question that the derivation and the specification answer differently, or a property
/// that does not hold.
package struct Disagreement: Hashable, Sendable {
    package var question: String
    package var instant: Instant?
    package var derived: String
    package var specified: String

    package init(
        _ question: String, at instant: Instant? = nil, derived: String, specified: String
    ) {
        self.question = question
        self.instant = instant
        self.derived = derived
        self.specified = specified
    }

    /// What kind of question it is: a shrunk history fails in the same one.
    package var topic: String { String(question.prefix { $0 != " " }) }

    /// One line for people.
    package var text: String {
        let at = instant.map { " at \($0.rfc3339)" } ?? ""
        return "\(question)\(at): derived [\(derived)], specified [\(specified)]"
    }
}

extension OwnedUnit {
    /// `production/17` for a lineage, `production:17` for a purchase.
    package var text: String {
        switch self {
        case .lineage(let key): "\(key.environment.rawValue)/\(key.originalTransactionID)"
        case .purchase(let key): "\(key.environment.rawValue):\(key.transactionID)"
        }
    }
}
