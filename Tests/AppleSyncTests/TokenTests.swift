internal import AppleSync
internal import Crypto
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import Testing

@Suite("Tokens of the App Store Server API", .timeLimit(.minutes(5)))
struct TokenTests {
    /// The claims of the token of a request, once its signature is verified with the public key.
    private func claims(_ request: TransportRequest) throws -> JSONValue {
        let value = try #require(request.authorization).revealed
        let token = try #require(value.split(separator: "Bearer ").first)
        #expect(value == "Bearer " + token)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let bytes = try parts.map { try #require(Base64.url.decode(ArraySlice($0.utf8))) }
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes[2])
        let signed = Data((parts[0] + "." + parts[1]).utf8)
        #expect(Sample.privateKey.publicKey.isValidSignature(signature, for: signed))
        let header = try parseJSON(bytes[0])
        #expect(header == ["alg": "ES256", "kid": .string(Sample.keyID), "typ": "JWT"])
        return try parseJSON(bytes[1])
    }

    @Test("are signed by the key and say who asks, for which app, and for how long")
    func claims() async throws {
        let servers = ScriptedServers(always: .status(200))
        try await Sample.client(servers).finish(Sample.id, in: .production)
        let claims = try claims(#require(servers.requests.first))
        let second = Sample.now.milliseconds / 1_000
        #expect(
            claims == [
                "iss": .string(Sample.issuerID), "iat": .integer(second - 30),
                "exp": .integer(second + 270), "aud": "appstoreconnect-v1",
                "bid": .string(Sample.bundleID.text),
            ])
    }

    /// Seconds after the first call, and whether the token of then is another one.
    @Test(
        "are used until shortly before they lapse, and not before they begin",
        arguments: [
            (1, false), (209, false), (210, true), (100_000, true), (-31, true), (-20, false),
        ]
            as [(Int64, Bool)])
    func renewal(seconds: Int64, isOther: Bool) async throws {
        let servers = ScriptedServers(always: .status(200))
        let context = VirtualContext()
        let client = try Sample.client(servers, context)
        try await client.finish(Sample.id, in: .production)
        context.set(to: Sample.now.advanced(byMilliseconds: seconds * 1_000))
        try await client.finish(Sample.id, in: .production)
        let tokens = servers.requests.compactMap { $0.authorization?.revealed }
        #expect((tokens[0] != tokens[1]) == isOther)
        let now = context.now().milliseconds / 1_000
        let claims = try claims(servers.requests[1])
        #expect(try #require(claims["iat"]?.int64) <= now)
        #expect(try #require(claims["exp"]?.int64) >= now + 60)
    }

    @Test("one that was not accepted is not used again")
    func discarded() async throws {
        let servers = ScriptedServers(inTurn: [.status(401), .status(200)])
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.finish(Sample.id, in: .production)
        }
        #expect(failure == AppStoreFailure(.unauthorized, httpStatus: 401))
        try await client.finish(Sample.id, in: .production)
        let tokens = servers.requests.compactMap { $0.authorization?.revealed }
        #expect(tokens.count == 2)
        #expect(tokens[0] != tokens[1])
    }

    @Test("without a key the server API is not asked, but verifyReceipt is, without a token")
    func noKey() async throws {
        let servers = ScriptedServers(always: .json(["status": 0]))
        let client = try Sample.client(servers) { $0.key = nil }
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.finish(Sample.id, in: .production)
        }
        #expect(failure == AppStoreFailure(.unauthorized))
        #expect(servers.requests.isEmpty)
        _ = try await client.verifyReceipt("AAAA")
        #expect(servers.requests.allSatisfy { $0.authorization == nil })
    }

    @Test("keys that are none say why")
    func badKeys() throws {
        let good = Sample.privateKey.pemRepresentation
        let other = P384.Signing.PrivateKey().pemRepresentation
        let cases: [(String, String, String, AppStoreKey.Problem)] = [
            ("x", Sample.keyID, good, .issuerID), (Sample.issuerID, "", good, .keyID),
            (Sample.issuerID, "a b", good, .keyID),
            (Sample.issuerID, Sample.keyID, "hello", .notPEM),
            (
                Sample.issuerID, Sample.keyID,
                Sample.privateKey.publicKey.pemRepresentation, .notPEM
            ),
            (Sample.issuerID, Sample.keyID, other, .notP256),
            (Sample.issuerID, Sample.keyID, String(good.prefix(80)), .notP256),
        ]
        for (issuer, id, pem, problem) in cases {
            #expect(throws: problem) {
                try AppStoreKey(issuerID: issuer, keyID: id, pem: Secret(pem))
            }
        }
    }
}
