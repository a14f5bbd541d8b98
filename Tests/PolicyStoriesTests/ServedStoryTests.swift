internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// What a running service's answers mean for a story.
@Suite("A story at a running service", .timeLimit(.minutes(5)))
struct ServedStoryTests {
    @Test("what the service has not told completely is not judged")
    func incomplete() throws {
        let text = """
            usher: 1
            story: Nothing was found
            steps:
              - 2026-01-01: alice buys gold.monthly
              - 2026-01-02: expect no finding invalid-product
            """
        let file = PolicyText(path: "story.yaml", text: text)
        let policy = try StoryFolder(path: "policies").options().policy
        let story = try #require(readStory(file, policy: policy).story)
        let step = try #require(story.steps.last)
        var served = ServedStory(story, seed: 1)
        var answers = ServedAnswers(now: step.at)
        guard case .holds = served.verdict(on: step, answers, .english) else {
            Issue.record("nothing was found, as is expected")
            return
        }
        answers.areComplete = false
        guard case .skipped(.incomplete) = served.verdict(on: step, answers, .english) else {
            Issue.record("what was not told may be a finding")
            return
        }
    }
}
