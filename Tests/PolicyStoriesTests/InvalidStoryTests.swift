internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// `fixtures/stories-invalid`: one broken story per diagnostic, with what is said of it.
@Suite("Broken stories", .timeLimit(.minutes(20)))
struct InvalidStoryTests {
    private static let folder = "fixtures/stories-invalid"

    /// The steps of a story that has one mistake.
    private static let steps: [DiagnosticID: String] = [
        .unknownStep: "  - 2026-01-01: alice buyes gold.monthly",
        .stepEndsEarly: "  - 2026-01-01: alice buys",
        .stepBeforeLast: """
          - 2026-01-02: alice buys gold.monthly
          - 2026-01-01: expect alice has premium
        """,
        .unknownStoryName: """
          - 2026-01-01: alice buys gold.monthly as G1
          - 2026-02-01: G2 renews
          - 2026-02-01: expect alice has premium
        """,
        .storyWithoutExpectation: "  - 2026-01-01: alice buys gold.monthly",
        .expectationFailed: """
          - 2026-01-01: alice buys gold.monthly
          - 2026-01-02: expect alice has premium, state grace
        """,
        .stepFailed: """
          - 2026-01-01: alice spends 5 coins
          - 2026-01-02: expect alice has 0 coins
        """,
    ]

    static let inFiles = DiagnosticID.stories.filter { $0 != .noStory }
        .sorted { $0.rawValue < $1.rawValue }

    private static func file(_ id: DiagnosticID) throws -> PolicyText {
        let steps = try #require(Self.steps[id], "no example of \(id.rawValue)")
        return PolicyText(
            path: "\(id.rawValue).yaml", text: "usher: 1\nstory: a story\nsteps:\n\(steps)\n")
    }

    private static func diagnose(_ id: DiagnosticID) async throws -> [Diagnostic] {
        let file = try file(id)
        let suite = await playStories([file], try ExampleShop.options())
        return suite.allDiagnostics
    }

