internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// Every call that reads, by its path; those of one entitlement ask for premium.
private let readings = [
    "/v1/accounts/alice/entitlements", "/v1/accounts/alice/entitlements/premium",
    "/v1/accounts/alice/credits", "/v1/accounts/alice", "/v1/accounts/alice/timeline",
    "/v1/accounts/alice/findings", "/v1/accounts/alice/explain/premium",
    "/v1/accounts/alice/catalog",
]

/// Parameters, each well and badly written.
private let written: [(query: String, status: Int, code: String)] = [
    ("at=2026-04-01", 200, ""), ("at=soon", 400, "input.instant"),
    ("environment=sandbox", 200, ""), ("environment=Sandbox", 400, "input.value"),
    ("apple_id=atx:production:9", 200, ""), ("apple_id=a%20b", 400, "apple-id.malformed"),
    ("apple_id=", 400, "apple-id.malformed"), ("apple_id=nonsense", 400, "apple-id.malformed"),
    ("apple_id=400000000001001", 400, "apple-id.malformed"),
    ("apple_id=atx:Production:9", 400, "apple-id.malformed"),
    ("apple_id=atx:production:", 400, "apple-id.malformed"),
    ("apple_id=atx:production:9x", 400, "apple-id.malformed"),
    ("apple_id=itx:production:9", 400, "apple-id.malformed"), ("min_revision=1", 200, ""),
    ("min_revision=1000000", 503, "service.revision-not-reached"),
    ("min_revision=+1", 400, "input.number"), ("min_revision=%2B1", 400, "input.number"),
    ("min_revision=-0", 400, "input.number"), ("min_revision=%D9%A5", 400, "input.number"),
    ("min_revision=%201", 400, "input.number"), ("min_revision=", 400, "input.number"),
    ("known_at=2026-01-01", 501, "service.unsupported"),
    ("assume=renews", 400, "assumption.unclear"), ("when=now", 400, "input.unknown-parameter"),
    ("at=2026-04-01&at=2026-04-01", 400, "input.duplicate-parameter"),
]

