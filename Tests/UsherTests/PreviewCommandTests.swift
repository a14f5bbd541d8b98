internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

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
                  unlock, bought 2026-05-01: from alice to mallory
                  alice loses forever from now
                  a finding about alice closes:
                    an account presented a purchase that belongs to another account (lineage:1)
                  mallory has forever from now
                  a finding about mallory closes:
                    an account presented a purchase that belongs to another account (lineage:1)
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

    @Test("and how many later changes they do not list")
    func laterChanges() {
        func right(_ until: Int64) -> FeedValue {
            .right(
                FeedValue.Right(decision: true, state: nil, until: Instant(milliseconds: until)))
        }
        let key = FeedOutlook.Key(.right, .production, "premium")
        let steps = (1...70).map {
            FeedOutlook.Step(at: Instant(milliseconds: 86_400_000 * $0), value: right($0))
        }
        let change = EffectChange(
            key, of: AccountID("alice"), from: nil,
            to: FeedOutlook.Item(key: key, present: right(0), steps: steps))
        #expect(change?.later.count == 64 && change?.laterOmitted == 6)
        var effect = EffectAnswer(at: Instant(milliseconds: 0))
        effect.changes = [change].compactMap(\.self)
        for (language, more) in [
            (Language.english, "and 66 more changes later"), (.chinese, "之后还有 66 项变化"),
        ] {
            var page = Page(language)
            page.write(Written(effect, LedgerSequence(7)))
            #expect(page.text.contains(more), "\(page.text)")
            #expect(page.text.split(separator: "\n").count == 8, "\(page.text)")
        }
    }

    @Test("on a condition where they ask, also if nothing would be taken away")
    func condition() throws {
        let stub = try ServiceStub()
        let environment = ["USHER_SOCKETS": stub.sockets, "TERM": "xterm", "NO_COLOR": "1"]
        let effect = """
            {"dry_run":true,"at":"2026-05-01T00:00:00.000Z","changes":[],"told":[],\
            "takes_away":false,"revision":41}
            """
        nonisolated(unsafe) var status: Int32?
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let run = try? PseudoTerminal().run(
                ["revoke", "g", "--reason", "a test"], environment: environment)
            status = run?.status
            ended.signal()
        }
        try stub.answer { _ in effect }
        #expect(stub.target == "/v1/grants/g?dry_run=true")
        try stub.answer { _ in nil }
        #expect(stub.target == "/v1/grants/g?if_revision=41")
        ended.wait()
        #expect(status == 2)
    }

    @Test("findings and preflight too answer as if something had happened")
    func assumptions() throws {
        let (shop, service) = try Self.scene()
        let sources = [
            ["--sockets", service.sockets], ["--ledger", shop.folder.path + "/ledger"],
        ]
        for source in sources {
            for command in [["findings", "alice"], ["preflight", "alice", "unlock"]] {
                let answers = try [[], ["--assume", "approve 6"]].map {
                    try Program.run(command + $0 + source + ["--lang", "en"])
                }
                #expect(answers.map(\.status) == [1, 0], "\(answers.map(\.output))")
            }
        }
        let all = try Program.run(["findings", "--assume", "approve 6"] + sources[0])
        #expect(all.status == 64 && all.errors.contains("--assume"), "\(all.errors)")
        #expect(service.stop() == 0)
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
