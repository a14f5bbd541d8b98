internal import Foundation
internal import TestSupport
internal import Testing

/// docs/ORDERS.md and others show what was typed into a shell. Here it is typed again, line by line into
/// one.
@Suite("The ten minutes with orders, credits and changes", .timeLimit(.minutes(20)))
struct OrderWalkTests {
    @Test(
        "every command of a document answers what the document shows",
        arguments: [("docs/ORDERS.md", 20), ("docs/CREDITS.md", 15), ("docs/CHANGES.md", 15)])
    func walk(document: String, atLeast count: Int) throws {
        let text = try String(contentsOf: Repository.url(document), encoding: .utf8)
        let shown = Self.shown(in: text)
        #expect(shown.count >= count)
        #expect(text.contains("\n" + Self.call + "\n"))
        let folder = try TemporaryFolder()
        let service = try RunningService(
            folder: folder.path, policies: try Self.policies(in: folder))
        try folder.link("fixtures", to: Repository.path("fixtures"))
        let printed = try Self.type(shown.map(\.command), after: Self.call, in: folder)
        try Self.compare(printed, with: shown, of: document)
        #expect(service.stop() == 0)
    }

    /// As the document defines it.
    private static let call =
        #"call() { curl -s --unix-socket run/usher.sock "http://localhost$@"; }"#

    /// Types the commands into one shell: what each has printed.
    static func type(
        _ commands: [String], after beginning: String, in folder: TemporaryFolder
    ) throws -> [String] {
        let lines = commands.map { "echo '\(mark)'\n" + $0 }.joined(separator: "\n")
        let run = try Program.run(
            ["-c", beginning + "\nexec 2>&1\n" + lines], program: "/bin/sh",
            environment: [
                "PATH": programs + ":/usr/bin:/bin", "LANG": "en", "USHER_SOCKETS": "run",
            ], folder: folder.path)
        return Array(run.output.components(separatedBy: mark + "\n").dropFirst())
    }

    private static let mark = "@@ the next command @@"

    /// A command of the document, and what is shown below it.
    struct Shown {
        var command: String
        var output = ""
    }

    static func shown(in text: String) -> [Shown] {
        var shown: [Shown] = []
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                shown.append(Shown(command: String(line.dropFirst(2))))
            } else if isConsole, shown.last?.command.hasSuffix("\\") == true {
                shown[shown.count - 1].command += "\n" + line
            } else if isConsole {
                shown[shown.count - 1].output += line + "\n"
            }
        }
        return shown
    }

    /// Compares what was printed with what a document shows. RECORD_SNAPSHOTS=1 writes it there, with
    /// what differs from run to run as it was.
    ///
    /// - Parameter lasting: what of a text is the same with each run.
    static func compare(
        _ printed: [String], with shown: [Shown], of document: String,
        by lasting: (String) -> String = Self.lasting
    ) throws {
        #expect(printed.count == shown.count)
        let file = Repository.url(document)
        let text = try String(contentsOf: file, encoding: .utf8)
        var recorded = text
        for (step, output) in zip(shown, printed) {
            #expect(lasting(output) == lasting(step.output), "$ \(step.command)")
            let command = "$ \(step.command)\n"
            let whole = command + kept(output, from: step.output)
            if step.command.hasPrefix("usher ") {
                recorded = recorded.replacing(command + step.output, with: whole)
            }
        }
        guard Snapshot.isRecording, recorded != text else { return }
        try recorded.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("recorded \(document); read the difference")
    }

    /// A text with the ids, instants and actors of an older one that has as many.
    private static func kept(_ output: String, from old: String) -> String {
        let changing =
            /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9-]{10}T[0-9:.]{8,}Z|\b[0-9a-f]{12,64}\b|uid:[0-9]+|user:[^\s:]+|for [0-9]+ min/
        let before = old.matches(of: changing).map(\.output)
        guard before.count == output.matches(of: changing).count else { return output }
        var next = 0
        return output.replacing(changing) { _ in
            next += 1
            return before[next - 1]
        }
    }

    /// Where the program has its usual name.
    private static let programs = URL(filePath: Program.path).deletingLastPathComponent().path

    /// The example policy, trusting the store of the plays.
    private static func policies(in folder: TemporaryFolder) throws -> String {
        let play = Repository.path("fixtures/plays/a-year-of-gold.yaml")
        let played = try Program.run(
            ["simulate", "play", play, "--out", "trust"], folder: folder.path)
        #expect(played.status == 0, "\(played.errors)")
        let policies = folder.path + "/shop"
        try FileManager.default.createDirectory(
            atPath: policies, withIntermediateDirectories: true)
        for name in ["catalog.yaml", "rules.yaml"] {
            try FileManager.default.copyItem(
                atPath: Repository.path("policies/" + name), toPath: policies + "/" + name)
        }
        for name in ["root.pem", "receipt-root.pem"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/trust/" + name, toPath: policies + "/" + name)
        }
        let app = try String(contentsOf: Repository.url("policies/app.yaml"), encoding: .utf8)
        try folder.write(
            app.replacing("apple-root-ca-g3", with: "{file: root.pem}")
                .replacing("apple-inc-root", with: "{file: receipt-root.pem}"),
            to: "shop/app.yaml")
        return policies
    }

    /// Without what differs from run to run: ids of orders, instants, digests, names of ledgers, who
    /// runs it; and without where lines are wrapped, which depends on how wide these are.
    static func lasting(_ text: String) -> String {
        text.replacing(
            /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "<order>"
        )
        .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "<now>")
        .replacing(/policy\s+[0-9a-f]{12}/, with: "policy <digest>")
        .replacing(/->\s+[0-9a-f]{12}/, with: "-> <digest>")
        .replacing(/[0-9a-f]{16}:/, with: "<ledger>:")
        .replacing(/(uid:[0-9]+|user:[^\s:]+)/, with: "<actor>")
        .replacing(/for\s+[0-9]+\s+min/, with: "for <age>")
        // Evidence has a number of its own with each run.
        .replacing(/[0-9]{15}/, with: "<transaction>")
        .replacing(/SHA-256\s+[0-9a-f]+/, with: "SHA-256")
        .replacing(/[\s│├└─]+/, with: "")
    }
}
