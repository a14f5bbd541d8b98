internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("What was answered, and why", .timeLimit(.minutes(20)))
struct PastCommandTests {
    /// A service in which alice has bought for ever, and what it answered then.
    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService
        /// Of alice, before the purchase and after it.
        let revisions: [String]
        let answer: String

        init() throws {
            shop = try SimulatedShop()
            service = try RunningService(folder: shop.folder.path, policies: shop.policies)
            let (shop, service) = (shop, service)
            func ask() throws -> (String, revision: String) {
                let line = ["check", "alice", "forever", "--json", "--replayable"]
                let told = try Program.run(line + ["--sockets", service.sockets]).output
                let json = try parseJSON(Array(told.utf8))
                return (told, "\(try #require(json["revision"]?.int64))")
            }
            let before = try ask().revision
            let body = shop.body(
                try shop.purchase("unlock", .nonConsumable, id: 1), account: "alice")
            #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
            let after = try ask()
            (revisions, answer) = ([before, after.revision], after.0)
        }

        func usher(_ line: String, language: String = "en") throws -> Program.Output {
            try Program.run(
                line.split(separator: " ").map(String.init)
                    + ["--sockets", service.sockets, "--lang", language])
        }

        /// The same of the ledger's file.
        func read(_ line: String) throws -> Program.Output {
            try Program.run(
                line.split(separator: " ").map(String.init)
                    + ["--ledger", shop.folder.path + "/ledger"])
        }
    }

    @Test("every command about an account tells what was known, the service and the file alike")
    func known() throws {
        let scene = try Scene()
        let (before, after) = (scene.revisions[0], scene.revisions[1])
        #expect(try scene.usher("block alice --reason fraud").status == 0)
        #expect(try scene.usher("check alice forever -q").status == 1)
        #expect(try scene.usher("check alice forever -q --revision \(after)").status == 0)
        #expect(try scene.usher("check alice forever -q --revision \(before)").status == 1)
        for line in [
            "check alice forever", "show alice", "explain alice forever", "findings alice",
            "timeline alice", "credits alice", "catalog alice", "orders list alice",
            "claims list alice", "claims list", "preflight alice unlock",
        ] {
            for known in ["--revision \(after)", "--revision 0", "--known-at 2026-01-01"] {
                let question = "\(line) --json \(known)"
                let told = try scene.usher(question)
                #expect(told.status < 2, "\(question): \(told.errors)")
                // Without an entry there is no instant of then, and the present passes.
                guard known != "--revision 0" else { continue }
                #expect(try scene.read(question).output == told.output, "\(question)")
            }
        }
        let now = try scene.usher("claims review --revision 1")
        #expect(now.status == 64)
        #expect(
            try scene.usher("check alice forever --revision 1 --known-at 2026-01-01").status == 64)
        #expect(try scene.usher("check alice forever --revision -1").status == 64)
        let future = try scene.usher("check alice forever --revision 1000000")
        #expect(future.status == 2)
        #expect(future.errors.contains("[input.future]"), "\(future.errors)")
        let read = try scene.read("check alice forever --known-at 2200-01-01")
        #expect(read.status == 2)
        #expect(read.errors.contains("[input.future]"), "\(read.errors)")
        #expect(scene.service.stop() == 0)
    }

    @Test("an answer is made again, whatever happened since; what was changed in it is shown")
    func replay() throws {
        let scene = try Scene()
        let file = scene.shop.folder.path + "/answer.json"
        try Data(scene.answer.utf8).write(to: URL(filePath: file))
        #expect(try scene.usher("merge alice bob --reason one-person").status == 0)
        #expect(try scene.usher("block bob --reason fraud").status == 0)
        for run in [scene.usher, { line, _ in try scene.read(line) }]
            as [(String, String) throws -> Program.Output]
        {
            let same = try run("replay \(file)", "en")
            #expect(same.output == "same: the answer is made again as it was\n", "\(same.errors)")
            #expect(same.status == 0)
        }
        let list = scene.shop.folder.path + "/list.json"
        let told = try scene.service.query.get("/v1/accounts/alice/entitlements")
        try Data(told.body).write(to: URL(filePath: list))
        #expect(try scene.usher("replay \(list) -q").status == 0)
        // What was changed in it.
        let changed = scene.answer.replacing("\"decision\":true", with: "\"decision\":false")
        try Data(changed.utf8).write(to: URL(filePath: file))
        let different = try scene.usher("replay \(file)")
        #expect(different.status == 1)
        #expect(
            different.output == """
                different: the ledger gives another answer as of that entry
                  decision  false  true

                """)
        let unknown = changed.replacing(/,"rules":\d+/, with: "")
        try Data(unknown.utf8).write(to: URL(filePath: file))
        let json = try scene.usher("replay \(file) --json")
        #expect(json.status == 2)
        #expect(json.output.contains(#""result":"rules-unknown""#), "\(json.output)")
        let chinese = try scene.usher("replay \(file)", language: "zh")
        #expect(chinese.output.hasPrefix("不同，且该答复未注明所依据的规则版本\n"))
        // An answer without it has to be helped.
        let plain = scene.answer.replacing(/,"as_of":.*/, with: "}")
        try Data(plain.utf8).write(to: URL(filePath: file))
        #expect(try scene.usher("replay \(file)").status == 2)
        #expect(
            try scene.usher("replay \(file) --account alice --at 2030-01-01").status == 0)
        try Data("[]".utf8).write(to: URL(filePath: file))
        #expect(try scene.usher("replay \(file)").status == 2)
        #expect(scene.service.stop() == 0)
    }
}
