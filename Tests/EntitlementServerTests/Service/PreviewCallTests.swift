internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON
internal import Testing

@testable internal import EntitlementServer

private let reason = #""reason":"a test""#

@Suite("What a call would change", .timeLimit(.minutes(20)))
struct PreviewCallTests {
    private static func approve(_ shop: ServedShop, _ query: String) -> WireRequest {
        WireRequest(
            method: "POST", target: "/v1/claims/\(shop.waitingClaim)/ruling?" + query,
            body: #"{"verb":"approve",\#(reason)}"#, contentType: "application/json",
            fields: ["Accept-Language: zh"])
    }

    @Test("is said in the caller's language, and done if nothing has changed since")
    func effect() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            let socket = shop.operationsSocket
            let answer = try shop.exchange(socket, Self.approve(shop, "dry_run=true"))
            #expect(answer.status == 200, "\(answer.text)")
            let effect = try parseJSON(answer.body)
            #expect(effect["dry_run"] == true)
            #expect(effect["revision"] == .integer(revision.number))
            #expect(effect["takes_away"] == true)
            let sentences = (effect["changes"]?.elements ?? []).compactMap {
                $0["sentence"]?.string
            }
            #expect(sentences.contains("alice 从现在起失去 premium"), "\(sentences)")
            #expect(shop.engine.revision == revision)
            let block = try shop.exchange(
                socket, .post("/v1/blocks", #"{"account":"dora",\#(reason)}"#))
            #expect(block.status == 200)
            let late = try shop.exchange(
                socket, Self.approve(shop, "if_revision=\(revision.number)"))
            #expect(late.status == 409, "\(late.text)")
            let problem = try parseJSON(late.body)
            #expect(problem["code"] == "action.changed-since")
            #expect(problem["field"] == "if_revision")
            #expect(
                problem["changed"] == [
                    [
                        "entry": .integer(revision.number + 1), "kind": "block",
                        "account": "dora",
                    ]
                ])
            #expect(shop.engine.revision.number == revision.number + 1)
            let done = try shop.exchange(
                socket, Self.approve(shop, "if_revision=\(revision.number + 1)"))
            #expect(done.status == 200, "\(done.text)")
        }
    }

    @Test("is not asked for together with a condition, nor of an entry that is not there")
    func rejections() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            let revision = shop.engine.revision
            let newest = revision.number
            for query in [
                "dry_run=true&if_revision=\(newest)", "if_revision=\(newest + 1)",
                "if_revision=-1", "if_revision=x", "dry_run=yes", "dry_run=true&dry_run=true",
            ] {
                let answer = try shop.exchange(
                    shop.operationsSocket, Self.approve(shop, query))
                #expect(answer.status == 400, "\(query): \(answer.text)")
            }
            let backup = try shop.exchange(
                shop.operationsSocket, .post("/v1/backup?dry_run=true", "{\(reason)}"))
            #expect(backup.status == 400 && backup.text.contains("unknown-parameter"))
            #expect(shop.engine.revision == revision)
        }
    }

    @Test("is said ten times in a second at most")
    func budget() throws {
        let budget = PreviewBudget(limit: 10)
        let now = ContinuousClock.now
        #expect(
            (0..<12).map { _ in budget.take(at: now) } == Array(repeating: true, count: 10) + [
                false, false,
            ])
        #expect(!budget.take(at: now + .milliseconds(999)))
        #expect(budget.take(at: now + .seconds(1)))
    }

    @Test("is 429 beyond that, with the time to wait")
    func tooMany() async throws {
        try await ServedShop().serving {
            $0.previewsPerSecond = 0
        } _: { (shop: ServedShop) throws in
            let answer = try shop.say(
                String(decoding: Self.approve(shop, "dry_run=true").bytes, as: UTF8.self),
                to: shop.operationsSocket)
            #expect(answer.hasPrefix("HTTP/1.1 429 "), "\(answer)")
            #expect(answer.contains("Retry-After: 1"))
            #expect(answer.contains("peer.too-many-previews"))
        }
    }
}
