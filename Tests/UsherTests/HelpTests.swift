internal import ArgumentParser
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
            (["cl"], ["claims"]), (["claims", "app"], ["approve"]),
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
