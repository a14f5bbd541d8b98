internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("What the program says of mistakes", .timeLimit(.minutes(20)))
struct ToolTests {
    @Test(
        "a rejection exits with 1 where it is a no, and with 2 where there is no answer",
        arguments: [
            (.unknownClaim, 1), (.rulingNotNewest, 1), (.scheduleLoses, 1), (.nothingFound, 1),
            (.unknownSubscription, 1),
            (.unknownEntitlement, 2), (.otherFeed, 2), (.stopping, 2), (.notLeader, 2), (nil, 2),
        ] as [(ProblemCode?, Int32)])
    func exitCodes(code: ProblemCode?, status: Int32) {
        let failure = CommandFailure.serviceRejected(
            RejectedCall(code: code?.rawValue ?? "order.of-a-newer-service", sentence: "no"))
        #expect(failure.exitCode.rawValue == status)
    }

    @Test(
        "a misspelt command is told with the one that was meant",
        arguments: [
            (["chekc", "alice", "premium"], "unknown command 'chekc'; did you mean 'check'?"),
            (["policy", "chek"], "unknown command 'chek'; did you mean 'check'?"),
            (["frobnicate"], "unknown command 'frobnicate'\n'usher --help' lists"),
        ])
    func commands(arguments: [String], said: String) throws {
        let run = try Program.run(arguments, environment: ["LANG": "en"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix(said), "\(run.errors)")
        #expect(run.output.isEmpty)
        let chinese = try Program.run(arguments, environment: ["LANG": "zh_CN"])
        #expect(chinese.errors.contains("未知的命令"), "\(chinese.errors)")
        let json = try Program.run(arguments + ["--json"])
        #expect(json.status == 64)
        #expect(try parseJSON(Array(json.output.utf8))["code"]?.string == "usage.command")
    }

    @Test(
        "what fails with --json is problem details on standard output",
        arguments: [
            (["check", "alice", "premium"], "tool.no-service", 2),
            (["inspect", "none", "--any-bundle"], "tool.unreadable-file", 2),
            (["check", "alice"], "usage", 64), (["ingest", "none"], "tool.unreadable-file", 2),
            (["serve", "--set", "log.level=loud"], "setting.value", 2),
            (["serve", "--set", "ledger=database:address"], "setting.value", 2),
            (["serve", "--ledger", "ledger", "--policies", "."], "policy.refused", 2),
            (["check", "alice", "premium", "--ledger", "none"], "ledger.", 2),
        ] as [([String], String, Int32)])
    func problems(arguments: [String], code: String, status: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            arguments + ["--json"], environment: ["USHER_SOCKETS": folder.path],
            folder: folder.path)
        #expect(run.status == status, "\(run.output) \(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        let line = run.output.split(separator: "\n").last.map(String.init) ?? ""
        let problem = try parseJSON(Array(line.utf8))
        #expect(problem["code"]?.string?.hasPrefix(code) == true, "\(line)")
        #expect(problem["title"]?.string?.isEmpty == false)
        #expect(problem["detail"]?.string?.isEmpty == false)
    }

    @Test("what the service refuses is passed on with its status")
    func refusal() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let run = try Program.run([
            "revoke", "none", "--reason", "r", "--json", "--sockets", service.sockets,
        ])
        #expect(run.status == 1)
        let problem = try parseJSON(Array(run.output.utf8))
        #expect(problem["code"]?.string == "deed.unknown-grant")
        #expect(problem["status"]?.int64 == 404)
        #expect(service.stop() == 0)
    }

    @Test("a mistyped variable, and a setting out of range, are named")
    func settings() throws {
        let folder = try TemporaryFolder()
        let mistyped = try Program.run(
            ["serve", "--print-config", "--lang", "en"],
            environment: [
                "USHER_LIMITS_BODY_BYTE": "5", "USHER_SERVICE_HOST": "10.0.0.1",
                "USHER_ABCDEFGH": "1",
            ])
        #expect(mistyped.status == 2)
        #expect(
            mistyped.errors
                == "unknown environment variable USHER_LIMITS_BODY_BYTE; "
                + "did you mean 'USHER_LIMITS_BODY_BYTES'?\n")
        let hint = try Program.run(
            ["check", "a", "b", "--lang", "en"],
            environment: ["USHER_SOCKET": folder.path, "LANG": "en"])
        #expect(hint.errors.contains("did you mean 'USHER_SOCKETS'?"), "\(hint.errors)")
        for (flag, said) in [
            ("limits.body-bytes=5", "allowed: a whole number from 1024 to 16777216"),
            ("policy.guard=on", "allowed: refuse, warn"), ("log.format=xml", "allowed: text, json"),
            ("sockets.query-mode=0999", "an octal mode up to 0777"),
            ("files.mode=0644", "allowed: 0600, 0640, 0660"),
            ("files.group=nobody-here", "a group name or number"),
        ] {
            let run = try Program.run(
                ["serve", "--print-config", "--lang", "en", "--set", flag])
            #expect(run.status == 2)
            #expect(run.errors.contains(said), "\(run.errors)")
        }
        let unknown = try Program.run([
            "serve", "--print-config", "--lang", "en", "--set", "limits.body-byte=5",
        ])
        #expect(unknown.errors.contains("--set"), "\(unknown.errors)")
    }

    @Test(
        "admin actions on an account that nothing is known of want --new-account; check only warns")
    func newAccount() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        _ = try service.operations.post(
            "/v1/evidence",
            json: shop.body(try shop.purchase("unlock", .nonConsumable, id: 1), account: "alice"))
        let rest = ["--sockets", service.sockets, "--lang", "en"]
        func usher(_ words: String) throws -> Program.Output {
            try Program.run(words.split(separator: " ").map(String.init) + rest)
        }
        for action in ["grant alcie forever", "block alcie"] {
            let refused = try usher(action + " --reason r")
            #expect(refused.status == 1)
            #expect(
                refused.errors == "there is no record of the account 'alcie'; "
                    + "for a new account, add --new-account\n")
        }
        #expect(try usher("grant alice forever --reason r").status == 0)
        let warned = try usher("check alcie forever")
        #expect(warned.status == 1)
        #expect(warned.errors == "warning: there is no record of the account 'alcie'\n")
        #expect(try usher("check alcie forever -q").errors.isEmpty)
        #expect(try usher("block alcie --new-account --reason r").status == 0)
        #expect(try usher("check alcie forever").errors.isEmpty)
        let file = try Program.run([
            "check", "bob", "forever", "--ledger", shop.folder.path + "/ledger", "--lang", "zh",
        ])
        #expect(file.status == 1)
        #expect(file.errors == "警告：没有账号“bob”的任何记录\n")
        #expect(service.stop() == 0)
    }
}
