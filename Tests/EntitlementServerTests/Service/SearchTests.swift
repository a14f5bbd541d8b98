internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// A search and what it finds.
private struct SearchCase {
    let target: String
    let body: String
    let found: [String]

    init(_ target: String, _ body: String, _ found: [String]) {
        self.target = target
        self.body = body
        self.found = found
    }
}

private let alice = #""subject":{"type":"account","id":"alice"}"#
private let accounts = #""subject":{"type":"account"}"#
private let use = #""action":{"name":"use"}"#
private let buy = #""action":{"name":"purchase"}"#
private let premium = #""resource":{"type":"entitlement","id":"premium"}"#

private let searches: [SearchCase] = [
    .init("subject", "{\(accounts),\(use),\(premium)}", ["alice"]),
    .init("subject", #"{"subject":{"type":"account","id":"x y"},\#(use),\#(premium)}"#, ["alice"]),
    .init(
        "subject", #"{\#(accounts),\#(use),\#(premium),"context":{"environment":"sandbox"}}"#,
        ["qa"]),
    .init("subject", #"{\#(accounts),\#(use),\#(premium),"context":{"at":"2026-04-01"}}"#, []),
    .init(
        "subject",
        #"{\#(accounts),"action":{"name":"spend","properties":{"amount":100}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#, ["alice"]),
    .init(
        "subject",
        #"{\#(accounts),"action":{"name":"spend","properties":{"amount":101}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#, []),
    .init(
        "subject", #"{\#(accounts),\#(buy),"resource":{"type":"product","id":"coins"}}"#,
        ["alice", "dora", "qa"]),
    .init("subject", #"{"subject":{"type":"robot"},\#(use),\#(premium)}"#, []),
    .init("subject", #"{\#(accounts),\#(use),"resource":{"type":"boat","id":"1"}}"#, []),
    .init("subject", #"{\#(accounts),"action":{"name":"fly"},\#(premium)}"#, []),
    .init("resource", #"{\#(alice),\#(use),"resource":{"type":"entitlement"}}"#, ["premium"]),
    .init(
        "resource", #"{\#(alice),\#(use),"resource":{"type":"entitlement","id":"q"}}"#, ["premium"]),
    .init(
        "resource",
        #"{"subject":{"type":"apple-id","id":"atx:production:9"},\#(use),"#
            + #""resource":{"type":"entitlement"}}"#, ["premium"]),
    .init(
        "resource",
        #"{"subject":{"type":"account","id":"nobody"},\#(use),"resource":{"type":"entitlement"}}"#,
        []),
    .init(
        "resource", #"{\#(alice),"action":{"name":"spend"},"resource":{"type":"credit"}}"#,
        ["coins"]),
    .init("action", "{\(alice),\(premium)}", ["use"]),
    .init("action", #"{\#(alice),"resource":{"type":"entitlement","id":"archive"}}"#, []),
    .init("action", #"{\#(alice),"resource":{"type":"product","id":"coins"}}"#, ["purchase"]),
    .init("action", #"{\#(alice),"resource":{"type":"credit","id":"coins"}}"#, ["spend"]),
    .init("action", #"{\#(alice),"resource":{"type":"boat","id":"1"}}"#, []),
]

private let refused: [(target: String, body: String, code: String, field: String)] = [
    ("subject", "{\(accounts),\(use)}", "input.missing", "resource"),
    (
        "subject", #"{\#(accounts),\#(use),"resource":{"type":"entitlement"}}"#, "input.missing",
        "resource.id"
    ),
    ("subject", "{\(accounts),\(premium)}", "input.missing", "action"),
    ("subject", #"{"subject":{},\#(use),\#(premium)}"#, "input.missing", "subject.type"),
    ("subject", #"{"subject":"alice",\#(use),\#(premium)}"#, "input.type", "subject"),
    ("subject", #"{\#(accounts),"action":{"name":1},\#(premium)}"#, "input.type", "action.name"),
    (
        "resource", #"{\#(accounts),\#(use),"resource":{"type":"entitlement"}}"#, "input.missing",
        "subject.id"
    ),
    ("action", "{\(accounts),\(premium)}", "input.missing", "subject.id"),
    ("action", "{\(alice)}", "input.missing", "resource"),
    ("subject", #"{\#(accounts),\#(use),\#(premium),"page":1}"#, "input.type", "page"),
    (
        "subject", #"{\#(accounts),\#(use),\#(premium),"page":{"limit":-1}}"#, "input.value",
        "page.limit"
    ),
    (
        "subject", #"{\#(accounts),\#(use),\#(premium),"page":{"limit":"1"}}"#, "input.number",
        "page.limit"
    ),
    (
        "subject", #"{\#(accounts),\#(use),\#(premium),"page":{"token":"1.2.x"}}"#, "input.value",
        "page.token"
    ),
    (
        "subject", #"{\#(accounts),\#(use),\#(premium),"page":{"token":1}}"#, "input.type",
        "page.token"
    ),
]

extension ServedShop {
    /// - Returns: the ids found, or the names of actions, and the token of the next page.
    fileprivate func search(
        _ target: String, _ body: String
    ) throws -> (found: [String], next: String) {
        let response = try exchange(
            operationsSocket, .post("/access/v1/search/" + target, body))
        #expect(response.status == 200, "\(body): \(response.text)")
        #expect(response.text.hasPrefix("{\"page\":{"))
        let answer = try parseJSON(response.body)
        let found = (answer["results"]?.elements ?? []).compactMap {
            ($0["id"] ?? $0["name"])?.string
        }
        #expect(answer["page"]?["count"]?.int64 == Int64(found.count))
        return (found, try #require(answer["page"]?["next_token"]?.string))
    }
}

@Suite("AuthZEN searches", .timeLimit(.minutes(20)))
struct SearchTests {
    @Test("find what an evaluation permits, and nothing else")
    func found() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for search in searches {
                let (found, next) = try shop.search(search.target, search.body)
                #expect(found == search.found, "\(search.target) \(search.body)")
                #expect(next.isEmpty)
            }
        }
    }

    @Test("refuse what cannot be read")
    func refusals() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (target, body, code, field) in refused {
                let response = try shop.exchange(
                    shop.operationsSocket, .post("/access/v1/search/" + target, body))
                #expect(response.status == 400, "\(body)")
                #expect(response.text.contains("\"code\":\"\(code)\""), "\(body): \(response.text)")
                #expect(response.text.contains("\"field\":\"\(field)\""), "\(body)")
            }
            let appleIDs = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/access/v1/search/subject",
                    #"{"subject":{"type":"apple-id"},\#(use),\#(premium)}"#))
            #expect(appleIDs.status == 501)
        }
    }

    @Test("are paged, each page as of the instant of the first", arguments: [0, 1, 2, 3, 4])
    func paged(limit: Int) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let search = #"{\#(accounts),\#(buy),"resource":{"type":"product","id":"coins"}"#
            var token = ""
            var all: [String] = []
            for _ in 0..<4 {
                let page = #","page":{"limit":\#(limit),"token":"\#(token)"}}"#
                let (found, next) = try shop.search("subject", search + page)
                #expect(found.count <= limit)
                all += found
                token = next
                if next.isEmpty || limit == 0 { break }
                #expect(next.hasPrefix("\(shop.engine.clock.now().milliseconds)."))
            }
            #expect(all == (limit == 0 ? [] : ["alice", "dora", "qa"]))
            #expect(token.isEmpty == (limit > 0))
            let other = #"{\#(accounts),\#(use),\#(premium),"page":{"token":"\#(token)"}}"#
            let status = try shop.exchange(
                shop.operationsSocket, .post("/access/v1/search/subject", other)
            ).status
            #expect(status == (token.isEmpty ? 200 : 400))
        }
    }

    @Test("are named in the metadata of the socket that serves them")
    func metadata() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let path = "/.well-known/authzen-configuration"
            let fast = try shop.exchange(shop.querySocket, .get(path))
            let full = try shop.exchange(shop.operationsSocket, .get(path))
            #expect(try parseJSON(fast.body).members?.count == 3)
            let searches = try parseJSON(full.body)
            for target in Search.Target.allCases {
                let endpoint = searches["search_\(target.rawValue)_endpoint"]?.string
                #expect(endpoint == "https://localhost/access/v1/search/" + target.rawValue)
            }
        }
    }

    @Test("have tokens that are read as they are written")
    func tokens() throws {
        let instant = try #require(Instant(rfc3339: "2026-03-01"))
        for last in ["", "a", "a.b.c", "~\"\\"] {
            let token = SearchToken(instant: instant, fingerprint: 0xFEED, last: last)
            #expect(SearchToken(token.text) == token)
        }
        for text in ["", "1", "1.x.a", "x.1.a", "1.1"] { #expect(SearchToken(text) == nil) }
    }
}
