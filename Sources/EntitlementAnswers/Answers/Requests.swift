package import EntitlementModel
package import StrictJSON

/// Why a person does something: one line of at most 500 characters.
package struct Reason: WireText, Hashable {
    package let text: String

    /// As a caller writes it: the service checks it.
    package init(unchecked text: String) {
        self.text = text
    }

    package init?(_ text: String) {
        // Counted as JSON Schema counts: what a person takes for one character may be any number.
        let scalars = text.unicodeScalars
        guard scalars.allSatisfy({ $0.properties.generalCategory != .control }),
            scalars.count <= 500, !text.allSatisfy(\.isWhitespace)
        else { return nil }
        self.text = text
    }

    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let reason = Reason(wireText) else { throw ShapeError(.value) }
        self = reason
    }

    package static var textSchema: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": 500]
    }

    package static var sample: Reason {
        guard let reason = Reason("asked for") else { preconditionFailure("a line of text") }
        return reason
    }
}

/// What every call that ends or repeats something carries.
package struct ReasonRequest: WireObject {
    package var reason: Reason

    package init(reason: Reason) {
        self.reason = reason
    }

    package static var shapeName: String { "Reason" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReasonRequest(reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/claims/{claim}/ruling`.
package struct RulingBody: WireObject {
    package var verb: Ruling.Verb
    package var account: AccountID?
    package var decision: LedgerSequence?
    package var reason: Reason

    package init(
        verb: Ruling.Verb, account: AccountID? = nil, decision: LedgerSequence? = nil,
        reason: Reason
    ) {
        self.verb = verb
        self.account = account
        self.decision = decision
        self.reason = reason
    }

    package static var shapeName: String { "RulingRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RulingBody(
            verb: try shape.value("verb", \.verb),
            account: try shape.optional("account", \.account),
            decision: try shape.optional("decision", \.decision),
            reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/transactions/{transaction}/give`.
package struct GiveBody: WireObject {
    package var account: AccountID
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    package var reason: Reason

    package init(account: AccountID, environment: StoreEnvironment?, reason: Reason) {
        self.account = account
        self.environment = environment
        self.reason = reason
    }

    package static var shapeName: String { "GiveRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        GiveBody(
            account: try shape.value("account", \.account),
            environment: try shape.optional("environment", \.environment),
            reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/grants`.
package struct GrantBody: WireObject {
    package var account: AccountID
    /// `production` if omitted.
    package var environment: StoreEnvironment?
    package var gift: GrantedGift
    package var from: Instant?
    package var until: Instant?
    package var reason: Reason

    package init(
        account: AccountID, environment: StoreEnvironment?, gift: GrantedGift, from: Instant?,
        until: Instant?, reason: Reason
    ) {
        self.account = account
        self.environment = environment
        self.gift = gift
        self.from = from
        self.until = until
        self.reason = reason
    }

    package static var shapeName: String { "GrantRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        GrantBody(
            account: try shape.value("account", \.account),
            environment: try shape.optional("environment", \.environment),
            gift: try shape.part { StatedGift($0.gift) }.gift,
            from: try shape.optional("from", \.from),
            until: try shape.optional("until", \.until),
            reason: try shape.value("reason", \.reason))
    }
}

/// A gift as a caller states it: what does not belong together is an error.
private struct StatedGift: WireObject {
    let gift: GrantedGift

    init(_ gift: GrantedGift) {
        self.gift = gift
    }

    static var shapeName: String { "StatedGift" }
    static var sample: StatedGift { StatedGift(.entitlement(.sample)) }

    static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let entitlement = try shape.optional("entitlement", \.gift.entitlement)
        let credit = try shape.optional("credit", \.gift.credit)
        let units = try shape.optional("units", \.gift.units)
        switch (entitlement, credit, units) {
        case (let entitlement?, nil, nil): return StatedGift(.entitlement(entitlement))
        case (nil, let credit?, let units?): return StatedGift(.credit(credit, units: units))
        case (_?, _?, _): throw ShapeError(.value, member: "credit")
        case (_, nil, _?): throw ShapeError(.value, member: "units")
        case (nil, _?, nil): throw ShapeError(.missing, member: "units")
        case (nil, nil, nil): throw ShapeError(.missing, member: "entitlement")
        }
    }
}

/// `POST /v1/blocks`.
package struct BlockBody: WireObject {
    package var account: AccountID
    /// Everything if both are omitted.
    package var entitlements: [EntitlementName]?
    package var credits: [CreditName]?
    package var reason: Reason

    package init(
        account: AccountID, entitlements: [EntitlementName]? = nil,
        credits: [CreditName]? = nil, reason: Reason
    ) {
        self.account = account
        self.entitlements = entitlements
        self.credits = credits
        self.reason = reason
    }

    package var scope: BlockScope {
        BlockScope(entitlements: entitlements ?? [], credits: credits ?? [])
    }

    package static var shapeName: String { "BlockRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let body = BlockBody(
            account: try shape.value("account", \.account),
            entitlements: try shape.optional("entitlements", \.entitlements),
            credits: try shape.optional("credits", \.credits),
            reason: try shape.value("reason", \.reason))
        // An empty list is no way to say everything.
        if body.entitlements?.isEmpty == true { throw ShapeError(.value, member: "entitlements") }
        if body.credits?.isEmpty == true { throw ShapeError(.value, member: "credits") }
        return body
    }
}

/// `POST /v1/account-tokens`.
package struct TokenBody: WireObject {
    package var token: AppAccountToken
    package var account: AccountID
    package var reason: Reason

    package static var shapeName: String { "TokenRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        TokenBody(
            token: try shape.value("token", \.token),
            account: try shape.value("account", \.account),
            reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/merges`.
package struct MergeBody: WireObject {
    package var from: AccountID
    package var into: AccountID
    /// Later purchases under the first ID do not belong to the second account.
    package var isUpToNow: Bool?
    package var reason: Reason

    package init(from: AccountID, into: AccountID, isUpToNow: Bool? = nil, reason: Reason) {
        self.isUpToNow = isUpToNow
        self.from = from
        self.into = into
        self.reason = reason
    }

    package static var shapeName: String { "MergeRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        MergeBody(
            from: try shape.value("from", \.from), into: try shape.value("into", \.into),
            isUpToNow: try shape.optional("up_to_now", \.isUpToNow),
            reason: try shape.value("reason", \.reason))
    }
}

/// `POST /v1/policy/reload`.
package struct ReloadBody: WireObject {
    package var reason: Reason
    /// How many accounts may lose something; nil to accept no loss.
    package var acceptLoss: Int64?

    package init(reason: Reason, acceptLoss: Int64?) {
        self.reason = reason
        self.acceptLoss = acceptLoss
    }

    package static var shapeName: String { "ReloadRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReloadBody(
            reason: try shape.value("reason", \.reason),
            acceptLoss: try shape.optional("accept_loss", \.acceptLoss))
    }
}

/// One piece of `POST /v1/evidence`.
package struct EvidenceBody: WireObject {
    /// A JWS, the base64 of a receipt, or with `imported` the JSON of an answer of verifyReceipt.
    package var payload: EvidenceText
    package var account: AccountID?
    package var moment: ClaimMoment?
    package var order: OrderID?
    /// The payload is a stored answer of verifyReceipt, imported by an administrator.
    package var imported: Bool?
    /// Of an imported answer that says none, such as those of iOS 6.
    package var environment: StoreEnvironment?
    /// Who verifies it besides the evidence itself.
    package enum Verification: String, WireWord {
        /// Apple. The payload may then be a transaction id, or a transaction receipt of iOS 6.
        case remote
    }

    package var verify: Verification?

    package static var shapeName: String { "Evidence" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        EvidenceBody(
            payload: try shape.value("payload", \.payload),
            account: try shape.optional("account", \.account),
            moment: try shape.optional("moment", \.moment),
            order: try shape.optional("order", \.order),
            imported: try shape.optional("imported", \.imported),
            environment: try shape.optional("environment", \.environment),
            verify: try shape.optional("verify", \.verify))
    }
}

/// `POST /v1/notifications`, as Apple posts it.
package struct NotificationBody: WireObject {
    package var signedPayload: EvidenceText

    package static var shapeName: String { "Notification" }
    package static var isOpen: Bool { true }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        NotificationBody(signedPayload: try shape.value("signedPayload", \.signedPayload))
    }
}

/// What Apple signed, as text (spec 3.1).
package struct EvidenceText: WireText {
    package var wireText: String

    package init(wireText: String) {
        self.wireText = wireText
    }

    package static var textSchema: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": 2_097_152]
    }

    package static var sample: EvidenceText { EvidenceText(wireText: "") }
}
