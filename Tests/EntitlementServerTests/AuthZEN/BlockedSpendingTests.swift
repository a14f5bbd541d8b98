internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

@Suite("Spending under a block", .timeLimit(.minutes(20)))
struct BlockedSpendingTests {
    private static let question = WireRequest.post(
        "/access/v1/evaluation",
        #"{"subject":{"type":"account","id":"alice"},"#
            + #""action":{"name":"spend","properties":{"amount":1}},"#
            + #""resource":{"type":"credit","id":"coins"}}"#)

    @Test(
        "is denied while a block stops the credit or everything, and by no other block",
        arguments: [
            (#""credits":["coins"],"#, "blocked"), ("", "blocked"),
            (#""entitlements":["premium"],"#, "enough"),
        ])
    func spending(scope: String, reason: String) async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let block = WireRequest.post(
                "/v1/blocks", #"{"account":"alice",\#(scope)"reason":"a test"}"#)
            #expect(try shop.exchange(shop.operationsSocket, block).status == 200)
            for socket in shop.sockets {
                let answer = try shop.exchange(socket, Self.question)
                let context = try parseJSON(answer.body)["context"]
                #expect(context?["reason"]?.string == reason)
            }
        }
    }

    @Test("a block that names what nobody defines, or nothing, is rejected")
    func names() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            for (scope, status) in [(#""credits":["gold"]"#, 422), (#""credits":[]"#, 400)] {
                let block = WireRequest.post(
                    "/v1/blocks", #"{"account":"alice",\#(scope),"reason":"a test"}"#)
                #expect(try shop.exchange(shop.operationsSocket, block).status == status)
            }
        }
    }
}
