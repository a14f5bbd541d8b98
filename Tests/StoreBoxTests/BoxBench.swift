internal import Crypto
internal import EntitlementModel
internal import EvidenceVerification
internal import StoreBox
internal import StrictJSON
internal import Testing

/// A box, and a caller who knows its key.
struct BoxBench {
    let box: SimulatedAppStore
    private let key: P256.Signing.PrivateKey
    let verifier: EvidenceVerifier

    init(
        seed: UInt64 = 7, configure: (inout SimulatedAppStoreSettings) -> Void = { _ in }
    ) throws {
        var settings = SimulatedAppStoreSettings()
        settings.seed = seed
        configure(&settings)
        box = SimulatedAppStore(settings)
        key = try P256.Signing.PrivateKey(pemRepresentation: box.identity.keyPEM)
        var trust = VerificationSettings()
        trust.bundleID = BundleID(ExampleApp.bundleID)
        trust.appAppleID = ExampleApp.appleID
        trust.trustedEnvironments = [.production, .sandbox]
        trust.jwsAnchors = [TrustAnchor(root: .certificate(box.root.der))]
        trust.receiptAnchors = [TrustAnchor(root: .certificate(box.receiptRoot.der))]
        verifier = EvidenceVerifier(trust)
    }

    /// A good token, with some claims or headers changed.
    func token(
        header: [String: JSONValue] = [:], claims: [String: JSONValue] = [:]
    ) throws -> String {
        let now = box.now.milliseconds / 1_000
        var head: JSONValue = [
            "alg": "ES256", "kid": .string(box.identity.keyID), "typ": "JWT",
        ]
        var body: JSONValue = [
            "iss": .string(box.identity.issuerID), "iat": .integer(now),
            "exp": .integer(now + 300), "aud": "appstoreconnect-v1",
            "bid": .string(ExampleApp.bundleID),
        ]
        for (name, value) in header { head[name] = value }
        for (name, value) in claims { body[name] = value.isNull ? nil : value }
        let text =
            Base64.url.encode(head.serialized()) + "." + Base64.url.encode(body.serialized())
        let signature = try key.signature(for: Array(text.utf8)).rawRepresentation
        return text + "." + Base64.url.encode(Array(signature))
    }

    func send(
        _ method: String, _ target: String, _ body: JSONValue? = nil, token: String? = nil
    ) throws -> AppStoreResponse {
        let token = try token ?? self.token()
        return box.answer(
            AppStoreRequest(
                method: method, target: target, headers: ["authorization": "Bearer " + token],
                body: body?.serialized() ?? []))
    }

    /// The answer of a call that succeeds, as JSON.
    func json(_ method: String, _ target: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let answer = try send(method, target, body)
        try #require(
            answer.status == 200, "\(target): \(String(decoding: answer.body, as: UTF8.self))")
        #expect(answer.headers["content-type"] == "application/json")
        return try parseJSON(answer.body)
    }

    /// Apple's code of a call that fails.
    func code(_ method: String, _ target: String, _ body: JSONValue? = nil) throws -> Int64 {
        let answer = try send(method, target, body)
        let code = try #require(try parseJSON(answer.body)["errorCode"]?.int64)
        #expect(answer.status == code / 10_000)
        return code
    }

    /// What a JWS says; the engine's own verifier has to accept it.
    func payload(_ jws: String?) throws -> JSONValue {
        let jws = try #require(jws)
        guard case .accepted = verifier.verify(Array(jws.utf8), at: box.now) else {
            Issue.record("refused: \(verifier.verify(Array(jws.utf8), at: box.now))")
            return [:]
        }
        let parts = jws.utf8.split(separator: UInt8(ascii: "."))
        return try parseJSON(try #require(Base64.url.decode(Array(parts[1])[...])))
    }

    /// The same with what each JWS says in its place: signatures are random.
    func unsigned(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .object(let members):
            .object(try members.map { JSONMember($0.key, try unsigned($0.value)) })
        case .array(let elements): .array(try elements.map(unsigned))
        case .string(let text) where text.hasPrefix("eyJ"): try unsigned(payload(text))
        case .null, .bool, .number, .string: value
        }
    }

    func payloads(_ list: JSONValue?) throws -> [JSONValue] {
        try #require(list?.elements).map { try payload($0.string) }
    }

    func days(_ count: Double) -> Instant {
        Play.start.advanced(byMilliseconds: Int64(count * 86_400_000))
    }

    /// The types and subtypes of all notifications, in order.
    func told(in environment: StoreEnvironment = .production) throws -> [String] {
        try box.notifications(in: environment).map { jws in
            let payload = try payload(jws)
            let type = payload["notificationType"]?.string ?? ""
            return payload["subtype"]?.string.map { type + "/" + $0 } ?? type
        }
    }
}
