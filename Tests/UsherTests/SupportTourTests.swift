internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

/// docs/SUPPORT.md shows what was typed into a terminal. Here it is typed again, into a pipe.
@Suite("The tour for support", .timeLimit(.minutes(20)))
struct SupportTourTests {
    /// A command of the document, and the lines shown below it.
    private struct Shown {
        var command: String
        var output: [String] = []
    }

    @Test("every command of docs/SUPPORT.md answers what the document shows")
    func tour() throws {
        let shown = try Self.shown()
        #expect(shown.count >= 15)
        let folder = try TemporaryFolder()
        let play = Repository.path("fixtures/support/letters.yaml")
        let played = try Program.run(["simulate", "play", play, "--out", folder.path + "/played"])
        #expect(played.status == 0, "\(played.errors)")
        let service = try RunningService(
            folder: folder.path, policies: try Self.policies(in: folder))
        for step in shown {
            let run = try Program.run(
                Self.words(step.command), environment: ["USHER_SOCKETS": service.sockets],
                folder: folder.path)
            let lines = (run.output + run.errors).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(
                lines.dropLast().map { Self.lasting(String($0)) }
                    == step.output.map { Self.lasting(Self.undrawn($0)) },
                "\(step.command)")
        }
        #expect(service.stop() == 0)
    }

    private static func shown() throws -> [Shown] {
        let text = try String(
            contentsOf: Repository.url("docs/SUPPORT.md"), encoding: .utf8)
        var shown: [Shown] = []
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ usher ") {
                shown.append(Shown(command: String(line.dropFirst("$ usher ".count))))
            } else if isConsole {
                shown[shown.count - 1].output.append(String(line))
            }
        }
        return shown
    }

    /// The example policy, trusting the store of the play.
    private static func policies(in folder: TemporaryFolder) throws -> String {
        let manager = FileManager.default
        let policies = folder.path + "/policies"
        try manager.createDirectory(atPath: policies, withIntermediateDirectories: true)
        for name in ["catalog.yaml", "rules.yaml"] {
            try manager.copyItem(
                atPath: Repository.path("policies/" + name),
                toPath: policies + "/" + name)
        }
        for name in ["root.pem", "receipt-root.pem"] {
            try manager.copyItem(
                atPath: folder.path + "/played/" + name, toPath: policies + "/" + name)
        }
        let app = try String(
            contentsOf: Repository.url("policies/app.yaml"), encoding: .utf8)
        try folder.write(
            app.replacing("apple-root-ca-g3", with: "{file: root.pem}")
                .replacing("apple-inc-root", with: "{file: receipt-root.pem}"),
            to: "policies/app.yaml")
        return policies
    }

    /// The words of a line as a shell takes them.
    private static func words(_ line: String) -> [String] {
        line.matches(of: /'([^']*)'|([^ ]+)/).map { String($0.1 ?? $0.2 ?? "") }
    }

    /// Without drawn branches, as in a pipe: two columns for every three of a branch.
    private static func undrawn(_ line: String) -> String {
        guard line.contains("─ ") else { return line }
        var rest = line[...]
        var indent = ""
        while let stem = ["├─ ", "└─ ", "│  ", "   "].first(where: rest.hasPrefix) {
            rest = rest.dropFirst(stem.count)
            indent += "  "
        }
        return indent + rest
    }

    /// Without what differs from run to run: when something was recorded, what was signed anew,
    /// who runs it.
    private static func lasting(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) { match in
            match.output.0.hasSuffix(":00:00Z") ? match.output.0 : "<now>"
        }
        .replacing(/SHA-256 [0-9a-f]+/, with: "SHA-256")
        .replacing(/(uid:[0-9]+|user:[^\s:]+)/, with: "uid")
    }
}
