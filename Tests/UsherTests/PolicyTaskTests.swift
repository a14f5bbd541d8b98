internal import Foundation
internal import TestSupport
internal import Testing

/// The tasks of docs/POLICY.md: their folders, their stories, and what the page shows.
@Suite("The tasks with a policy", .timeLimit(.minutes(20)))
struct PolicyTaskTests {
    private static let tasks = [
        "1-tier-with-grace", "2-early-buyers", "3-open-weekend", "4-leaked-product",
        "5-one-switch", "6-coins-that-lapse", "7-who-loses", "8-coins-every-month",
        "9-bought-coins-that-lapse", "10-paid-app", "11-paid-moves", "12-loyalty",
        "13-everything", "14-promise",
    ]

    @Test("every task is there, and every folder is valid")
    func folders() throws {
        let found = try FileManager.default.contentsOfDirectory(
            atPath: Repository.path("docs/tasks"))
        #expect(Set(found) == Set(Self.tasks))
        for task in Self.tasks {
            let folders = try FileManager.default.contentsOfDirectory(
                atPath: Repository.path("docs/tasks/" + task))
            #expect(Set(folders).isSuperset(of: ["before", "after"]), "\(task)")
            for folder in folders {
                let check = try Program.run(
                    ["policy", "check", Repository.path("docs/tasks/\(task)/\(folder)")])
                #expect(check.status == 0, "\(task)/\(folder): \(check.output)\(check.errors)")
            }
        }
    }

    @Test("what the page shows of a folder is what the folder says")
    func excerpts() throws {
        let page = try String(contentsOf: Repository.url("docs/POLICY.md"), encoding: .utf8)
        let sections = page.components(separatedBy: "\n### ").dropFirst()
        #expect(sections.count == Self.tasks.count)
        for (section, task) in zip(sections, Self.tasks) {
            let blocks = section.components(separatedBy: "```yaml\n").dropFirst()
            #expect(!blocks.isEmpty, "\(task)")
            let policies = try Self.policies(of: task)
            for block in blocks {
                let text = try #require(block.components(separatedBy: "```").first)
                #expect(policies.contains { $0.contains(text) }, "\(task): \(text)")
            }
        }
    }

    /// Of what the task ends with, and of what else can be wanted of it.
    private static func policies(of task: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Repository.path("docs/tasks/" + task))
            .filter { $0 != "before" }
            .map { folder in
                try String(
                    contentsOf: Repository.url("docs/tasks/\(task)/\(folder)/policy.yaml"),
                    encoding: .utf8)
            }
    }

    @Test("every command of the page answers what the page shows")
    func commands() throws {
        let page = try String(contentsOf: Repository.url("docs/POLICY.md"), encoding: .utf8)
        let shown = OrderWalkTests.shown(in: page)
        for task in Self.tasks {
            for command in ["policy test \(task)/after", "policy diff \(task)/before"] {
                #expect(shown.contains { $0.command.hasPrefix("usher " + command) }, "\(command)")
            }
        }
        let folder = try TemporaryFolder()
        let service = try RunningService(
            folder: folder.path, policies: Repository.path("demo"), ledger: "usher.ledger")
        let ingested = try Program.run([
            "ingest", Repository.path("fixtures/evidence/purchases.jsonl"), "--sockets",
            service.sockets,
        ])
        #expect(ingested.status == 0, "\(ingested.errors)")
        #expect(service.stop() == 0)
        for task in Self.tasks {
            try folder.link(task, to: Repository.path("docs/tasks/" + task))
        }
        let printed = try OrderWalkTests.type(shown.map(\.command), after: "", in: folder)
        // Nothing here differs from run to run.
        try OrderWalkTests.compare(printed, with: shown, of: "docs/POLICY.md") { $0 }
    }
}
