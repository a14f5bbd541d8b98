package import EntitlementModel
internal import StrictJSON

/// Turns bytes into verified facts or a reason why not; the whole attack surface in one place.
///
/// A verifier belongs to one policy's trust settings: make a new one when they change. It is
/// cheap to copy and safe to use from many tasks at once.
package struct EvidenceVerifier: Sendable {
    let settings: VerificationSettings
    private let opener: JWSOpener
    private let receipts: ReceiptVerifier
    let binding: Binding
    let times: SigningTimes

    package init(_ settings: VerificationSettings) {
        self.settings = settings
        let times = SigningTimes(
            clockSkew: settings.limits.clockSkew, maximumAge: settings.maximumSignedAge)
        let binding = Binding(settings: settings)
        opener = JWSOpener(
            chains: ChainVerifier(
                anchors: settings.jwsAnchors, deniedKeys: settings.deniedKeys,
                algorithms: EllipticCurveRule()),
            cache: ChainCache(capacity: settings.limits.cachedChains), times: times,
            limits: settings.limits, binding: binding)
        receipts = ReceiptVerifier(
            chains: ChainVerifier(
                anchors: settings.receiptAnchors, deniedKeys: settings.deniedKeys,
                algorithms: RSARule()),
            cache: ChainCache(capacity: settings.limits.cachedChains), binding: binding,
            times: times)
        self.binding = binding
        self.times = times
    }

    /// How many chains are remembered.
    package var rememberedChains: Int { opener.cache.count + receipts.cache.count }

    /// Judges evidence of whatever kind its shape says.
    package func verify(_ bytes: [UInt8], at now: Instant) -> EvidenceVerdict {
        verify(bytes, asIfAny: nil, at: now)
    }

    /// Judges evidence that is used as one kind; another kind is refused with `bind.kind`.
    package func verify(
        _ bytes: [UInt8], as kind: EvidenceKind, at now: Instant
    ) -> EvidenceVerdict {
        verify(bytes, asIfAny: kind, at: now)
    }

    /// The same, where it may have to be of one kind.
    package func verify(
        _ bytes: [UInt8], asIfAny kind: EvidenceKind?, at now: Instant
    ) -> EvidenceVerdict {
        do throws(Refusal) {
            switch try EvidenceShape(bytes, limits: settings.limits) {
            case .jws(let text):
                return try judge(text, of: bytes, expecting: kind, at: now)
            case .notificationBody(let text):
                try Self.check(.notification, isUsedAs: kind)
                return try judge(text[...], of: bytes, expecting: .notification, at: now)
            case .receipt(let der):
                try Self.check(.receipt, isUsedAs: kind)
                return try receipts.judge(der, of: bytes, at: now)
            }
        } catch {
            return .refused(VerificationRefusal(error, kind: kind, of: bytes))
        }
    }

    /// What it is has to be what it is used as.
    private static func check(
        _ kind: EvidenceKind?, isUsedAs expected: EvidenceKind?
    ) throws(Refusal) {
        guard let kind else { throw Refusal(.bindKind, .noEvidence) }
        guard let expected, expected != kind else { return }
        throw Refusal(
            .bindKind,
            expected == .notification
                ? .notNotification(kind) : .kind(kind, expected: expected))
    }

    /// Signature, then kind, then binding, then meaning.
    private func judge(
        _ text: ArraySlice<UInt8>, of bytes: [UInt8], expecting expected: EvidenceKind?,
        at now: Instant
    ) throws(Refusal) -> EvidenceVerdict {
        let jws = try opener.open(text, now: now)
        do throws(Refusal) {
            return try judge(jws, of: bytes, expecting: expected, at: now)
        } catch {
            throw error.ofSigned
        }
    }

    private func judge(
        _ jws: OpenedJWS, of bytes: [UInt8], expecting expected: EvidenceKind?, at now: Instant
    ) throws(Refusal) -> EvidenceVerdict {
        guard case .success(let payload) = jws.payload, payload.isObject(at: .root) else {
            let kind = expected ?? PayloadShape.likelyKind(ofUnreadable: jws.payloadBytes)
            let part = QuarantinedPart(.payloadJSON)
            return .quarantined(
                QuarantinedEvidence(
                    kind: kind, digest: sha256(bytes), bytes: bytes, judgedAt: jws.judgedAt,
                    part: part))
        }
        let kind = PayloadShape.kind(of: payload)
        try Self.check(kind, isUsedAs: expected)
        guard let kind else { throw Refusal(.bindKind) }
        try binding.check(payload, kind: kind)
        let decoder = PayloadDecoder(
            kind: kind, bytes: bytes, judgedAt: jws.judgedAt, payload: payload)
        guard kind == .notification else { return try decoder.decode(inner: []) }
        return try decoder.decode(inner: judgeInner(of: payload, at: now))
    }

    /// Each JWS inside a notification is judged on its own (spec 4.0): what Apple wraps is
    /// not thereby Apple's.
    private func judgeInner(
        of payload: JSONDocument, at now: Instant
    ) throws(Refusal) -> [EvidenceVerdict] {
        let subject = PayloadShape.subject(of: payload)
        var verdicts: [EvidenceVerdict] = []
        for (member, kind) in InnerJWS.members {
            guard let bytes = payload.text(of: member, in: subject) else { continue }
            verdicts.append(try judge(bytes[...], of: bytes, expecting: kind, at: now))
        }
        return verdicts
    }
}

/// The members of a notification that are JWS themselves.
enum InnerJWS {
    static let members: [(name: StaticString, kind: EvidenceKind)] = [
        ("signedTransactionInfo", .transaction), ("signedRenewalInfo", .renewalInfo),
        ("signedAppTransactionInfo", .appTransaction),
    ]
}

extension JSONDocument {
    /// The bytes of a string, such as a JWS; nil if there is none of that name.
    func text(of member: StaticString, in object: JSONOffset) -> [UInt8]? {
        guard let place = stated(member, of: object) else { return nil }
        if let range = plainText(at: place) { return Array(bytes[range]) }
        return string(at: place).map { Array($0.utf8) }
    }
}
