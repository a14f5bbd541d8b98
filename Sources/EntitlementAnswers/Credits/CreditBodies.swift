package import EntitlementModel
package import StrictJSON

/// What a caller spends credits on, in its own words: one line of at most 200 characters.
package struct CreditReference: WireText, Hashable {
    package let text: String

    package init?(_ text: String) {
        guard let reason = Reason(text), reason.text.unicodeScalars.count <= 200 else { return nil }
        self.text = text
    }

    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let reference = CreditReference(wireText) else { throw ShapeError(.value) }
        self = reference
    }

    package static var textSchema: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": 200]
    }

    package static var sample: CreditReference {
        guard let reference = CreditReference("game 17") else {
            preconditionFailure("a line of text")
        }
        return reference
    }
}

/// `POST /v1/accounts/{account}/credits/{credit}/spend`.
package struct SpendOneBody: WireObject {
    package var amount: Int64
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    package var reason: Reason?
    package var reference: CreditReference?

    package init(
        amount: Int64, environment: StoreEnvironment? = nil, reason: Reason? = nil,
        reference: CreditReference? = nil
    ) {
        self.amount = amount
        self.environment = environment
        self.reason = reason
        self.reference = reference
    }

    package static var shapeName: String { "SpendOneRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> SpendOneBody {
        SpendOneBody(
            amount: try visitor.value("amount", \.amount),
            environment: try visitor.optional("environment", \.environment),
            reason: try visitor.optional("reason", \.reason),
            reference: try visitor.optional("reference", \.reference))
    }
}

/// `POST /v1/accounts/{account}/spend`: all of them or none.
package struct SpendBody: WireObject {
    package var credits: [CreditAmount]
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    package var reason: Reason?
    package var reference: CreditReference?

    package init(
        credits: [CreditAmount], environment: StoreEnvironment? = nil, reason: Reason? = nil,
        reference: CreditReference? = nil
    ) {
        self.credits = credits
        self.environment = environment
        self.reason = reason
        self.reference = reference
    }

    package static var shapeName: String { "SpendRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> SpendBody {
        SpendBody(
            credits: try visitor.value("credits", \.credits),
            environment: try visitor.optional("environment", \.environment),
            reason: try visitor.optional("reason", \.reason),
            reference: try visitor.optional("reference", \.reference))
    }
}

/// `POST /v1/accounts/{account}/holds`: all of them or none, until then.
package struct HoldBody: WireObject {
    package var spend: SpendBody
    package var until: Instant

    package init(spend: SpendBody, until: Instant) {
        self.spend = spend
        self.until = until
    }

    package static var shapeName: String { "HoldRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> HoldBody {
        HoldBody(
            spend: try visitor.part(\.spend), until: try visitor.value("until", \.until))
    }
}

/// `POST /v1/holds/{hold}/capture` and `POST /v1/spends/{spend}/reverse`: all that is left, or so
/// much of it.
package struct CreditPartBody: WireObject {
    package var credits: [CreditAmount]?
    package var reason: Reason?
    package var reference: CreditReference?

    package init(
        credits: [CreditAmount]? = nil, reason: Reason? = nil, reference: CreditReference? = nil
    ) {
        self.credits = credits
        self.reason = reason
        self.reference = reference
    }

    package static var shapeName: String { "CreditPartRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> CreditPartBody {
        CreditPartBody(
            credits: try visitor.optional("credits", \.credits),
            reason: try visitor.optional("reason", \.reason),
            reference: try visitor.optional("reference", \.reference))
    }
}

/// `POST /v1/accounts/{account}/credits/{credit}/thaw`.
package struct ThawBody: WireObject {
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    package var reason: Reason

    package init(environment: StoreEnvironment? = nil, reason: Reason) {
        self.environment = environment
        self.reason = reason
    }

    package static var shapeName: String { "ThawRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ThawBody {
        ThawBody(
            environment: try visitor.optional("environment", \.environment),
            reason: try visitor.value("reason", \.reason))
    }
}
