internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

@Suite("Pushed changes over usher.sock", .timeLimit(.minutes(20)))
struct PushedChangeTests {
    @Test("are listed, counted, and sent again")
    func undelivered() async throws {
        let shop = try await ServedShop()
        let pusher = try shop.pusher()
        try await shop.serving {
            $0.pusher = pusher
        } _: { (shop: ServedShop) throws in
            func exchange(_ request: WireRequest) throws -> LocalClient.Response {
                try shop.exchange(shop.operationsSocket, request)
            }
            let list = try UndeliveredList.read(
                parseJSON(exchange(.get("/v1/changes/undelivered")).body))
            #expect(list.changes.map(\.number) == [8])
            #expect(list.subscriptions.map(\.subscription) == ["back-end"])
            #expect(list.subscriptions.first?.cursor?.number == 12)
            let again = try exchange(
                .post(
                    "/v1/changes/undelivered/resend",
                    #"{"subscription":"back-end","number":8,"reason":"mended"}"#))
            #expect(again.status == 200)
            #expect(try parseJSON(again.body)["changes"] == 1)
            #expect(
                pusher.undelivered(of: nil, skip: 0, limit: 1).changes.first?.isSentAgain == true)
            for (body, field) in [
                (#"{"subscription":"back-end","number":9,"reason":"a"}"#, "subscription"),
                (#"{"subscription":"x","reason":"a"}"#, "subscription"),
            ] {
                let unknown = try exchange(.post("/v1/changes/undelivered/resend", body))
                #expect(unknown.status == 404)
                #expect(unknown.text.contains("subscription.unknown"))
                #expect(unknown.text.contains(field))
            }
            let metrics = try exchange(.get("/metrics")).text
            for line in [
                "usher_push_delivered_total{subscription=\"back-end\"} 0",
                "usher_push_undelivered{subscription=\"back-end\"} 1",
                "usher_push_number{subscription=\"back-end\"} 12",
                "usher_push_failing{subscription=\"back-end\"} 0",
            ] { #expect(metrics.contains(line + "\n"), "\(line)") }
        }
    }

    @Test("are none where nobody is to be sent them")
    func none() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let list = try shop.exchange(
                shop.operationsSocket, .get("/v1/changes/undelivered"))
            #expect(list.text == #"{"subscriptions":[],"changes":[]}"#)
            let resend = try shop.exchange(
                shop.operationsSocket,
                .post(
                    "/v1/changes/undelivered/resend",
                    #"{"subscription":"back-end","reason":"a"}"#))
            #expect(resend.status == 404)
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics"))
            #expect(!metrics.text.contains("usher_push"))
        }
    }
}
