internal import EntitlementModel
internal import StrictJSON

/// Reads members of a payload whose types have been checked, so that nil means "not stated".
struct PayloadReader {
    let document: JSONDocument
    private(set) var object = JSONOffset.root

    /// The same for the object in a member; nil if there is none.
    func inside(_ key: StaticString) -> PayloadReader? {
        document.stated(key, of: object).map { PayloadReader(document: document, object: $0) }
    }

    func string(_ key: StaticString) -> String? {
        document.stated(key, of: object).flatMap(document.string)
    }

    func integer(_ key: StaticString) -> Int64? {
        document.stated(key, of: object).flatMap(document.int64)
    }

    func bool(_ key: StaticString) -> Bool? {
        document.stated(key, of: object).flatMap(document.bool)
    }

    /// Fractions of a millisecond, which only Xcode writes, are floored.
    func date(_ key: StaticString) -> Instant? {
        document.stated(key, of: object).flatMap(document.flooredInt64)
            .map(Instant.init(milliseconds:))
    }

    /// An ID of the given alphabet; nil if there is none or it is empty. A value that is not an ID
    /// is a fault, never nil.
    func id<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID? {
        guard let text = string(key), !text.isEmpty else { return nil }
        guard let id = ID(text) else {
            throw PayloadFault(.payloadID, "\(key)", .found(text.shown(atMost: 40)))
        }
        return id
    }

    func requiredID<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID {
        guard let text = string(key) else { throw PayloadFault(.payloadMissing, "\(key)") }
        guard let id = ID(text) else {
            throw PayloadFault(.payloadID, "\(key)", .found(text.shown(atMost: 40)))
        }
        return id
    }

    func requiredDate(_ key: StaticString) throws(PayloadFault) -> Instant {
        guard let date = date(key) else { throw PayloadFault(.payloadMissing, "\(key)") }
        return date
    }

    /// A known word, or Apple's text.
    func stated<Known: RawRepresentable<String>>(
        _ key: StaticString, as type: Known.Type = Known.self
    ) -> Stated<Known>? {
        string(key).map { text in Known(rawValue: text).map(Stated.known) ?? .unknown(text) }
    }

    /// Empty and malformed tokens are as good as none: the app wrote them, not Apple.
    var appAccountToken: AppAccountToken? {
        string("appAccountToken").flatMap { AppAccountToken($0) }
    }

    var offer: Offer? {
        integer("offerType").map { type in
            Offer(
                type: type, identifier: string("offerIdentifier"),
                discountType: string("offerDiscountType"), period: string("offerPeriod"))
        }
    }

    func price(_ key: StaticString) -> Price? {
        integer(key).map { Price(milliunits: $0, currency: string("currency")) }
    }

    /// A JWS as the source of a snapshot.
    var source: EvidenceSource {
        EvidenceSource(
            form: .jws, trust: .signed, canonicalDigest: sha256(document.canonical()))
    }
}

/// The kind of a payload, by members that only this kind has. One chain signs all kinds, so a
/// renewal info taken for a transaction would pass every other check.
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
    /// The value of the member of that name; nil if there is none or it is null, which means the
    /// same (spec 4.0).
    func stated(_ member: StaticString, of object: JSONOffset) -> JSONOffset? {
        self.member(member, of: object).flatMap { isNull(at: $0) ? nil : $0 }
    }

    func statedText(_ member: StaticString, of object: JSONOffset) -> StatedText {
        guard let place = stated(member, of: object) else { return .missing }
        return string(at: place).map(StatedText.text) ?? .noText
    }
}
