package import EntitlementModel
package import StrictJSON

/// The caller's own description of a spend: one line of at most 200 characters.
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

    package static var shapeName: String { "SpendOneRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        SpendOneBody(
            amount: try shape.value("amount", \.amount),
            environment: try shape.optional("environment", \.environment),
            reason: try shape.optional("reason", \.reason),
            reference: try shape.optional("reference", \.reference))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        SpendBody(
            credits: try shape.value("credits", \.credits),
            environment: try shape.optional("environment", \.environment),
            reason: try shape.optional("reason", \.reason),
            reference: try shape.optional("reference", \.reference))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        HoldBody(spend: try shape.part(\.spend), until: try shape.value("until", \.until))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        CreditPartBody(
            credits: try shape.optional("credits", \.credits),
            reason: try shape.optional("reason", \.reason),
            reference: try shape.optional("reference", \.reference))
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

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ThawBody(
            environment: try shape.optional("environment", \.environment),
            reason: try shape.value("reason", \.reason))
    }
}
