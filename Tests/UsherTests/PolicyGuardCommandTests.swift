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

    @Test("waits, is told everywhere, and a person puts it into force")
    func person() throws {
        let scene = Scene(shop: try SimulatedShop())
        let service = try scene.start()
        let before = try #require(scene.status(service)["policy"]?.string)
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        try scene.narrow()
        let check = try Program.run(["policy", "check", scene.shop.policies] + sockets)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains("  the product 'unlock' was removed\n"), "\(check.output)")
        #expect(check.output.contains("accept.yaml in the folder with {from: \(before),"))
        #expect(check.output.contains("recorded as stated, and not yet compared"))
        let strict = ["policy", "check", scene.shop.policies, "--strict", "--json"] + sockets
        let json = try Program.run(strict)
        #expect(json.status == 1)
        let result = try parseJSON(Array(json.output.utf8))["in_force"]
        #expect(result?["outcome"]?.string == "waits")
        let waiting = try scene.status(service) { $0["policy_waiting"] != nil }
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
        let forced = try Program.run(
            ["policy", "reload", "--reason", "agreed", "--accept-loss", "2"] + sockets)
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(forced.output.contains("not yet compared with the accounts"))
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
        let rules = "access:\n  - {name: a, when: {account: qa}, then: grant}\n"
        let more = "  - {name: b, when: {account: qb}, then: grant}\n"
        try scene.folder.write(rules + more, to: "policies/rules.yaml")
        let service = try scene.start()
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
}
