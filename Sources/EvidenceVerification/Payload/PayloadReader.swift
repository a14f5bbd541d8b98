internal import EntitlementModel
internal import StrictJSON

/// Reads members of a payload whose types have been checked, so that nil means "not stated".
struct PayloadReader {
    let document: JSONDocument
    private(set) var object = JSONOffset.root

    /// The same of the object in a member; nil if there is none.
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

    /// An id of the given alphabet; nil where there is none or it is empty. What is there but is no
    /// id is a fault, never a nil.
    func id<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID? {
        guard let text = string(key), !text.isEmpty else { return nil }
        guard let id = ID(text) else { throw PayloadFault(.payloadID, "\(key)") }
        return id
    }

    func requiredID<ID: Identifier>(
        _ key: StaticString, as type: ID.Type = ID.self
    ) throws(PayloadFault) -> ID {
        guard let text = string(key) else { throw PayloadFault(.payloadMissing, "\(key)") }
        guard let id = ID(text) else { throw PayloadFault(.payloadID, "\(key)") }
        return id
    }

    func requiredDate(_ key: StaticString) throws(PayloadFault) -> Instant {
        guard let date = date(key) else { throw PayloadFault(.payloadMissing, "\(key)") }
        return date
    }

    /// A word that we know, or what Apple wrote.
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
