internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("usher policy test", .timeLimit(.minutes(20)))
struct PolicyTestCommandTests {
    private static let story = """
        usher: 1
        story: Gold lasts a month
        story_zh: 黄金会员持续一个月
        steps:
          - 2026-01-01: alice buys gold.monthly
          - 2026-01-15: expect alice has premium, state active
        """

    /// The example policy without its own stories.
    private static func policies(_ stories: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["app.yaml", "catalog.yaml", "rules.yaml"] {
            try FileManager.default.copyItem(
                atPath: Repository.path("policies/\(name)"), toPath: "\(folder.path)/\(name)")
        }
        try FileManager.default.createDirectory(
            atPath: folder.path + "/tests", withIntermediateDirectories: true)
        for (name, text) in stories { try folder.write(text + "\n", to: "tests/" + name) }
        return folder
    }

    private static func run(_ arguments: [String]) throws -> Program.Output {
        try Program.run(["policy", "test"] + arguments + ["--lang", "en"])
    }

    @Test("the example policy's stories pass, and leave nothing behind")
    func examplePasses() throws {
        let temporary = try TemporaryFolder()
        let run = try Program.run(
            ["policy", "test", Repository.path("policies"), "--coverage", "--lang", "en"],
            environment: ["TMPDIR": temporary.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("failed: 0\ncoverage: "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("a failed expectation is exit 1, with its place in every format")
    func failure() throws {
        let text = Self.story.replacing("state active", with: "state grace")
        let folder = try Self.policies(["gold.yaml": text])
        defer { withExtendedLifetime(folder) {} }
        let place = "\(folder.path)/tests/gold.yaml"
        let said = "expected alice has premium, state grace, got alice has premium, state active"
        for format in ["text", "json", "junit", "github", "sarif"] {
            let run = try Self.run([folder.path, "--format", format])
            #expect(run.status == 1, "\(format)")
            #expect(run.output.contains(place), "\(format): \(run.output)")
            #expect(run.output.contains(said), "\(format): \(run.output)")
        }
        let run = try Self.run([folder.path])
        #expect(run.output.contains("\(place):6:17: error: \(said)"))
        #expect(run.output.hasSuffix("stories: 1; expectations: 1; failed: 1\n"))
    }

    @Test("JSON and JUnit say what passed")
    func formats() throws {
        let folder = try Self.policies(["gold.yaml": Self.story])
        defer { withExtendedLifetime(folder) {} }
        let json = try Self.run([folder.path, "--json", "--coverage"])
        let value = try parseJSON(Array(json.output.utf8))
        #expect(value["stories"]?.int64 == 1 && value["failed"]?.int64 == 0)
        #expect(value["coverage"]?["percent"]?.int64.map { $0 > 0 && $0 < 100 } == true)
        let junit = try Self.run([folder.path, "--format", "junit"])
        #expect(junit.output.contains("<testsuite name=\"usher policy test\" tests=\"1\""))
        #expect(junit.output.contains("name=\"Gold lasts a month\"/>"))
    }

    @Test("what a sentence should have been is said to programs, too")
    func adviceInFormats() throws {
        let text = Self.story.replacing("alice buys", with: "alice byes")
        let folder = try Self.policies(["gold.yaml": text])
        defer { withExtendedLifetime(folder) {} }
        let meant = "buys"
        let run = try Self.run([folder.path, "--json"])
        #expect(run.status == 1)
        let error = try parseJSON(Array(run.output.utf8))["errors"]?.elements?.first
        #expect(error?["help"]?.string?.contains(meant) == true, "\(run.output)")
        #expect(try Self.run([folder.path]).output.contains(meant))
    }

    @Test("an empty suite fails, as does a filter that nothing matches, or too little coverage")
    func empty() throws {
        let folder = try Self.policies([:])
        defer { withExtendedLifetime(folder) {} }
        let none = try Self.run([folder.path])
        #expect(none.status == 1 && none.output.contains("[no-story]"), "\(none.output)")
        try folder.write(Self.story + "\n", to: "tests/gold.yaml")
        #expect(try Self.run([folder.path]).status == 0)
        #expect(try Self.run([folder.path, "--filter", "GOLD"]).status == 0)
        #expect(try Self.run([folder.path, "--filter", "silver"]).status == 1)
        #expect(try Self.run([folder.path, "--fail-under", "90"]).status == 1)
        #expect(try Self.run([folder.path, "--fail-under", "3"]).status == 0)
        #expect(try Self.run([folder.path, "\(folder.path)/tests/gold.yaml"]).status == 0)
    }

    @Test("what cannot be read is exit 2; a broken story is exit 1")
    func unreadable() throws {
        let folder = try Self.policies(["gold.yaml": "usher: 1\nstory: x\nsteps: []"])
        defer { withExtendedLifetime(folder) {} }
        #expect(try Self.run([folder.path]).status == 1)
        #expect(try Self.run(["/no/such/folder"]).status == 2)
        #expect(try Self.run([folder.path, "/no/such/story.yaml"]).status == 2)
        try folder.write("usher: 1\napp: {}\n", to: "app.yaml")
        #expect(try Self.run([folder.path]).status == 2)
    }

    @Test("another policy comes into force in a step")
    func policyChanges() throws {
        let story = """
            usher: 1
            story: Silver closes
            steps:
              - 2026-01-01: alice buys silver.monthly
              - 2026-01-02: expect alice has premium
              - 2026-01-03: policy strict comes into force
              - 2026-01-04: expect alice lacks premium, because "nothing for silver"
            """
        let folder = try Self.policies(["silver.yaml": story])
        defer { withExtendedLifetime(folder) {} }
        let strict = folder.path + "/tests/policies/strict"
        try FileManager.default.createDirectory(
            atPath: strict, withIntermediateDirectories: true)
        for name in ["app.yaml", "catalog.yaml"] {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)", toPath: "\(strict)/\(name)")
        }
        try folder.write(
            """
            usher: 1
            access:
              - {name: nothing for silver, when: {level: silver}, then: withhold}

            """, to: "tests/policies/strict/rules.yaml")
        let run = try Self.run([folder.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test("the folder 'tests' is no part of the policy")
    func notRead() throws {
        let folder = try Self.policies(["gold.yaml": Self.story])
        defer { withExtendedLifetime(folder) {} }
        let checked = try Program.run(["policy", "check", folder.path, "--lang", "en"])
        #expect(checked.status == 0, "\(checked.output)")
        #expect(!checked.output.contains("file-not-read"))
    }

    @Test("every sentence is listed")
    func list() throws {
        let run = try Self.run(["--list-steps"])
        #expect(run.status == 0)
        #expect(run.output.contains("{account} buys {product}"))
        #expect(run.output.contains("期望 {account} 有 {entitlement}"))
    }
}
