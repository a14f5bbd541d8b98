internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// `usher policy diff` as a product manager runs it: on folders, on a ledger, on a service.
@Suite("usher policy diff", .timeLimit(.minutes(20)))
struct PolicyDiffCommandTests {
    private struct Scene {
        let shop: SimulatedShop
        let old: String
        let new: String
        let ledger: String

        /// A folder whose rule takes something away on 1 December 2026, and a ledger with three who
        /// hold it.
        init() throws {
            shop = try SimulatedShop()
            old = shop.policies
            new = shop.folder.path + "/new"
            ledger = shop.folder.path + "/ledger"
            try FileManager.default.createDirectory(
                atPath: new, withIntermediateDirectories: true)
            try shop.folder.write(shop.store.root.pem, to: "new/root.pem")
            try shop.folder.write(
                SimulatedShop.policy + """

                    access:
                      - {name: no more, when: {product: unlock, at: from 2026-12-01}, then: withhold}
                      - {name: testers, when: {account: "qa-*", state: revoked}, then: grant}
                    """, to: "new/policy.yaml")
        }

        func serve() throws -> RunningService {
            let service = try RunningService(folder: shop.folder.path, policies: old)
            for (number, account) in ["alice", "bob", "carol"].enumerated() {
                let purchase = try shop.purchase("unlock", .nonConsumable, id: number + 1)
                let answer = try service.operations.post(
                    "/v1/evidence", json: shop.body(purchase, account: account))
                #expect(answer.status == 200)
            }
            return service
        }
    }

