internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

/// docs/SUPPORT.md shows what was typed into a terminal. Here it is typed again.
@Suite("The tour for support", .timeLimit(.minutes(20)))
struct SupportTourTests {
    @Test("every command of docs/SUPPORT.md answers what the document shows")
    func tour() throws {
        let document = "docs/SUPPORT.md"
        let text = try String(contentsOf: Repository.url(document), encoding: .utf8)
        let shown = OrderWalkTests.shown(in: text)
        #expect(shown.count >= 15)
        let folder = try TemporaryFolder()
        let play = Repository.path("fixtures/support/letters.yaml")
        let played = try Program.run(["simulate", "play", play, "--out", folder.path + "/played"])
        #expect(played.status == 0, "\(played.errors)")
        let service = try RunningService(
            folder: folder.path, policies: try Self.policies(in: folder))
        let environment = ["USHER_SOCKETS": service.sockets, "TERM": "xterm", "NO_COLOR": "1"]
        let printed = try shown.map { step in
            let words = Self.words(step.command).dropFirst()
            let run = try PseudoTerminal().run(
                Array(words), environment: environment, folder: folder.path)
            // What a bar of progress has written over.
            return run.text.replacing(/[^\n]*\x1B\[K/, with: "")
        }
        try OrderWalkTests.compare(printed, with: shown, of: document)
        for line in printed.joined().split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(service.stop() == 0)
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
}
