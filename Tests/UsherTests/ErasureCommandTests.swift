internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// Erasures from outside, with backups from before (docs/PRIVACY.md).
@Suite("usher erase", .timeLimit(.minutes(20)))
struct ErasureCommandTests {
    private static let person = "marker-of-the-person"

    /// A service with a privacy key, and the purchases of two accounts.
    private final class Scene {
        let shop: SimulatedShop
        var service: RunningService
        var ledger: String { shop.folder.path + "/ledger" }
        var list: String { ledger + ".erasures" }
        private let environment: [String: String]

        init() throws {
            shop = try SimulatedShop()
            let key = shop.folder.path + "/key"
            environment = ["USHER_PRIVACY_KEY_FILE": key]
            #expect(try Program.run(["ledger", "key", key]).status == 0)
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: environment)
            for (id, account) in [(1, ErasureCommandTests.person), (2, "bob")] {
                let body = shop.body(
                    try shop.purchase("unlock", .nonConsumable, id: id), account: account)
                #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
            }
        }

        func restart() throws {
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: environment)
        }

        func usher(_ arguments: String..., hasKey: Bool = true) throws -> Program.Output {
            try Program.run(
                arguments + ["--lang", "en"],
                environment: ["USHER_LEDGER": ledger, "USHER_SOCKETS": service.sockets].merging(
                    hasKey ? environment : [:]
                ) { $1 })
        }

        func erase() throws {
            let erased = try usher(
                "erase", ErasureCommandTests.person, "--reference", "r-1", "--reason",
                "asked by " + ErasureCommandTests.person, "--hold", "0")
            #expect(erased.status == 0, "\(erased.errors)")
        }

        /// What is answered about the other account, without its instants and places.
        func others() throws -> String {
            let show = try usher("show", "bob")
            #expect(show.status == 0)
            return show.output.replacing(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/, with: "<date>")
        }

        /// The files in which the person is named.
        func found() throws -> [String] {
            let marker = Data(ErasureCommandTests.person.utf8)
            return try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
                .filter { name in
                    let path = shop.folder.path + "/" + name
                    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                        return false
                    }
                    return data.range(of: marker) != nil
                }.sorted()
        }

        func removeLedger() throws {
            try FileManager.default.removeItem(atPath: ledger)
            for ending in ["-wal", "-shm", ".head"] {
                try? FileManager.default.removeItem(atPath: ledger + ending)
            }
        }
    }

    @Test("what an older backup still has is erased again when it is restored")
    func restores() throws {
        let scene = try Scene()
        let copy = scene.shop.folder.path + "/copy"
        #expect(try scene.usher("ledger", "backup", copy).status == 0)
        let others = try scene.others()
        try scene.erase()
        let listed = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(listed.status == 0)
        #expect(
            listed.output.contains("of 1 erasure of the list with 4 entries nothing is left"))
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == ["copy"])
        let old = try scene.usher(
            "ledger", "verify", "--quick", "--ledger", copy, "--against", scene.list)
        #expect(old.status == 1)
        let lines = old.output.split(separator: "\n").joined(separator: " ")
            .replacing(/[ ]+/, with: " ")
        for entry in 2...5 {
            let left = "entry \(entry) was erased, as the list says, and still has content here"
            #expect(lines.contains(left + " [content-left]"), "\(old.output)")
        }

        try scene.removeLedger()
        let refused = try scene.usher("ledger", "restore", copy, hasKey: false)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("[ledger.undone-erasures]"))
        #expect(!FileManager.default.fileExists(atPath: scene.ledger))
        let restored = try scene.usher("ledger", "restore", copy)
        #expect(
            restored.output == """
                \(scene.ledger) was restored from \(copy)
                1 erasure made again that the backup lacked

                """, "\(restored.errors)")
        #expect(try scene.found() == ["copy"])
        let sound = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(sound.status == 0, "\(sound.output)")
        try scene.restart()
        #expect(try scene.others() == others)
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == ["copy"])
        #expect(try scene.usher("ledger", "verify").status == 0)
    }

    @Test("what was known of an erased person is erased, and is not said to have been nothing")
    func past() throws {
        let scene = try Scene()
        let person = Self.person
        let answer = scene.shop.folder.path + "/answer.json"
        let asked = try scene.usher("check", person, "forever", "--json", "--replayable")
        try asked.output.write(toFile: answer, atomically: false, encoding: .utf8)
        #expect(try scene.usher("replay", answer).status == 0)
        let path = "/v1/accounts/\(person)/entitlements"
        #expect(try scene.service.query.get(path + "?revision=5").status == 200)
        try scene.erase()
        let gone = try scene.service.query.get(path + "?revision=5")
        #expect(gone.status == 410)
        #expect(String(decoding: gone.body, as: UTF8.self).contains(#""code":"account.erased""#))
        // Of what came later something is known: nothing.
        let newest = try scene.service.query.get(path)
        #expect(newest.status == 200)
        for arguments in [["replay", answer], ["explain", person, "forever", "--revision", "5"]] {
            let output = try Program.run(
                arguments + ["--lang", "en"], environment: ["USHER_SOCKETS": scene.service.sockets])
            #expect(output.status == 2)
            #expect(output.errors.contains("[account.erased]"), "\(output.errors)")
        }
        let history = try scene.usher("history", person, "forever")
        #expect(history.output.contains("this account was erased"), "\(history.errors)")
        #expect(scene.service.stop() == 0)
        // The answer that was kept is not the ledger's.
        #expect(try scene.found() == ["answer.json"])
    }

    @Test("a service that finds an older file erases again before it serves")
    func starts() throws {
        let scene = try Scene()
        let copy = scene.shop.folder.path + "/copy"
        #expect(try scene.usher("ledger", "backup", copy).status == 0)
        let others = try scene.others()
        try scene.erase()
        scene.service.kill()
        try scene.removeLedger()
        // As a restore leaves it that was killed behind the copying.
        try FileManager.default.moveItem(atPath: copy, toPath: scene.ledger)
        try scene.restart()
        #expect(try scene.others() == others)
        #expect(try scene.found() == [])
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == [])
        let sound = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(sound.status == 0, "\(sound.output)")
    }
}
