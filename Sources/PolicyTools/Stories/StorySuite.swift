internal import EntitlementAnswers
internal import EntitlementEngine
package import EntitlementModel
package import PolicyLoading
package import StrictJSON

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
        diagnostics + results.flatMap(\.failures)
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
        var report = StoryCoverageReport()
        for list in RuleList.allCases {
            for reference in list.references(of: policy) {
                report.total += 1
                if rules[list]?.contains(reference.name) != true {
                    report.unusedRules.append(.init(list: list, reference: reference))
                }
            }
        }
        let kinds = Set(policy.soldProducts.filter(\.hasStates).map(\.kind))
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
                coverage.note(span.rule, in: .appPurchase)
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

extension StorySuiteResult {
    /// For people: what is wrong and what failed with its place, then the sums.
    ///
    /// - Parameter filter: which stories were asked for.
    package func text(_ options: RenderOptions, filter: String? = nil) -> String {
        let language = options.language
        var text = ""
        let found = allDiagnostics
        if !found.isEmpty { text += render(found, sources: sources, as: options) }
        for result in results {
            guard let problem = result.problem else { continue }
            text +=
                StoryPhrase.notPlayed.text(
                    language, result.story.title(in: language).shown, problem.text(language))
                + "\n"
        }
        text +=
            StoryPhrase.summary.text(language, "\(stories)", "\(expectations)", "\(failed)")
            + "\n"
        if let filter, results.isEmpty {
            text += StoryPhrase.nothingMatches.text(language, filter.shown) + "\n"
        }
        return text
    }

    /// For programs.
    package func json(
        _ options: RenderOptions, coverage: StoryCoverageReport? = nil
    ) -> JSONValue {
        let told = results.map { result -> JSONValue in
            var story: JSONValue = [
                "file": .string(result.story.file),
                "story": .string(result.story.title(in: options.language)),
                "passed": .bool(result.hasPassed),
                "expectations": .integer(Int64(result.expectations)),
            ]
            let failures = result.failures.map { $0.storyJSON(in: options.language) }
            if !failures.isEmpty { story["failures"] = .array(failures) }
            if let problem = result.problem { story["problem"] = .string(problem.code) }
            return story
        }
        var value: JSONValue = [
            "stories": .integer(Int64(stories)),
            "expectations": .integer(Int64(expectations)),
            "failed": .integer(Int64(failed)), "results": .array(told),
            "errors": .array(diagnostics.map { $0.storyJSON(in: options.language) }),
        ]
        value["coverage"] = coverage?.json
        return value
    }

    /// JUnit's XML: a suite of one test case a story.
    package func junit(in language: Language) -> String {
        let played = results.map { result in
            testCase(
                result.story.file, result.story.title(in: language),
                result.failures.map { $0.sentence(in: language) }
                    + (result.problem.map { [$0.text(language)] } ?? []))
        }
        let broken = brokenFiles.map { file in
            testCase(
                file, file,
                diagnostics.filter { $0.place.file == file }.map {
                    "\(file):\($0.place.line): \($0.message(in: language))"
                })
        }
        let suite: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="usher policy test" tests="\(stories)" failures="\(failed)">
            \(played)\(broken)</testsuite>

            """
        return suite.text
    }

    private func testCase(_ file: String, _ name: String, _ said: [String]) -> Markup {
        let names: Markup = "classname=\"\(file.shown)\" name=\"\(name.shown)\""
        guard let first = said.first else { return "  <testcase \(names)/>\n" }
        return """
              <testcase \(names)>
                <failure message="\(first)">
            \(said.joined(separator: "\n"))</failure>
              </testcase>

            """
    }
}

extension Diagnostic {
    fileprivate func sentence(in language: Language) -> String {
        (["\(place.file):\(place.line): \(message(in: language))"] + notes)
            .joined(separator: "\n")
    }

    fileprivate func storyJSON(in language: Language) -> JSONValue {
        var value: JSONValue = [
            "id": .string(id.rawValue), "file": .string(place.file),
            "line": .integer(Int64(place.line)),
            "column": .integer(Int64(place.column)),
            "message": .string(message(in: language)),
            "help": .string(advice(in: language)),
        ]
        if !notes.isEmpty {
            value["explanation"] = .array(notes.map { .string($0) })
        }
        return value
    }
}

extension StoryCoverageReport {
    /// What was not covered, for people, and whether that is less than it must be.
    package func text(in language: Language, atLeast least: Int? = nil) -> String {
        var lines = [
            StoryPhrase.coverage.text(language, "\(percent)", "\(covered)", "\(total)")
        ]
        for rule in unusedRules {
            lines.append(
                "  "
                    + StoryPhrase.unusedRule.text(
                        language, rule.list.rawValue, rule.reference.name.shown,
                        "\(rule.reference.file):\(rule.reference.line)"))
        }
        for cell in unseenCells {
            lines.append(
                "  "
                    + StoryPhrase.unseenCell.text(
                        language, cell.kind.rawValue, cell.state.rawValue))
        }
        if let least, percent < least {
            lines.append(StoryPhrase.belowCoverage.text(language, "\(least)"))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package var json: JSONValue {
        [
            "percent": .integer(Int64(percent)), "covered": .integer(Int64(covered)),
            "total": .integer(Int64(total)),
            "unused_rules": .array(
                unusedRules.map {
                    ["list": .string($0.list.rawValue), "rule": .string($0.reference.name)]
                }),
            "unseen_states": .array(
                unseenCells.map {
                    ["kind": .string($0.kind.rawValue), "state": .string($0.state.rawValue)]
                }),
        ]
    }
}
