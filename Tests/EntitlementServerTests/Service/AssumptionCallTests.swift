internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

/// Questions as if something had happened, and since when answers are what they are, over HTTP.
@Suite("Assumptions and histories by call", .timeLimit(.minutes(20)))
struct AssumptionCallTests {
    private static let grant = "assume=grant%20bob%20premium"

    @Test("are answered by every call that reads an account, marked, and leave nothing behind")
    func marked() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let account = "/v1/accounts/bob"
            let calls = [
                ("/entitlements/premium", true), ("/entitlements", true), ("/credits", true),
                ("", false), ("/timeline", false), ("/findings", false), ("/catalog", false),
                ("/explain/premium", false),
            ]
            func answer(_ socket: String, _ path: String) throws -> JSONValue {
                let answer = try shop.exchange(socket, .get(path))
                #expect(answer.status == 200, "\(path): \(answer.text)")
                return try parseJSON(answer.body)
            }
            let before = try answer(shop.querySocket, account + "/entitlements/premium")
            #expect(before["decision"] == false && before["assumed"] == nil)
            for (path, isOfBoth) in calls {
                let sockets = [shop.operationsSocket] + (isOfBoth ? [shop.querySocket] : [])
                for socket in sockets {
                    let assumed = try answer(socket, account + path + "?" + Self.grant)
                    #expect(assumed["assumed"] == true, "\(path)")
                    let frame = assumed["answer"] ?? assumed
                    #expect(frame["revision"] ?? before["revision"] == before["revision"])
                }
            }
            let assumed = try answer(
                shop.querySocket, account + "/entitlements/premium?" + Self.grant)
            #expect(assumed["decision"] == true)
            let decided = try shop.exchange(
                shop.querySocket,
                .post(
                    "/access/v1/evaluation",
                    #"{"subject":{"type":"account","id":"bob"},"action":{"name":"use"},"#
                        + #""resource":{"type":"entitlement","id":"premium"},"#
                        + #""context":{"assume":"support grants bob premium"}}"#))
            let decision = try parseJSON(decided.body)
            #expect(decision["decision"] == true && decision["assumed"] == true)
            let checked = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/v1/preflight?assume=block%20bob",
                    #"{"account":"bob","product":"gold"}"#))
            #expect(checked.status == 200 && checked.text.contains(#""assumed":true"#))
            #expect(try answer(shop.querySocket, account + "/entitlements/premium") == before)
        }
    }

    @Test(
        "are rejected by name",
        arguments: [
            ("assume=refund%2099", 422, "assumption.unknown-transaction", "assume.1"),
            (grant + ";refund%2099", 422, "assumption.unknown-transaction", "assume.2"),
            ("assume=fly%20away", 400, "assumption.unclear", "assume.1"),
            ("assume=", 400, "assumption.unclear", "assume.1"),
            (
                "assume=" + Array(repeating: "block%20bob", count: 9).joined(separator: ";"), 400,
                "input.value", "assume"
            ),
        ])
    func rejected(_ query: String, _ status: Int, _ code: String, _ field: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for path in ["/entitlements/premium", "/explain/premium"] {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/accounts/bob\(path)?\(query)"))
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.text.contains("\"code\":\"\(code)\""), "\(answer.text)")
                #expect(answer.text.contains("\"field\":\"\(field)\""), "\(answer.text)")
            }
        }
    }

    @Test("a history has what changed the answer, and names since when it is wrong")
    func history() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func history(_ query: String) throws -> JSONValue {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/accounts/dora/history/premium" + query))
                #expect(answer.status == 200, "\(answer.text)")
                return try parseJSON(answer.body)
            }
            #expect(try history("")["changes"] == [])
            let granted = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/v1/grants",
                    #"{"account":"dora","entitlement":"premium","reason":"sorry"}"#))
            #expect(granted.status < 300, "\(granted.text)")
            let changes = try history("")["changes"]?.elements ?? []
            #expect(changes.count == 1)
            #expect(changes.first?["entry"] == "grant")
            #expect(changes.first?["before"]?["decision"] == false)
            #expect(changes.first?["after"]?["decision"] == true)
            #expect(changes.first?["reason"] == "sorry")
            let wrong = try history("?expected=no")
            #expect(wrong["as_expected"] == false)
            #expect(wrong["changes"]?.elements?.count == 1)
            #expect(try history("?expected=yes")["as_expected"] == true)
            for query in ["?expected=maybe", "?limit=0", "?after=x"] {
                let answer = try shop.exchange(
                    shop.operationsSocket, .get("/v1/accounts/dora/history/premium" + query))
                #expect(answer.status == 400, "\(query): \(answer.text)")
            }
        }
    }
}
