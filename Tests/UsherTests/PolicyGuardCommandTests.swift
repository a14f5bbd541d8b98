internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// The guard of spec 2.6, through the real service and its commands.
@Suite("A policy that takes something away, and the running service", .timeLimit(.minutes(20)))
struct PolicyGuardCommandTests {
    private static let unlock = "  unlock: {kind: non-consumable, grants: [forever]}\n"

    private struct Scene {
        let shop: SimulatedShop
        var folder: TemporaryFolder { shop.folder }

        /// Without the product, its right, or both halves of a file.
        func narrow() throws {
            try folder.write(
                SimulatedShop.policy.replacing(unlock, with: "")
                    .replacing("entitlements: {forever: {title: For ever}}\n", with: ""),
                to: "policies/policy.yaml")
        }

        func start(_ environment: [String: String] = [:]) throws -> RunningService {
            try RunningService(
                folder: folder.path, policies: shop.policies, environment: environment)
        }

        /// So that somebody loses it.
        func sell(_ service: RunningService, to account: String) throws {
            let purchase = try shop.purchase("unlock", .nonConsumable, id: 7)
            let answer = try service.operations.post(
                "/v1/evidence", json: shop.body(purchase, account: account))
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        }

        func status(_ service: RunningService) throws -> JSONValue {
            try parseJSON(service.operations.get("/status").body)
        }

        /// Asks until it says so; the watch needs a second and a look.
        func status(
            _ service: RunningService, until holds: (JSONValue) -> Bool
        ) throws -> JSONValue {
            var found = try status(service)
            try waitUntil("the status says so") {
                found = try status(service)
                return holds(found)
            }
            return found
        }
    }

    @Test("that lacks a file of the one in force names it, whether it waits or not")
    func missingFiles() throws {
        let scene = Scene(shop: try SimulatedShop())
        let rules = "access:\n  - name: a week\n    when: {state: billing-retry}\n    then: grant\n"
        try scene.folder.write(rules, to: "policies/rules.yaml")
        try scene.folder.write("leeway: 2h\n", to: "policies/leeway.yaml")
        let service = try scene.start()
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        try scene.sell(service, to: "alice")
        try scene.narrow()
        for file in ["rules.yaml", "leeway.yaml"] {
            try FileManager.default.removeItem(atPath: scene.shop.policies + "/" + file)
        }
        let waiting = try scene.status(service) { $0["policy_waiting"] != nil }
        let files = waiting["policy_waiting"]?["missing_files"]?.elements?.compactMap(\.string)
        #expect(files == ["leeway.yaml", "rules.yaml"])
        let refused = try Program.run(["policy", "reload", "--reason", "look"] + sockets)
        let named = "the policy in force has leeway.yaml, rules.yaml, and this folder does not"
        #expect(refused.status == 1 && refused.errors.contains(named), "\(refused.errors)")
        let done = try Program.run(
            ["policy", "reload", "--reason", "agreed", "--accept-loss", "1"] + sockets)
        #expect(done.status == 0, "\(done.errors)")
        let gone = "the policy before had leeway.yaml, rules.yaml, and this one does not"
        #expect(done.output.contains(gone), "\(done.output)")
        #expect(service.stop() == 0)
    }

