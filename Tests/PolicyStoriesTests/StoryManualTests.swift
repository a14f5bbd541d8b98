internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import Sentences
internal import StoreBox
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// `docs/STORIES.md`: its lists are those of the program.
@Suite("The manual of stories", .timeLimit(.minutes(20)))
struct StoryManualTests {
    private static let marks = ("<!-- steps -->", "<!-- end of steps -->")

    private static var tables: String {
        var text = ""
        for section in StepSection.allCases {
            text += "\n### \(section.phrase.english.dropLast())\n\n"
            text += "| Key | Sentence | 句子 |\n|---|---|---|\n"
            for step in section.steps {
                let cells = ([step.verb] + Language.allCases.map { step.pattern(in: $0) })
                    .map { "`\($0)`" }
                text += "| " + cells.joined(separator: " | ") + " |\n"
            }
        }
        text += "\n### Words\n\n| Key | Slot | Words |\n|---|---|---|\n"
        for step in StepSection.allCases.flatMap(\.steps) {
            for (slot, words) in step.words {
                let listed = words.map { "`\($0)`" }.joined(separator: ", ")
                text += "| `\(step.verb)` | `\(slot.rawValue)` | \(listed) |\n"
            }
        }
        text += "\n### What is said of stories\n\n| Id | Meaning | 含义 |\n|---|---|---|\n"
        for id in DiagnosticID.stories.sorted(by: { $0.rawValue < $1.rawValue }) {
            text +=
                "| `\(id.rawValue)` | \(id.meaning.english) | \(id.meaning.template(in: .chinese)) |\n"
        }
        return text
    }

    @Test("lists every sentence")
    func isCurrent() throws {
        let page = try #require(
            try? String(contentsOf: Repository.url("docs/STORIES.md"), encoding: .utf8))
        let parts = page.components(separatedBy: Self.marks.0)
        let rest = parts[1].components(separatedBy: Self.marks.1)
        try #require(parts.count == 2 && rest.count == 2)
        let current = parts[0] + Self.marks.0 + "\n" + Self.tables + "\n" + Self.marks.1 + rest[1]
        #expect(try Snapshot.complaint(current, at: "docs/STORIES.md") == nil)
    }

    @Test("the list of the command has the same sentences", arguments: Language.allCases)
    func listIsWhole(_ language: Language) {
        let list = listedSteps(in: language)
        for step in StepSection.allCases.flatMap(\.steps) {
            #expect(list.contains("\n  \(step.verb)\n"), "\(step.verb)")
            #expect(list.contains(step.pattern(in: .english)))
            #expect(list.contains(step.pattern(in: .chinese)))
        }
    }
}
