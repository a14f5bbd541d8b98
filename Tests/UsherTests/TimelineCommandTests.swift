internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("usher timeline", .timeLimit(.minutes(20)))
struct TimelineCommandTests {
    @Test("the service and its ledger tell the same, in every form")
    func forms() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        _ = try service.operations.post(
            "/v1/evidence",
            json: shop.body(shop.purchase("unlock", .nonConsumable, id: 1), account: "alice"))
        let sockets = ["--sockets", service.sockets]
        let ledger = ["--ledger", shop.folder.path + "/ledger"]
        func timeline(_ arguments: [String]) throws -> String {
            let run = try Program.run(["timeline", "alice", "--at", "2026-06-01"] + arguments)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        let path = "/v1/accounts/alice/timeline?at=2026-06-01"
        let answered = String(decoding: try service.operations.get(path).body, as: UTF8.self)
        #expect(try timeline(sockets + ["--json"]) == answered + "\n")
        #expect(try timeline(ledger + ["--json"]) == answered + "\n")
        let table = try timeline(sockets)
        #expect(
            table == """
                what\tname\tenvironment\tfrom\tuntil\tvalue\tsource\treason
                right\tforever\tproduction\t2026-05-01T00:00:00.000Z\t-\tyes\tunlock\t\
                active, grace and renewing give
                state\t1\tproduction\t2026-05-01T00:00:00.000Z\t-\tactive\tunlock 1\t-
                owner\t1\tproduction\t-\t-\talice\t-\t-

                """)
        #expect(try timeline(ledger) == table)
        let picture = try timeline(sockets + ["--picture", "--width", "80", "--lang", "zh"])
        #expect(picture.contains("  unlock  非消耗型 · 归属 alice · 1 · Apple ID"))
        #expect(try timeline(sockets + ["--svg"]).hasPrefix("<?xml version"))
        #expect(try timeline(ledger + ["--html"]).hasPrefix("<!doctype html>"))
        let sandbox = ["--environment", "sandbox"]
        #expect(try !timeline(ledger + sandbox).contains("forever"))
        let limited = String(
            decoding: try service.operations.get(path + "&environment=sandbox").body,
            as: UTF8.self)
        #expect(limited != answered)
        for source in [sockets, ledger] {
            #expect(try timeline(source + sandbox + ["--json"]) == limited + "\n")
        }
        #expect(service.stop() == 0)
    }

    @Test(
        "wrong usage is 64, what cannot be answered is 2",
        arguments: [
            (["a b"], 64), (["alice", "--at", "now"], 64), (["alice", "--svg", "--html"], 64),
            (["alice", "--from", "2026-02-01", "--until", "2026-01-01"], 64),
            (["alice", "--width", "7"], 64), (["alice", "--environment", "moon"], 64),
            (["alice"], 2), (["alice", "--ledger", "no-such-file"], 2),
        ] as [([String], Int32)])
    func exitCodes(arguments: [String], status: Int32) throws {
        let folder = try TemporaryFolder()
        let run = try Program.run(
            ["timeline"] + arguments, environment: ["USHER_SOCKETS": folder.path])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.isEmpty)
    }
}
