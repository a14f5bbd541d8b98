internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// Scheduled policies through the real service and its commands (spec 2.6).
@Suite("usher policy schedule", .timeLimit(.minutes(20)))
struct PolicyScheduleCommandTests {
    private struct Scene {
        let shop: SimulatedShop
        /// Without the product that alice has bought.
        let later: String

        init() throws {
            shop = try SimulatedShop()
            later = shop.folder.path + "/later"
            try FileManager.default.createDirectory(
                atPath: later, withIntermediateDirectories: true)
            try shop.folder.write(shop.store.root.pem, to: "later/root.pem")
            try shop.folder.write(
                SimulatedShop.policy
                    .replacing("  unlock: {kind: non-consumable, grants: [forever]}\n", with: "")
                    .replacing("entitlements: {forever: {title: For ever}}\n", with: ""),
                to: "later/policy.yaml")
        }

        func start() throws -> RunningService {
            try RunningService(folder: shop.folder.path, policies: shop.policies)
        }

        func sell(_ service: RunningService) throws {
            let purchase = try shop.purchase("unlock", .nonConsumable, id: 7)
            let answer = try service.operations.post(
                "/v1/evidence", json: shop.body(purchase, account: "alice"))
            #expect(answer.status == 200)
        }

        func status(_ service: RunningService) throws -> JSONValue {
            try parseJSON(service.operations.get("/status").body)
        }
    }

