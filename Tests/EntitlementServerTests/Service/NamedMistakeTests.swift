internal import EntitlementEngine
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// What is written wrongly, and how the answer names it: the code, the place, what was meant.
private let mistakes: [(request: WireRequest, named: [String?])] = [
    (
        .post(
            "/v1/accounts/alice/spend",
            #"{"credits":[{"credit":"coins","amount":1,"enviroment":"sandbox"}]}"#),
        ["input.unknown-member", "credits[0].enviroment"]
    ),
    (
        .post(
            "/v1/accounts/alice/spend",
            #"{"credits":[{"credit":"coins","amount":1},{"credit":"coins","amout":1}]}"#),
        ["input.unknown-member", "credits[1].amout", "amount"]
    ),
    (
        .post(
            "/v1/orders",
            #"{"account":"alice","product":"gold","price":{"milliunits":1,"curency":"USD"}}"#),
        ["input.unknown-member", "price.curency", "currency"]
    ),
    (
        .post("/v1/grants", #"{"account":"bob","entitlement":"premum","reason":"a"}"#),
        ["deed.unknown-gift", "entitlement", "premium"]
    ),
    (
        .post("/v1/grants", #"{"account":"bob","credit":"coin","units":1,"reason":"a"}"#),
        ["deed.unknown-gift", "credit", "coins"]
    ),
    (
        .post(
            "/v1/blocks",
            #"{"account":"bob","entitlements":["premium","archiv"],"reason":"a"}"#),
        ["deed.unknown-gift", "entitlements[1]", "archive"]
    ),
    (
        .post(
            "/v1/evidence", #"{"account":"alice","payload":"a.b.c","acount":"x"}"#),
        ["input.unknown-member", "acount", "account"]
    ),
    (
        .post("/v1/preflight", #"{"account":"alice","product":"gold","at":{"a":{"b":1}}}"#),
        ["input.unknown-member", "at"]
    ),
    (.get("/v1/findings?limt=1"), ["input.unknown-parameter", "limt", "limit"]),
    (
        .get("/v1/accounts/alice?enviroment=x"),
        ["input.unknown-parameter", "enviroment", "environment"]
    ),
    (.post("/v1/grants?environment=x", "{}"), ["input.unknown-parameter", "environment"]),
    (.get("/v1/evidence?after_entry=1&after=1"), ["input.duplicate-parameter", "after"]),
    (
        .delete("/v1/blocks/none?reason=a", #"{"reason":"a"}"#),
        ["input.duplicate-parameter", "reason"]
    ),
    (WireRequest(method: "DELETE", target: "/v1/blocks/none"), ["input.missing", "reason"]),
    (
        WireRequest(method: "DELETE", target: "/v1/blocks/none?reason=a"),
        ["deed.unknown-block", "block"]
    ),
    (.delete("/v1/grants/none", #"{"reason":"a"}"#), ["deed.unknown-grant", "grant"]),
    (.delete("/v1/merges/1", #"{"reason":"a"}"#), ["merge.unknown-merge", "merge"]),
    (
        .post("/v1/claims/1/ruling", #"{"verb":"approve","reason":"a"}"#),
        ["deed.unknown-claim", "claim"]
    ),
    (
        .post("/v1/refunds/requests/1/answered", #"{"reason":"a"}"#),
        ["refund.unknown", "request"]
    ),
]

/// Numbers that are too small or too large, and the bounds that the answer says.
private let bounds: [(request: WireRequest, field: String, said: String)] = [
    (.get("/v1/findings?limit=5000"), "limit", "the value must be at least 1 and at most 1000"),
    (.get("/v1/claims?limit=0"), "limit", "the value must be at least 1 and at most 1000"),
    (.get("/v1/changes?wait=61s"), "wait", "the value must be at least 0 and at most 60"),
]

@Suite("What is written wrongly", .timeLimit(.minutes(20)))
struct NamedMistakeTests {
    @Test("is named with its place and what was probably meant, and nothing is done")
    func named() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            for (request, named) in mistakes {
                var request = request
                request.fields.append("Idempotency-Key: k")
                let answer = try shop.exchange(shop.operationsSocket, request)
                let problem = try parseJSON(answer.body)
                let found = ["code", "field", "did_you_mean"].map { problem[$0]?.string }
                let expected = named + [String?](repeating: nil, count: 3 - named.count)
                #expect(found == expected, "\(request.testDescription): \(answer.text)")
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("is told the bounds of a number")
    func bounded() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (request, field, said) in bounds {
                let answer = try shop.exchange(shop.operationsSocket, request)
                let problem = try parseJSON(answer.body)
                #expect(problem["field"]?.string == field)
                #expect(problem["detail"]?.string == said)
            }
        }
    }

    @Test("is told that the length of a body is missing, and the call is not carried out")
    func withoutLength() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let grant = WireRequest.post(
                "/v1/grants", #"{"account":"bob","entitlement":"premium","reason":"a"}"#)
            let made = try parseJSON(shop.exchange(shop.operationsSocket, grant).body)
            let id = try #require(made["grant"]?.string)
            #expect(made["revision"]?.int64 == made["sequence"]?.int64)
            let revision = shop.engine.revision
            for target in ["/v1/grants/\(id)", "/v1/grants/\(id)?reason=a"] {
                let connection = try LocalConnection(
                    path: shop.operationsSocket, secondsToWait: 600)
                defer { connection.close() }
                try connection.write(
                    Array("DELETE \(target) HTTP/1.1\r\nHost: a\r\n\r\n{\"reason\":\"b\"}".utf8))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 411 ") && text.contains("http.length-required"))
            }
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("is no offer of another protocol: both sockets answer in their own")
    func upgrades() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for socket in [shop.querySocket, shop.operationsSocket] {
                let connection = try LocalConnection(path: socket, secondsToWait: 600)
                defer { connection.close() }
                let offer =
                    "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                let last = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                try connection.write(
                    Array((offer + "Upgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n" + last).utf8))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(text.split(separator: "HTTP/1.1 200 OK").count == 2, "\(text)")
            }
        }
    }
}
