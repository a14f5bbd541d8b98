internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

let wireCases: [WireCase] =
    headerCases + evaluationCases + refusedEvaluationCases + batchCases + searchCases
    + metadataCases

@Suite("AuthZEN on the wire", .timeLimit(.minutes(20)))
struct WireCaseTests {
    /// Every case on usher.sock, and on query.sock what that serves.
    @Test("is as the specification says")
    func cases() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for wireCase in wireCases {
                let sockets = wireCase.isForOneSocket ? [shop.operationsSocket] : shop.sockets
                for socket in sockets {
                    let answer = try shop.wireAnswer(socket, wireCase.request)
                    for expectation in wireCase.expectations {
                        try expectation.check(answer, wireCase.name)
                    }
                }
            }
        }
    }

    @Test("has a name for every case, once")
    func names() {
        let names = wireCases.map(\.name)
        let doubles = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(doubles == [])
    }

    @Test("answers a question again with the same bytes")
    func repeated() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for wireCase in wireCases {
                let first = try shop.exchange(shop.operationsSocket, wireCase.request)
                let again = try shop.exchange(shop.operationsSocket, wireCase.request)
                #expect(first == again, "\(wireCase.name)")
            }
        }
    }

    @Test("finds nothing that an evaluation denies")
    func searchesHold() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            var found = 0
            for wireCase in searchCases {
                let response = try shop.exchange(shop.operationsSocket, wireCase.request)
                guard response.status == 200, let body = wireCase.request.body else { continue }
                let question = try parseJSON(Array(body.utf8))
                for result in try parseJSON(response.body)["results"]?.elements ?? [] {
                    let evaluation = question.asking(result, for: wireCase.request.target)
                    let answer = try shop.exchange(
                        shop.operationsSocket, .post("/access/v1/evaluation", evaluation.text))
                    #expect(try parseJSON(answer.body)["decision"] == true, "\(evaluation.text)")
                    found += 1
                }
            }
            #expect(found > 20)
        }
    }

    /// A page is asked for before what it is about changes, the next ones after.
    @Test("searches as of the instant of the first page, however late the others are asked for")
    func oneInstant() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for account in ["bob", "carol"] {
                let grant = WireRequest.post(
                    "/v1/grants",
                    #"{"account":"\#(account)","entitlement":"premium","until":"2026-03-10","#
                        + #""reason":"a test"}"#)
                #expect(try shop.exchange(shop.operationsSocket, grant).status == 200)
            }
            let search = #"{"subject":{"type":"account"},\#(useAction),\#(premiumResource)"#
            var found: [String] = []
            var token = ""
            repeat {
                let page = #","page":{"limit":1,"token":"\#(token)"}}"#
                let response = try shop.exchange(
                    shop.operationsSocket, .post("/access/v1/search/subject", search + page))
                let answer = try parseJSON(response.body)
                found += (answer["results"]?.elements ?? []).compactMap { $0["id"]?.string }
                token = try #require(answer["page"]?["next_token"]?.string)
                shop.clock.instant.set(try #require(Instant(rfc3339: "2027-01-01")))
            } while !token.isEmpty
            #expect(found == ["alice", "bob", "carol"])
            let now = try shop.exchange(
                shop.operationsSocket, .post("/access/v1/search/subject", search + "}"))
            #expect(try parseJSON(now.body)["results"] == [])
        }
    }
}

extension ServedShop {
    func wireAnswer(_ socket: String, _ request: WireRequest) throws -> WireAnswer {
        let text = try say(String(decoding: request.bytes, as: UTF8.self), to: socket)
        return try WireAnswer(text, hasBody: request.method != "HEAD")
    }
}

extension JSONValue {
    /// The evaluation that a search with this body promises for one of its results.
    fileprivate func asking(_ result: JSONValue, for target: String) -> JSONValue {
        var question = self
        let name = target.split(separator: "/").last.map(String.init) ?? ""
        var entity = self[name] ?? [:]
        for member in result.members ?? [] { entity[member.key] = member.value }
        question[name] = entity
        return question
    }
}
