internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import Sentences
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// The example policy, and stories under it.
enum ExampleShop {
    static let folder = StoryFolder(path: "policies")

    static func options() throws -> StoryOptions { try folder.options() }

    static let files = folder.files

    static func play(_ steps: String, head: String = "") async throws -> StoryResult {
        let file = PolicyText(
            path: "story.yaml", text: "usher: 1\nstory: a story\n\(head)steps:\n\(steps)\n")
        let options = try options()
        let report = readStory(file, policy: options.policy)
        let story = try #require(report.story, "\(render(report.diagnostics, sources: [file]))")
        return await playStory(story, options)
    }
}

@Suite("The stories of the example policy", .timeLimit(.minutes(20)))
struct ExampleStoryTests {
    @Test("pass, each in both languages")
    func pass() async throws {
        let suite = await playStories(ExampleShop.files, try ExampleShop.options())
        #expect(suite.hasPassed, "\(suite.text(RenderOptions()))")
        #expect(suite.results.count >= 24)
        let manual = try String(contentsOf: Repository.url("docs/STORIES.md"), encoding: .utf8)
        #expect(manual.contains("$ usher policy test policies\n" + suite.text(RenderOptions())))
    }

    @Test("a file and its Chinese twin are the same story")
    func twins() throws {
        let policy = try ExampleShop.options().policy
        let chinese = ExampleShop.files.filter { $0.path.hasSuffix(".zh.yaml") }
        #expect(chinese.count * 2 == ExampleShop.files.count)
        for twin in chinese {
            let path = twin.path.replacing(".zh.yaml", with: ".yaml")
            let file = try #require(ExampleShop.files.first { $0.path == path })
            let (one, other) = (readStory(file, policy: policy), readStory(twin, policy: policy))
            let steps = try #require(one.story).steps
            let others = try #require(other.story, "\(render(other.diagnostics, sources: [twin]))")
                .steps
            #expect(steps.map(\.sentence) == others.map(\.sentence), "\(path)")
            #expect(steps.map(\.at) == others.map(\.at), "\(path)")
        }
    }

    /// The sentences of all stories of the example policy.
    private static func sentences(_ policy: Policy) -> [Sentence] {
        ExampleShop.files.compactMap { readStory($0, policy: policy).story }
            .flatMap(\.steps).map(\.sentence)
    }

    private static func expect<Word: CaseIterable & RawRepresentable<String>>(
        _ all: Word.Type, _ told: [String?], except exceptions: Set<String> = [],
        at place: SourceLocation = #_sourceLocation
    ) {
        let told = Set(told.compactMap(\.self))
        let missing = Set(Word.allCases.map(\.rawValue)).subtracting(told)
        #expect(missing == exceptions, sourceLocation: place)
    }

    /// Nobody has to guess how something is told, or whether it works: an example of each is played.
    @Test("tell of every kind, verb, state, preflight code and finding that a policy can lead to")
    func completeness() throws {
        let policy = try ExampleShop.options().policy
        let sentences = Self.sentences(policy)
        let verbs = sentences.map(\.verb)
        Self.expect(StoreVerb.self, verbs)
        Self.expect(StoryVerb.self, verbs)
        Self.expect(StoryExpectation.self, verbs)
        let bought = sentences.filter { $0.verb == StoreVerb.buys.rawValue }
        Self.expect(
            ProductKind.self,
            bought.map { sentence in
                policy.products.values.first { product in
                    sentence[.product].map { product.id.text.hasSuffix($0) } ?? false
                }?.kind.rawValue
            })
        // What is expected to be there; that something is not there proves nothing of it.
        func told(_ slot: SentenceSlot, _ expectations: StoryExpectation...) -> [String?] {
            let verbs = Set(expectations.map(\.rawValue))
            return sentences.filter { verbs.contains($0.verb) }.map { $0[slot] }
        }
        Self.expect(EntitlementState.self, told(.state, .has, .lacks))
        Self.expect(
            Finding.Kind.self, told(.finding, .finding), except: Set(Self.untold.keys))
        Self.expect(PreflightEffect.self, told(.verdict, .preflight))
        Self.expect(
            PreflightCode.self, told(.code, .preflight), except: Set(Self.unreachable.keys))
    }

    /// What the simulated store never signs, and the scenario that tells of it.
    private static let untold: [String: String] = [
        Finding.Kind.splitTransaction.rawValue: "snapshots/one-transaction-under-two-originals",
        Finding.Kind.tokenOfAnother.rawValue: "tokens/changed-token-is-seen",
    ]

    @Test("the findings of what the simulated store never signs are told by scenarios")
    func scenarios() throws {
        for (finding, path) in Self.untold {
            let scenario = Repository.url("fixtures/scenarios/\(path).yaml")
            let text = try String(contentsOf: scenario, encoding: .utf8)
            #expect(text.contains("\n  - 'finding \(finding) "), "\(path)")
        }
    }

