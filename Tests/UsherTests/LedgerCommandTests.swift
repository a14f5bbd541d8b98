internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("usher ledger", .timeLimit(.minutes(20)))
struct LedgerCommandTests {
    /// A ledger of five entries: policy, evidence, transaction, claim, decision.
    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService
        let payload: String
        var ledger: String { shop.folder.path + "/ledger" }
        var copy: String { shop.folder.path + "/copy" }

        init(keepsBackups: Bool = false) throws {
            shop = try SimulatedShop()
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies,
                environment: keepsBackups ? ["USHER_BACKUPS": shop.folder.path] : [:])
            payload = try shop.purchase("unlock", .nonConsumable, id: 1)
            let body = shop.body(payload, account: "alice")
            #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
        }

        func usher(_ arguments: String...) throws -> Program.Output {
            try Program.run(
                ["ledger"] + arguments, environment: ["USHER_LEDGER": ledger])
        }

        /// Writes over a text in a file with another one of the same length.
        func edit(_ path: String, _ old: String, _ new: String) throws {
            #expect(old.utf8.count == new.utf8.count)
            var data = try Data(contentsOf: URL(filePath: path))
            let place = try #require(data.range(of: Data(old.utf8)))
            data.replaceSubrange(place, with: Data(new.utf8))
            try data.write(to: URL(filePath: path))
        }
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    @Test("from a running service to a backup, and from that to a ledger, with the same anchor")
    func backupAndRestore() throws {
        let scene = try Scene()
        let sound = try scene.usher("verify")
        #expect(sound.status == 0)
        #expect(
            lines(sound.output).prefix(2) == [
                "sound: \(scene.ledger)",
                "entries: 5; evidence verified again: 1; decisions computed again: 1",
            ])
        let anchor = try #require(lines(sound.output).last)
        #expect(anchor.hasPrefix("anchor 5:"))
        let copied = try scene.usher("backup", scene.copy)
        #expect(copied.output == "\(scene.copy) holds the ledger up to entry 5\n\(anchor)\n")
        #expect(try scene.usher("backup", scene.copy).status == 2)
        #expect(scene.service.stop() == 0)

        let restored = scene.shop.folder.path + "/restored"
        #expect(try scene.usher("restore", scene.copy).status == 2)
        #expect(
            try scene.usher("restore", scene.copy, "--ledger", restored).output
                == """
                \(restored) was restored from \(scene.copy)
                there was no list of erasures:
                  what was erased after this backup is in the ledger again (--against LIST)

                """)
        let head = String(anchor.dropFirst("anchor ".count))
        let quick = try scene.usher("verify", "--quick", "--ledger", restored, "--anchor", head)
        #expect(quick.output.hasPrefix("sound: \(restored) (only file"))
        let other = "5:" + String(repeating: "0", count: 64)
        let missing = try scene.usher("verify", "--anchor", other, "--json")
        #expect(missing.status == 1)
        let problems = try parseJSON(Array(missing.output.utf8))["problems"]?.elements
        #expect(problems?.count == 1)
        #expect(problems?.first?["code"]?.string == "anchor-missing")
        #expect(problems?.first?["sequence"]?.int64 == 5)
    }

    @Test("an edited row is named, in both languages, and nothing is made of such a backup")
    func editedRow() throws {
        let scene = try Scene()
        #expect(try scene.usher("backup", scene.copy).status == 0)
        #expect(scene.service.stop() == 0)
        try scene.edit(
            scene.copy, #""account":"alice""#, #""account":"mallo""#)
        let english = try scene.usher("verify", "--ledger", scene.copy)
        #expect(english.status == 1)
        #expect(
            english.output == """
                not sound: \(scene.copy)
                  the content of entry 4 was changed after it was written [payload-changed]

                """)
        let chinese = try scene.usher("verify", "--ledger", scene.copy, "--lang", "zh")
        #expect(chinese.output.contains("条目 4 的内容在写入后被更改 [payload-changed]"))
        let quiet = try scene.usher("verify", "--ledger", scene.copy, "--quiet")
        #expect(quiet.status == 1 && quiet.output.isEmpty)
        let restored = scene.shop.folder.path + "/restored"
        let refused = try scene.usher("restore", scene.copy, "--ledger", restored)
        #expect(refused.status == 1)
        #expect(lines(refused.output).count == 2)
        #expect(!FileManager.default.fileExists(atPath: restored))
    }

    @Test("nothing is restored next to the log of another ledger, and the file is named")
    func restoreBesideLog() throws {
        let scene = try Scene()
        #expect(try scene.usher("backup", scene.copy).status == 0)
        #expect(scene.service.stop() == 0)
        let restored = scene.shop.folder.path + "/restored"
        try scene.shop.folder.write("left", to: "restored-wal")
        let refused = try scene.usher("restore", scene.copy, "--ledger", restored, "--lang", "en")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("'\(restored)-wal' is left over from an earlier ledger"))
        for suffix in ["", ".lock", ".incomplete"] {
            #expect(!FileManager.default.fileExists(atPath: restored + suffix))
        }
    }

    @Test("what interrupted backups left is removed when the service starts")
    func interruptedBackups() throws {
        let shop = try SimulatedShop()
        let own = ["usher-1767225600000-z0.ledger-backup.incomplete", "ledger.incomplete-journal"]
        let others = ["usher-x.ledger-backup.incomplete", "mine.incomplete"]
        for name in own + others { try shop.folder.write("x", to: name) }
        let service = try RunningService(
            folder: shop.folder.path, policies: shop.policies,
            environment: ["USHER_BACKUPS": shop.folder.path])
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(own.filter(left.contains) == [])
        #expect(others.filter(left.contains) == others)
        #expect(service.stop() == 0)
    }

    @Test("an erased entry and a foreign trigger are named, and the latter opens for nobody")
    func erasedAndForeign() throws {
        let scene = try Scene()
        #expect(scene.service.stop() == 0)
        let sqlite = "/usr/bin/env"
        func tamper(_ sql: String) throws {
            let process = try ChildProcess(
                sqlite, ["python3", "-c", Self.script, scene.ledger, sql], environment: nil)
            #expect(process.waitUntilExit() == 0)
        }
        try tamper("UPDATE entry SET payload = NULL, salt = NULL WHERE seq = 4")
        let erased = try scene.usher("verify", "--lang", "en")
        #expect(erased.status == 1)
        #expect(
            erased.output == """
                not sound: \(scene.ledger)
                  the content of entry 4 was erased, and no erasure says so [payload-erased]
                entries: 5; evidence verified again: 1; decisions computed again: 0
                decisions that depend on erased entries, not computed again: 1
                1 entry erased by 0 erasures

                """)
        try tamper("CREATE TRIGGER gift AFTER INSERT ON entry BEGIN SELECT 1; END")
        let foreign = try parseJSON(Array(try scene.usher("verify", "--json").output.utf8))
        let codes = foreign["problems"]?.elements?.compactMap { $0["code"]?.string }
        #expect(codes == ["schema-differs", "payload-erased"])
        let check = try Program.run([
            "check", "alice", "forever", "--ledger", scene.ledger, "--lang", "en",
        ])
        #expect(check.status == 2)
        #expect(check.errors.contains("trigger 'gift' does not belong to the ledger"))
    }

    private static let script = """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.executescript(sys.argv[2])
        connection.close()
        """

    @Test("stats count and export tells what is there")
    func statsAndExport() throws {
        let scene = try Scene()
        let stats = try parseJSON(Array(try scene.usher("stats", "--json").output.utf8))
        #expect(stats["head"]?["sequence"]?.int64 == 5)
        #expect(
            stats["entries"]?.text == """
                {"claim":1,"decision":1,"evidence":1,"policyActivation":1,"transaction":1}
                """)
        let page = try scene.usher("stats", "--lang", "zh").output
        #expect(page.contains("  最新条目    5，记录于 20"))
        #expect(page.contains("  已签名的交易  1"))
        let exported = lines(try scene.usher("export").output)
        let kinds = try exported.map { try parseJSON(Array($0.utf8))["kind"]?.string }
        #expect(kinds == ["policyActivation", "evidence", "transaction", "claim", "decision"])
        let evidence = lines(try scene.usher("export", "--after", "1", "--evidence").output)
        #expect(evidence.count == 4)
        let payload = try parseJSON(Array(try #require(evidence.first).utf8))["payload"]?.string
        #expect(payload == scene.payload)
        #expect(scene.service.stop() == 0)
    }

    @Test(
        "what cannot be written is not passed over",
        arguments: [
            ["ledger", "export", "--ledger"], ["timeline", "alice", "--html", "--ledger"],
            ["show", "alice", "--json", "--ledger"], ["show", "alice", "--ledger"],
            ["ledger", "stats", "--ledger"], ["policy", "show", "--html"],
            ["policy", "show", "--json"], ["policy", "schema"],
        ])
    func fullDisk(arguments: [String]) throws {
        let scene = try Scene()
        #expect(scene.service.stop() == 0)
        let subject =
            switch arguments.last {
            case "--ledger": [scene.ledger]
            case "schema": [String]()
            default: [scene.shop.policies]
            }
        let arguments =
            ["-c", "exec \"$0\" \"$@\" > /dev/full", Program.path] + arguments
            + subject
        let errors = try ChildPipe()
        let process = try ChildProcess(
            "/bin/sh", arguments, environment: [:],
            streams: .init(errors: errors.writing.fileDescriptor))
        try errors.writing.close()
        let said = try errors.reading.readToEnd() ?? Data()
        #expect(process.waitUntilExit() == 2)
        #expect(String(decoding: said, as: UTF8.self) == "cannot write -\n")
    }

    @Test("the service makes a backup where it has a folder for them, and says so where not")
    func serviceBackup() throws {
        for keepsBackups in [true, false] {
            let scene = try Scene(keepsBackups: keepsBackups)
            let asked = try Program.run([
                "ledger", "backup", "--reason", "weekly", "--sockets", scene.service.sockets,
            ])
            #expect(asked.status == (keepsBackups ? 0 : 2))
            if keepsBackups {
                let copy = try #require(asked.output.split(separator: " ").first)
                #expect(copy.hasPrefix(scene.shop.folder.path + "/usher-"))
                #expect(asked.output.hasSuffix("holds the ledger up to entry 5\n"))
                #expect(try scene.usher("verify", "--ledger", String(copy)).status == 0)
            } else {
                #expect(asked.errors.contains("set 'backups' in its configuration"))
            }
            #expect(scene.service.stop() == 0)
        }
    }

    @Test(
        "wrong usage is 64, what cannot be answered is 2",
        arguments: [
            (["verify"], 2), (["stats"], 2), (["export"], 2), (["restore", "nothing"], 2),
            (["backup", "copy"], 2), (["backup", "--reason", "x"], 2), (["backup"], 64),
            (["backup", "copy", "--reason", "x"], 64), (["restore"], 64),
            (["verify", "--anchor", "5"], 64), (["export", "--after", "-1"], 64),
            (["unknown"], 64),
        ] as [([String], Int32)])
    func exitCodes(arguments: [String], status: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            ["ledger"] + arguments,
            environment: [
                "USHER_LEDGER": folder.path + "/none", "USHER_SOCKETS": folder.path,
            ])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.isEmpty && !run.errors.isEmpty)
    }
}

