internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel
internal import Testing

@testable internal import usher

@Suite("Pages for people", .timeLimit(.minutes(20)))
struct PageTests {
    private static func page(isColoured: Bool) -> Page {
        Page(
            language: .english, paint: Paint(isOn: isColoured), drawsBranches: isColoured)
    }

    @Test("wide characters and colours keep columns below one another")
    func table() {
        var page = Self.page(isColoured: true)
        page.table([
            ["高级", page.paint("yes", .good), "x"], ["offline", page.paint("不", .bad), "y"],
        ])
        #expect(
            page.lines == [
                "  高级     \u{1B}[32myes\u{1B}[0m  x", "  offline  \u{1B}[31m不\u{1B}[0m   y",
            ])
    }

    @Test("branches are drawn on a terminal and indented in a pipe")
    func tree() {
        let branches = [
            Page.Branch("a", [Page.Branch("b", [Page.Branch("c")])]), Page.Branch("d"),
        ]
        var drawn = Page(language: .english, paint: Paint(isOn: false), drawsBranches: true)
        drawn.tree(branches)
        #expect(drawn.lines == ["├─ a", "│  └─ b", "│     └─ c", "└─ d"])
        var plain = Self.page(isColoured: false)
        plain.tree(branches)
        #expect(plain.text == "  a\n    b\n      c\n  d\n")
    }

    @Test(
        "sizes of files",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (258_048, "258.0 kB"),
            (999_949, "999.9 kB"), (999_951, "1.0 MB"), (1_250_000_000, "1.3 GB"),
            (7_000_000_000_000, "7 TB"),
        ] as [(Int64, String)])
    func sizes(bytes: Int64, text: String) {
        #expect(fileSize(bytes) == text)
    }

    @Test(
        "a command to copy does nothing but what it says, whatever the names are",
        arguments: [
            ("alice", "usher grant alice gold --reason '…'"),
            ("a.b_c-d:e@f/g+7", "usher grant a.b_c-d:e@f/g+7 gold --reason '…'"),
            ("a;reboot", "usher grant 'a;reboot' gold --reason '…'"),
            ("$(reboot)", "usher grant '$(reboot)' gold --reason '…'"),
            ("~root", "usher grant '~root' gold --reason '…'"),
            ("o'h;reboot", #"usher grant 'o'\''h;reboot' gold --reason '…'"#),
            ("--quiet", "usher grant --reason '…' -- --quiet gold"),
            ("-a&b", "usher grant --reason '…' -- '-a&b' gold"),
        ])
    func commandToCopy(account: String, command: String) {
        let branch = Self.page(isColoured: false).nearestMiss(
            NearestMissAnswer(.extendGrant, grant: GrantID(unchecked: "g")),
            of: AccountID(unchecked: account), EntitlementName(unchecked: "gold"))
        #expect(branch.branches.map(\.text) == ["command: " + command])
    }

    @Test("a name that begins with a hyphen is a name in such a command")
    func hyphens() throws {
        let words = ["grant", "--reason", "r", "--", "--quiet", "gold"]
        let grant = try #require(Usher.parseAsRoot(words) as? GrantCommand)
        #expect(grant.account.text == "--quiet")
        #expect(!grant.action.quiet)
    }

    @Test(
        "the names of blocks and grants are quoted too",
        arguments: [
            (NearestMissAnswer(.liftBlock, block: BlockID(unchecked: "x|y")), "unblock"),
            (NearestMissAnswer(.revokeGrant, grant: GrantID(unchecked: "x|y")), "revoke"),
        ])
    func commandsToCopy(miss: NearestMissAnswer, verb: String) {
        let branch = Self.page(isColoured: false).nearestMiss(
            miss, of: AccountID(unchecked: "alice"), EntitlementName(unchecked: "gold"))
        #expect(branch.branches.map(\.text) == ["command: usher \(verb) 'x|y' --reason '…'"])
    }
}
