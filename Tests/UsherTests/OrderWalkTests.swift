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
        #expect(printed.count == shown.count)
        for (step, output) in zip(shown, printed) {
            #expect(
                Self.lasting(output) == Self.lasting(step.output), "$ \(step.command)")
        }
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

    /// Without what differs from run to run: ids of orders, instants and how wide
    /// they are, digests, names of ledgers, who runs it.
    static func lasting(_ text: String) -> String {
        text.replacing(
            /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "<order>"
        )
        .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "<now>")
        .replacing(/[ ]+/, with: " ")
        .replacing(/policy [0-9a-f]{12}/, with: "policy <digest>")
        .replacing(/-> [0-9a-f]{12}/, with: "-> <digest>")
        .replacing(/[0-9a-f]{16}:/, with: "<ledger>:")
        .replacing(/(uid:[0-9]+|user:[^\s:]+)/, with: "<actor>")
        .replacing(/for [0-9]+ min/, with: "for <age>")
        // Evidence has a number of its own with each run.
        .replacing(/[0-9]{15}/, with: "<transaction>")
    }
}
