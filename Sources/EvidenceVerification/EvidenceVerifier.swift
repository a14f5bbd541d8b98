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

    /// The kind of evidence has to be the expected one.
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
    /// The bytes of a string, such as a JWS; nil if there is no such member.
    func text(of member: StaticString, in object: JSONOffset) -> [UInt8]? {
        guard let place = stated(member, of: object) else { return nil }
        if let range = plainText(at: place) { return Array(bytes[range]) }
        return string(at: place).map { Array($0.utf8) }
    }
}

/// What evidence is judged against.
package struct VerificationSettings: Sendable {
    /// The app; nil only where `allowsAnyBundle`.
    package var bundleID: BundleID?
    /// Apple's `appAppleId`, compared in production.
    package var appAppleID: Int64?
    package var trustedEnvironments: Set<StoreEnvironment> = []
    package var jwsAnchors: [TrustAnchor] = []
    package var receiptAnchors: [TrustAnchor] = []
    /// Evidence signed longer ago than this is refused; nil for no limit.
    package var maximumSignedAge: Period?
    /// SHA-256 of the SubjectPublicKeyInfo of signing keys that must not be believed any more.
    package var deniedKeys: Set<Digest256> = []
    /// Leaves the binding to app and environment unchecked: for `usher inspect` only.
    package var allowsAnyBundle = false
    package var limits = VerificationLimits()

    package init() {}

    /// A policy's app and trusted roots.
    package init(policy: Policy) {
        bundleID = policy.app.bundleID
        appAppleID = policy.app.appleID
        trustedEnvironments = Set(policy.environments.filter { $0.value == .trusted }.keys)
        jwsAnchors = policy.trust.jws
        receiptAnchors = policy.trust.receipt
        maximumSignedAge = policy.trust.maximumSignedAge
        deniedKeys = policy.trust.deniedKeys
    }
}

/// Bounds that are checked before anything is decoded.
package struct VerificationLimits: Sendable {
    /// Bytes of any evidence (spec 3.1).
    package var evidenceBytes = 2_097_152
    /// Bytes of one compact JWS; Apple's have 5 to 30 thousand.
    package var jwsBytes = 262_144
    /// Bytes of an answer of verifyReceipt: a kilobyte for each purchase.
    package var answerBytes = 16_777_216
    /// JSON values of an answer of verifyReceipt: some thirty for each purchase.
    package var answerValues = 1_000_000
    /// Milliseconds that a signing time may lie in the future (spec 4.0).
    package var clockSkew: Int64 = 300_000
    /// Chains that are remembered.
    package var cachedChains = 64

    package init() {}
}
