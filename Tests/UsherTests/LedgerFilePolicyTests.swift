internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What somebody does to the files of a running service.
enum CustodyAccident: String, CaseIterable, CustomTestStringConvertible {
    case moved = "mv"
    case removed = "rm"
    case logRemoved = "rm of the log"
    case olderCopy = "mv of an older copy"
    case olderCopyInPlace = "cp of an older copy"
    case restored = "ledger restore"

    var testDescription: String { rawValue }
}

/// The real program on its sockets, and what is done to its files.
@Suite(
    "The file that is served (THREATS.md H9, H21, H22, H23, H30)", .timeLimit(.minutes(20)))
struct LedgerFilePolicyTests {
    /// A service that was stopped and started since it acknowledged two purchases; the copy has
    /// the first of them.
    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService
        var ledger: String { shop.folder.path + "/ledger" }
        var copy: String { shop.folder.path + "/copy" }

        init() throws {
            shop = try SimulatedShop()
            let first = try RunningService(folder: shop.folder.path, policies: shop.policies)
            try Self.buy(1, shop, first)
            let copied = try Program.run(
                ["ledger", "backup", shop.folder.path + "/copy"],
                environment: ["USHER_LEDGER": shop.folder.path + "/ledger"])
            #expect(copied.status == 0)
            try Self.buy(2, shop, first)
            #expect(first.stop() == 0)
            service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        }

        private static func buy(_ id: Int, _ shop: SimulatedShop, _ service: RunningService) throws
        {
            #expect(try hand(id, to: service, shop).status == 200)
        }

        static func hand(
            _ id: Int, to service: RunningService, _ shop: SimulatedShop
        ) throws -> (status: Int, code: String?) {
            let payload = try shop.purchase("coins", .consumable, id: id)
            let response = try service.operations.post(
                "/v1/evidence", json: shop.body(payload, account: "alice"))
            return (response.status, try? parseJSON(response.body)["code"]?.string)
        }

        func balance(_ service: RunningService) throws -> Int64? {
            let response = try service.query.get("/v1/accounts/alice/credits")
            #expect(response.status == 200)
            return try parseJSON(response.body)["balances"]?.elements?.first?["balance"]?.int64
        }

        func start() throws -> RunningService {
            try RunningService(folder: shop.folder.path, policies: shop.policies)
        }

        /// A start that is refused, with its exit code and what it says.
        func refusedStart(
            _ arguments: String..., ledger: String = "ledger"
        ) throws -> Program.Output {
            try Program.run(
                [
                    "serve", "--ledger", shop.folder.path + "/" + ledger, "--policies",
                    shop.policies, "--sockets", shop.folder.path + "/other",
                ] + arguments)
        }

        func happen(_ accident: CustodyAccident) throws {
            let files = FileManager.default
            switch accident {
            case .moved: try files.moveItem(atPath: ledger, toPath: ledger + ".away")
            case .removed: try files.removeItem(atPath: ledger)
            case .logRemoved: try files.removeItem(atPath: ledger + "-wal")
            case .olderCopy: #expect(rename(copy, ledger) == 0)
            case .olderCopyInPlace:
                #expect(try run("/bin/cp", copy, ledger) == 0)
            case .restored:
                let restore = ["ledger", "restore", copy, "--ledger", ledger]
                try files.removeItem(atPath: ledger)
                // As long as the lock is there, a restore waits for the service to end.
                #expect(try Program.run(restore).status == 2)
                for ending in ["-wal", "-shm", ".lock"] {
                    try files.removeItem(atPath: ledger + ending)
                }
                #expect(try Program.run(restore).status == 0)
            }
        }

