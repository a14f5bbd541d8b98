internal import EntitlementModel
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("Claims that a new policy would decide otherwise", .timeLimit(.minutes(20)))
struct ClaimReviewCommandTests {
    @Test("are listed with the command that applies it, by the service and from the file")
    func review() throws {
        let moves = "\naccount_switch: [{name: moves, then: transfer}]\n"
        let shop = try SimulatedShop(policy: SimulatedShop.policy + moves)
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        let bought = try shop.purchase("unlock", .nonConsumable, id: 1)
        try shop.folder.write(bought + "\n", to: "unlock.jws")
        for account in ["alice", "bob"] {
            let file = shop.folder.path + "/unlock.jws"
            let ingest = try Program.run(
                ["ingest", "--account", account, "--moment", "restore", file] + sockets)
            #expect(ingest.status == 0, "\(ingest.errors)")
        }
        let none = "no claim would be decided otherwise today\n"
        let before = try Program.run(["claims", "review"] + sockets)
        #expect(before.output == none && before.status == 0)

        try shop.folder.write(SimulatedShop.policy, to: "policies/policy.yaml")
        let reload = try Program.run(
            ["policy", "reload", "--reason", "a test", "--accept-loss", "10"] + sockets)
        #expect(reload.status == 0, "\(reload.errors)")
        let found = try Program.run(["claims", "review", "--json"] + sockets)
        #expect(found.status == 1)
        let claims = try #require(parseJSON(Array(found.output.utf8))["claims"]?.elements)
        #expect(claims.count == 1)
        let command = try #require(claims.first?["command"]?.string)
        let page = try Program.run(["claims", "review"] + sockets)
        #expect(page.output.hasSuffix("  command: \(command)\n"), "\(page.output)")
        #expect(page.output.contains("  today: denied: the owner keeps it [kept]\n"))
        let ledger = ["--ledger", shop.folder.path + "/ledger", "--lang", "en"]
        #expect(try Program.run(["claims", "review"] + ledger).output == page.output)

        let words = command.split(separator: " ").dropFirst().prefix { $0 != "--reason" }
        let applied = try Program.run(
            words.map(String.init) + ["--reason", "the policy has changed"] + sockets)
        #expect(applied.status == 0, "\(applied.errors)")
        #expect(try Program.run(["check", "alice", "forever", "-q"] + sockets).status == 0)
        #expect(try Program.run(["claims", "review"] + sockets).output == none)
        #expect(service.stop() == 0)
    }
}
