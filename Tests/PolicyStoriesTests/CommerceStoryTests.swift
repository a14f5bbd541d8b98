internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerStore
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// A policy folder with stories.
struct StoryFolder {
    let path: String

    func options() throws -> StoryOptions {
        let texts = try readPolicyFolder(Repository.path(path))
        let policy = try #require(loadNewPolicy(texts).policy)
        let others = path + "/tests/policies"
        return StoryOptions(
            texts: texts, policy: policy, makeLedger: Self.ledgerInFile,
            readFolder: { try? readPolicyFolder(Repository.path("\(others)/\($0)")) })
    }

    private static func ledgerInFile() throws -> StoryLedger {
        let folder = try TemporaryFolder()
        let file = LedgerFileLocation(
            folder.path + "/ledger", makeSalts: EngineOptions.randomSalts)
        return StoryLedger(file) { withExtendedLifetime(folder) {} }
    }

    /// In the order of their names.
    var files: [PolicyText] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: Repository.path(path + "/tests"))
        return (names ?? []).filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
            let file = "\(path)/tests/\(name)"
            return (try? Data(contentsOf: Repository.url(file))).map {
                PolicyText(path: file, bytes: Array($0))
            }
        }
    }
}

/// `fixtures/stories`: how payments and orders come together, what Apple is told of refunds, and
/// who gets what under the two verbs for claims that the example policy does not use; and
/// `fixtures/casebook`: what people have reported.
@Suite("The stories of orders, refunds, claims and reports", .timeLimit(.minutes(20)))
struct CommerceStoryTests {
    private static let orders = StoryFolder(path: "fixtures/stories/orders")
    private static let refunds = StoryFolder(path: "fixtures/stories/refunds")
    private static let claims = StoryFolder(path: "fixtures/stories/claims")
    private static let casebook = StoryFolder(path: "fixtures/casebook")

    @Test("of orders pass", arguments: orders.files.map(\.path))
    func order(_ path: String) async throws {
        try await pass(path, in: Self.orders)
    }

    @Test("of refunds pass", arguments: refunds.files.map(\.path))
    func refund(_ path: String) async throws {
        try await pass(path, in: Self.refunds)
    }

    @Test("of claims pass", arguments: claims.files.map(\.path))
    func claim(_ path: String) async throws {
        try await pass(path, in: Self.claims)
    }

    @Test("of the casebook pass", arguments: casebook.files.map(\.path))
    func reported(_ path: String) async throws {
        try await pass(path, in: Self.casebook)
    }

    @Test("of the casebook say why", arguments: casebook.files)
    func why(_ file: PolicyText) throws {
        let story = try #require(readStory(file, policy: Self.casebook.options().policy).story)
        #expect(story.because?.isEmpty == false, "\(file.path) does not say why")
    }

    @Test("are all there")
    func all() {
        #expect(Self.orders.files.count >= 38)
        #expect(Self.refunds.files.count >= 22)
        #expect(Self.claims.files.count >= 4)
        #expect(Self.casebook.files.count >= 55)
    }

    private func pass(_ path: String, in folder: StoryFolder) async throws {
        let files = folder.files.filter { $0.path == path }
        let suite = await playStories(files, try folder.options())
        #expect(suite.hasPassed && suite.stories == 1, "\(suite.text(RenderOptions()))")
    }

    @Test(
        "fail at every expectation that is made wrong",
        arguments: ["orders", "refunds", "claims"].map { "fixtures/stories/" + $0 }
            + ["fixtures/casebook", "policies"])
    func contradicted(_ path: String) async throws {
        let folder = StoryFolder(path: path)
        let options = try folder.options()
        for file in folder.files where !file.path.hasSuffix(".zh.yaml") {
            let story = try #require(readStory(file, policy: options.policy).story)
            let wrong = story.contradicted
            let said = wrong.steps.filter(\.isExpectation)
            #expect(said.count >= story.steps.filter(\.isExpectation).count)
            let result = await playStory(wrong, options)
            #expect(result.problem == nil)
            #expect(result.failures.map(\.id).allSatisfy { $0 == .expectationFailed })
            #expect(
                result.failures.count == said.count,
                "\(file.path): \(result.failures.map { $0.message(in: .english) })")
        }
    }
}
