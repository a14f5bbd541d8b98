/// What is told of stories; docs/STORIES.md explains their steps.
extension PolicyExample {
    static let storyExamples: [DiagnosticID: PolicyExample] = [
        .unknownStep: .fileSystem(about: "a story with the step `alice buyes gold.monthly`"),
        .stepEndsEarly: .fileSystem(about: "a story with the step `alice buys`"),
        .stepBeforeLast: .fileSystem(
            about: "a story whose second step has an earlier date than its first"),
        .unknownStoryName: .fileSystem(
            about: "a story with the step `G renews`, in which nobody bought `G`"),
        .storyWithoutExpectation: .fileSystem(about: "a story without a step that expects"),
        .expectationFailed: .fileSystem(
            about: "a story that expects `alice has premium` of a policy that gives her nothing"),
        .stepFailed: .fileSystem(about: "a story in which `hold H is released` twice"),
        .noStory: .fileSystem(about: "a folder `tests` without a story"),
    ]
}
