internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("The program, as people and scripts use it", .timeLimit(.minutes(20)))
struct CommandTests {
    @Test("ingest, check, and their exit codes; the ledger answers beside and after the service")
    func fromEvidenceToAnswer() async throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        try shop.folder.write(
            try shop.purchase("unlock", .nonConsumable, id: 1) + "\n", to: "unlock.jws")
        let sockets = ["--sockets", service.sockets]
        let ingest = try Program.run(
            ["ingest", "--account", "alice", shop.folder.path + "/unlock.jws"] + sockets)
        #expect(ingest.status == 0)
        #expect(
            ingest.output == "1 submitted: 1 accepted, 0 quarantined, 0 refused; claims denied: 0\n"
        )
        let yes = try Program.run(["check", "alice", "forever"] + sockets)
        #expect(yes.status == 0)
        #expect(
            yes.output == "yes: alice may use forever (active; unlock; "
                + "built-in rule 'active,\n  grace and renewing give')\n")
        let no = try Program.run(["check", "bob", "forever", "--lang", "zh"] + sockets)
        #expect(no.status == 1)
        #expect(no.output == "不可以：bob 不可以使用 forever（内置规则“没有任何来源给予它”）\n")
        let ledger = ["--ledger", shop.folder.path + "/ledger"]
        #expect(try Program.run(["check", "alice", "forever", "-q"] + ledger).status == 0)
        #expect(service.stop() == 0)
        #expect(try Program.run(["check", "alice", "forever", "-q"] + ledger).status == 0)
        let gone = try Program.run(["check", "alice", "forever"] + sockets)
        #expect(gone.status == 2)
        #expect(gone.errors.contains("no service answers at"))
    }

    @Test("check --json prints what the socket answers, byte for byte")
    func sameBytes() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let arguments = [
            "check", "alice", "forever", "--json", "--at", "2026-06-01", "--sockets",
            service.sockets,
        ]
        let printed = try Program.run(arguments).output
        let path = "/v1/accounts/alice/entitlements/forever?at=2026-06-01"
        let answered = String(decoding: try service.query.get(path).body, as: UTF8.self)
        #expect(printed == answered + "\n")
        _ = service.stop()
    }

    @Test("evidence that is refused is listed with its code, and the exit code says so")
    func refusals() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let good = try shop.purchase("unlock", .nonConsumable, id: 1)
        let forged = good.dropLast(8) + "AAAAAAAA"
        let lines = [good, String(forged)].map { payload in
            (["account": "alice", "payload": .string(payload)] as JSONValue).text
        }
        let run = try Program.run(
            ["ingest", "-", "--sockets", service.sockets],
            input: lines.joined(separator: "\n") + "\n")
        #expect(run.status == 1)
        #expect(
            run.output == """
                refused, 1: invalid signature [jws.signature]
                  -:2
                2 submitted: 1 accepted, 0 quarantined, 1 refused; claims denied: 0

                """)
        _ = service.stop()
    }

    @Test(
        "wrong usage is 64, what cannot be answered is 2",
        arguments: [
            (["check", "a b", "forever"], 64), (["check", "alice"], 64),
            (["check", "alice", "forever", "--at", "tomorrow"], 64),
            (["check", "alice", "forever", "--environment", "moon"], 64),
            (["ingest", "no-such-file"], 2), (["policy", "check", "no-such-folder"], 2),
            (["inspect", "x.jws"], 64), (["inspect", "no-such-file", "--any-bundle"], 2),
            (["serve", "--policies", "no-such-folder"], 2),
        ] as [([String], Int32)])
    func exitCodes(arguments: [String], status: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            arguments,
            environment: ["USHER_SOCKETS": folder.path, "USHER_LEDGER": folder.path + "/l"])
        #expect(run.status == status, "\(run.errors)")
    }

    @Test(
        "inspect binds a notification to the app, also under the option's former name",
        arguments: [
            ("--app-apple-id", "1234567890", 0), ("--app-apple-id", "1", 1),
            ("--apple-id", "1234567890", 0), ("--apple-id", "1", 1),
        ] as [(String, String, Int32)])
    func app(option: String, number: String, status: Int32) throws {
        let run = try Program.run([
            "inspect",
            Repository.url("fixtures/evidence/production/notification-subscribed.json").path,
            "--bundle-id", "com.example.reader", "--environment", "production", "--root",
            Repository.url("fixtures/evidence/simulator-root.pem").path, option, number,
        ])
        #expect(run.status == status, "\(run.output)")
        #expect(run.output.contains("bind.app") == (status == 1))
    }

    @Test("settings come from flags, then the environment, then the file")
    func settings() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            ledger: from-file
            policies: from-file
            sockets:
              folder: from-file
              query-mode: 0600
              peers: [uid:0=admin, "gid:33=query"]
              query-loops: 2
            limits: {body-bytes: 4096}
            drain-seconds: 20

            """, to: "usher.yaml")
        let file = folder.path + "/usher.yaml"
        let run = try Program.run(
            [
                "serve", "--print-config", "--ledger", "from-flag", "--set",
                "limits.connections=100", "--config", file,
            ],
            environment: [
                "USHER_LEDGER": "from-environment", "USHER_POLICIES": "from-environment",
                "USHER_TIMEOUTS_HEAD_SECONDS": "3",
            ])
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == Setting.allCases.count)
        let stated = lines.filter { !$0.hasSuffix("  # default") }
        #expect(
            stated == [
                "ledger: from-flag  # flag", "policies: from-environment  # environment",
                "sockets.folder: from-file  # \(file)", "sockets.query-mode: 0600  # \(file)",
                "sockets.peers: uid:0=admin,gid:33=query  # \(file)",
                "sockets.query-loops: 2  # \(file)", "limits.body-bytes: 4096  # \(file)",
                "limits.connections: 100  # flag", "timeouts.head-seconds: 3  # environment",
                "drain-seconds: 20  # \(file)",
            ])
        #expect(run.status == 0)
    }

    @Test("a log for programs is one JSON object a line, from the start to the stop")
    func logForPrograms() throws {
        let shop = try SimulatedShop()
        let sockets = shop.folder.path + "/run"
        let run = try Program.run(
            [
                "serve", "--ledger", shop.folder.path + "/ledger", "--policies", shop.policies,
                "--sockets", sockets, "--log-format", "json", "--log-level", "debug",
            ]
        ) { process in
            let client = LocalClient(socketPath: sockets + "/usher.sock", secondsToWait: 600)
            try waitUntil("the service answers") { (try? client.get("/livez")) != nil }
            kill(process.id, SIGTERM)
        }
        #expect(run.status == 0)
        let lines = run.errors.split(separator: "\n")
        let events = try lines.map { try parseJSON(Array($0.utf8)) }
        let messages = events.compactMap { $0["message"]?.string }
        #expect(messages.count == lines.count)
        for message in ["serving", "call", "stopping", "stopped"] {
            #expect(messages.contains(message), "\(run.errors)")
        }
        #expect(events.allSatisfy { $0["at"] != nil && $0["level"] != nil })
    }

    @Test("settings are JSON for programs")
    func settingsAsJSON() throws {
        let run = try Program.run(
            ["serve", "--print-config", "--json", "--log-format", "json"],
            environment: ["USHER_SOCKETS_PEERS": "uid:0=admin"])
        let settings = try parseJSON(Array(run.output.utf8))
        #expect(settings.members?.count == Setting.allCases.count)
        #expect(settings["log.format"] == ["value": "json", "origin": "flag"])
        #expect(settings["sockets.peers"] == ["value": "uid:0=admin", "origin": "environment"])
        #expect(settings["limits.connections"] == ["value": "4096", "origin": "default"])
    }

    /// A mistake must not open a socket or lift a limit.
    @Test(
        "a mistake in a setting is told, and nothing is served", .serialized,
        arguments: [
            ([], "sockets: {peer: 'uid:0=admin'}", "sockets.peer"),
            ([], "sockets: {peers: ['uid:0=boss']}", "sockets.peers"),
            ([], "sockets: {peers: []}", "sockets.peers"),
            ([], "sockets: {peers: {uid: 0}}", "sockets.peers.uid"),
            ([], "sockets: {names: ['uid:7=']}", "sockets.names"),
            ([], "sockets: {names: ['uid:7=two words']}", "sockets.names"),
            ([], "sockets: {names: ['uid:7=shop', 'uid:7=box']}", "sockets.names"),
            ([], "sockets: {names: ['gid:7=shop']}", "sockets.names"),
            ([], "ledger: [a]", "ledger"),
            ([], "sockets: {query-mode: 0999}", "sockets.query-mode"),
            ([], "limits: {body-bytes: 1}", "limits.body-bytes"),
            ([], "limits: {body-bytes: -5}", "limits.body-bytes"),
            ([], "limits: {body-bytes: 1e4}", "limits.body-bytes"),
            ([], "limits: {body-bytes: null}", "limits.body-bytes"),
            ([], "limits: 5", "limits"), ([], "- ledger", "usher.yaml"),
            ([], "ledger: [", "usher.yaml"), (["--set", "peers=x"], "", "'peers'"),
            (["--set", "sockets.peers=uid:0=admin,"], "", "sockets.peers"),
            (["--set", "log.level=loud"], "", "log.level"),
            (["--log-format", "xml"], "", "log.format"),
            (["--set", "authzen.base-url=http://x"], "", "authzen.base-url"),
        ] as [([String], String, String)])
    func badSettings(flags: [String], file: String, named: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(file + "\n", to: "usher.yaml")
        for more in [["--print-config"], ["--ledger", folder.path + "/ledger"]] {
            let run = try Program.run(
                ["serve", "--config", folder.path + "/usher.yaml"] + more + flags)
            #expect(run.status == 2, "\(run.output) \(run.errors)")
            #expect(run.errors.contains(named), "\(run.errors)")
        }
    }

    @Test("policy show has the same cells for people and for scripts")
    func policyShow() throws {
        let shop = try SimulatedShop()
        let json = try Program.run(["policy", "show", shop.policies, "--json"])
        #expect(json.status == 0)
        let cells = try #require(parseJSON(Array(json.output.utf8))["cells"]?.elements)
        let active = try #require(
            cells.first {
                $0["kind"]?.string == "non-consumable" && $0["state"]?.string == "active"
            })
        #expect(active["verdict"]?.string == "grant")
        #expect(
            active["rules"]?.elements?.map { $0["effect"]?.string } == ["withhold", "grant"])
        let text = try Program.run(["policy", "show", shop.policies, "--lang", "en"])
        #expect(text.output.contains("non-consumable"))
    }

    @Test(
        "a policy that cannot be used is told where it does no harm",
        arguments: [
            (["policy", "show"], 1, "unknown section 'entitlments'"),
            (["policy", "show", "--html"], 1, "unknown section 'entitlments'"),
            (["policy", "show", "--json"], 1, "unknown section 'entitlments'"),
            (["inspect", "no-such-file", "--policies"], 2, "unknown section 'entitlments'"),
            (["inspect", "no-such-file", "--json", "--policies"], 2, "unknown section"),
            (["policy", "test"], 2, "unknown section 'entitlments'"),
            (
                ["policy", "diff", Repository.url("policies").path], 2,
                "unknown section 'entitlments'"
            ),
            (
                ["refunds", "preview", "--ledger", "none", "--policies"], 2,
                "policy.yaml:10:1: error: unknown section 'entitlments'"
            ),
            (
                ["policy", "schedule", "--at", "2030-01-01", "--reason", "x", "--json"], 1,
                "unknown section 'entitlments'"
            ),
        ] as [([String], Int32, String)])
    func unusablePolicy(command: [String], status: Int32, said: String) throws {
        let shop = try SimulatedShop()
        try shop.folder.write(
            SimulatedShop.policy + "\nentitlments: {}\n", to: "policies/policy.yaml")
        let run = try Program.run(command + [shop.policies] + ["--lang", "en"])
        #expect(run.status == status)
        let isForPrograms = command.contains("--json")
        #expect((isForPrograms ? run.output : run.errors).contains(said), "\(run.errors)")
        #expect((isForPrograms ? run.errors : run.output).isEmpty)
        if isForPrograms { _ = try parseJSON(Array(run.output.utf8)) }
    }

    @Test("a service without a valid policy says why and does not start")
    func brokenPolicy() throws {
        let shop = try SimulatedShop()
        try shop.folder.write(
            SimulatedShop.policy + "\nentitlments: {}\n", to: "policies/policy.yaml")
        let run = try Program.run([
            "serve", "--policies", shop.policies, "--ledger", shop.folder.path + "/ledger",
        ])
        #expect(run.status == 2)
        #expect(run.errors.contains("policy.yaml:10:1: error: unknown section 'entitlments'"))
        #expect(!FileManager.default.fileExists(atPath: shop.folder.path + "/ledger"))
    }

    @Test("a root that is no certificate is told by the check, and stops the start")
    func unreadableRoot() throws {
        let shop = try SimulatedShop()
        try shop.folder.write(
            "-----BEGIN CERTIFICATE-----\nMAMCAQU=\n-----END CERTIFICATE-----\n",
            to: "policies/root.pem")
        let said =
            "policy.yaml:3:30: error: 'root.pem' looks like a certificate, but cannot be read as one"
        let check = try Program.run(["policy", "check", shop.policies, "--lang", "en"])
        #expect(check.status == 1)
        #expect(check.output.contains(said), "\(check.output)")
        let chinese = try Program.run(["policy", "check", shop.policies, "--lang", "zh"])
        #expect(chinese.output.contains("'root.pem' 看起来像证书，但无法作为证书读取"))
        let ledger = shop.folder.path + "/ledger"
        let service = try Program.run([
            "serve", "--policies", shop.policies, "--ledger", ledger, "--lang", "en",
        ])
        #expect(service.status == 2)
        #expect(service.errors.contains(said), "\(service.errors)")
        #expect(!FileManager.default.fileExists(atPath: ledger))
        let inspection = try Program.run([
            "inspect", "no-such-file", "--any-bundle", "--lang", "en",
            "--root", shop.policies + "/root.pem",
        ])
        #expect(inspection.status == 2)
        #expect(inspection.errors.contains("/root.pem"), "\(inspection.errors)")
    }
}