@Suite("usher status", .timeLimit(.minutes(20)))
struct StatusCommandTests {
    @Test("tells how the service is, and that a policy was refused")
    func page() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        func status(_ arguments: String...) throws -> Program.Output {
            try Program.run(["status", "--sockets", service.sockets] + arguments)
        }
        let well = try status()
        #expect(well.status == 0)
        #expect(well.output.hasPrefix("ready\n  version      "))
        #expect(well.output.contains("\n  ledger       entry 1, recorded 20"))
        #expect(well.output.contains("\n  evidence     0 accepted since the start\n"))
        #expect(well.output.contains("\n  connections  0 on query.sock, 1 on usher.sock\n"))
        let json = try parseJSON(Array(try status("--json").output.utf8))
        let hash = try #require(json["ledger"]?["hash"]?.string)
        #expect(well.output.contains("\nanchor 1:\(hash)\n"))

        try shop.folder.write("usher: 1\napp: {bundle: x}\n", to: "policies/policy.yaml")
        let reload = ["policy", "reload", "--reason", "x", "--sockets", service.sockets]
        #expect(try Program.run(reload).status == 1)
        let refused = try status("--lang", "zh")
        #expect(refused.status == 1)
        #expect(refused.output.contains("policy.yaml:2:7 [unknown-key]"))
        #expect(refused.output.hasPrefix("运行正常\n"))
        #expect(try status("--quiet").output.isEmpty)
        #expect(service.stop() == 0)
        let gone = try status()
        #expect(gone.status == 2)
        #expect(
            gone.errors == """
                no service answers at \(service.sockets)/usher.sock; start one with 'usher serve'

                """)
    }
}