    /// The codes that no policy in force leads to, and the error that keeps others from being so.
    private static let unreachable: [String: DiagnosticID] = [
        PreflightCode.kindNotAllowed.rawValue: .freeWithoutNewsstand
    ]

    @Test("a policy with a free product and without Newsstand, the only exception, has an error")
    func exceptions() throws {
        let texts = try ExampleShop.options().texts.map { text in
            PolicyText(
                path: text.path,
                text: String(decoding: text.bytes, as: UTF8.self)
                    .replacing("newsstand: true", with: "newsstand: false"))
        }
        let errors = loadPolicy(texts).diagnostics.filter { $0.severity == .error }
        #expect(Set(errors.map(\.id)) == Set(Self.unreachable.values))
        #expect(!errors.isEmpty)
    }

    @Test("a first period that is free is an introductory offer")
    func freePeriod() async throws {
        let trial = try await ExampleShop.play(
            """
              - 2026-01-01: alice buys gold.monthly, free for 1w
              - 2026-01-02: expect alice has premium, until 2026-01-08T01:00:00Z
            """)
        #expect(trial.failures.isEmpty && trial.problem == nil, "\(trial)")
    }

    @Test("a failed expectation says what was expected, what was found, and why")
    func failure() async throws {
        let result = try await ExampleShop.play(
            """
              - 2026-01-01: alice buys gold.monthly with Apple ID A
              - 2026-01-15: expect alice lacks premium
              - 2026-02-01: A renews
              - 2026-02-02: expect alice has premium, state grace
            """)
        let said = result.failures.map { $0.message(in: .english) }
        #expect(
            said.first?.hasPrefix(
                "expected alice lacks premium, got alice has premium, state active") == true)
        #expect(said.count == 2)
        #expect(result.failures.map(\.place.line) == [5, 7])
        #expect(
            result.failures[0].notes.contains {
                $0.hasPrefix("com.example.reader.gold.monthly is active, paid until 2026-02-01")
            })
    }

    @Test("rules that no policy has are named in the reader's language, and in either by a story")
    func builtInNames() async throws {
        let story = """
            usher: 1
            story: a story
            steps:
              - 2026-01-01: alice buys gold.monthly with Apple ID A
              - 2026-01-02: expect alice has premium, because "active, grace and renewing give"
              - 2026-01-02: 期望 alice 有 premium，因为“有效、宽限期和续订中给予权益”
              - 2026-01-02: expect alice lacks premium, because "everything else gives nothing"

            """
        let options = try ExampleShop.options()
        let read = readStory(PolicyText(path: "story.yaml", text: story), policy: options.policy)
        let result = await playStory(try #require(read.story), options, language: .chinese)
        #expect(result.failures.count == 1)
        let said = try #require(result.failures.first)
        #expect(said.message(in: .chinese).contains("有效、宽限期和续订中给予权益"), "\(said)")
        #expect(said.notes.first == "由规则“有效、宽限期和续订中给予权益”决定（内置）")
    }

    @Test("a rejection that nobody expects fails the story; one that is expected does not")
    func rejections() async throws {
        let spend = "  - 2026-01-01: alice spends 5 coins"
        let expected = "  - 2026-01-02: expect alice has 0 coins"
        let failed = try await ExampleShop.play("\(spend)\n\(expected)")
        #expect(failed.failures.map(\.id) == [.stepFailed])
        #expect(
            failed.failures.first?.message(in: .english)
                == "the step was rejected: credit.insufficient")
        let passed = try await ExampleShop.play(
            "\(spend)\n  - 2026-01-01: expect rejection credit.insufficient\n\(expected)")
        #expect(passed.hasPassed)
    }

    @Test("subscriptions renew by the clock where the story says so")
    func automatic() async throws {
        let result = try await ExampleShop.play(
            """
              - 2026-01-01: alice buys gold.monthly with Apple ID A
              - 2026-06-10: expect alice has premium, state active, paid until 2026-07-01
            """, head: "renewals: automatic\n")
        #expect(result.hasPassed, "\(result.failures)")
    }

    @Test("coverage counts the rules that decided and the states that were seen")
    func coverage() async throws {
        let options = try ExampleShop.options()
        let result = try await ExampleShop.play(
            """
              - 2026-01-01: alice buys gold.monthly with Apple ID A
              - 2026-02-01: renewal of A fails
              - 2026-02-02: expect alice has premium
            """)
        let report = result.coverage.report(on: options.policy)
        let unused = report.unusedRules.map(\.reference.name)
        #expect(!unused.contains("a courtesy week while Apple retries the card"))
        #expect(unused.contains("reviewers may use sandbox purchases"))
        #expect(report.unseenCells.contains { $0.kind == .free && $0.state == .active })
        #expect(!report.unseenCells.contains { $0.state == .billingRetry })
        #expect(report.percent > 0 && report.percent < 100)
    }
}
