internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("usher ingest --ledger, an import of what was known before", .timeLimit(.minutes(20)))
struct ImportCommandTests {
    private struct Scene {
        let shop: SimulatedShop
        var ledger: String { shop.folder.path + "/imported" }

        func usher(_ arguments: String...) throws -> Program.Output {
            try Program.run(arguments + ["--lang", "en", "--ledger", ledger])
        }

        /// Imports lines of an account, a purchase and the day on which it was first known.
        func ingest(
            _ lines: [(account: String, id: Int, recordedAt: String)], skip: Int = 0
        ) throws -> Program.Output {
            let text = try lines.map { account, id, day in
                let payload = try shop.purchase("unlock", .nonConsumable, id: id)
                return #"{"account": "\#(account)", "payload": "\#(payload)", "#
                    + #""recorded_at": "\#(day)"}"# + "\n"
            }
            try shop.folder.write(text.joined(), to: "history.jsonl")
            return try usher(
                "ingest", shop.folder.path + "/history.jsonl", "--policies", shop.policies,
                "--skip", "\(skip)")
        }
    }

    @Test("claims are judged as of when they were made; a service goes on where it ends")
    func history() throws {
        let scene = Scene(shop: try SimulatedShop())
        let run = try scene.ingest([
            ("alice", 1, "2026-05-02T10:00:00Z"), ("mallory", 1, "2026-05-03T10:00:00Z"),
            ("bob", 2, "2026-05-03T10:00:00Z"),
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasSuffix(
                "3 submitted: 3 accepted, 0 quarantined, 0 refused; claims denied: 1\n"))
        #expect(run.output.contains("claims, 1: denied: another account has it [owned-by-other]\n"))
        let shown = try scene.usher("show", "alice").output
        #expect(
            shown.contains("as listed by the device at\n    2026-05-02T10:00:00Z\n"), "\(shown)")
        #expect(shown.contains("as listed by the device at\n    2026-05-03T10:00:00Z\n"))
        let service = try RunningService(
            folder: scene.shop.folder.path, policies: scene.shop.policies, ledger: "imported")
        let more = try scene.ingest([("carol", 3, "2026-05-04")])
        #expect(more.status == 2)
        #expect(more.errors.contains("[ledger."), "\(more.errors)")
        #expect(
            try Program.run(["check", "bob", "forever", "-q", "--sockets", service.sockets])
                .status == 0)
        #expect(service.stop() == 0)
        #expect(try scene.ingest([("carol", 3, "2026-05-04")]).status == 0)
    }

    @Test("a policy by which somebody may lose something judges nothing until it is accepted")
    func waitingPolicy() throws {
        let scene = Scene(shop: try SimulatedShop())
        #expect(try scene.ingest([("alice", 1, "2026-05-02")]).status == 0)
        try scene.shop.folder.write(
            SimulatedShop.policy.replacing("grants: [forever]", with: "grants: [forever, hd]")
                .replacing("entitlements: {", with: "entitlements: {hd: {title: HD}, "),
            to: "policies/policy.yaml")
        #expect(try scene.ingest([("bob", 2, "2026-05-03")]).status == 0)
        try scene.shop.folder.write(SimulatedShop.policy, to: "policies/policy.yaml")
        let waits = try scene.ingest([("carol", 3, "2026-05-04")])
        #expect(waits.status == 2)
        let digest = try #require(waits.errors.split(separator: "'from: ").last?.prefix(64))
        try scene.shop.folder.write(
            "{from: \(digest), because: two have it, accounts_at_most: 2}\n",
            to: "policies/accept.yaml")
        let accepted = try scene.ingest([("carol", 3, "2026-05-04")])
        #expect(accepted.status == 0, "\(waits.errors) \(accepted.errors)")
    }

    @Test("nothing is recorded before what is recorded, in the future, or at no known instant")
    func order() throws {
        let scene = Scene(shop: try SimulatedShop())
        let run = try scene.ingest([
            ("alice", 1, "2026-05-02"), ("bob", 2, "2026-05-01"), ("bob", 3, "2199-01-01"),
            ("bob", 4, "some day"), ("b b", 5, "2026-05-03"), ("bob", 6, "2026-05-03"),
        ])
        #expect(run.status == 1)
        #expect(
            run.output == """
                refused, 1: this is not a line of evidence [ingest.line]
                  \(scene.shop.folder.path)/history.jsonl:5
                refused, 3: an import states when each item was first known (recorded_at),
                  not before the item above it and not in the future [ingest.recorded-at]
                  \(scene.shop.folder.path)/history.jsonl:2
                  \(scene.shop.folder.path)/history.jsonl:3
                  \(scene.shop.folder.path)/history.jsonl:4
                6 submitted: 2 accepted, 0 quarantined, 4 refused; claims denied: 0

                """)
        let again = try scene.ingest([("carol", 7, "2026-05-02"), ("carol", 8, "2026-05-04")])
        #expect(
            again.output.hasSuffix(
                "2 submitted: 1 accepted, 0 quarantined, 1 refused; claims denied: 0\n"))
        let skipped = try scene.ingest(
            [("carol", 7, "2026-05-02"), ("carol", 9, "2026-05-04")], skip: 1)
        #expect(
            skipped.output
                == "1 submitted: 1 accepted, 0 quarantined, 0 refused; claims denied: 0\n"
        )
        try scene.shop.folder.write("usher: 1\napp: {}\n", to: "policies/policy.yaml")
        let refused = try scene.ingest([("carol", 10, "2026-05-05")])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("error: the section 'environments' is missing"))
        #expect(
            refused.errors.hasSuffix(
                "the policy has errors; nothing was done [policy.refused]\n"))
    }

    @Test(
        "an import names a ledger and a policy",
        arguments: [["--ledger", "l"], ["--policies", "p"], ["--skip", "-1"]])
    func usage(options: [String]) throws {
        #expect(try Program.run(["ingest", "x.jsonl"] + options).status == 64)
    }
}