    @Test("waits, is told everywhere, and a person puts it into force")
    func person() throws {
        let scene = Scene(shop: try SimulatedShop())
        let service = try scene.start()
        let before = try #require(scene.status(service)["policy"]?.string)
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        try scene.sell(service, to: "alice")
        try scene.narrow()
        let check = try Program.run(["policy", "check", scene.shop.policies] + sockets)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains("  the product 'unlock' was removed\n"), "\(check.output)")
        #expect(
            check.output.replacing(/\n +/, with: " ").contains(
                "accept.yaml in the folder with {from: \(before),"))
        let end = "since the live policy: 1 lose forever, nobody gains\n"
        #expect(check.output.hasSuffix(end), "\(check.output)")
        let strict = ["policy", "check", scene.shop.policies, "--strict", "--json"] + sockets
        let json = try Program.run(strict)
        #expect(json.status == 1)
        let result = try parseJSON(Array(json.output.utf8))["in_force"]
        #expect(result?["outcome"]?.string == "waits")
        #expect(result?["losing"]?.int64 == 1 && result?["gaining"]?.int64 == 0)
        let waiting = try scene.status(service) {
            $0["policy_waiting"]?["losing"]?.int64 == 1
        }
        #expect(waiting["policy"]?.string == before)
        #expect(waiting["status"]?.string == "ready")
        #expect(waiting["degraded"]?.elements?.contains("policy-waiting") == true)
        #expect(waiting["policy_waiting"]?["first_losses"]?.elements?.count == 1)
        #expect(try service.query.get("/readyz").status == 200)
        let metrics = String(decoding: try service.operations.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("usher_policy_waiting 1\n"))
        let page = try Program.run(["status", "--sockets", service.sockets, "--lang", "zh"])
        #expect(page.output.contains("产品 'unlock' 已不存在"), "\(page.output)")
        let again = try Program.run(["policy", "reload", "--reason", "look"] + sockets)
        #expect(again.status == 1)
        #expect(again.errors.contains("the product 'unlock' was removed"), "\(again.errors)")
        let few = try Program.run(
            ["policy", "reload", "--reason", "agreed", "--accept-loss", "0"] + sockets)
        #expect(few.status == 1)
        #expect(few.errors.contains("only 0 were accepted"), "\(few.errors)")
        let forced = try Program.run(
            ["policy", "reload", "--reason", "agreed", "--accept-loss", "2"] + sockets)
        #expect(forced.status == 0, "\(forced.errors)")
        let counted = "accounts that lose something now or later: 1"
        #expect(forced.output.contains(counted), "\(forced.output)")
        let after = try scene.status(service)
        #expect(after["policy"]?.string != before)
        #expect(after["policy_waiting"] == nil)
        #expect(service.stop() == 0)
        let ledger = ["--ledger", scene.folder.path + "/ledger"]
        let export = try Program.run(["ledger", "export"] + ledger)
        #expect(
            export.output.contains(#""accountsAtMost":2"#)
                && export.output.contains(#""reason":"agreed""#), "\(export.output)")
    }

    @Test("a half-written folder waits; its accept.yaml lets it in, for the right policy only")
    func folder() throws {
        let scene = Scene(shop: try SimulatedShop())
        let first = "access:\n  - {name: a, when: {account: qa}, then: grant}\n"
        let more = "  - {name: b, when: {account: qb}, then: grant}\n"
        let last = "  - {name: nobody else, when: {product: unlock}, then: withhold}\n"
        let rules = first + last
        try scene.folder.write(first + more + last, to: "policies/rules.yaml")
        let service = try scene.start()
        try scene.sell(service, to: "qb")
        let before = try #require(scene.status(service)["policy"]?.string)
        try scene.folder.write(rules, to: "policies/rules.yaml")
        let half = try scene.status(service) { $0["policy_waiting"] != nil }
        #expect(half["policy"]?.string == before)
        try scene.folder.write(
            "{from: \(String(repeating: "0", count: 64)), because: b, accounts_at_most: 1}\n",
            to: "policies/accept.yaml")
        let other = try scene.status(service) {
            $0["policy_waiting"]?["accepted_after"] != nil
        }
        #expect(other["policy"]?.string == before)
        try scene.folder.write(
            "{from: \(before), because: b, accounts_at_most: 1}\n", to: "policies/accept.yaml")
        let after = try scene.status(service) { $0["policy"]?.string != before }
        #expect(after["policy_waiting"] == nil)
        #expect(service.stop() == 0)
    }

    @Test("at start it waits, unless the setting only warns; what has errors leaves the last one")
    func start() throws {
        let scene = Scene(shop: try SimulatedShop())
        let first = try scene.start()
        let before = try #require(scene.status(first)["policy"]?.string)
        try scene.sell(first, to: "alice")
        #expect(first.stop() == 0)
        try scene.narrow()
        let waiting = try scene.start()
        let status = try scene.status(waiting)
        #expect(status["policy"]?.string == before)
        #expect(status["policy_waiting"]?["losses"]?.int64 ?? 0 > 0)
        #expect(waiting.stop() == 0)
        let check = try Program.run(
            [
                "policy", "check", scene.shop.policies, "--ledger", scene.folder.path + "/ledger",
                "--lang", "en",
            ])
        #expect(check.output.contains("so it waits"), "\(check.output) \(check.errors)")
        try scene.folder.write("usher: 1\nap: {}\n", to: "policies/policy.yaml")
        let broken = try scene.start()
        let refused = try scene.status(broken)
        #expect(refused["policy"]?.string == before)
        #expect(refused["status"]?.string == "ready")
        #expect(refused["degraded"]?.elements?.contains("policy-refused") == true)
        #expect(broken.stop() == 0)
        try scene.narrow()
        let warned = try scene.start(["USHER_POLICY_GUARD": "warn"])
        #expect(try scene.status(warned)["policy"]?.string != before)
        #expect(warned.stop() == 0)
    }

    @Test("what nobody loses comes into force by itself, and a rollback takes it back")
    func rollback() throws {
        let scene = Scene(shop: try SimulatedShop())
        let service = try scene.start()
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        let before = try #require(scene.status(service)["policy"]?.string)
        let rollback = ["policy", "rollback", "--reason", "a mistake"] + sockets
        let none = try Program.run(rollback)
        #expect(none.status == 1, "\(none.errors)")
        #expect(none.errors.contains("no policy was in force before this one"), "\(none.errors)")
        try scene.narrow()
        let check = try Program.run(["policy", "check", scene.shop.policies] + sockets)
        #expect(
            check.output.contains("no account loses anything, so it replaces \(before.prefix(12))"),
            "\(check.output)")
        let after = try scene.status(service) { $0["policy"]?.string != before }
        #expect(after["policy_waiting"] == nil)
        let back = try Program.run(rollback)
        #expect(back.status == 0, "\(back.errors)")
        #expect(back.output.contains("policy \(before.prefix(12)) is in force again"))
        #expect(try scene.status(service)["policy"]?.string == before)
        #expect(service.stop() == 0)
        // What was taken back waits after a start, too, until the folder changes.
        let again = try scene.start()
        let waiting = try scene.status(again) { $0["policy_waiting"]?["rolled_back"] != nil }
        #expect(waiting["policy"]?.string == before)
        try scene.folder.write(SimulatedShop.policy + "\n# mended\n", to: "policies/policy.yaml")
        let mended = try scene.status(again) { $0["policy"]?.string != before }
        #expect(mended["policy_waiting"] == nil)
        #expect(again.stop() == 0)
    }
}
