internal import EntitlementEngine
package import EntitlementModel
package import PolicyLoading
package import StrictJSON

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
            let failures = result.failures.map { failure in
                failure.json(in: options.language)
            }
            if !failures.isEmpty { story["failures"] = .array(failures) }
            if let problem = result.problem { story["problem"] = .string(problem.code) }
            return story
        }
        var value: JSONValue = [
            "stories": .integer(Int64(stories)),
            "expectations": .integer(Int64(expectations)),
            "failed": .integer(Int64(failed)), "results": .array(told),
            "errors": .array(
                diagnostics.map { StoryFailure(diagnostic: $0) }.map {
                    $0.json(in: options.language)
                }),
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

extension StoryFailure {
    fileprivate func sentence(in language: Language) -> String {
        let place = diagnostic.place
        return
            (["\(place.file):\(place.line): \(diagnostic.message(in: language))"]
            + diagnostic.notes).joined(separator: "\n")
    }

    fileprivate func json(in language: Language) -> JSONValue {
        var value: JSONValue = [
            "id": .string(diagnostic.id.rawValue), "file": .string(diagnostic.place.file),
            "line": .integer(Int64(diagnostic.place.line)),
            "column": .integer(Int64(diagnostic.place.column)),
            "message": .string(diagnostic.message(in: language)),
            "help": .string(diagnostic.advice(in: language)),
        ]
        if !diagnostic.notes.isEmpty {
            value["explanation"] = .array(diagnostic.notes.map { .string($0) })
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
