internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("What support does: look, explain, decide", .timeLimit(.minutes(20)))
struct SupportCommandTests {
    /// A service, and the folder that it lives in.
    private struct Scene {
        let shop: SimulatedShop
        let service: RunningService
        var ledger: String { shop.folder.path + "/ledger" }

        func usher(_ arguments: [String], language: String = "en") throws -> Program.Output {
            try Program.run(arguments + ["--sockets", service.sockets, "--lang", language])
        }

        func end() { #expect(service.stop() == 0) }
    }

    /// Alice has bought it; Mallory presents the same purchase and waits for a person.
    private static func scene() throws -> Scene {
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
        return Scene(shop: shop, service: service)
    }

    /// Instants differ from run to run.
    private static func undated(_ text: String) -> String {
        text.replacing(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/, with: "<date>")
            // One with milliseconds is wider.
            .replacing(/[ ]at\n +<date>/, with: " at <date>")
    }

    @Test("explain says why not, and the command that helps; the ruling makes it so, and back")
    func fromQuestionToRuling() throws {
        let scene = try Self.scene()
        func usher(_ arguments: String...) throws -> Program.Output {
            try scene.usher(arguments)
        }
        let why = try usher("explain", "mallory", "forever")
        #expect(why.status == 1)
        #expect(
            Self.undated(why.output) == """
                no: mallory may not use forever (production, at <date>)
                  why: built-in rule 'nothing gives it'
                    the same at all times
                  this account has never had a purchase that gives it
                  claims on them
                    claim 6: mallory presented transaction 1 as a restore at <date>
                      waiting for a ruling [waiting]
                      rule 'support decides' at policy.yaml:11
                      owned by alice afterwards
                  no fact gives it
                  what would change it: approving claim 6
                    command: usher claims approve 6 --reason '…'

                """)
        #expect(
            Self.undated(try usher("claims", "list").output) == """
                claim 6: mallory presented transaction 1 as a restore at <date>
                  waiting for a ruling [waiting]
                  rule 'support decides' at policy.yaml:11
                  owned by alice afterwards

                """)
        let approved = try usher("claims", "approve", "6", "--reason", "same person")
        #expect(approved.status == 0)
        #expect(approved.output == "done: original transaction 1 is owned by mallory\n")
        #expect(try usher("explain", "mallory", "forever", "-q").status == 0)
        let again = try usher("claims", "approve", "6", "--reason", "same person")
        #expect(again.status == 1)
        #expect(again.errors.hasSuffix("[ruling.not-waiting]\n"))
        let undone = try usher("claims", "undo", "6", "--reason", "it was not")
        #expect(undone.output == "done: original transaction 1 is owned by alice\n")
        let transfer = ["claims", "transfer", "6", "--to", "bob", "--reason", "r"]
        let stranger = try scene.usher(transfer)
        #expect(stranger.status == 1)
        #expect(stranger.errors.contains("there is no record of the account 'bob'"))
        #expect(try scene.usher(transfer + ["--new-account"]).status == 0)
        #expect(
            try usher("claims", "release", "6", "--reason", "r").output
                == "done: original transaction 1 has no owner\n")
        #expect(try usher("claims", "list").output == "no claims\n")
        #expect(try usher("claims", "list", "nobody").output == "no claims\n")
        #expect(try usher("claims", "list", "mallory").output.contains("claim 6: mallory "))
        scene.end()
    }

    @Test("show tells everything, and shows to a pipe what it shows to a person, without colours")
    func show() throws {
        let scene = try Self.scene()
        let shown = Self.undated(try scene.usher(["show", "alice"]).output)
        #expect(
            shown == """
                alice at <date>

                Rights
                  forever  production  yes  forever  active  unlock

                Purchases
                  unlock, non-consumable
                    original transaction 1, purchased <date>
                      active
                      owned by alice (decision 5)
                      Apple ID otx:production:1

                Claims
                  claim 4: alice presented transaction 1 as a restore at <date>
                    accepted
                    built-in rule 'the first accepted claim owns it'
                    owned by alice afterwards
                  claim 6: mallory presented transaction 1 as a restore at <date>
                    waiting for a ruling [waiting]
                    rule 'support decides' at policy.yaml:11
                    owned by alice afterwards

                Findings
                  an account presented a purchase that belongs to another account
                    [account-switch]
                    from <date>
                    about alice, mallory, original transaction 1

                """)
        #expect(
            try scene.usher(["show", "nobody", "--at", "2026-06-01"]).output
                == "nobody at 2026-06-01T00:00:00Z\nthere is no record of this account\n")
        let findings = try scene.usher(["findings", "alice", "nobody"], language: "zh")
        #expect(findings.status == 1)
        #expect(
            Self.undated(findings.output) == """
                alice
                  有账号出示了属于其他账号的购买 [account-switch]
                    自 <date> 起
                    涉及 alice，mallory，原始交易 1
                nobody
                  没有待关注事项

                """)
        #expect(try scene.usher(["findings", "alice", "--at", "2026-06-01"]).status == 0)
        scene.end()
    }

    @Test("show groups what was bought by product, from the service and from the file")
    func showGroups() throws {
        let shop = try SimulatedShop(
            policy: SimulatedShop.policy.replacing(
                "coins: {kind: consumable",
                with: "coins: {kind: consumable, title: Ten coins, title_zh: 十枚金币"))
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        for transaction in try Self.purchases() {
            let payload = String(decoding: shop.store.sign(transaction.payload), as: UTF8.self)
            let body = shop.body(payload, account: "alice")
            #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
        }
        let show = ["show", "alice", "--sockets", service.sockets]
        let english = try Program.run(show + ["--lang", "en"]).output
        #expect(
            Self.section("Purchases", of: english) == """
                  unlock, non-consumable
                    original transaction 9, purchased 2026-05-01T00:00:00Z, family-shared
                      active
                      owned by alice (decision 17)
                      Apple ID otx:production:9
                  Ten coins (coins), consumable, 3 purchases
                    transaction 3, purchased 2026-05-01T00:00:00Z, 0.99 USD
                      refunded by Apple on 2026-05-04T00:00:00Z
                      owned by alice (decision 9)
                    transaction 4, purchased 2026-05-02T00:00:00Z, 1200 JPY, quantity 3
                      owned by alice (decision 5)
                    transaction 5, sandbox, purchased 2026-05-03T00:00:00Z, 0.125
                      owned by alice (decision 13)
                """)
        let chinese = try Program.run(show + ["--lang", "zh"]).output
        #expect(
            chinese.contains(
                """
                  十枚金币（coins），消耗型，共 3 笔购买
                    交易 3，购买于 2026-05-01T00:00:00Z，0.99 USD
                """))
        #expect(chinese.contains("，1200 JPY，数量 3\n"))
        #expect(chinese.contains("，家人共享\n"))
        #expect(service.stop() == 0)
        let file = ["show", "alice", "--lang", "en", "--ledger", shop.folder.path + "/ledger"]
        #expect(Self.undated(try Program.run(file).output) == Self.undated(english))
    }

    /// Three times coins, handed in out of order, and what an organiser shares.
    private static func purchases() throws -> [SimulatedTransaction] {
        func coins(_ id: Int, day: Int, _ price: Price) throws -> SimulatedTransaction {
            var coins = try SimulatedShop.transaction("coins", .consumable, id: id)
            coins.purchaseDate = coins.purchaseDate.advanced(
                byMilliseconds: Int64(day) * 86_400_000)
            coins.price = price
            return coins
        }
        var many = try coins(4, day: 1, Price(milliunits: 1_200_000, currency: "JPY"))
        many.quantity = 3
        var one = try coins(3, day: 0, Price(milliunits: 990, currency: "USD"))
        one.revocation = Revocation(
            date: one.purchaseDate.advanced(byMilliseconds: 3 * 86_400_000))
        var sandbox = try coins(5, day: 2, Price(milliunits: 125))
        sandbox.environment = .sandbox
        var shared = try SimulatedShop.transaction("unlock", .nonConsumable, id: 9)
        shared.ownership = "FAMILY_SHARED"
        return [many, one, sandbox, shared]
    }

    /// The lines below a title that is followed by another one.
    private static func section(_ title: String, of page: String) -> String? {
        page.split(separator: "\n\n").first { $0.hasPrefix(title + "\n") }
            .map { String($0.dropFirst(title.count + 1)) }
    }

    @Test("grants and blocks are given, told, and taken back by their names")
    func grantsAndBlocks() throws {
        let scene = try Self.scene()
        func usher(_ line: String) throws -> Program.Output {
            try scene.usher(
                line.split(separator: " ").map(String.init) + ["--reason", "kind"])
        }
        let granted = try usher("grant bob forever --until 2050-01-01 --id g-1 --new-account")
        #expect(
            Self.undated(granted.output)
                == "granted: bob may use forever from <date> until <date> "
                + "(grant g-1; to revoke it: usher revoke g-1 --reason '…')\n")
        #expect(try usher("grant bob forever --until 2050-01-01 --id g-1").status == 0)
        let conflict = try usher("grant carol forever --id g-1 -q --new-account")
        #expect(conflict.status == 1)
        #expect(conflict.output + conflict.errors == "")
        let coins = try usher("grant bob --credit coins --units 5 --id g-2 --json")
        #expect(try parseJSON(Array(coins.output.utf8))["units"]?.int64 == 5)
        let credits = try scene.usher(["credits", "bob"])
        #expect(
            Self.undated(credits.output)
                == "coins: 5\n  <date>  +5  granted manually  grant g-2\n")
        let tooMuch = try usher("credits spend bob coins=6")
        #expect(tooMuch.status == 1)
        #expect(
            tooMuch.errors == "request rejected: the account has less of this credit; 'balance' "
                + "says how much (5 coins) [credit.insufficient]\n")
        let before = ["credits", "bob", "--known-at", "2026-01-01"]
        #expect(try scene.usher(before).output == "no credits\n")
        #expect(
            try Program.run(before + ["--ledger", scene.ledger]).output
                == scene.usher(before).output)
        let arguments = ["credits", "bob", "--json", "--at", "2050-01-01"]
        let read = try Program.run(arguments + ["--ledger", scene.ledger])
        #expect(try scene.usher(arguments).output == read.output)
        #expect(try scene.usher(["credits", "nobody"], language: "zh").output == "没有余额\n")
        #expect(try usher("block bob --id b-1").status == 0)
        let unblocked = try usher("unblock b-1")
        #expect(unblocked.output == "unblocked: bob (block b-1)\n")
        #expect(try usher("revoke g-1").output == "revoked: grant g-1 of forever to bob\n")
        let unknown = try usher("revoke g-9")
        #expect(unknown.status == 1)
        #expect(
            unknown.errors == "request rejected: unknown grant ('g-9') [deed.unknown-grant]\n")
        scene.end()
    }

    @Test("two accounts are merged, and the merge is taken back by its number")
    func merges() throws {
        let scene = try Self.scene()
        func usher(_ line: String) throws -> Program.Output {
            try scene.usher(line.split(separator: " ").map(String.init))
        }
        let merged = try usher("merge alice bob --reason signed-up")
        #expect(merged.status == 0, "\(merged.errors)")
        let number = try #require(merged.output.firstMatch(of: /merge ([0-9]+);/)?.1)
        #expect(
            merged.output == "merged: alice into bob "
                + "(merge \(number); to undo it: usher unmerge \(number) --reason '…')\n")
        #expect(try usher("check bob forever -q").status == 0)
        #expect(try usher("check alice forever -q").status == 1)
        let unmerged = try usher("unmerge \(number) --reason two-people")
        #expect(unmerged.output == "undone: merge \(number) of alice into bob\n")
        #expect(try usher("check alice forever -q").status == 0)
        let twice = try usher("unmerge \(number) --reason again")
        #expect(twice.status == 1)
        #expect(twice.errors.hasSuffix("[merge.nothing-to-undo]\n"), "\(twice.errors)")
        let same = try usher("merge bob bob --reason r")
        #expect(same.status == 1)
        #expect(
            same.errors
                == "request rejected: an account cannot be merged into itself "
                + "[merge.same-account]\n")
        scene.end()
    }

    @Test("an id is found, by the service and in the file, or is not")
    func find() throws {
        let scene = try Self.scene()
        let found = try scene.usher(["find", "1"])
        #expect(found.status == 0, "\(found.errors)")
        #expect(
            found.output == """
                transaction 1: production; product unlock, purchased 2026-05-01T00:00:00Z;
                  account alice; also presented by mallory; ledger entry 3
                original transaction 1: production; account alice; also presented by mallory;
                  product unlock; ledger entry 3

                """)
        let claim = try scene.usher(["find", "6"], language: "zh")
        #expect(
            claim.output
                == "认领 6：production；账号 mallory；原始交易 1；产品 unlock；账本条目 6\n")
        #expect(
            try scene.usher(["find", "alice"]).output
                == "account alice: original transaction 1; product unlock\n")
        // Whose claim was denied is led to the purchase, too.
        #expect(
            try scene.usher(["find", "mallory"]).output
                == "account mallory: original transaction 1; product unlock\n")
        for id in ["1", "6", "nothing"] {
            let asked = try scene.usher(["find", id, "--json"])
            let read = try Program.run(["find", id, "--json", "--ledger", scene.ledger])
            #expect(asked.status == (id == "nothing" ? 1 : 0))
            #expect(read.status == asked.status)
            #expect(read.output == asked.output)
        }
        let unknown = try scene.usher(["find", "nothing"])
        #expect(unknown.errors.contains(" [find.nothing]\n"), "\(unknown.errors)")
        #expect(unknown.errors.contains("usher app-store show order "), "\(unknown.errors)")
        #expect(unknown.errors.contains("usher app-store show order"), "\(unknown.errors)")
        #expect(try scene.usher(["find", "1", "--at", "2026-06-01"]).status == 64)
        scene.end()
        #expect(try scene.usher(["find", "1"]).status == 2)
    }

    @Test("what came through one Apple ID, or is of one environment, is asked for by name")
    func limits() throws {
        let scene = try Self.scene()
        let mine = "--apple-id otx:production:1"
        for (line, status) in [
            ("check alice forever \(mine)", Int32(0)),
            ("check alice forever --apple-id otx:production:9", 1),
            ("explain alice forever \(mine)", 0),
            ("explain alice forever --apple-id otx:production:9", 1),
        ] {
            let words = line.split(separator: " ").map(String.init)
            let asked = try scene.usher(words + ["--json", "--at", "2050-01-01"])
            #expect(asked.status == status, "\(line): \(asked.errors)")
            let read = try Program.run(
                words + ["--json", "--at", "2050-01-01", "--ledger", scene.ledger])
            #expect(read.output == asked.output)
        }
        for words in [["check", "alice", "forevre"], ["explain", "alice", "forevre"]] {
            for source in [[], ["--ledger", scene.ledger]] {
                let asked =
                    source.isEmpty ? try scene.usher(words) : try Program.run(words + source)
                #expect(asked.status == 2)
                #expect(asked.errors.contains("[entitlement.unknown]"), "\(asked.errors)")
                #expect(asked.errors.hasSuffix("did you mean 'forever'?\n"), "\(asked.errors)")
            }
        }
        for words in [
            ["check", "alice", "forever"], ["preflight", "alice", "unlock"], ["show", "alice"],
        ] {
            let asked = try scene.usher(words + ["--apple-id", "400000000001001"])
            #expect(asked.status == 64)
            #expect(asked.errors.contains("a key of an Apple ID is"), "\(asked.errors)")
        }
        for (option, isKnown) in [
            ("--environment production", true), ("--environment sandbox", false), (mine, true),
            ("--apple-id otx:production:9", false),
        ] {
            let words = ["show", "alice"] + option.split(separator: " ").map(String.init)
            #expect(try scene.usher(words).output.contains("Purchases") == isKnown, "\(option)")
        }
        scene.end()
    }

    @Test("preflight warns or stops; the policy is taken over, or is not and says how to see why")
    func preflightAndPolicy() throws {
        let scene = try Self.scene()
        let stop = try scene.usher(["preflight", "alice", "unlock"])
        #expect(stop.status == 1)
        #expect(
            stop.output == """
                block: alice must not buy unlock
                  block  [already-owned]     this account already owns it (original transaction
                                             1)
                  warn   [apple-id-unknown]  the device's Apple ID is unknown,
                                             so it was not checked

                """)
        #expect(try scene.usher(["preflight", "bob", "coins", "-q"]).status == 0)
        let reload = ["policy", "reload", "--reason", "r"]
        let unchanged = try scene.usher(reload)
        #expect(unchanged.status == 0)
        #expect(unchanged.output.hasPrefix("policy unchanged: "))
        try scene.shop.folder.write("usher: 1\napp: {}\n", to: "policies/policy.yaml")
        let refused = try scene.usher(reload)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("[policy.refused]\nthe policy in force is unchanged"))
        scene.end()
    }

    @Test("--json is what the socket answers, and the same bytes come from the ledger beside it")
    func sameBytes() throws {
        let scene = try Self.scene()
        let cases = [
            (["show", "alice"], "/v1/accounts/alice?at=2050-01-01T00%3A00%3A00.000Z", Int32(0)),
            (
                ["explain", "mallory", "forever"],
                "/v1/accounts/mallory/explain/forever?environment=production"
                    + "&at=2050-01-01T00%3A00%3A00.000Z", 1
            ),
            (
                ["findings", "alice"],
                "/v1/accounts/alice/findings?at=2050-01-01T00%3A00%3A00.000Z", 1
            ),
        ]
        for (command, path, status) in cases {
            let arguments = command + ["--json", "--at", "2050-01-01"]
            let asked = try scene.usher(arguments)
            #expect(asked.status == status)
            let answered = try scene.service.operations.get(path)
            #expect(asked.output == String(decoding: answered.body, as: UTF8.self) + "\n")
            let read = try Program.run(arguments + ["--ledger", scene.ledger])
            #expect(read.output == asked.output)
            #expect(read.status == status)
        }
        let waiting = try scene.usher(["claims", "list", "--json"])
        let answered = try scene.service.operations.get("/v1/claims?state=waiting")
        #expect(waiting.output == String(decoding: answered.body, as: UTF8.self) + "\n")
        scene.end()
        let environment = ["USHER_LEDGER": scene.ledger]
        let alone = try Program.run(
            ["show", "alice", "-q", "--sockets", scene.service.sockets], environment: environment)
        #expect(alone.status == 0)
        let all = try Program.run(["findings", "--ledger", scene.ledger])
        #expect(all.status == 1)
        #expect(all.output.contains("mallory"))
        let answer = try parseJSON(
            Array(
                try Program.run(["findings", "--ledger", scene.ledger, "--json"]).output.utf8))
        #expect(answer["complete"]?.bool == true)
        #expect(answer["findings"]?.elements?.count == 1)
    }
}
