internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let reason = #""reason":"a customer's letter""#
private let grant = WireRequest.post(
    "/v1/grants", #"{"account":"bob","entitlement":"premium",\#(reason)}"#)

extension WireRequest {
    /// As a delegate sends it that has authenticated `person`.
    fileprivate func asked(by person: String, as role: String, key: String? = nil) -> Self {
        var request = self
        request.fields += ["Usher-Actor: \(person)", "USHER-role:  \(role) "]
        if let key { request.fields.append("Idempotency-Key: \(key)") }
        return request
    }
}

extension ServedShop {
    /// How the ledger names somebody for whom whoever runs the tests asks.
    fileprivate static func actor(for person: String) throws -> String {
        "person:\(person),via:\(try ownActor)"
    }

    /// Serves whoever runs the tests, by that standing.
    fileprivate func serving(
        _ standing: PeerStanding,
        _ change: @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ServedShop) throws -> Void
    ) async throws {
        try await serving {
            $0.access = PeerAccess(entries: [.init(.user(PeerCredentials.own.user), standing)])
            change(&$0)
        } _: {
            try body($0)
        }
    }

    fileprivate func operate(_ request: WireRequest) throws -> LocalClient.Response {
        try exchange(operationsSocket, request)
    }
}

@Suite("Delegates", .timeLimit(.minutes(20)))
struct DelegateTests {
    @Test("act for people in the role that they say, and the ledger names both")
    func acts() async throws {
        try await ServedShop().serving(.delegate) { (shop: ServedShop) throws in
            let actor = try ServedShop.actor(for: "mei@corp")
            let requests: [(WireRequest, role: String)] = [
                (grant, "admin"), (.post("/v1/blocks", #"{"account":"qa",\#(reason)}"#), "admin"),
                (.post("/v1/merges", #"{"from":"alice","into":"carol",\#(reason)}"#), "admin"),
                (.post("/v1/accounts/carol/credits/coins/spend", #"{"amount":1}"#), "ingest"),
            ]
            for (request, role) in requests {
                let lower = role == "admin" ? "ingest" : "query"
                let revision = shop.engine.revision
                let denied = try shop.operate(
                    request.asked(by: "mei@corp", as: lower, key: "k"))
                #expect(denied.status == 403 && denied.text.contains("peer.role"), "\(denied.text)")
                #expect(shop.engine.revision == revision)
                let done = try shop.operate(request.asked(by: "mei@corp", as: role, key: "k"))
                #expect(done.status == 200, "\(request): \(done.text)")
                guard role == "admin" else { continue }
                #expect(done.text.contains(#""actor":"\#(actor)""#), "\(done.text)")
            }
            let client = LocalClient(socketPath: shop.operationsSocket, secondsToWait: 600)
            let fields = [("Usher-Actor", "lin"), ("Usher-Role", "query")].compactMap {
                LocalClient.Field($0.0, $0.1)
            }
            #expect(try client.get("/v1/claims", fields: fields).status == 200)
            #expect(try client.get("/v1/claims").status == 400)
            let body = Array("{\(reason)}".utf8)
            #expect(try client.post("/v1/backup", json: body, fields: fields).status == 403)
            #expect(try client.delete("/v1/blocks/k", json: body, fields: fields).status == 403)
        }
    }

    @Test("say with each call for whom they ask, or nothing is done")
    func says() async throws {
        let (mei, admin) = ("Usher-Actor: mei", "Usher-Role: admin")
        let long = String(repeating: "a", count: 256)
        let cases: [(fields: [String], field: String?)] = [
            ([], nil), ([mei], "Usher-Role"), ([admin], "Usher-Actor"),
            (["Usher-Actor:", admin], "Usher-Actor"), (["Usher-Actor: a b", admin], "Usher-Actor"),
            (["Usher-Actor: \(long)", admin], "Usher-Actor"),
            (["Usher-Actor: m\u{E9}i", admin], "Usher-Actor"),
            ([mei, mei, admin], "Usher-Actor"), ([mei, "usher-actor:", admin], "Usher-Actor"),
            ([mei, admin, "usher-role: query"], "Usher-Role"),
            ([mei, admin, admin], "Usher-Role"), ([mei, "Usher-Role: Admin"], "Usher-Role"),
            ([mei, "Usher-Role: delegate"], "Usher-Role"), ([mei, "Usher-Role:"], "Usher-Role"),
        ]
        try await ServedShop().serving(.delegate) { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            for (fields, field) in cases {
                for var request in [
                    grant, grant.preview, .get("/v1/claims"),
                    .get("/v1/accounts/alice/entitlements"), .get("/openapi.json"),
                ] {
                    request.fields = fields
                    let answer = try shop.operate(request)
                    #expect(answer.status == 400, "\(fields) \(request): \(answer.text)")
                    let problem = try parseJSON(answer.body)
                    #expect(problem["code"]?.string == "peer.delegation", "\(fields)")
                    #expect(problem["field"]?.string == field, "\(fields)")
                }
            }
            #expect(shop.engine.revision == revision)
            for path in ["/livez", "/readyz", "/status", "/metrics"] {
                #expect(try shop.operate(.get(path)).status == 200)
            }
            // query.sock knows no persons.
            for fields in [[], [mei], [mei, mei, admin]] {
                let question = WireRequest.get("/v1/accounts/alice/entitlements", fields: fields)
                #expect(try shop.exchange(shop.querySocket, question).status == 200)
            }
        }
    }

    @Test("are the only ones who say so", arguments: PeerRole.allCases)
    func others(role: PeerRole) async throws {
        try await ServedShop().serving(.role(role)) { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            for fields in [
                ["Usher-Actor: mei", "Usher-Role: query"], ["Usher-Actor:"], ["usher-role: x"],
            ] {
                for var request in [
                    grant, .get("/v1/claims"), .get("/v1/accounts/alice/entitlements"),
                    .get("/livez"),
                ] {
                    request.fields = fields
                    let answer = try shop.operate(request)
                    #expect(answer.status == 403, "\(fields) \(request): \(answer.text)")
                    #expect(answer.text.contains("peer.not-delegate"), "\(answer.text)")
                }
                let question = WireRequest.get("/v1/accounts/alice/entitlements", fields: fields)
                #expect(try shop.exchange(shop.querySocket, question).status == 200)
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("have one Idempotency-Key for each person, and none with a user of that name")
    func keys() async throws {
        let shop = try await ServedShop()
        let cause = AdminActionCause(actor: "user:mei", reason: "a test")
        _ = try await shop.engine.grant(
            GrantRequest(
                id: try #require(GrantID("k")), account: try #require(AccountID("bob")),
                gift: .entitlement(EntitlementName(unchecked: "premium")), cause: cause))
        try await shop.serving(.delegate) { (shop: ServedShop) throws in
            func id(_ person: String) throws -> String {
                let answer = try shop.operate(grant.asked(by: person, as: "admin", key: "k"))
                return try #require(try parseJSON(answer.body)["grant"]?.string, "\(answer.text)")
            }
            let (mei, lin) = (try id("mei"), try id("lin"))
            #expect(Set(["k", mei, lin]).count == 3)
            let revision = shop.engine.revision
            #expect(try id("mei") == mei && id("lin") == lin)
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("have a share of the calls for each person")
    func shares() async throws {
        try await ServedShop().serving(.delegate) {
            $0.inFlightLimitPerPeer = 1
            $0.revisionSeconds = 3_600
        } _: { (shop: ServedShop) throws in
            let next = shop.engine.revision.number + 1
            let waits = WireRequest.get("/v1/accounts/alice/entitlements?min_revision=\(next)")
            let first = try LocalConnection(path: shop.operationsSocket, secondsToWait: 600)
            defer { first.close() }
            try first.write(waits.asked(by: "mei", as: "query").bytes)
            let question = WireRequest.get("/v1/claims")
            try waitUntil("mei's question waits") { shop.engine.revisionWaiters.count == 1 }
            #expect(try shop.operate(question.asked(by: "mei", as: "query")).status == 429)
            // Whoever else asks has another share: lin gives what mei's question waits for.
            #expect(try shop.operate(question.asked(by: "lin", as: "query")).status == 200)
            #expect(try shop.operate(grant.asked(by: "lin", as: "admin")).status == 200)
            #expect(try ResponseReader.read(first.readToEnd()).status == 200)
        }
    }

    @Test("have people whom nobody else is")
    func names() {
        let people: [(name: String?, person: String?)] = [
            ("mei", nil), ("console", nil), ("mei,via:user:console", nil), (nil, nil),
            ("console", "mei"), (nil, "mei"), ("a,via:user:b", "mei"), ("b", "mei,via:user:a"),
            ("a", "mei,via:user:b"), ("b", "mei,via:uid:7"), ("a%2Cvia%3Auser%3Ab", "mei"),
        ]
        let callers = people.map {
            Caller(
                credentials: PeerCredentials(user: 7, group: 7), standing: .role(.query),
                name: $0.name, person: $0.person)
        }
        #expect(Set(callers.map(\.actor)).count == people.count)
        #expect(callers.allSatisfy { GrantID("k@" + $0.actor) != nil }, "one word each")
        // Limits of one user are one, by whatever name.
        #expect(Set(callers.map(\.counted)).count == people.count - 3)
        #expect(callers.allSatisfy { $0.person == nil || $0.formerActor == nil })
    }

    @Test(
        "are sent header fields that end no line",
        arguments: [
            ("Usher-Actor", "mei@corp", true), ("Accept-Language", "zh, en;q=0.5", true),
            ("X", "", true), ("", "a", false), ("a b", "a", false), ("a:", "a", false),
            ("a", "b\r\nc", false), ("a", "b\n", false), ("a", "\u{E9}", false),
            ("a", "\u{0}", false), ("a\r", "a", false),
        ])
    func fields(name: String, value: String, isField: Bool) {
        #expect((LocalClient.Field(name, value) != nil) == isField)
    }
}
