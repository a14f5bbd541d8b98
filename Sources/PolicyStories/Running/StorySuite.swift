package import EntitlementModel
package import PolicyLoading

/// What came of several stories.
package struct StorySuiteResult: Sendable {
    /// In the order of their files.
    package var results: [StoryResult] = []
    /// What is wrong with files that are no stories.
    package var diagnostics: [Diagnostic] = []
    /// All files that were read.
    package var sources: [PolicyText] = []

    package init() {}

    /// What is wrong, with what failed.
    package var allDiagnostics: [Diagnostic] {
        diagnostics + results.flatMap { $0.failures.map(\.diagnostic) }
    }

    package var failed: Int { results.filter { !$0.hasPassed }.count + brokenFiles.count }

    package var brokenFiles: [String] {
        Set(diagnostics.filter { $0.severity == .error }.map(\.place.file)).sorted()
    }

    package var expectations: Int { results.reduce(0) { $0 + $1.expectations } }

    package var stories: Int { results.count + brokenFiles.count }

    /// Whether there is at least one story, and nothing failed.
    package var hasPassed: Bool { failed == 0 && !results.isEmpty }

    package var coverage: StoryCoverage {
        results.reduce(into: StoryCoverage()) { $0.add($1.coverage) }
    }
}

extension StoryResult {
    package var hasPassed: Bool { failures.isEmpty && problem == nil }
}

/// Reads and plays stories, several at a time.
///
/// - Parameters:
///   - filter: only stories whose file or title contains it are played; all are read.
///   - width: how many are played at once.
package func playStories(
    _ files: [PolicyText], _ options: StoryOptions, filter: String? = nil, width: Int = 2,
    language: Language = .english
) async -> StorySuiteResult {
    var suite = StorySuiteResult()
    suite.sources = files
    var stories: [Story] = []
    for file in files {
        let report = readStory(file, policy: options.policy)
        suite.diagnostics += report.diagnostics
        if let story = report.story { stories.append(story) }
    }
    if let filter { stories = stories.filter { $0.isMeant(by: filter) } }
    suite.results = await play(stories, options, width, language)
    return suite
}

private func play(
    _ stories: [Story], _ options: StoryOptions, _ width: Int, _ language: Language
) async -> [StoryResult] {
    await withTaskGroup(of: (Int, StoryResult).self) { group in
        var results: [Int: StoryResult] = [:]
        var next = 0
        func start() {
            guard next < stories.count else { return }
            let (index, story) = (next, stories[next])
            next += 1
            group.addTask { (index, await playStory(story, options, language: language)) }
        }
        for _ in 0..<max(1, width) { start() }
        while let (index, result) = await group.next() {
            results[index] = result
            start()
        }
        return results.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension Story {
    fileprivate func isMeant(by filter: String) -> Bool {
        ([file, title] + [chineseTitle].compactMap(\.self)).contains {
            $0.lowercased().contains(filter.lowercased())
        }
    }
}
