internal import EntitlementAnswers
internal import EntitlementEngine
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

    /// What is wrong, with what failed.
    package var allDiagnostics: [Diagnostic] {
        diagnostics + results.flatMap { $0.failures.map(\.diagnostic) }
    }

    package var failed: Int { results.filter { !$0.hasPassed }.count + brokenFiles.count }

    var brokenFiles: [String] {
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

/// What of a policy stories have used: the rules that decided, and the states that purchases of
/// each kind were in.
package struct StoryCoverage: Sendable {
    /// A kind of product in a state.
    struct Cell: Hashable, Comparable, Sendable {
        var kind: ProductKind
        var state: EntitlementState

        static func < (left: Cell, right: Cell) -> Bool {
            let kinds = ProductKind.allCases
            let states = EntitlementState.allCases
            return (kinds.firstIndex(of: left.kind) ?? 0, states.firstIndex(of: left.state) ?? 0)
                < (kinds.firstIndex(of: right.kind) ?? 0, states.firstIndex(of: right.state) ?? 0)
        }
    }

    /// By list, as names are unique in one list only.
    private(set) var rules: [RuleList: Set<String>] = [:]
    private(set) var cells: Set<Cell> = []

    package mutating func add(_ other: StoryCoverage) {
        rules.merge(other.rules) { $0.union($1) }
        cells.formUnion(other.cells)
    }

    mutating func note(_ rule: RuleReference, in list: RuleList) {
        if rule.line > 0 { rules[list, default: []].insert(rule.name) }
    }

    mutating func note(_ kind: ProductKind, _ state: EntitlementState) {
        cells.insert(Cell(kind: kind, state: state))
    }

    /// Held against a policy: how much of it was used, and what was not.
    package func report(on policy: Policy) -> StoryCoverageReport {
        let lists: [(RuleList, [RuleReference])] = [
            (.access, policy.accessRules.map(\.reference)),
            (.accountSwitch, policy.claimRules.map(\.reference)),
            (.open, policy.openRights.map(\.reference)),
            (.refundAnswers, policy.refundRules.map(\.reference)),
        ]
        var report = StoryCoverageReport()
        for (list, references) in lists {
            for reference in references {
                report.total += 1
                if rules[list]?.contains(reference.name) != true {
                    report.unusedRules.append(.init(list: list, reference: reference))
                }
            }
        }
        let kinds = Set(policy.products.values.filter(\.hasStates).map(\.kind))
        for kind in ProductKind.allCases where kinds.contains(kind) {
            for state in kind.states {
                report.total += 1
                let cell = Cell(kind: kind, state: state)
                if !cells.contains(cell) { report.unseenCells.append(cell) }
            }
        }
        return report
    }
}

/// How much of a policy its stories use.
package struct StoryCoverageReport: Sendable {
    struct Rule: Sendable {
        var list: RuleList
        var reference: RuleReference
    }

    /// Rules and cells together.
    var total = 0
    var unusedRules: [Rule] = []
    var unseenCells: [StoryCoverage.Cell] = []

    package var covered: Int { total - unusedRules.count - unseenCells.count }

    /// Whole percents, rounded down: 100 is all.
    package var percent: Int { total == 0 ? 100 : covered * 100 / total }
}

extension Product {
    /// Whether a purchase of it has states: one that gives nothing but credits has none.
    fileprivate var hasStates: Bool {
        grants.contains { if case .entitlement = $0 { true } else { false } }
    }
}

extension StoryRun {
    /// What the answers up to now came from.
    mutating func collectCoverage() throws(EngineError) {
        let now = clock.now()
        for account in accounts {
            let timeline = try engine.questions.timeline(of: account, at: now)
            let report = try engine.questions.report(on: account, at: now)
            for span in timeline.rights.flatMap(\.spans) where span.interval.start <= now {
                coverage.note(span.rule, in: .access)
                coverage.note(span.rule, in: .open)
            }
            for unit in timeline.units {
                guard let kind = unit.kind.known else { continue }
                for state in unit.states where state.interval.start <= now {
                    coverage.note(kind, state.state)
                }
            }
            for claim in report.claims {
                if let rule = claim.decision?.rule { coverage.note(rule, in: .accountSwitch) }
            }
        }
        for request in try refundRequests() {
            if let rule = request.rule { coverage.note(rule, in: .refundAnswers) }
        }
    }
}