        private func run(_ path: String, _ arguments: String...) throws -> Int32 {
            try ChildProcess(path, arguments).waitUntilExit()
        }
    }

    @Test(
        "is acknowledged only while it is in its place; nothing acknowledged is gone in silence",
        arguments: CustodyAccident.allCases)
    func accidents(accident: CustodyAccident) throws {
        let scene = try Scene()
        try scene.happen(accident)
        for id in [3, 4] {
            let answer = try Scene.hand(id, to: scene.service, scene.shop)
            #expect(answer.status == 503 && answer.code == "ledger.replaced")
        }
        let ready = try scene.service.query.get("/readyz")
        #expect(ready.status == 503)
        #expect(try parseJSON(ready.body)["code"] == "ledger.replaced")
        let status = try parseJSON(scene.service.operations.get("/status").body)
        #expect(status["degraded"]?.elements?.first == "ledger-replaced")
        #expect(status["accepts_writes"] == false)
        let metrics = String(
            decoding: try scene.service.operations.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("\nusher_ledger_replaced 1\n"))
        // What is written over is gone also for those who ask.
        if accident != .olderCopyInPlace { #expect(try scene.balance(scene.service) == 2) }
        let page = try Program.run(["status", "--sockets", scene.service.sockets, "--lang", "zh"])
        #expect(page.output.contains("账本已被移动"))
        scene.service.kill()
        #expect(try scene.service.said().components(separatedBy: "ledger.replaced").count == 2)
        try expectHonestStart(scene, after: accident)
    }

    private func expectHonestStart(_ scene: Scene, after accident: CustodyAccident) throws {
        switch accident {
        case .moved, .removed:
            let refused = try scene.refusedStart()
            #expect(refused.status == 3 && refused.errors.contains("[ledger.missing]"))
            guard accident == .moved else { return }
            try FileManager.default.moveItem(
                atPath: scene.ledger + ".away", toPath: scene.ledger)
            try expectBalance(2, scene)
        case .olderCopyInPlace:
            let refused = try scene.refusedStart()
            #expect(refused.status == 3 && refused.errors.contains("[ledger."))
        case .logRemoved:
            // What was acknowledged was copied from the log into the file when it was found.
            try expectBalance(2, scene)
        case .olderCopy:
            try expectRollbackIsRefused(scene)
        case .restored:
            try expectBalance(1, scene)
        }
    }

    private func expectBalance(_ balance: Int64, _ scene: Scene) throws {
        let service = try scene.start()
        #expect(try scene.balance(service) == balance)
        #expect(try Scene.hand(5, to: service, scene.shop).status == 200)
        #expect(service.stop() == 0)
    }

    private func expectRollbackIsRefused(_ scene: Scene) throws {
        let head = try #require(
            try Program.run(["ledger", "verify", "--quick", "--ledger", scene.ledger, "--json"])
                .output.utf8Value["head"])
        let (number, hash) = try (
            #require(head["sequence"]?.int64), #require(head["hash"]?.string)
        )
        let refused = try scene.refusedStart("--lang", "en")
        #expect(refused.status == 3)
        #expect(refused.errors.contains("ends with \(number):\(hash) and lacks "))
        #expect(refused.errors.contains("[ledger.rolled-back]"))
        let chinese = try scene.refusedStart("--lang", "zh")
        #expect(chinese.errors.contains("账本以 \(number):\(hash) 结尾"))
        let other = "\(number):" + String(repeating: "0", count: 64)
        #expect(try scene.refusedStart("--accept-rollback", other).status == 3)
        #expect(try scene.refusedStart("--accept-rollback", "x").status == 64)
        let accepting = ["--accept-rollback", "\(number):\(hash)"]
        let accepted = try RunningService(
            folder: scene.shop.folder.path, policies: scene.shop.policies, arguments: accepting)
        #expect(try scene.balance(accepted) == 1)
        #expect(accepted.stop() == 0)
        let recorded = try String(contentsOfFile: scene.ledger + ".head", encoding: .utf8)
        #expect(recorded.contains("\naccepted \(number):\(hash) instead-of "))
    }

    @Test(
        "is served once, by whatever name",
        arguments: ["ledger", "link", "hard"], [false, true])
    func secondService(name: String, withoutLock: Bool) throws {
        let scene = try Scene()
        try scene.shop.folder.link("link", to: "ledger")
        try FileManager.default.linkItem(
            atPath: scene.ledger, toPath: scene.shop.folder.path + "/hard")
        if withoutLock { try FileManager.default.removeItem(atPath: scene.ledger + ".lock") }
        let second = try scene.refusedStart(ledger: name)
        #expect(second.status == 3)
        let code = name == "hard" ? "[ledger.second-name]" : "[ledger.already-open]"
        #expect(second.errors.contains(code))
        #expect(try Scene.hand(3, to: scene.service, scene.shop).status == 200)
        #expect(scene.service.stop() == 0)
    }

    @Test("is its owner's alone, as is all that is made beside it, under umask 022")
    func modes() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(
            folder: shop.folder.path, policies: shop.policies, mask: "022",
            environment: ["USHER_BACKUPS": shop.folder.path])
        #expect(try Scene.hand(1, to: service, shop).status == 200)
        #expect(
            try service.operations.post("/v1/backup", json: Array(#"{"reason":"x"}"#.utf8)).status
                == 200)
        let path = shop.folder.path
        let play = Repository.url("fixtures/plays/a-year-of-gold.yaml").path
        for arguments in [
            ["ledger", "backup", path + "/backup", "--ledger", path + "/ledger"],
            ["ledger", "restore", path + "/backup", "--ledger", path + "/restored"],
            ["simulate", "play", play, "--out", path + "/played"],
        ] {
            let masked = ["-c", "umask 022; exec \"$0\" \"$@\"", Program.path] + arguments
            #expect(try ChildProcess("/bin/sh", masked, environment: [:]).waitUntilExit() == 0)
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            !$0.hasPrefix("policies") && !$0.hasSuffix(".sock")
        }
        var count = 0
        for name in names {
            let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            // Certificates are for everybody.
            let mode = name.hasSuffix(".pem") ? 0o644 : 0o600
            #expect(facts[.posixPermissions] as? Int == mode, "\(name)")
            count += 1
        }
        // Five of the ledger, the lock of the sockets, two backups, three restored, the play.
        #expect(count > 12)
        #expect(service.stop() == 0)
    }

    @Test("may be given to a group by setting")
    func group() throws {
        let shop = try SimulatedShop()
        let group = geteuid() == 0 ? 65_534 : Int(getegid())
        let service = try RunningService(
            folder: shop.folder.path, policies: shop.policies, mask: "077",
            environment: ["USHER_FILES_MODE": "0640", "USHER_FILES_GROUP": "\(group)"])
        for ending in ["", "-wal", "-shm", ".head", ".lock"] {
            let facts = try FileManager.default.attributesOfItem(
                atPath: shop.folder.path + "/ledger" + ending)
            #expect(facts[.posixPermissions] as? Int == 0o640, "\(ending)")
            #expect(facts[.groupOwnerAccountID] as? Int == group, "\(ending)")
        }
        #expect(service.stop() == 0)
        for setting in ["USHER_FILES_MODE": "0644", "USHER_FILES_GROUP": "no such group"] {
            let wrong = try Program.run(
                ["ledger", "backup", "x", "--ledger", "y"],
                environment: [setting.key: setting.value])
            #expect(wrong.status == 2 && wrong.errors.contains("'\(setting.value)'"))
        }
    }

    @Test("is named where it cannot be opened")
    func named() throws {
        let shop = try SimulatedShop()
        let lock = shop.folder.path + "/ledger.lock"
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        for (language, quoted) in [("en", "'\(lock)'"), ("zh", "“\(lock)”")] {
            let refused = try Program.run([
                "serve", "--ledger", shop.folder.path + "/ledger", "--policies", shop.policies,
                "--sockets", shop.folder.path + "/run", "--lang", language,
            ])
            #expect(refused.status == 2 && refused.errors.contains(quoted))
        }
    }
}

extension String {
    /// What a command printed with `--json`.
    fileprivate var utf8Value: JSONValue {
        get throws { try parseJSON(Array(utf8)) }
    }
}
