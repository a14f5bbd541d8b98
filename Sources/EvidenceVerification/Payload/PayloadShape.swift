internal import EntitlementModel
internal import StrictJSON

/// What a payload is, by the members that only its kind has. One chain signs all kinds, so a
/// renewal info that is taken for a transaction would pass every other check.
enum PayloadShape {
    private static let tells: [(member: StaticString, kind: EvidenceKind)] = [
        ("notificationType", .notification), ("receiptType", .appTransaction),
        ("autoRenewStatus", .renewalInfo), ("autoRenewProductId", .renewalInfo),
        ("transactionId", .transaction),
    ]

    /// Nil for a kind that is no evidence of a purchase.
    static func kind(of payload: JSONDocument) -> EvidenceKind? {
        tells.first { payload.stated($0.member, of: .root) != nil }?.kind
    }

    /// A label for a payload that could not be read, by the text of its members.
    static func likelyKind(ofUnreadable payload: [UInt8]) -> EvidenceKind {
        let text = String(decoding: payload, as: UTF8.self)
        return tells.first { text.contains("\"\($0.member)\"") }?.kind ?? .transaction
    }

    /// The object that says which app and environment a payload is about: itself, or one member
    /// of a notification.
    static func subject(of payload: JSONDocument) -> JSONOffset {
        guard payload.stated("notificationType", of: .root) != nil else { return .root }
        for name in subjects {
            if let subject = payload.member(name, of: .root), payload.isObject(at: subject) {
                return subject
            }
        }
        let other = payload.members(of: .root).first { member in
            payload.stated("bundleId", of: member.value) != nil
        }
        return other?.value ?? .root
    }

    private static let subjects: [StaticString] = [
        "data", "summary", "appData", "externalPurchaseToken",
    ]

    /// Apple's spelling of the environment, wherever the kind keeps it; nil where it is not
    /// stated.
    static func environmentName(of payload: JSONDocument) -> String? {
        guard case .text(let name) = environment(of: payload) else { return nil }
        return name
    }

    static func environment(of payload: JSONDocument) -> StatedText {
        let subject = subject(of: payload)
        if case .text(let purchase) = payload.statedText("externalPurchaseId", of: subject) {
            return .text(purchase.hasPrefix("SANDBOX") ? "Sandbox" : "Production")
        }
        let environment = payload.statedText("environment", of: subject)
        if case .missing = environment { return payload.statedText("receiptType", of: subject) }
        return environment
    }
}

/// What evidence says in a member that must be text.
enum StatedText {
    case missing
    /// Something of another JSON type than documented.
    case noText
    case text(String)

    init(_ text: String?) {
        self = text.map(Self.text) ?? .missing
    }
}

extension JSONDocument {
    /// The value of the member of that name; nil if there is none, or if it is null, which says
    /// the same (spec 4.0).
    func stated(_ member: StaticString, of object: JSONOffset) -> JSONOffset? {
        self.member(member, of: object).flatMap { isNull(at: $0) ? nil : $0 }
    }

    func statedText(_ member: StaticString, of object: JSONOffset) -> StatedText {
        guard let place = stated(member, of: object) else { return .missing }
        return string(at: place).map(StatedText.text) ?? .noText
    }
}
