internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("On a terminal", .timeLimit(.minutes(20)))
struct TerminalTests {
    @Test(
        "answers are coloured and branches drawn, unless the terminal or its user wants neither",
        arguments: [
            (["TERM": "xterm"], "\u{1B}[31mno: bob may not use forever\u{1B}[0m", "├─ "),
            (["TERM": "xterm", "NO_COLOR": "1"], "no: bob may not use forever", "├─ "),
            (["TERM": "dumb"], "no: bob may not use forever", "  why: "),
        ])
    func colours(environment: [String: String], line: String, branch: String) throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        #expect(service.stop() == 0)
        let run = try PseudoTerminal().run(
            ["explain", "bob", "forever", "--ledger", shop.folder.path + "/ledger"],
            environment: environment)
        #expect(run.status == 1)
        #expect(run.text.hasPrefix(line), "\(run.text)")
        #expect(run.text.contains(branch))
        let isColoured = environment == ["TERM": "xterm"]
        #expect(run.text.contains("\u{1B}[") == isColoured)
        #expect(run.text.contains("─") == (environment["TERM"] == "xterm"))
    }

    @Test("an import shows how far it is, and wipes that before it reports")
    func progress() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let lines = (1...150).map { #"{"payload": "piece \#($0)"}"# + "\n" }
        try shop.folder.write(lines.joined(), to: "all.jsonl")
        let run = try PseudoTerminal().run([
            "ingest", shop.folder.path + "/all.jsonl", "--sockets", service.sockets, "--lang",
            "en",
        ])
        #expect(run.status == 1)
        #expect(run.text.contains("\r\u{1B}[K████"), "\(run.text)")
        #expect(run.text.contains("100 submitted"))
        let wiped = try #require(run.text.range(of: "\r\u{1B}[K", options: .backwards))
        let report = run.text[wiped.upperBound...]
        #expect(report.hasPrefix("refused, 150: "), "\(report)")
        #expect(
            report.hasSuffix(
                "150 submitted: 0 accepted, 0 quarantined, 150 refused; claims denied: 0\n"))
        #expect(service.stop() == 0)
    }

    @Test(
        "texts are in the language asked for, else in that of the environment",
        arguments: [
            (nil, [:], .english), (nil, ["LANG": "zh_CN.UTF-8"], .chinese),
            (nil, ["LANG": "de_DE.UTF-8"], .english), (.english, ["LANG": "zh_CN"], .english),
            (nil, ["LANG": "zh_CN", "LC_ALL": "C"], .english),
            (nil, ["LANG": "C", "LC_MESSAGES": "zh_TW", "LC_ALL": ""], .chinese),
        ] as [(Language?, [String: String], Language)])
    func language(option: Language?, environment: [String: String], chosen: Language) {
        #expect(Language.chosen(option, environment: environment) == chosen)
    }

    @Test(
        "sockets lie where the environment says",
        arguments: [
            ([:], "/run/usher"), (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/usher"),
            (["USHER_SOCKETS": "/s", "XDG_RUNTIME_DIR": "/run/user/7"], "/s"),
            (["USHER_SOCKETS": "", "XDG_RUNTIME_DIR": ""], "/run/usher"),
            (["USHER_SOCKETS_FOLDER": "/f", "XDG_RUNTIME_DIR": "/run/user/7"], "/f"),
            (["USHER_SOCKETS_FOLDER": "/f", "USHER_SOCKETS": "/s"], "/s"),
        ])
    func sockets(environment: [String: String], folder: String) {
        #expect(SocketOptions.standardFolder(environment: environment) == folder)
    }
}
