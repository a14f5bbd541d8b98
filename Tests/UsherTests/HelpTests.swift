internal import ArgumentParser
internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("What the program says of itself", .timeLimit(.minutes(20)))
struct HelpTests {
    /// A command with the words that lead to it.
    private struct Command {
        let type: any ParsableCommand.Type
        let path: [String]
    }

    private static func commands(
        _ type: any ParsableCommand.Type = Usher.self, below path: [String] = []
    ) -> [Command] {
        let path = path + [type._commandName]
        return [Command(type: type, path: path)]
            + type.configuration.subcommands.flatMap { commands($0, below: path) }
    }

    /// The words of a line as a shell takes them, up to a pipe or a redirection.
    private static func words(_ line: Substring) -> [String] {
        line.matches(of: /'([^']*)'|([^ ]+)/)
            .map { String($0.1 ?? $0.2 ?? "") }
            .prefix { $0 != "|" && $0 != ">" }
            .map { $0 }
    }

    @Test("every command takes --json and --lang")
    func output() throws {
        for command in Self.commands() where command.type.configuration.subcommands.isEmpty {
            let discussion = command.type.configuration.discussion
            let example = try #require(
                discussion.split(separator: "\n").first { $0.hasPrefix("Example: ") })
            let words = Self.words(example.dropFirst("Example: ".count))
            #expect(throws: Never.self, "\(command.path)") {
                try Usher.parseAsRoot(Array(words.dropFirst()) + ["--json", "--lang", "zh"])
            }
        }
    }

    @Test("every command has an example, and the example is a use of that command")
    func examples() throws {
        let commands = Self.commands()
        #expect(commands.count > 25)
        for command in commands {
            let name = command.path.joined(separator: " ")
            let discussion = command.type.configuration.discussion
            let example = try #require(
                discussion.split(separator: "\n").first { $0.hasPrefix("Example: ") },
                "\(name) has no example")
            let words = Self.words(example.dropFirst("Example: ".count))
            #expect(words.starts(with: command.path), "\(example)")
            let parsed = try Usher.parseAsRoot(Array(words.dropFirst()))
            let isGroup = !command.type.configuration.subcommands.isEmpty
            #expect(isGroup || type(of: parsed) == command.type, "\(example)")
        }
    }

    @Test("a command that is parsed alone is what the whole program parses")
    func alone() throws {
        var lines = [["check", "alice", "premium"], ["check", "alice", "premium", "--quiet"]]
        for command in Self.commands() where command.type.configuration.subcommands.isEmpty {
            let discussion = command.type.configuration.discussion
            let example = try #require(
                discussion.split(separator: "\n").first { $0.hasPrefix("Example: ") })
            let words = Array(Self.words(example.dropFirst("Example: ".count)).dropFirst())
            lines.append(words + ["--json", "--lang=zh"])
        }
        for line in lines {
            guard let alone = try NamedCommand(in: line, of: Usher.self)?.parsed() else {
                Issue.record("\(line) is left to the whole program")
                continue
            }
            let whole = try Usher.parseAsRoot(line)
            #expect(Self.text(of: alone) == Self.text(of: whole), "\(line)")
        }
    }

    private static func text(of command: any ParsableCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }

    @Test("each command's help is that of the whole program")
    func helpOfEach() throws {
        for command in Self.commands() {
            let run = try Program.run(Array(command.path.dropFirst()) + ["--help"])
            #expect(run.status == 0)
            let whole = Usher.helpMessage(for: command.type, columns: 80)
            #expect(run.output == whole + "\n", "\(command.path)")
        }
    }

    private static let manual = Repository.url("docs/man")

    @Test("the manual pages are current; RECORD_SNAPSHOTS=1 writes them and fails")
    func manual() throws {
        let folder = try TemporaryFolder()
        #expect(try Program.run(["manual", folder.path]).status == 0)
        let written = try Self.pages(in: URL(filePath: folder.path))
        let stored = (try? Self.pages(in: Self.manual)) ?? [:]
        for name in Set(written.keys).union(stored.keys).sorted()
        where written[name] != stored[name] {
            Issue.record("docs/man/\(name) is not current; 'usher manual docs/man' makes it so")
            guard Snapshot.isRecording else { continue }
            let file = Self.manual.appending(path: name)
            try FileManager.default.createDirectory(
                at: Self.manual, withIntermediateDirectories: true)
            if let text = written[name] {
                try text.write(to: file, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
        let shown = Usher.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        #expect(written.count == 1 + shown.count)
    }

    private static func pages(in folder: URL) throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return Dictionary(
            uniqueKeysWithValues: try files.map {
                ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
            })
    }

    @Test("every command, argument and option has its help in Chinese, and nothing else has")
    func chinese() {
        var known: Set<String> = []
        func look(at command: CommandHelp) {
            let name = command.path.dropFirst().joined(separator: " ")
            known.insert(name)
            let written = command.paragraphs.filter { !$0.hasPrefix("Example: ") }
            #expect(command.chinese?.count == 1 + written.count, "\(name)")
            for parameter in command.parameters {
                let text = ChineseHelp.text(of: parameter, of: command) ?? ""
                #expect(text.contains { $0.columns == 2 }, "\(name): \(parameter.names)")
            }
            for line in command.chinesePage(columns: 80).split(separator: "\n")
            where !line.hasPrefix("用法：") && !line.hasPrefix("示例：") {
                #expect(String(line).columns <= 80, "\(name): \(line)")
            }
            for command in command.commands { look(at: command) }
        }
        look(at: CommandHelp.program())
        #expect(Set(ChineseHelp.commands.keys) == known)
    }

    @Test(
        "help and what is wrong with a command line are in Chinese where the language is",
        arguments: [
            (["check", "--help"], 0, "概述：查询账号能否使用某项权益。\n"),
            (["help", "policy", "show"], 0, "\n选项：\n  --part <"),
            (["--help"], 0, "\n子命令：\n  serve  "),
            (["policy", "check", "--frob"], 64, "错误：未知的选项“--frob”\n用法：usher policy"),
            (["check"], 64, "错误：缺少参数“<account>”\n说明：<account>  账号。\n用法：usher check"),
            (["check", "a", "b", "c", "d"], 64, "错误：多余的 2 个参数：c，d\n"),
            (
                ["show", "a", "--environment", "x"], 64,
                "可以是：production，sandbox，xcode，local-testing\n"
            ),
            (["show", "a", "--at"], 64, "错误：“--at <date>”缺少值\n"),
            (["show", "a", "--at", "x"], 64, "错误：“--at <date>”不能为“x”：日期写作"),
            (["policy", "diff", "a", "--days", "3"], 64, "错误：请写两个策略文件夹，或 --ledger 或 --live\n"),
            (["orders", "list", "a", "--limit", "0"], 64, "错误：--limit 是 1 到 1000 的数\n"),
            (["findings", "a", "--kind", "x"], 64, "更多信息见“usher findings --help”。\n"),
        ])
    func chineseUse(arguments: [String], status: Int32, text: String) throws {
        let run = try Program.run(arguments, environment: ["LANG": "zh_CN.UTF-8"])
        #expect(run.status == status)
        let said = status == 0 ? run.output : run.errors
        #expect(said.contains(text), "\(said)")
        #expect(!said.contains("Usage") && !said.contains("Error"), "\(said)")
    }

    @Test(
        "what is wrong with a command line is what its parser finds, and no other language has English",
        arguments: [
            "check", "check a b c", "show", "show a -x", "show a -qx", "show a --lagn zh",
            "show a --at",
            "show a --at --quiet", "show a --at x", "show a --at=x", "show x --at x",
            "show a --json=yes",
            "show a -- --at", "orders list a --limit abc", "orders list a --limit 0",
            "timeline a --svg --html", "reconcile --resume --from-start", "credits",
            "credits a --bad-option",
            "grant a premium", "grant a premium --reason", "policy --lang", "policy diff",
            "credits spend a coins --reason r", "claims approve x --reason r", "ingest",
            "findings a --apple-id x",
        ])
    func mistakes(line: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        let error = try #require(throws: (any Error).self) {
            try Usher.parseAsRoot(arguments)
        }
        let rejected = RejectedLine(arguments)
        #expect(rejected.sentence(about: error, in: .english) == Usher.message(for: error))
        let whole = Usher.fullMessage(for: error)
        #expect(rejected.text(about: error, in: .english) == whole)
        #expect(try NamedCommand(in: arguments, of: Usher.self)?.parsed() == nil)
        #expect(try Program.run(arguments).errors == whole + "\n")
        let run = try Program.run(arguments, environment: ["LANG": "zh_CN.UTF-8"])
        #expect(run.status == 64)
        let sentence = run.errors.split(separator: "\n").first ?? ""
        #expect(sentence.hasPrefix("错误："), "\(run.errors)")
        #expect(!sentence.contains(/[a-z]{2,} [a-z]{2,}/), "\(run.errors)")
    }

    @Test("--lang chooses the language of what is wrong, too")
    func chosenLanguage() throws {
        let chinese = try Program.run(["check", "--lang", "zh"])
        #expect(chinese.errors.hasPrefix("错误：缺少参数"))
        let english = try Program.run(
            ["check", "--lang=en"], environment: ["LANG": "zh_CN.UTF-8"])
        #expect(english.errors.hasPrefix("Error: Missing expected argument"))
    }

    @Test(
        "what means something to roff means itself in a page",
        arguments: [
            ("plain", "plain"), ("--json", "\\-\\-json"), ("it's", "it\\(aqs"),
            ("a\\b", "a\\eb"), ("…", "\\[u2026]"), ("😀", "\\[u1F600]"),
        ])
    func roff(text: String, written: String) {
        #expect(RoffText.plain(text) == written)
    }

    @Test("a line that begins with a dot is no request")
    func shield() {
        var page = RoffText()
        page.line(".jws files")
        page.verbatim(["'quoted'"])
        #expect(page.text == "\\&.jws files\n.nf\n\\(aqquoted\\(aq\n.fi\n")
    }

    @Test(
        "bash completes commands, options and their values",
        arguments: [
            (["cla"], ["claims"]), (["claims", "app"], ["approve"]),
            (["explain", "alice", "premium", "--env"], ["--environment"]),
            (["check", "alice", "premium", "--environment", "s"], ["sandbox"]),
            (
                ["ingest", "--moment", ""],
                ["listed", "notification", "purchase", "restore", "support"]
            ),
        ] as [([String], [String])])
    func completions(words: [String], expected: [String]) throws {
        let folder = try TemporaryFolder()
        let script = try Program.run(["--generate-completion-script", "bash"])
        try folder.write(script.output, to: "usher.bash")
        let arguments =
            [
                "--norc", "-c",
                """
                source "$0/usher.bash"; COMP_WORDS=(usher "$@"); COMP_CWORD=$#
                COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
                _usher usher "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """, folder.path,
            ] + words
        let output = try ChildPipe()
        let process = try ChildProcess(
            "/bin/bash", arguments, streams: .init(output: output.writing.fileDescriptor))
        try output.writing.close()
        let bytes = try output.reading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) }.sorted() == expected)
    }

    @Test("zsh and fish have completions too", arguments: ["zsh", "fish"])
    func otherShells(shell: String) throws {
        let script = try Program.run(["--generate-completion-script", shell])
        #expect(script.status == 0)
        #expect(script.output.contains("preflight"))
    }
}