    @Test("a dated rule's loss is seen when it is written: text, JSON, CSV, exit code, Chinese")
    func ledger() throws {
        let scene = try Scene()
        #expect(try scene.serve().stop() == 0)
        let diff = [
            "policy", "diff", scene.old, scene.new, "--ledger", scene.ledger, "--at", "2026-11-20",
        ]
        let text = try Program.run(diff + ["--lang", "en"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(
            text.output.hasSuffix(
                """
                accounts that hold what changes: 3; that lose something: 3; that gain something:
                  0

                lose forever: 3
                  now: 0, from 2026-12-01T00:00:00Z: 3
                  unlock, active: 3; such as alice, bob, carol
                what is written differently:
                  access: 'no more' is new
                  access: 'testers' is new

                """), "\(text.output)")
        let chinese = try Program.run(diff + ["--lang", "zh"])
        #expect(chinese.output.contains("失去 forever：3"), "\(chinese.output)")
        let json = try Program.run(diff + ["--format", "json"])
        let impact = try parseJSON(Array(json.output.utf8))
        #expect(impact["losing"]?.int64 == 3 && impact["gaining"]?.int64 == 0)
        let group = try #require(impact["groups"]?.elements?.first)
        #expect(group["by_day"]?.elements?.map(\.int64) == (0...30).map { $0 < 11 ? 0 : 3 })
        #expect(group["examples"]?.elements?.first?["from"]?.string == "2026-12-01T00:00:00.000Z")
        let csv = try Program.run(diff + ["--format", "csv"])
        let lines = csv.output.split(separator: "\r\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("change,environment,subject,right,product,"))
        #expect(
            lines.last?.hasPrefix(
                "loses,production,entitlement,forever,unlock,active,,,3,alice bob carol,"
                    + "2026-12-01T00:00:00Z,0,")
                == true, "\(csv.output)")
        #expect(try Program.run(diff + ["--fail-on-loss", "--lang", "en"]).status == 1)
        let earlier = try Program.run(
            Array(diff.dropLast()) + ["2026-07-01", "--fail-on-loss", "--lang", "en"])
        #expect(
            earlier.status == 1
                && earlier.output.contains("3 accounts lose something later than that"))
    }

    @Test("a loss between two of the days is told with its own time, be it for some hours")
    func between() throws {
        let scene = try Scene()
        #expect(try scene.serve().stop() == 0)
        let diff = ["policy", "diff", scene.old, scene.new, "--ledger", scene.ledger]
        let options = ["--at", "2026-11-20T09:00:00Z", "--lang", "en"]
        let begins = try Program.run(diff + options)
        #expect(
            begins.output.contains(
                "  now: 0, first at 2026-12-01T00:00:00Z, at 2026-12-01T09:00:00Z: 3\n"),
            "\(begins.output)")
        let file = scene.new + "/policy.yaml"
        let policy = try String(contentsOfFile: file, encoding: .utf8)
        let window = "from 2026-12-01T10:00:00Z until 2026-12-01T12:00:00Z"
        try policy.replacing("from 2026-12-01", with: window).write(
            toFile: file, atomically: true, encoding: .utf8)
        let short = try Program.run(diff + options)
        #expect(
            short.output.contains(
                "lose forever: 3\n  now: 0, first at 2026-12-01T10:00:00Z\n"), "\(short.output)")
        let json = try parseJSON(
            Array(try Program.run(diff + options + ["--format", "json"]).output.utf8))
        let group = try #require(json["groups"]?.elements?.first)
        #expect(group["from"]?.string == "2026-12-01T10:00:00.000Z")
        #expect(group["by_day"]?.elements?.allSatisfy { $0.int64 == 0 } == true)
    }

    @Test("writes the accept.yaml by which the folder comes into force")
    func accept() throws {
        let scene = try Scene()
        let service = try scene.serve()
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        try scene.shop.folder.write(
            SimulatedShop.policy.replacing("grants: [forever]", with: "grants: [never]")
                .replacing("{forever: {title: For ever}}", with: "{never: {title: Never}}"),
            to: "new/policy.yaml")
        let live = try Program.run(["policy", "diff", scene.new, "--live"] + sockets)
        #expect(live.status == 0, "\(live.errors)")
        #expect(live.output.contains("lose forever: 3"), "\(live.output)")
        #expect(live.output.contains("gain never: 3"), "\(live.output)")
        let both = try Program.run(
            ["policy", "diff", scene.old, scene.new, "--live", "--accept", "it's \"agreed\""]
                + sockets)
        #expect(
            both.errors.replacing(/\n +/, with: " ")
                .contains("accepts losses; accounts that may lose something: 3 at most"))
        let status = try parseJSON(service.operations.get("/status").body)
        let before = try #require(status["policy"]?.string)
        let file = try String(contentsOfFile: scene.new + "/accept.yaml", encoding: .utf8)
        #expect(
            file == "from: \(before)\nbecause: \"it's \\\"agreed\\\"\"\naccounts_at_most: 3\n")
        let check = try Program.run(["policy", "check", scene.new] + sockets)
        #expect(check.output.contains("its accept.yaml accepts the losses"), "\(check.output)")
        #expect(service.stop() == 0)
    }

    /// Ctrl-C, once the command has begun: it waits in a pipe for the state of an earlier run, which is
    /// of another policy and so is not gone on from.
    @Test(
        "interrupted before it has counted anybody it says so, and promises no file to go on from")
    func interrupted() throws {
        let scene = try Scene()
        let service = try scene.serve()
        #expect(service.stop() == 0)
        let state = scene.shop.folder.path + "/state"
        let diff = [
            "policy", "diff", scene.old, scene.new, "--ledger", scene.ledger, "--at", "2026-11-20",
            "--json", "--lang", "en",
        ]
        let whole = try Program.run(diff).output
        var other = try parseJSON(Array(whole.utf8))
        #expect(other["losing"]?.int64 == 3)
        other["policy"] = other["replaces"]
        let foreign: JSONValue = ["after": "alice", "counted": 1, "impact": other]
        #expect(mkfifo(state, 0o600) == 0)
        let stopped = try Program.run(diff + ["--resume", state]) { process in
            let pipe = try FileHandle(forWritingTo: URL(filePath: state))
            #expect(kill(process.id, SIGINT) == 0)
            try pipe.write(contentsOf: Data(foreign.text.utf8))
            try pipe.close()
        }
        #expect(stopped.status == 2, "\(stopped.output)")
        let problem = try parseJSON(Array(stopped.output.utf8))["detail"]?.string ?? ""
        #expect(problem.contains("stopped before all accounts were compared"), "\(problem)")
        #expect(!problem.contains("repeat the command"), "\(problem)")
        #expect(unlink(state) == 0)
        let resumed = try Program.run(diff + ["--resume", state])
        #expect(resumed.status == 0 && resumed.output == whole, "\(resumed.errors)")
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test("without a ledger: cell by cell, each with the smallest example")
    func cells() throws {
        let scene = try Scene()
        let diff = ["policy", "diff", scene.old, scene.new]
        let text = try Program.run(diff + ["--lang", "en"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("lost: at: from 2026-12-01\n"), "\(text.output)")
        #expect(text.output.contains("gained: account: qa-"), "\(text.output)")
        let json = try parseJSON(
            Array(try Program.run(diff + ["--json", "--fail-on-loss"]).output.utf8))
        #expect(json["counts"]?["narrower"]?.int64 == 1 && json["counts"]?["wider"]?.int64 == 1)
        #expect(json["equal"]?.int64 == 0)
        let equal = try Program.run(["policy", "diff", scene.old, scene.old, "--fail-on-loss"])
        #expect(equal.status == 0)
        #expect(try Program.run(diff + ["--fail-on-loss"]).status == 1)
        let one = try Program.run(["policy", "diff", scene.new])
        #expect(one.status == 64, "\(one.errors)")
    }

    @Test("an interrupted comparison leaves its state and goes on from it")
    func resume() throws {
        let scene = try Scene()
        #expect(try scene.serve().stop() == 0)
        let state = scene.shop.folder.path + "/state"
        let diff = [
            "policy", "diff", scene.old, scene.new, "--ledger", scene.ledger, "--at", "2026-11-20",
            "--json",
        ]
        let whole = try parseJSON(Array(try Program.run(diff).output.utf8))
        var half = whole
        half["losing"] = 1
        let checkpoint: JSONValue = ["after": "alice", "counted": 1, "impact": half]
        try scene.shop.folder.write(checkpoint.text, to: "state")
        let resumed = try Program.run(diff + ["--resume", state])
        #expect(resumed.status == 0, "\(resumed.errors)")
        // What was counted is believed, the rest is counted.
        let impact = try parseJSON(Array(resumed.output.utf8))
        #expect(impact["losing"]?.int64 == 3)
        #expect(impact["groups"]?.elements?.first?["accounts"]?.int64 == 5)
        #expect(!FileManager.default.fileExists(atPath: state))
        try scene.shop.folder.write("{}", to: "state")
        let foreign = try Program.run(diff + ["--resume", state])
        #expect(foreign.status == 2 && FileManager.default.fileExists(atPath: state))
    }

    @Test("what is open to everybody is wider or narrower by its stretches of time")
    func open() throws {
        let scene = try Scene()
        for (folder, window) in [
            ("policies", "from 2026-12-05 until 2026-12-07"),
            ("new", "from 2026-12-06 until 2026-12-09"),
        ] {
            try scene.shop.folder.write(
                SimulatedShop.policy + """

                    open:
                      - {name: weekend, entitlements: [forever], at: \(window)}
                    """, to: "\(folder)/policy.yaml")
        }
        let diff = ["policy", "diff", scene.old, scene.new]
        let text = try Program.run(diff + ["--lang", "en"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(
            text.output.hasSuffix(
                """
                what is open to everybody:
                  narrower: forever, from 2026-12-05T00:00:00Z until 2026-12-06T00:00:00Z
                  wider: forever, from 2026-12-07T00:00:00Z until 2026-12-09T00:00:00Z
                what is written differently:
                  open: 'weekend' differs in at

                """), "\(text.output)")
        let json = try parseJSON(
            Array(try Program.run(diff + ["--json", "--fail-on-loss"]).output.utf8))
        #expect(
            json["open"]?.elements?.compactMap { $0["change"]?.string } == ["narrower", "wider"])
        #expect(try Program.run(diff + ["--fail-on-loss"]).status == 1)
    }
}