    @Test("each has its mistake and no other", arguments: inFiles)
    func hasMistake(_ id: DiagnosticID) async throws {
        let found = try await Self.diagnose(id).map(\.id)
        #expect(Set(found) == [id])
        let file = try Self.file(id)
        #expect(
            try Snapshot.complaint(file.bytes, at: "\(Self.folder)/\(id.rawValue)/story.yaml")
                == nil)
    }

    @Test("what is said of it is as recorded", arguments: inFiles, Language.allCases)
    func said(_ id: DiagnosticID, _ language: Language) async throws {
        let file = try Self.file(id)
        let suite = await playStories([file], try ExampleShop.options(), language: language)
        let text = suite.text(RenderOptions(language: language))
        #expect(
            try Snapshot.complaint(
                text, at: "\(Self.folder)/\(id.rawValue)/expected.\(language.rawValue).txt")
                == nil)
    }

    private static let mistakes: [(text: String, said: String)] = [
        ("usher: 1\nstory: x", "'steps' is missing in 'story'"),
        ("story: x\nsteps: []", "the version of the format is missing"),
        ("usher: 2\nstory: x\nsteps: []", "version '2' of the format is unknown"),
        ("usher: 1\nsteps: []", "'story' is missing in 'story'"),
        (
            "usher: 1\nstory: x\nstep: []",
            "unknown key 'step' in 'story'"
        ),
        (
            "usher: 1\nstory: x\nenvironment: moon\nsteps: [{2026-01-01: nothing happens}]",
            "'moon' is not a value of 'environment'"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{2026-01-01: alice buys gold.montly}]",
            "unknown product 'gold.montly'"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{2026-01-01: expect alice has premum}]",
            "unknown entitlement 'premum'"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{2026-01-01: \"expect alice has premium, state gras\"}]",
            "'gras' is not a value of 'state'"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{2026-13-01: nothing happens}]",
            "'2026-13-01' is not a date"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{at: 2026-01-01, buy: {account: alice}}]",
            "unknown key 'buy' in 'steps'"
        ),
        (
            "usher: 1\nstory: x\nsteps: [{at: 2026-01-01, buys: {account: alice}}]",
            "'product' is missing in 'buys'"
        ),
    ]

    @Test("every mistake is told once, in its place", arguments: mistakes)
    func tellsMistakes(_ text: String, _ said: String) throws {
        let file = PolicyText(path: "story.yaml", text: text)
        let report = readStory(file, policy: try ExampleShop.options().policy)
        #expect(report.story == nil)
        let messages = report.diagnostics.map { $0.message(in: .english) }
        #expect(messages.first?.hasPrefix(said) == true, "\(messages)")
        #expect(report.diagnostics.allSatisfy { $0.place.line > 0 })
    }

    @Test(
        "what is said of a right is no sentence about a credit",
        arguments: [
            (
                "expect alice loses coins in the feed",
                "write one of: 'expect {account} has {units} {credit}', "
                    + "'expect {account} is told in the feed that {units} {credit} lapse on {until}'"
            ),
            (
                "support grants alice coins",
                "write one of: 'support grants {account} {units} {credit}'"
            ),
            (
                "support blocks alice from coins",
                "write one of: 'support blocks {account} from spending {credit}'"
            ),
        ])
    func namesCredits(_ step: String, _ advice: String) throws {
        let text = "usher: 1\nstory: x\nsteps: [{2026-01-01: \(step)}]"
        let report = readStory(
            PolicyText(path: "story.yaml", text: text), policy: try ExampleShop.options().policy)
        #expect(report.diagnostics.first?.id == .unknownEntitlement)
        #expect(report.diagnostics.first?.advice(in: .english) == advice)
    }

    @Test(
        "a part of a product's id is enough to name those that are meant",
        arguments: [
            ("gold", "did you mean one of: 'gold.monthly', 'gold.yearly'?"),
            ("Weekly", "did you mean 'weekly'?"),
            ("gold.montly", "did you mean 'gold.monthly'?"),
        ])
    func namesProducts(_ written: String, _ advice: String) throws {
        let text = "usher: 1\nstory: x\nsteps: [{2026-01-01: alice buys \(written) as A}]"
        let report = readStory(
            PolicyText(path: "story.yaml", text: text), policy: try ExampleShop.options().policy)
        let found = try #require(report.diagnostics.first)
        #expect(found.id == .unknownProduct)
        #expect(found.advice(in: .english) == advice)
    }

    @Test(
        "a misspelt verb is named",
        arguments: [
            ("alice byes gold.monthly with Apple ID A", "did you mean 'buys'?"),
            ("alice bys gold.monthly", "did you mean 'buys'?"),
            ("alice prsents A", "did you mean 'presents'?"),
        ])
    func namesVerbs(_ step: String, _ advice: String) throws {
        let text = "usher: 1\nstory: x\nsteps: [{2026-01-01: \(step)}]"
        let report = readStory(
            PolicyText(path: "story.yaml", text: text), policy: try ExampleShop.options().policy)
        let found = try #require(report.diagnostics.first)
        #expect(found.id == .unknownStep)
        #expect(found.advice(in: .english) == advice)
    }

    @Test("the long form says the same as the sentence")
    func longForm() throws {
        let long = """
            usher: 1
            story: x
            steps:
              - at: 2026-01-01
                buys: {account: alice, product: gold.monthly, apple_id: A, token: "true"}
              - {at: 2026-01-02, expect_has: {account: alice, entitlement: premium, state: active}}
              - {at: 2026-01-02, nothing_happens: {}}
            """
        let short = """
            usher: 1
            story: x
            steps:
              - 2026-01-01: alice buys gold.monthly with Apple ID A with a token
              - 2026-01-02: expect alice has premium, state active
              - 2026-01-02: nothing happens
            """
        let policy = try ExampleShop.options().policy
        let steps = [long, short].map { text in
            readStory(PolicyText(path: "story.yaml", text: text), policy: policy).story?.steps
        }
        let (one, other) = (try #require(steps[0]), try #require(steps[1]))
        #expect(one.map(\.sentence) == other.map(\.sentence))
        #expect(one.map(\.at) == other.map(\.at))
    }

    @Test("the list of what is said of stories is complete")
    func complete() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.path(Self.folder))
        #expect(Set(folders) == Set(Self.inFiles.map(\.rawValue) + ["README.md"]))
        for id in Self.inFiles { #expect(id.severity == .error) }
    }
}
