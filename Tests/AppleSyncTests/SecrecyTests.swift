internal import AppleSync
internal import Crypto
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@Suite("Secrets", .timeLimit(.minutes(5)))
struct SecrecyTests {
    /// Everything that a log line, a message or a debugger would make of a value.
    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), "\(value)", dumped]
    }

    @Test("are in no description, dump or reflection of what holds them")
    func hidden() async throws {
        let servers = ScriptedServers(always: .json(["status": 0]))
        let client = try Sample.client(servers)
        _ = try await client.verifyReceipt("TOPSECRETRECEIPT")
        try await client.finish(Sample.id, in: .production)
        let tokens = try #require(servers.requests.last?.authorization).revealed
        let pem = Sample.privateKey.pemRepresentation.split(separator: "\n")[1]
        let scalar = Sample.privateKey.rawRepresentation.map { "\($0)" }.joined(separator: ", ")
        let secrets = [
            Sample.password, "TOPSECRETRECEIPT", String(pem), scalar, tokens,
            String(tokens.dropFirst(7)),
        ]
        let holders: [Any] =
            [
                client, client.configuration, try Sample.key(), Secret(Sample.password),
                try Sample.configuration().sharedSecret as Any,
            ] + servers.requests
        for text in holders.flatMap(texts) {
            for secret in secrets { #expect(!text.contains(secret), "\(text.prefix(200))") }
            // Nor as bytes of the body.
            #expect(!text.contains("116, 111, 112"))
        }
        #expect(texts(Secret("x")).prefix(3) == ["(secret)", "(secret)", "(secret)"])
        #expect(
            servers.requests.map(\.description).last == """
                POST \(Sample.production)/inApps/v1/transactions/\(Sample.id.text)/finish
                """)
    }

    @Test("the password goes to verifyReceipt only, the token to the server API only")
    func addressees() async throws {
        let servers = ScriptedServers(always: .json(["status": 0]))
        let client = try Sample.client(servers)
        _ = try await client.verifyReceipt("AAAA")
        try await client.finish(Sample.id, in: .production)
        try await client.setAccountToken("t", for: Sample.id, in: .sandbox)
        let bodies = servers.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.map { $0.contains(Sample.password) } == [true, false, false])
        #expect(servers.requests.map { $0.authorization != nil } == [false, true, true])
    }
}
