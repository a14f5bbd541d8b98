internal import Crypto
package import EntitlementModel
internal import StrictJSON
internal import X509

/// A JWS whose signature and chain hold. Only `JWSOpener` makes one: the type is the proof.
struct OpenedJWS {
    let payloadBytes: [UInt8]
    /// The payload, or why it is no strict JSON.
    let payload: Result<JSONDocument, JSONError>
    /// The signing time that everything was judged at.
    let judgedAt: Instant

    fileprivate init(
        payloadBytes: [UInt8], payload: Result<JSONDocument, JSONError>, judgedAt: Instant
    ) {
        self.payloadBytes = payloadBytes
        self.payload = payload
        self.judgedAt = judgedAt
    }
}

/// Verifies the signature of a JWS and the chain behind it, at the JWS's own signing time.
struct JWSOpener: Sendable {
    let chains: ChainVerifier
    let cache: ChainCache
    let times: SigningTimes
    let limits: VerificationLimits
    let binding: Binding

    /// The payload is parsed before the signature is checked, because it says the time to judge
    /// at; nothing else in it is believed before `OpenedJWS` exists.
    func open(_ bytes: ArraySlice<UInt8>, now: Instant) throws(Refusal) -> OpenedJWS {
        guard bytes.count <= limits.jwsBytes else { throw Refusal(.inputTooLarge) }
        let jws = try CompactJWS(bytes)
        guard let payloadBytes = Base64.url.decode(jws.payload),
            let signature = Base64.url.decode(jws.signature)
        else { throw Refusal(.inputEncoding) }
        let payload = Self.parse(payloadBytes)
        let (readable, unread) = payload.readable
        let claim = ChainClaim(payload: readable, now: now)
        do throws(Refusal) {
            try verify(signature, of: jws, for: claim)
        } catch {
            let environment = readable.map { PayloadShape.environment(of: $0) }
            throw binding.cause(of: error, in: environment ?? .missing, unread: unread)
        }
        do throws(Refusal) {
            try times.check(claim.time, now: now)
        } catch {
            throw error.ofSigned
        }
        return OpenedJWS(payloadBytes: payloadBytes, payload: payload, judgedAt: claim.time)
    }

    /// By a chain that is known to cover the claim, else by the one that the header brings.
    private func verify(
        _ signature: [UInt8], of jws: CompactJWS, for claim: ChainClaim
    ) throws(Refusal) {
        if let chain = cache.chain(for: [jws.header]), chain.covers(claim) {
            return try Self.check(signature, of: jws, by: chain)
        }
        let header = try JWSHeader(jws.header)
        guard header.certificates.count == 3 || chains.hasLocalRoots else {
            throw Refusal(.jwsChain)
        }
        let chain = try chains.verify(header.certificates, for: claim)
        try Self.check(signature, of: jws, by: chain)
        cache.insert(chain, for: [jws.header])
    }

    private static func check(
        _ signature: [UInt8], of jws: CompactJWS, by chain: VerifiedChain
    ) throws(Refusal) {
        guard let key = P256.Signing.PublicKey(chain.leafKey) else {
            throw Refusal(.chainAlgorithm, .certificate(.leaf))
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: SHA256.hash(data: jws.signingInput))
        else { throw Refusal(.jwsSignature) }
    }

    private static func parse(_ bytes: [UInt8]) -> Result<JSONDocument, JSONError> {
        do throws(JSONError) {
            return .success(try JSONDocument(bytes))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<JSONDocument, JSONError> {
    /// The document, or why there is none.
    fileprivate var readable: (JSONDocument?, VerificationRefusalCode?) {
        switch self {
        case .success(let document): (document, nil)
        case .failure(let error):
            (nil, error.code == .tooLarge ? .inputTooComplex : .jwsMalformed)
        }
    }
}

/// The purchase of a notification about a refund, read again from evidence that was verified before
/// it was recorded (spec 1.12).
package struct RefundNotice: Hashable, Sendable {
    package let transaction: TransactionID
    /// Apple's `consumptionRequestReason`.
    package let reason: String?
    package let isAdvancedCommerce: Bool

    /// Nil for what holds no transaction that can be read.
    package init?(reading bytes: [UInt8]) {
        guard let text = Self.jws(in: bytes), let payload = Self.payload(of: text),
            let data = payload["data"],
            let signed = data["signedTransactionInfo"]?.string,
            let purchase = Self.payload(of: Array(signed.utf8)[...]),
            let transaction = purchase["transactionId"]?.string.flatMap({ TransactionID($0) })
        else { return nil }
        self.transaction = transaction
        reason = data["consumptionRequestReason"]?.string
        isAdvancedCommerce = purchase["advancedCommerceInfo"].map { !$0.isNull } ?? false
    }

    private static func jws(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        switch try? EvidenceShape(bytes, limits: VerificationLimits()) {
        case .jws(let text): text
        case .notificationBody(let text): text[...]
        case .receipt, nil: nil
        }
    }

    private static func payload(of text: ArraySlice<UInt8>) -> JSONValue? {
        guard let jws = try? CompactJWS(text), let bytes = Base64.url.decode(jws.payload) else {
            return nil
        }
        return try? parseJSON(bytes)
    }
}
