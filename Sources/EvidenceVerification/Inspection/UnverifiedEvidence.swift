internal import EntitlementModel
internal import StrictJSON

/// Evidence as far as it can be read without believing it: for people to look at, and for
/// nothing else.
struct UnverifiedEvidence {
    private(set) var kind: EvidenceKind?
    private(set) var fields: JSONValue?
    private(set) var chain: [InspectedCertificate] = []
    private(set) var bundleID: String?
    private var environmentName: String?
    /// The JWS that a notification carries.
    private(set) var inner: [(kind: EvidenceKind, bytes: [UInt8])] = []
    private var claim: ChainClaim?

    init(_ bytes: [UInt8], limits: VerificationLimits) {
        switch try? EvidenceShape(bytes, limits: limits) {
        case .jws(let text): read(text, limits)
        case .notificationBody(let text): read(text[...], limits)
        case .receipt(let der): read(receipt: der)
        case nil: break
        }
    }

    /// In our words where we know it, else as it was found.
    var environment: String? {
        environmentName.map { StoreEnvironment(signedName: $0)?.rawValue ?? $0 }
    }

    /// Its own signing time, else now; nil where nothing could be read.
    func judgedAt(now: Instant) -> Instant? {
        if let claim { return claim.time }
        return fields == nil && chain.isEmpty ? nil : now
    }

    private mutating func read(_ text: ArraySlice<UInt8>, _ limits: VerificationLimits) {
        guard text.count <= limits.jwsBytes, let jws = try? CompactJWS(text) else { return }
        let header = try? JWSHeader(jws.header)
        chain = (header?.certificates ?? []).map(InspectedCertificate.init(der:))
        guard let payload = Base64.url.decode(jws.payload).flatMap({ try? JSONDocument($0) })
        else { return }
        let subject = PayloadShape.subject(of: payload)
        kind = PayloadShape.kind(of: payload)
        fields = payload.value()
        bundleID = payload.member("bundleId", of: subject).flatMap(payload.string)
        environmentName = PayloadShape.environmentName(of: payload)
        claim = ChainClaim(statedIn: payload)
        guard kind == .notification else { return }
        inner = InnerJWS.members.compactMap { member in
            payload.text(of: member.name, in: subject).map { (member.kind, $0) }
        }
    }

    private mutating func read(receipt der: [UInt8]) {
        guard let container = try? ReceiptContainer(der, allowsBER: true) else { return }
        kind = .receipt
        chain = container.certificates.map(InspectedCertificate.init(der:))
        guard let payload = try? ReceiptPayload(container.payload) else { return }
        bundleID = payload.bundleID
        environmentName = payload.environmentName
        claim = payload.createdAt.map { ChainClaim(time: $0, environment: nil) }
        fields = payload.fields
    }
}

extension ReceiptPayload {
    /// The receipt under the names that verifyReceipt has for its attributes.
    fileprivate var fields: JSONValue {
        var fields: JSONValue = [:]
        fields["bundle_id"] = bundleID.map(JSONValue.string)
        fields["receipt_creation_date"] = createdAt.map { .string($0.rfc3339) }
        fields["in_app"] = .array(purchases.map(\.fields))
        return fields
    }
}
