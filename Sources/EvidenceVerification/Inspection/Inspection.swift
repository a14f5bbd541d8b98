package import EntitlementModel
internal import StrictJSON
internal import X509

/// The readable content of one piece of evidence, verified or not (spec 3.2, `usher inspect`).
///
/// `fields` is unverified: only the verdict says whether Apple signed it.
package struct Inspection: Sendable {
    package let kind: EvidenceKind?
    package let verdict: EvidenceVerdict
    package let chain: [InspectedCertificate]
    /// The instant that the evidence was judged at; nil where it got no further than its form.
    package let judgedAt: Instant?
    package let bundleID: String?
    package let environment: String?
    /// The decoded payload under Apple's names, a receipt's under verifyReceipt's; nil where it
    /// cannot be read.
    let fields: JSONValue?
    /// The signed parts of a notification, each with a verdict of its own.
    package let inner: [Inspection]
    /// App and environment were not to be checked: then evidence that lacks one is genuine all
    /// the same.
    let ignoresBinding: Bool

    /// Whether it may be a page of Apple's: a refusal says so, or that it is too large for one piece
    /// of evidence.
    package var mayBePage: Bool {
        guard case .refused(let refusal) = verdict else { return false }
        return refusal.detail == .mistaken(.applePage)
            || [.inputTooLarge, .inputTooComplex].contains(refusal.code)
    }
}

/// A certificate that came with the evidence.
package struct InspectedCertificate: Hashable, Sendable {
    /// Empty where the certificate cannot be read.
    package let subject: String
    /// SHA-256 of its DER.
    package let fingerprint: Digest256
    package let notBefore: Instant?
    package let notAfter: Instant?
    /// SHA-256 of its public key, by which a policy can deny it; nil where it cannot be read.
    package let keyFingerprint: Digest256?
}

/// Verifies and decodes one piece of evidence, for display.
package func inspect(
    _ bytes: [UInt8], verifier: EvidenceVerifier, at now: Instant
) -> Inspection {
    inspect(bytes, as: nil, verifier: verifier, at: now)
}

private func inspect(
    _ bytes: [UInt8], as kind: EvidenceKind?, verifier: EvidenceVerifier, at now: Instant
) -> Inspection {
    let verdict = verifier.verify(bytes, asIfAny: kind, at: now)
    let found =
        verdict.hasNoShape
        ? UnverifiedEvidence() : UnverifiedEvidence(bytes, limits: verifier.settings.limits)
    let inner = found.inner.map {
        inspect($0.bytes, as: $0.kind, verifier: verifier, at: now)
    }
    return Inspection(
        kind: verdict.kind ?? found.kind, verdict: verdict, chain: found.chain,
        judgedAt: verdict.judgedAt ?? found.judgedAt(now: now), bundleID: found.bundleID,
        environment: found.environment, fields: found.fields, inner: inner,
        ignoresBinding: verifier.settings.allowsAnyBundle)
}

extension InspectedCertificate {
    init(der: [UInt8]) {
        let certificate = try? ChainCertificate(der: der)
        subject = certificate.map { String(describing: $0.certificate.subject) } ?? ""
        fingerprint = sha256(der)
        notBefore = certificate?.notBefore
        notAfter = certificate?.notAfter
        keyFingerprint = certificate.map { sha256($0.publicKeyInfo) }
    }
}

extension EvidenceVerdict {
    fileprivate var kind: EvidenceKind? {
        switch self {
        case .accepted(let evidence): evidence.kind
        case .quarantined(let evidence): evidence.kind
        case .refused(let refusal): refusal.kind
        }
    }

    /// Whether it is refused before it is known to be a JWS or a receipt.
    fileprivate var hasNoShape: Bool {
        guard case .refused(let refusal) = self else { return false }
        return [.inputKind, .inputDuplicateKey, .inputNumber, .evidenceUnsigned]
            .contains(refusal.code)
    }

    fileprivate var judgedAt: Instant? {
        switch self {
        case .accepted(let evidence): evidence.judgedAt
        case .quarantined(let evidence): evidence.judgedAt
        case .refused: nil
        }
    }
}

/// Evidence as far as it can be read without verification: for display only.
struct UnverifiedEvidence {
    private(set) var kind: EvidenceKind?
    private(set) var fields: JSONValue?
    private(set) var chain: [InspectedCertificate] = []
    private(set) var bundleID: String?
    private var environmentName: String?
    /// The JWS that a notification carries.
    private(set) var inner: [(kind: EvidenceKind, bytes: [UInt8])] = []
    private var claim: ChainClaim?

    init() {}

    init(_ bytes: [UInt8], limits: VerificationLimits) {
        switch try? EvidenceShape(bytes, limits: limits) {
        case .jws(let text): read(text, limits)
        case .notificationBody(let text): read(text[...], limits)
        case .receipt(let der): read(receipt: der)
        case nil: break
        }
    }

    /// The known environment's name, or else the text as found.
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
