internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

private let reason = #""reason":"a test""#
/// One character for a person, and 501 of JSON.
private let tower = "e" + String(repeating: "\u{301}", count: 500)

/// A body that is not what the call asks for.
private let refused: [(WireRequest, Int, String)] = [
    (.post("/v1/grants", #"{"account":"bob","entitlement":"premium"}"#), 400, "input.missing"),
    (
        .post("/v1/grants", #"{"account":"bob","entitlement":"premium","reason":" "}"#), 400,
        "input.value"
    ),
    (
        .post("/v1/grants", #"{"account":"bob","reason":"a\nb","entitlement":"premium"}"#), 400,
        "input.value"
    ),
    (.post("/v1/blocks", #"{"account":"bob","reason":"\#(tower)"}"#), 400, "input.value"),
    (.post("/v1/grants", #"{"account":"bob",\#(reason)}"#), 400, "input.missing"),
    (.post("/v1/grants", #"{"account":"bob","credit":"coins",\#(reason)}"#), 400, "input.missing"),
    (
        .post("/v1/grants", #"{"account":"bob","credit":"coins","units":1.5,\#(reason)}"#), 400,
        "input.number"
    ),
    (
        .post("/v1/grants", #"{"account":"bob","credit":"coins","units":0,\#(reason)}"#), 422,
        "deed.empty-gift"
    ),
    (
        .post("/v1/grants", #"{"account":"bob","credit":"coins","units":1000000001,\#(reason)}"#),
        422, "deed.too-many-units"
    ),
    (
        .post(
            "/v1/grants",
            #"{"account":"bob","credit":"coins","units":9223372036854775807,\#(reason)}"#), 422,
        "deed.too-many-units"
    ),
    (
        .post(
            "/v1/grants",
            #"{"account":"bob","credit":"coins","units":9223372036854775808,\#(reason)}"#), 422,
        "deed.too-many-units"
    ),
    (
        .post("/v1/grants", #"{"account":"bob","entitlement":"none",\#(reason)}"#), 422,
        "deed.unknown-gift"
    ),
    (
        .post("/v1/grants", #"{"acount":"bob","entitlement":"premium",\#(reason)}"#), 400,
        "input.unknown-member"
    ),
    (.post("/v1/grants", "[]"), 400, "input.type"),
    (.post("/v1/grants", "{}", contentType: "text/plain"), 400, "http.content-type"),
    (.post("/v1/blocks", #"{"account":"b b",\#(reason)}"#), 400, "input.id"),
    (.delete("/v1/blocks/none", "{\(reason)}"), 404, "deed.unknown-block"),
    (.delete("/v1/grants/none", "{\(reason)}"), 404, "deed.unknown-grant"),
    (.post("/v1/claims/x/ruling", #"{"verb":"approve",\#(reason)}"#), 400, "input.number"),
    (.post("/v1/claims/1/ruling", #"{"verb":"like",\#(reason)}"#), 400, "input.value"),
    (.post("/v1/claims/1/ruling", #"{"verb":"approve",\#(reason)}"#), 404, "deed.unknown-claim"),
    (.post("/v1/account-tokens", #"{"token":"1","account":"bob",\#(reason)}"#), 400, "input.value"),
    (.post("/v1/policy/reload", "{\(reason)}"), 501, "service.unsupported"),
    (.post("/v1/backup", "{\(reason)}"), 501, "service.unsupported"),
    (.delete("/v1/merges/x", "{\(reason)}"), 400, "input.number"),
    (.delete("/v1/merges/+1", "{\(reason)}"), 400, "input.number"),
    (.delete("/v1/merges/1", "{\(reason)}"), 404, "merge.unknown-merge"),
    (.get("/v1/grants"), 405, "http.method-not-allowed"),
]

@Suite("Admin actions on usher.sock", .timeLimit(.minutes(20)))
struct AdminActionTests {
    @Test("are refused with a code where they are wrong, and change nothing")
    func refusals() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            for (request, status, code) in refused {
                let response = try shop.exchange(shop.operationsSocket, request)
                #expect(response.status == status, "\(request.testDescription): \(response.text)")
                #expect(response.text.contains("\"code\":\"\(code)\""), "\(response.text)")
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test(
        "tell a failure that passes by itself from one that somebody must repair",
        arguments: [
            (.ledger(LedgerError(Failing(kind: .busy))), .overloaded),
            (.ledger(LedgerError(Failing(kind: .full))), .diskFull),
            (.ledger(LedgerError(Failing(kind: .damaged))), .unavailable),
            (.noPolicy, .unavailable),
        ] as [(EngineError, ProblemCode)])
    func failures(error: EngineError, code: ProblemCode) {
        #expect(Problem(error) == Problem(code))
    }

    @Test("are read no deeper than the service is set to, like every body")
    func depth() async throws {
        try await ServedShop().serving {
            $0.limits.jsonDepth = 4
        } _: { (shop: ServedShop) throws in
            for route in EndpointTable.all
            where route.question == nil && route.method != .get
                && route.name != "submitNotification"
            {
                let target = route.example
                for (body, status) in [("[[[[0]]]]", 400), ("[[[[[0]]]]]", 413)] {
                    let request = WireRequest(
                        method: "\(route.method.name)", target: target, body: body,
                        contentType: "application/json")
                    let answer = try shop.exchange(shop.operationsSocket, request)
                    #expect((answer.status == 413) == (status == 413), "\(target) \(body)")
                }
            }
        }
    }

    @Test("are forbidden on query.sock, and to whoever is no administrator")
    func forbidden() async throws {
        let own = PeerCredentials.own.user
        try await ServedShop().serving {
            $0.access = PeerAccess(entries: [.init(.user(own), .ingest)])
        } _: { (shop: ServedShop) throws in
            for route in EndpointTable.all where route.question == nil {
                let target = route.example
                let request = WireRequest(
                    method: "\(route.method.name)", target: target,
                    body: route.method == .get ? nil : "{}", contentType: "application/json")
                let fast = try shop.exchange(shop.querySocket, request)
                #expect(fast.status == 403, "\(target)")
                #expect(fast.text.contains("peer.socket"), "\(target)")
                let full = try shop.exchange(shop.operationsSocket, request)
                #expect((full.status == 403) == (route.role == .admin), "\(target)")
            }
        }
    }

    @Test("are done once for one Idempotency-Key")
    func idempotent() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            var grant = WireRequest.post(
                "/v1/grants", #"{"account":"bob","entitlement":"premium",\#(reason)}"#)
            grant.fields = ["Idempotency-Key: promotion-1"]
            let first = try shop.exchange(shop.operationsSocket, grant)
            let again = try shop.exchange(shop.operationsSocket, grant)
            #expect(first.status == 200)
            #expect(first == again)
            let own = try ServedShop.ownActor
            #expect(try parseJSON(first.body)["actor"]?.string == own)
            grant.body = #"{"account":"bob","entitlement":"archive",\#(reason)}"#
            #expect(try shop.exchange(shop.operationsSocket, grant).status == 409)
            let answer = try shop.exchange(
                shop.querySocket, .get("/v1/accounts/bob/entitlements/premium"))
            #expect(try parseJSON(answer.body)["source"]?["grant"]?.string == "promotion-1")
            let revoked = try shop.exchange(
                shop.operationsSocket, .delete("/v1/grants/promotion-1", "{\(reason)}"))
            #expect(revoked.status == 200)
        }
    }

    @Test("rule on claims: approve moves the right, undo moves it back")
    func rulings() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let path = "/v1/claims/\(shop.waitingClaim)/ruling"
            func rule(_ verb: String) throws -> Int {
                try shop.exchange(
                    shop.operationsSocket, .post(path, #"{"verb":"\#(verb)",\#(reason)}"#)
                ).status
            }
            func owner(_ account: String) throws -> Bool? {
                let found = try shop.exchange(
                    shop.operationsSocket, .get("/v1/accounts/\(account)"))
                let units = try parseJSON(found.body)["units"]?.elements ?? []
                let gold = units.first { $0["lineage"]?.string == "1" }
                return gold?["owners"]?.elements?.last?["account"]?.string == account
            }
            #expect(try rule("approve") == 200)
            #expect(try owner("dora") == true)
            #expect(try rule("approve") == 409)
            #expect(try rule("release") == 200)
            #expect(try rule("release") == 409)
        }
    }

    @Test("back the ledger up, and reload the policy, where that is configured")
    func upkeep() async throws {
        try await ServedShop().serving {
            $0.backupFolder = $0.folder
            $0.policyFolder = $0.folder + "/no-such-folder"
        } _: { (shop: ServedShop) throws in
            let backup = try shop.exchange(
                shop.operationsSocket, .post("/v1/backup", "{\(reason)}"))
            #expect(backup.status == 200, "\(backup.text)")
            let file = try #require(try parseJSON(backup.body)["file"]?.string)
            #expect(file.hasPrefix(shop.folder.path + "/run/usher-"))
            let reload = try shop.exchange(
                shop.operationsSocket, .post("/v1/policy/reload", "{\(reason)}"))
            #expect(reload.status == 422)
            #expect(reload.text.contains("policy.refused"))
        }
    }
}

/// A store that fails so.
private struct Failing: StoreFailure {
    let kind: LedgerError.Kind
    var code: String { "ledger.\(kind)" }
    func template(in language: Language) -> String {
        switch language {
        case .english: "it fails"
        case .chinese: "失败"
        }
    }
}
