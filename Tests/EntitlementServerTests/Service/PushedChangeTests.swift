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
            let resend = WireRequest.post(
                "/v1/changes/undelivered/resend",
                #"{"subscription":"back-end","number":8,"reason":"mended"}"#)
            for (act, isSent) in [("resend", true), ("discard", false)] {
                var request = resend.preview
                request.target = request.target.replacing("resend", with: act)
                let effect = try parseJSON(exchange(request).body)
                #expect(effect["dry_run"] == true && effect["takes_away"] == false, "\(effect)")
                #expect(effect["delivery"]?["sent_again"] == .bool(isSent), "\(effect)")
                #expect(effect["delivery"]?["subscription"] == "back-end")
                #expect(effect["delivery"]?["count"] == 1)
            }
            let untouched = try UndeliveredList.read(
                parseJSON(exchange(.get("/v1/changes/undelivered")).body))
            #expect(untouched.changes == list.changes && untouched.discarded.isEmpty)
            let again = try exchange(resend)
            #expect(again.status == 200)
            #expect(try parseJSON(again.body)["changes"] == 1)
            let after = try UndeliveredList.read(
                parseJSON(exchange(.get("/v1/changes/undelivered")).body))
            #expect(after.changes.first?.isSentAgain == true)
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

    @Test("are discarded for a reason, which stays on the list")
    func discarded() async throws {
        let shop = try await ServedShop()
        let pusher = try shop.pusher()
        try await shop.serving {
            $0.pusher = pusher
        } _: { (shop: ServedShop) throws in
            func exchange(_ request: WireRequest) throws -> LocalClient.Response {
                try shop.exchange(shop.operationsSocket, request)
            }
            let before = try StatusReport.read(parseJSON(exchange(.get("/status")).body))
            let standing = try #require(before.push.first)
            #expect(standing.subscription == "back-end")
            #expect(standing.undelivered == 1)
            let head = try #require(before.feed?.head)
            #expect(standing.waiting == max(0, head - 12))
            let metrics = try exchange(.get("/metrics")).text
            #expect(
                metrics.contains(
                    "usher_push_waiting{subscription=\"back-end\"} \(max(0, head - 12))\n"))
            let path = "/v1/changes/undelivered/discard"
            for (number, status) in [(9, 404), (0, 400), (8, 200), (8, 404)] {
                let answer = try exchange(
                    .post(
                        path,
                        #"{"subscription":"back-end","number":\#(number),"reason":"settled"}"#))
                #expect(answer.status == status, "\(number): \(answer.text)")
            }
            let list = try UndeliveredList.read(
                parseJSON(exchange(.get("/v1/changes/undelivered")).body))
            #expect(list.changes.isEmpty)
            #expect(list.discarded.map(\.number) == [8])
            #expect(list.discarded.map(\.changes) == [1])
            #expect(list.discarded.map(\.reason) == ["settled"])
            #expect(try list.discarded.map(\.actor) == [ServedShop.ownActor])
            let after = try StatusReport.read(parseJSON(exchange(.get("/status")).body))
            #expect(after.push.map(\.undelivered) == [0])
        }
    }

    @Test("are none where nobody is to be sent them")
    func none() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let list = try shop.exchange(
                shop.operationsSocket, .get("/v1/changes/undelivered"))
            #expect(list.text == #"{"subscriptions":[],"changes":[],"discarded":[]}"#)
            for act in ["resend", "discard"] {
                let answer = try shop.exchange(
                    shop.operationsSocket,
                    .post(
                        "/v1/changes/undelivered/\(act)",
                        #"{"subscription":"back-end","reason":"a"}"#))
                #expect(answer.status == 404)
            }
            let status = try StatusReport.read(
                parseJSON(shop.exchange(shop.operationsSocket, .get("/status")).body))
            #expect(status.push.isEmpty)
            let metrics = try shop.exchange(shop.operationsSocket, .get("/metrics"))
            #expect(!metrics.text.contains("usher_push"))
        }
    }
}
