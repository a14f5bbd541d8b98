internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("Commands say what they would change", .timeLimit(.minutes(20)))
struct PreviewCommandTests {
    /// Alice has bought it; Mallory presents the same purchase and waits for a person.
    private static func scene() throws -> (shop: SimulatedShop, service: RunningService) {
        let shop = try SimulatedShop(
            policy: SimulatedShop.policy + """

                account_switch:
                  - name: support decides
                    when: {kind: non-consumable, moment: restore}
                    then: ask
                """)
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let payload = try shop.purchase("unlock", .nonConsumable, id: 1)
        for account in ["alice", "mallory"] {
            let body = shop.body(payload, account: account)
            #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
        }
        return (shop, service)
    }

    private static let approve = ["claims", "approve", "6", "--reason", "a test"]

    @Test("with --preview, in words and as JSON, and do nothing")
    func preview() throws {
        let (shop, service) = try Self.scene()
        func usher(_ arguments: [String], _ language: String = "en") throws -> Program.Output {
            try Program.run(arguments + ["--sockets", service.sockets, "--lang", language])
        }
        let page = try usher(Self.approve + ["--preview"])
        #expect(page.status == 0, "\(page.errors)")
        #expect(
            page.output == """
                this would change, as of entry 7:
                  alice loses forever from now
                  a finding about alice closes: account-switch lineage:1
                  lineage:1 is owned by mallory, not by alice
                  mallory has forever from now
                  a finding about mallory closes: account-switch lineage:1
                  claim 6 of mallory: approved, not waiting for a ruling
                the change feed would tell 6 changes
                to undo it: usher claims undo 6 --decision 9 --reason '…'

                """)
        let json = try usher(Self.approve + ["--preview", "--json"])
        #expect(try parseJSON(Array(json.output.utf8))["takes_away"] == true)
        let chinese = try usher(Self.approve + ["--preview"], "zh")
        #expect(chinese.output.contains("alice 从现在起失去 forever"), "\(chinese.output)")
        #expect(try usher(["check", "alice", "forever"]).status == 0)
        let both = try usher(Self.approve + ["--preview", "--if-revision", "7"])
        #expect(both.status == 64)
        let ahead = try usher(Self.approve + ["--if-revision", "99"])
        #expect(ahead.status == 2, "\(ahead.errors)")
        let block = try usher(["block", "mallory", "--reason", "a test", "--id", "b"])
        #expect(block.status == 0)
        let late = try usher(Self.approve + ["--if-revision", "7"])
        #expect(late.status == 1, "\(late.errors)")
        #expect(late.errors.contains("8 (blocks, mallory)"), "\(late.errors)")
        #expect(try usher(["check", "alice", "forever"]).status == 0)
        let done = try usher(Self.approve + ["--if-revision", "8"])
        #expect(done.status == 0, "\(done.errors)")
        #expect(try usher(["check", "alice", "forever"]).status == 1)
        #expect(service.stop() == 0)
        _ = shop
    }

    @Test("in a terminal, before they take something away, and ask")
    func asks() throws {
        let (shop, service) = try Self.scene()
        let environment = ["USHER_SOCKETS": service.sockets, "TERM": "xterm", "NO_COLOR": "1"]
        func usher(
            _ arguments: [String], typing typed: String = ""
        ) throws -> (status: Int32, text: String) {
            try PseudoTerminal().run(
                arguments + ["--lang", "en"], environment: environment, typing: typed)
        }
        let no = try usher(Self.approve, typing: "n\n")
        #expect(no.status == 1)
        #expect(no.text.contains("alice loses forever from now"), "\(no.text)")
        #expect(no.text.contains("do it? [y/N]"))
        #expect(!no.text.contains("done:"))
        // Nothing is taken from anybody.
        let grant = try usher([
            "grant", "alice", "forever", "--reason", "a test", "--id", "g",
        ])
        #expect(grant.status == 0)
        #expect(!grant.text.contains("do it?"), "\(grant.text)")
        let yes = try usher(Self.approve, typing: "y\n")
        #expect(yes.status == 0)
        #expect(
            yes.text.contains("done: original transaction 1 is owned by mallory"), "\(yes.text)")
        let unasked = try usher(["revoke", "g", "--reason", "a test", "--yes"])
        #expect(unasked.status == 0)
        #expect(!unasked.text.contains("do it?"), "\(unasked.text)")
        #expect(service.stop() == 0)
        _ = shop
    }
}
