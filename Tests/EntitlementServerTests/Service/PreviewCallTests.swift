internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
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

    @Test("of evidence is whose purchase it would be, and nothing is counted, kept or used up")
    func evidence() async throws {
        try await ServedShop().serving { (shop: ServedShop) throws in
            func post(_ members: JSONValue, _ query: String) throws -> JSONValue {
                let request = WireRequest.post("/v1/evidence?" + query, members.text)
                return try parseJSON(shop.exchange(shop.operationsSocket, request).body)
            }
            let revision = shop.engine.revision.number
            let purchase = try shop.purchase("archive", .nonConsumable, id: "10")
            let piece: JSONValue = [
                "account": "bob", "moment": "restore", "payload": .string(purchase),
            ]
            let refused: JSONValue = ["account": "bob", "payload": "a.b.c"]
            for body in [piece, [piece, refused]] {
                let effect = try post(body, "dry_run=true")
                #expect(effect["revision"] == .integer(revision), "\(effect.text)")
                let sentences = (effect["changes"]?.elements ?? []).compactMap {
                    $0["sentence"]?.string
                }
                #expect(sentences.contains("bob has archive from now"), "\(sentences)")
                #expect(sentences.contains { $0.hasSuffix(": from nobody to bob") }, "\(sentences)")
                let claim = revision + 3
                #expect(
                    sentences.contains("claim \(claim) of bob is made: accepted"), "\(sentences)")
                #expect(
                    effect["undo"] == [
                        "usher", "claims", "undo", .string("\(claim)"), "--decision",
                        .string("\(claim + 1)"),
                    ])
            }
            #expect(try post(refused, "dry_run=true")["status"] == 422)
            let unasked: JSONValue = ["payload": "7", "verify": "remote"]
            #expect(try post(unasked, "dry_run=true")["code"] == "app-store.not-configured")
            #expect(shop.engine.revision.number == revision)
            #expect(shop.engine.refusalsLeftOut == 0)
            let done = try post(piece, "if_revision=\(revision)")
            #expect(done["verdict"] == "judged", "\(done.text)")
            let ruling = WireRequest.post(
                "/v1/claims/\(revision + 3)/ruling",
                #"{"verb":"undo","decision":\#(revision + 4),\#(reason)}"#)
            let undone = try shop.exchange(shop.operationsSocket, ruling)
            #expect(undone.status == 200, "\(undone.text)")
            let other = try shop.purchase("archive", .nonConsumable, id: "11")
            let late: JSONValue = ["account": "bob", "payload": .string(other)]
            #expect(try post(late, "if_revision=\(revision)")["code"] == "action.changed-since")
        }
    }

    @Test("of a reload, a rollback and a schedule is who gains and who loses, and then it is done")
    func policies() async throws {
        let shop = try await ServedShop()
        let folder = URL(filePath: shop.folder.path + "/policies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(shop.store.root.der).write(to: folder.appending(path: "root.der"))
        let narrow = ServedShop.policy.replacing(
            "grants: [premium]}", with: "grants: [archive]}")
        try Data(narrow.utf8).write(to: folder.appending(path: "policy.yaml"))
        let root = Base64.standard.encode(shop.store.root.der)
        try await shop.serving {
            $0.policyFolder = folder.path
        } _: { (shop: ServedShop) throws in
            let due = shop.clock.now().advanced(byMilliseconds: 86_400_000).rfc3339
            let files: JSONValue = [
                ["path": "policy.yaml", "text": .string(ServedShop.policy)],
                ["path": "root.der", "base64": .string(root)],
            ]
            let schedule: JSONValue = [
                "files": files, "due": .string(due), "reason": "a test", "accept_loss": 9,
            ]
            let actions: [(request: WireRequest, undo: JSONValue?)] = [
                (
                    .post("/v1/policy/reload", #"{"accept_loss":9,\#(reason)}"#),
                    ["usher", "policy", "rollback"]
                ),
                (
                    .post("/v1/policy/schedule", schedule.text),
                    [
                        "usher", "policy", "unschedule",
                        .string("\(shop.engine.revision.number + 2)"),
                    ]
                ),
                (
                    .delete(
                        "/v1/policy/scheduled/\(shop.engine.revision.number + 2)", "{\(reason)}"),
                    nil
                ), (.post("/v1/policy/rollback", "{\(reason)}"), nil),
            ]
            for (request, undo) in actions {
                let (revision, digest) = (shop.engine.revision, shop.engine.policy.digest)
                let answer = try shop.exchange(shop.operationsSocket, request.preview)
                #expect(answer.status == 200, "\(request): \(answer.text)")
                let effect = try parseJSON(answer.body)
                #expect(effect["dry_run"] == true && effect["takes_away"] == true, "\(request)")
                #expect(effect["revision"] == .integer(revision.number), "\(request)")
                #expect(effect["undo"] == undo, "\(request): \(answer.text)")
                let groups = effect["impact"]?["groups"]?.elements ?? []
                #expect(
                    Set(groups.compactMap { $0["entitlement"]?.string }) == ["premium", "archive"],
                    "\(request): \(answer.text)")
                #expect(shop.engine.revision == revision && shop.engine.policy.digest == digest)
                var conditional = request
                conditional.target += "?if_revision=\(revision.number)"
                let done = try shop.exchange(shop.operationsSocket, conditional)
                #expect(done.status == 200, "\(request): \(done.text)")
                #expect(shop.engine.revision.number == revision.number + 1)
                let late = try shop.exchange(shop.operationsSocket, conditional)
                // What the folder gives is in force already.
                let isDone = late.text.contains(#""outcome":"unchanged""#)
                #expect(isDone || late.status == 409, "\(request): \(late.text)")
                #expect(isDone == request.target.hasSuffix("reload"))
            }
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