    @Test("is compared, listed by the service and from the ledger alike, and taken back")
    func scheduled() throws {
        let scene = try Scene()
        let service = try scene.start()
        try scene.sell(service)
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        let schedule = ["policy", "schedule", scene.later, "--reason", "sold no more"] + sockets
        let past = try Program.run(schedule + ["--at", "2020-01-01"])
        #expect(past.status == 1 && past.errors.contains("[schedule.past]"), "\(past.errors)")
        #expect(!past.errors.contains("policy diff"), "\(past.errors)")
        let due = SystemClock().now().advanced(byMilliseconds: 86_400_000).rfc3339
        let loses = try Program.run(schedule + ["--at", due])
        #expect(loses.status == 1 && loses.errors.contains("[schedule.loses]"), "\(loses.errors)")
        let replaced = try #require(scene.status(service)["policy"]?.string).prefix(12)
        #expect(
            loses.errors.contains(
                "; accounts that lose something: 1, beside policy \(replaced)"), "\(loses.errors)")
        #expect(
            loses.errors.contains("'usher policy diff \(scene.later) --live'"), "\(loses.errors)")
        let accepted = schedule + ["--at", due, "--accept-loss", "1"]
        let preview = try Program.run(accepted + ["--preview"])
        #expect(preview.status == 0, "\(preview.errors)")
        let next = try #require(preview.output.firstMatch(of: /unschedule (\d+) --reason/)).1
        let done = try Program.run(accepted)
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.output.contains("\naccounts that lose something: 1\n"), "\(done.output)")
        let list = ["policy", "scheduled"]
        let told = try Program.run(list + sockets)
        #expect(told.status == 0, "\(told.errors)")
        #expect(told.output.contains("accounts that lose something: 1"), "\(told.output)")
        #expect(told.output.contains("it would come into force"), "\(told.output)")
        let chinese = try Program.run(list + ["--sockets", service.sockets, "--lang", "zh"])
        #expect(chinese.output.contains("届时会生效"), "\(chinese.output)")
        let json = try Program.run(list + sockets + ["--json"])
        let ledger = scene.shop.folder.path + "/ledger"
        #expect(try Program.run(list + ["--ledger", ledger, "--json"]).output == json.output)
        let page = try Program.run(["status"] + sockets)
        #expect(page.output.contains("scheduled policies  1; next is "), "\(page.output)")
        let metrics = String(decoding: try service.operations.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("\nusher_policies_scheduled 1\n"))
        #expect(metrics.contains("\nusher_policy_scheduled_next_seconds 86"))
        let place = try #require(
            try parseJSON(Array(json.output.utf8))["scheduled"]?.elements?.first?["schedule"]?
                .int64)
        let undo = ["policy", "unschedule", "\(place)", "--reason", "too early"] + sockets
        #expect("\(place)" == next)
        let back = try Program.run(undo + ["--preview"])
        #expect(back.status == 0 && back.output.contains("would change"), "\(back.output)")
        let undone = try Program.run(undo)
        #expect(undone.status == 0, "\(undone.errors)")
        let again = try Program.run(undo)
        #expect(again.status == 1 && again.errors.contains("[schedule.ended]"), "\(again.errors)")
        let empty = try Program.run(list + sockets)
        #expect(empty.output.contains("no policy is scheduled"), "\(empty.output)")
        #expect(empty.output.contains("too early"), "\(empty.output)")
        #expect(service.stop() == 0)
    }

    @Test("is compared with the one that is scheduled before it, and a refusal says so")
    func behindAnother() throws {
        let scene = try Scene()
        let service = try scene.start()
        try scene.sell(service)
        let schedule = [
            "policy", "schedule", "--reason", "season", "--sockets", service.sockets, "--lang",
            "en", "--at",
        ]
        let (soon, later) = (86_400_000, 2 * 86_400_000)
        func at(_ milliseconds: Int) -> String {
            SystemClock().now().advanced(byMilliseconds: Int64(milliseconds)).rfc3339
        }
        // Gives alice more, and later takes it away again.
        let more = scene.shop.folder.path + "/more"
        try FileManager.default.createDirectory(atPath: more, withIntermediateDirectories: true)
        try scene.shop.folder.write(scene.shop.store.root.pem, to: "more/root.pem")
        try scene.shop.folder.write(
            SimulatedShop.policy.replacing("grants: [forever]", with: "grants: [forever, extra]")
                .replacing(
                    "{forever: {title: For ever}}",
                    with: "{forever: {title: For ever}, extra: {title: Extra}}"),
            to: "more/policy.yaml")
        let first = try Program.run(schedule + [at(soon), more])
        #expect(first.status == 0, "\(first.errors)")
        let name = try #require(first.output.split(separator: " ").dropFirst().first)
        let second = try Program.run(schedule + [at(later), scene.later])
        #expect(second.status == 1 && second.errors.contains("beside policy \(name)"))
        #expect(
            second.errors.contains(
                "policy \(name), scheduled before, will be in force then"), "\(second.errors)")
        let accepted = try Program.run(
            schedule + [at(later), scene.later, "--accept-loss", "1"])
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(service.stop() == 0)
    }

    @Test("is in force after the service was killed before it was due; the folder waits")
    func killed() throws {
        let scene = try Scene()
        let service = try scene.start()
        try scene.sell(service)
        let before = try #require(scene.status(service)["policy"]?.string)
        let files = try readPolicyFiles(scene.later)
        let due = SystemClock().now().advanced(byMilliseconds: 5_000)
        let body: JSONValue = [
            "files": .array(files), "due": .string(due.rfc3339), "accept_loss": 1,
            "reason": "sold no more",
        ]
        let answer = try service.operations.post("/v1/policy/schedule", json: body.serialized())
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        service.kill()
        let next = try scene.start()
        try waitUntil("it is in force") { try scene.status(next)["policy"]?.string != before }
        try waitUntil("the folder waits") {
            try scene.status(next)["policy_waiting"]?["superseded"]?.bool == true
        }
        let status = try scene.status(next)
        #expect(status["policy_scheduled"]?["last"]?["outcome"]?.string == "applied")
        #expect(status["policy_scheduled"]?["count"]?.int64 == 0)
        let page = try Program.run(["status", "--sockets", next.sockets, "--lang", "en"])
        #expect(page.output.contains("a scheduled policy has replaced it"), "\(page.output)")
        #expect(next.stop() == 0)
        let verify = try Program.run(
            ["ledger", "verify", "--ledger", scene.shop.folder.path + "/ledger"])
        #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    }

    private func readPolicyFiles(_ folder: String) throws -> [JSONValue] {
        try ["policy.yaml", "root.pem"].map { name in
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            return ["path": .string(name), "text": .string(text)]
        }
    }
}