@Suite("Everything to read", .timeLimit(.minutes(20)))
struct ReadingTests {
    @Test("takes the same parameters everywhere, and refuses the same")
    func parameters() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for path in readings {
                for (query, status, code) in written {
                    // Only of credits it is told what was known before.
                    if query.hasPrefix("known_at"), path.hasSuffix("/credits") { continue }
                    let answer = try shop.exchange(
                        shop.operationsSocket, .get(path + "?" + query))
                    #expect(answer.status == status, "\(path)?\(query): \(answer.text)")
                    #expect(code.isEmpty || answer.text.contains("\"code\":\"\(code)\""))
                }
            }
            let ofAppleID = try shop.exchange(
                shop.querySocket,
                .get("/v1/apple-ids/atx:production:9/entitlements?apple_id=atx:production:9"))
            #expect(ofAppleID.status == 400)
        }
    }

    @Test("balances are told as they were known at an instant, by what was in force then")
    func knownAt() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func balances(_ query: String) throws -> JSONValue? {
                let path = "/v1/accounts/alice/credits?" + query
                let answers = try [shop.querySocket, shop.operationsSocket].map {
                    try parseJSON(shop.exchange($0, .get(path)).body)
                }
                #expect(answers[0]["balances"] == answers[1]["balances"])
                return answers[0]["balances"]
            }
            let now = try balances("at=2026-04-01")
            #expect(now != [])
            #expect(try balances("known_at=2100-01-01&at=2026-04-01") == now)
            #expect(try balances("known_at=2000-01-01&at=2026-04-01") == [])
            for (query, status, code) in [
                ("known_at=soon", 400, "input.instant"), ("known_at=", 400, "input.instant"),
                ("known_at=2026-01-01&known_at=2026-01-01", 400, "input.duplicate-parameter"),
                ("known_at=2000-01-01&min_revision=1", 503, "service.revision-not-reached"),
            ] {
                let answer = try shop.exchange(
                    shop.querySocket, .get("/v1/accounts/alice/credits?" + query))
                #expect(answer.status == status, "\(query): \(answer.text)")
                #expect(answer.text.contains("\"code\":\"\(code)\""), "\(query): \(answer.text)")
            }
        }
    }

    @Test(
        "a key of an Apple ID that is none is refused wherever one is taken",
        arguments: ["400000000001001", "nonsense", "atx:production:9:9", "otx:moon:1", "atx:"])
    func malformedAppleID(key: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let resource = #""resource":{"type":"entitlement","id":"premium"}"#
            let calls: [(String, WireRequest)] = [
                (shop.querySocket, .get("/v1/apple-ids/\(key)/entitlements")),
                (
                    shop.querySocket,
                    .get("/v1/accounts/alice/entitlements/premium?apple_id=\(key)")
                ),
                (
                    shop.operationsSocket,
                    .post(
                        "/v1/preflight",
                        #"{"account":"alice","product":"gold","apple_id":"\#(key)"}"#)
                ),
                (
                    shop.querySocket,
                    .post(
                        "/access/v1/evaluation",
                        #"{"subject":{"type":"apple-id","id":"\#(key)"},"#
                            + #""action":{"name":"use"},\#(resource)}"#)
                ),
                (
                    shop.querySocket,
                    .post(
                        "/access/v1/evaluation",
                        #"{"subject":{"type":"account","id":"alice"},"action":{"name":"use"},"#
                            + #"\#(resource),"context":{"apple_id":"\#(key)"}}"#)
                ),
            ]
            for (socket, call) in calls {
                let answer = try shop.exchange(socket, call)
                #expect(answer.status == 400, "\(answer.text)")
                #expect(answer.text.contains(#""code":"apple-id.malformed""#), "\(answer.text)")
            }
        }
    }

    @Test("an entitlement that no policy ever named is a mistake, and the nearest one is named")
    func unknownEntitlement() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (socket, path) in [
                (shop.querySocket, "/v1/accounts/alice/entitlements/premuim"),
                (shop.operationsSocket, "/v1/accounts/alice/explain/premuim"),
                (shop.querySocket, "/v1/accounts/nobody/entitlements/premuim"),
            ] {
                let answer = try shop.exchange(socket, .get(path))
                #expect(answer.status == 404)
                #expect(answer.text.contains(#""code":"entitlement.unknown""#), "\(answer.text)")
                #expect(answer.text.contains(#""did_you_mean":"premium""#), "\(answer.text)")
            }
            let body =
                #"{"subject":{"type":"account","id":"alice"},"action":{"name":"use"},"#
                + #""resource":{"type":"entitlement","id":"premuim"}}"#
            // The second time the account is in memory, where the usual body takes another way.
            for _ in 0..<2 {
                let answer = try shop.exchange(
                    shop.querySocket, .post("/access/v1/evaluation", body))
                #expect(
                    answer.text
                        == #"{"decision":false,"context":{"reason":"unknown-entitlement"}}"#)
            }
        }
    }

    /// What alice has came through one Apple ID; bob has a grant besides.
    @Test("limits an account to what came through one Apple ID")
    func throughAppleID() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let grant = WireRequest.post(
                "/v1/grants", #"{"account":"alice","entitlement":"archive","reason":"a test"}"#)
            #expect(try shop.exchange(shop.operationsSocket, grant).status == 200)
            func decisions(_ query: String) throws -> [Bool?] {
                let answer = try shop.exchange(
                    shop.querySocket, .get("/v1/accounts/alice/entitlements" + query))
                return (try parseJSON(answer.body)["entitlements"]?.elements ?? [])
                    .map { $0["decision"]?.bool }
            }
            #expect(try decisions("") == [true, true])
            #expect(try decisions("?apple_id=atx:production:9") == [false, true])
            #expect(try decisions("?apple_id=otx:production:1") == [false, true])
            #expect(try decisions("?apple_id=atx:production:404") == [false, false])
            let report = try shop.read("/v1/accounts/alice?apple_id=atx:production:404")
            #expect(report["units"] == [] && report["grants"] == [])
            let through = try shop.read("/v1/accounts/alice?apple_id=atx:production:9")
            #expect(through["units"]?.elements?.count == 2)
            let credits = try shop.read(
                "/v1/accounts/alice/credits?apple_id=atx:production:404")
            #expect(credits["balances"] == [])
        }
    }

    /// What each account owns, and what it may not buy, by product.
    @Test(
        "tells what the app sells, what the account has of it, and why it may not buy it",
        arguments: [
            ("alice", ["archive no", "coins no", "gold active: already-subscribed"]),
            ("alice?at=2026-04-01", ["archive no", "coins no", "gold expired"]),
            ("bob", ["archive no", "coins no", "gold no"]),
            (
                "bob?apple_id=atx:production:9",
                ["archive no", "coins no", "gold no: account-switch"]
            ),
            ("qa", ["archive no", "coins no", "gold no"]),
            (
                "qa?environment=sandbox",
                ["archive no", "coins no", "gold active: already-subscribed"]
            ),
            (
                "blocked",
                [
                    "archive no: account-blocked", "coins no: account-blocked",
                    "gold no: account-blocked",
                ]
            ),
        ])
    func catalogue(asked: String, products: [String]) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let block = WireRequest.post("/v1/blocks", #"{"account":"blocked","reason":"a test"}"#)
            #expect(try shop.exchange(shop.operationsSocket, block).status == 200)
            let parts = asked.split(separator: "?")
            let query = parts.count > 1 ? "?" + parts[1] : ""
            let answer = try shop.read("/v1/accounts/\(parts[0])/catalog" + query)
            let items = try #require(answer["products"]?.elements)
            let lines = items.map { item in
                let notes = (item["notes"]?.elements ?? []).filter { $0["effect"] == "block" }
                    .compactMap { $0["code"]?.string }
                let state = item["state"]?.string ?? "no"
                let why = notes.isEmpty ? "" : ": " + notes.joined(separator: ", ")
                return (item["product"]?.string ?? "") + " " + state + why
            }
            #expect(lines == products)
            for item in items {
                let isHeld = item["state"]?.string.map { $0 != "expired" } ?? false
                #expect(item["owned"]?.bool == isHeld)
                #expect(item["purchasable"]?.bool == (item["verdict"] != "block"))
            }
        }
    }

    @Test("limits a report to one environment where one is named")
    func environments() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let all = try shop.read("/v1/accounts/qa")
            let sandbox = try shop.read("/v1/accounts/qa?environment=sandbox")
            let production = try shop.read("/v1/accounts/qa?environment=production")
            #expect(all["units"]?.elements?.count == 1)
            #expect(sandbox["units"] == all["units"] && sandbox["claims"] == all["claims"])
            #expect(production["units"] == [] && production["claims"] == [])
            #expect(production["rights"] == [])
            let timeline = try shop.read("/v1/accounts/qa/timeline?environment=production")
            #expect(timeline["units"] == [] && timeline["rights"] == [])
        }
    }

    @Test("says of an Apple ID that nobody knows as of when nobody does")
    func unknownAppleID() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let answer = try shop.read("/v1/apple-ids/atx:production:404/entitlements")
            #expect(answer["apple_id"]?.isNull == true)
            #expect(answer["revision"]?.int64 == shop.engine.revision.number)
            let later = try shop.exchange(
                shop.querySocket,
                .get("/v1/apple-ids/atx:production:404/entitlements?min_revision=1000000"))
            #expect(later.status == 503)
        }
    }
}

extension ServedShop {
    fileprivate func read(_ target: String) throws -> JSONValue {
        let answer = try exchange(operationsSocket, .get(target))
        #expect(answer.status == 200, "\(target): \(answer.text)")
        return try parseJSON(answer.body)
    }
}
