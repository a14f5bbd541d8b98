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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReasonRequest {
        ReasonRequest(reason: try visitor.value("reason", \.reason))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> RulingBody {
        RulingBody(
            verb: try visitor.value("verb", \.verb),
            account: try visitor.optional("account", \.account),
            decision: try visitor.optional("decision", \.decision),
            reason: try visitor.value("reason", \.reason))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> GiveBody {
        GiveBody(
            account: try visitor.value("account", \.account),
            environment: try visitor.optional("environment", \.environment),
            reason: try visitor.value("reason", \.reason))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> GrantBody {
        GrantBody(
            account: try visitor.value("account", \.account),
            environment: try visitor.optional("environment", \.environment),
            gift: try visitor.part { StatedGift($0.gift) }.gift,
            from: try visitor.optional("from", \.from),
            until: try visitor.optional("until", \.until),
            reason: try visitor.value("reason", \.reason))
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

    static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> StatedGift {
        let entitlement = try visitor.optional("entitlement", \.gift.entitlement)
        let credit = try visitor.optional("credit", \.gift.credit)
        let units = try visitor.optional("units", \.gift.units)
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> BlockBody {
        let body = BlockBody(
            account: try visitor.value("account", \.account),
            entitlements: try visitor.optional("entitlements", \.entitlements),
            credits: try visitor.optional("credits", \.credits),
            reason: try visitor.value("reason", \.reason))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> TokenBody {
        TokenBody(
            token: try visitor.value("token", \.token),
            account: try visitor.value("account", \.account),
            reason: try visitor.value("reason", \.reason))
    }
}

/// `POST /v1/merges`.
package struct MergeBody: WireObject {
    package var from: AccountID
    package var into: AccountID
    /// What is bought later under the first id is not the second account's.
    package var isUpToNow: Bool?
    package var reason: Reason

    package init(from: AccountID, into: AccountID, isUpToNow: Bool? = nil, reason: Reason) {
        self.isUpToNow = isUpToNow
        self.from = from
        self.into = into
        self.reason = reason
    }

    package static var shapeName: String { "MergeRequest" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> MergeBody {
        MergeBody(
            from: try visitor.value("from", \.from), into: try visitor.value("into", \.into),
            isUpToNow: try visitor.optional("up_to_now", \.isUpToNow),
            reason: try visitor.value("reason", \.reason))
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> ReloadBody {
        ReloadBody(
            reason: try visitor.value("reason", \.reason),
            acceptLoss: try visitor.optional("accept_loss", \.acceptLoss))
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
    /// Whom to ask beside the evidence itself.
    package enum Verification: String, WireWord {
        /// Apple. The payload may then be a transaction id, or a transaction receipt of iOS 6.
        case remote
    }

    package var verify: Verification?

    package init(
        payload: EvidenceText, account: AccountID?, moment: ClaimMoment? = nil,
        order: OrderID? = nil, imported: Bool? = nil, environment: StoreEnvironment? = nil,
        verify: Verification? = nil
    ) {
        self.environment = environment
        self.payload = payload
        self.account = account
        self.moment = moment
        self.order = order
        self.imported = imported
        self.verify = verify
    }

    package static var shapeName: String { "Evidence" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> EvidenceBody {
        EvidenceBody(
            payload: try visitor.value("payload", \.payload),
            account: try visitor.optional("account", \.account),
            moment: try visitor.optional("moment", \.moment),
            order: try visitor.optional("order", \.order),
            imported: try visitor.optional("imported", \.imported),
            environment: try visitor.optional("environment", \.environment),
            verify: try visitor.optional("verify", \.verify))
    }
}

/// `POST /v1/notifications`, as Apple posts it.
package struct NotificationBody: WireObject {
    package var signedPayload: EvidenceText

    package static var shapeName: String { "Notification" }
    package static var isOpen: Bool { true }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> NotificationBody {
        NotificationBody(signedPayload: try visitor.value("signedPayload", \.signedPayload))
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
