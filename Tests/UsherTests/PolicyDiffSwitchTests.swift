internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What `usher policy diff` says of two folders where no ledger is: claims, durations, time zones.
@Suite("usher policy diff without a ledger", .timeLimit(.minutes(20)))
struct PolicyDiffSwitchTests {
    /// Two folders with these rules behind the same catalogue.
    private struct Folders {
        let shop: SimulatedShop
        let new: String

        init(_ before: String, _ after: String) throws {
            shop = try SimulatedShop(policy: Self.head(before))
            new = shop.folder.path + "/new"
            try FileManager.default.createDirectory(
                atPath: new, withIntermediateDirectories: true)
            try shop.folder.write(shop.store.root.pem, to: "new/root.pem")
            try shop.folder.write(Self.head(after), to: "new/policy.yaml")
        }

        private static func head(_ rules: String) -> String {
            """
            usher: 1
            app: {bundle_id: com.example.shop, apple_id: 77}
            trust: {roots: {jws: [{file: root.pem}]}}
            environments: {production: trusted, sandbox: trusted}
            entitlements: {forever: {title: For ever}, premium: {title: Pro}}
            groups: {club: {levels: [top]}}
            products:
              unlock: {kind: non-consumable, grants: [forever]}
              monthly:
                {kind: auto-renewable, group: club, level: top,
                 period: 1mo, grants: [premium]}

            """ + rules
        }

        func diff(_ more: String...) throws -> Program.Output {
            try Program.run(["policy", "diff", shop.policies, new] + more)
        }
    }

    @Test("a claim of which the rules decide otherwise: text, JSON, CSV, Chinese, and no loss")
    func switches() throws {
        let folders = try Folders(
            """
            account_switch:
              - {name: at once, when: {token: none, moment: purchase, group: club}, then: transfer}
            """,
            """
            account_switch:
              - {name: ticket, when: {token: none, moment: purchase, group: club}, then: ask}
              - {name: again, when: {token: other, kind: auto-renewable}, then: keep}
            """)
        let text = try folders.diff("--lang", "en", "--fail-on-loss")
        #expect(text.status == 0, "\(text.errors)")
        #expect(
            text.output.contains(
                """
                what becomes of claims (what is owned stays owned):
                  monthly: Another account owns it
                """), "\(text.output)")
        #expect(text.output.contains(": transfer → ask\n"), "\(text.output)")
        let chinese = try folders.diff("--lang", "zh")
        #expect(chinese.output.contains("认领的结果"), "\(chinese.output)")
        #expect(chinese.output.contains("transfer → ask"), "\(chinese.output)")
        let json = try parseJSON(Array(try folders.diff("--json").output.utf8))
        let changes = try #require(json["account_switch"]?.elements)
        let asked = changes.filter { $0["after"]?.elements?.first?["then"]?.string == "ask" }
        #expect(asked.count == 1, "\(changes)")
        #expect(asked.first?["token"]?.string == "none")
        #expect(asked.first?["moment"]?.string == "purchase")
        #expect(asked.first?["owned"]?.bool == true)
        #expect(asked.first?["before"]?.elements?.map { $0["then"]?.string } == ["transfer"])
        #expect(asked.first?["products"]?.elements?.map(\.string) == ["monthly"])
        let csv = try folders.diff("--format", "csv").output.split(separator: "\r\n")
        #expect(
            csv.first?.hasPrefix("change,product,entitlement,state,lost_when,gained_when,") == true)
        #expect(
            csv.contains("account_switch,monthly,,,,,,,true,none,purchase,transfer,ask"),
            "\(csv)")
    }

    @Test("rules that say the same in other words change no claim")
    func sameSwitches() throws {
        let folders = try Folders(
            """
            account_switch:
              - {name: all, when: {kind: auto-renewable}, then: transfer}
            """,
            """
            account_switch:
              - {name: some, when: {group: club, moment: [purchase, restore]}, then: transfer}
              - {name: "the rest", when: {product: monthly}, then: transfer}
            """)
        let json = try parseJSON(Array(try folders.diff("--json").output.utf8))
        #expect(json["account_switch"]?.elements?.isEmpty == true, "\(json.text)")
        #expect(json["edits"]?.elements?.isEmpty == false)
    }

    @Test("a cell says how long the right lasts, before and after")
    func lengths() throws {
        let folders = try Folders(
            """
            access:
              - {name: short, when: {state: billing-retry, state_age: under 3d}, then: grant}
              - {name: none, when: {state: billing-retry}, then: withhold}
            """,
            """
            access:
              - {name: long, when: {state: billing-retry, unpaid_for: under 14d}, then: grant}
              - {name: none, when: {state: billing-retry}, then: withhold}
              - {name: rest, when: {state: expired, kind: auto-renewable}, then: grant}
            """)
        let text = try folders.diff("--lang", "en")
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("lasts: for 3d → for 14d"), "\(text.output)")
        #expect(text.output.contains("lasts: never → as long as the state"), "\(text.output)")
        let chinese = try folders.diff("--lang", "zh").output
        #expect(chinese.contains("持续：3d 之内 → 14d 之内"), "\(chinese)")
        let json = try parseJSON(Array(try folders.diff("--json").output.utf8))
        let cells = try #require(json["cells"]?.elements)
        let retry = try #require(cells.first { $0["state"]?.string == "billing-retry" })
        let after = retry["lasts"]?["after"]?.elements
        #expect(after?.first?["from"]?.string == "0d" && after?.first?["until"]?.string == "14d")
        let csv = try folders.diff("--format", "csv").output
        #expect(csv.contains(",for 3d,for 14d,"), "\(csv)")
    }

    @Test("another time zone of a file is named as what moves its days")
    func zones() throws {
        let rules = """
            access:
              - {name: over, when: {product: unlock, at: from 2027-03-01}, then: withhold}
            """
        let folders = try Folders(rules, "time_zone: Asia/Shanghai\n" + rules)
        let text = try folders.diff("--lang", "en")
        #expect(
            text.output.replacing(/\n +/, with: " ").contains(
                "time_zone of 'policy.yaml' is Asia/Shanghai in place of UTC: every day that is "
                    + "written there begins at another time"), "\(text.output)\(text.errors)")
        let json = try parseJSON(Array(try folders.diff("--json").output.utf8))
        let edit = try #require(json["edits"]?.elements?.first)
        #expect(edit["section"]?.string == "time_zone" && edit["name"]?.string == "policy.yaml")
        #expect(edit["before"]?.string == "UTC" && edit["after"]?.string == "Asia/Shanghai")
    }

    @Test("'policy explain' takes its folder last, or as an option, but not twice")
    func explain() throws {
        let folders = try Folders("", "")
        let last = try Program.run(["policy", "explain", "premium", folders.new, "--lang", "en"])
        let option = try Program.run(
            ["policy", "explain", "premium", "--folder", folders.new, "--lang", "en"])
        #expect(last.status == 0 && last.output == option.output, "\(last.errors)")
        let twice = try Program.run(
            ["policy", "explain", "premium", folders.new, "--folder", folders.new])
        #expect(twice.status == 64)
    }
}
