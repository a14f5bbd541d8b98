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
    ("known_at=2026-01-01", 200, ""), ("known_at=2000-01-01&at=2026-04-01", 200, ""),
    ("known_at=2100-01-01", 400, "input.future"), ("known_at=soon", 400, "input.instant"),
    ("known_at=", 400, "input.instant"),
    ("known_at=2026-01-01&known_at=2026-01-01", 400, "input.duplicate-parameter"),
    ("known_at=2000-01-01&min_revision=1", 503, "service.revision-not-reached"),
    ("revision=0", 200, ""), ("revision=1", 200, ""), ("revision=1&at=2027-01-01", 200, ""),
    ("revision=1000000", 400, "input.future"), ("revision=-1", 400, "input.number"),
    ("revision=", 400, "input.number"), ("revision=1:ab", 400, "input.number"),
    ("revision=9223372036854775808", 400, "input.number"),
    ("revision=1&known_at=2026-01-01", 400, "input.two-moments"),
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

    @Test("what was known then is told, by what was in force then, on both sockets alike")
    func knownAt() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func told(_ path: String, _ query: String) throws -> JSONValue {
                let answers = try [shop.querySocket, shop.operationsSocket].map {
                    try parseJSON(shop.exchange($0, .get(path + "?" + query)).body)
                }
                #expect(answers[0] == answers[1])
                return answers[0]
            }
            let (rights, credits) = (readings[0], readings[2])
            let head = shop.engine.revision
            for path in [rights, credits] {
                let now = try told(path, "at=2026-04-01")
                #expect(try told(path, "revision=\(head)&at=2026-04-01") == now)
                let none = try told(path, "known_at=2000-01-01&at=2026-04-01")
                #expect(none["revision"] == 0)
                #expect(try told(path, "revision=0&at=2026-04-01") == none)
                // What was answered then, where no instant is named.
                #expect(try told(path, "known_at=2000-01-01")["at"] == "2000-01-01T00:00:00.000Z")
            }
            #expect(try told(credits, "revision=0&at=2026-04-01")["balances"] == [])
            let future = try parseJSON(
                shop.exchange(shop.querySocket, .get(rights + "?revision=1000000")).body)
            #expect(future["newest"] == .integer(head.number))
        }
    }

    @Test("a question of AuthZEN says what was known, each of a list for itself; a search does not")
    func contexts() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let alice = #""subject":{"type":"account","id":"alice"},"action":{"name":"use"},"#
            let premium = #""resource":{"type":"entitlement","id":"premium"}"#
            let head = shop.engine.revision
            func decisions(_ body: String, _ path: String) throws -> String {
                try shop.exchange(shop.querySocket, .post("/access/v1/" + path, body)).text
            }
            let now = try decisions("{\(alice)\(premium)}", "evaluation")
            #expect(now.contains(#""decision":true"#))
            let known = #""context":{"at":"2026-04-01T00:00:00Z","revision":"#
            for revision in ["0", "\(head)"] {
                let answer = try decisions(
                    "{\(alice)\(premium),\(known)\(revision)}}", "evaluation")
                #expect(answer.contains(#""revision":\#(revision)"#), "\(answer)")
            }
            let list = try parseJSON(
                Array(
                    decisions(
                        """
                        {\(alice)\(premium),"evaluations":[{},{\(known)0}},
                         {"context":{"revision":99999}},
                         {"context":{"revision":1,"known_at":"2026-01-01T00:00:00Z"}}]}
                        """, "evaluations"
                    ).utf8))
            let answers = try #require(list["evaluations"]?.elements)
            #expect(answers.map { $0["decision"]?.bool } == [true, false, false, false])
            #expect(answers[1]["context"]?["revision"] == 0)
            #expect(answers[3]["context"]?["error"]?["code"] == "input.two-moments")
            let search = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/access/v1/search/subject",
                    #"{"subject":{"type":"account"},"action":{"name":"use"},\#(premium),"#
                        + #""context":{"revision":1}}"#))
            #expect(search.status == 501)
        }
    }

    @Test("an answer that can be made again says how, and is made again to the byte")
    func replayable() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for path in readings.prefix(2) {
                let first = try shop.exchange(
                    shop.querySocket, .get(path + "?replayable=true&at=2026-04-01"))
                let answer = try parseJSON(first.body)
                #expect(answer["rules"] == .integer(DerivationRules.version))
                let asked = try #require(answer["as_of"])
                #expect(asked["account"] == "alice")
                let revision = try #require(asked["revision"]?.int64)
                let at = try #require(asked["at"]?.string)
                let again = try shop.exchange(
                    shop.operationsSocket,
                    .get(path + "?replayable=true&at=\(at)&revision=\(revision)"))
                #expect(again.body == first.body)
                // All else is as without it.
                let plain = try shop.exchange(shop.querySocket, .get(path + "?at=2026-04-01"))
                #expect(first.text.hasPrefix(plain.text.dropLast()))
            }
            let other = try shop.exchange(
                shop.querySocket, .get(readings[2] + "?replayable=true"))
            #expect(other.status == 400)
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
