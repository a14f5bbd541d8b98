internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// The same diagnostics in every format.
@Suite(.timeLimit(.minutes(20)))
struct RenderingTests {
    private static let policy = MarkedPolicy(
        "orders:\n  pay_witin: 30m, % now\n  match_window: 24h\n  match_window: 1h\nleeway: 0h")

    private func rendered(_ options: RenderOptions) -> String {
        let texts = [PolicyExample.base, Self.policy.text]
        return render(loadPolicy(texts).diagnostics, sources: texts, as: options)
    }

    @Test(arguments: RenderOptions.Format.allCases)
    func formatIsAsRecorded(_ format: RenderOptions.Format) throws {
        let options = RenderOptions(format: format, folder: "policies/", outcome: .unchanged)
        #expect(
            try Snapshot.complaint(
                rendered(options),
                at: "Tests/PolicyLoadingTests/Snapshots/rendering.\(format.rawValue).txt") == nil)
    }

    @Test func colourOnlyAddsColour() {
        let coloured = rendered(RenderOptions(usesColour: true))
        let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(coloured != plain)
        #expect(plain == rendered(RenderOptions()))
    }

    /// What an author wrote cannot command the terminal that shows it.
    @Test func controlsAreNotPassedOn() {
        let bad = MarkedPolicy("ent\u{1B}[31mitlements: {}\n")
        let shown = render(bad.diagnose(), sources: [bad.text])
        #expect(!shown.contains("\u{1B}"))
    }

    /// A secret that should not be there is not spread further.
    @Test(arguments: RenderOptions.Format.allCases)
    func secretsAreNotShown(_ format: RenderOptions.Format) {
        let marked = MarkedPolicy("orders:\n  ⟦shared_secret⟧: 5f3a9c")
        let options = RenderOptions(format: format)
        let shown = render(marked.diagnose(), sources: [marked.text], as: options)
        #expect(shown.contains("shared_secret"))
        #expect(!shown.contains("5f3a9c"))
    }

    @Test func endsWithWhatBecameOfTheRunningPolicy() {
        let clean = RenderOptions(outcome: .replaced)
        #expect(
            render([], sources: [], as: clean)
                == "0 errors, 0 warnings; this policy is now running\n")
        let chinese = RenderOptions(language: .chinese, outcome: .unchanged)
        #expect(
            render([], sources: [], as: chinese) == "0 个错误，0 个警告；正在运行的策略没有改变\n")
    }

    /// Columns are those of an editor, marks those of a terminal.
    @Test func wideCharactersAreCountedOnceAndShownTwice() {
        let marked = MarkedPolicy("groups:\n  a: {title: 视频e\u{301}, ⟦level⟧: [x], levels: [x]}")
        let shown = render(marked.diagnose(), sources: [marked.text])
        #expect(marked.diagnose().first?.place == marked.place)
        let indent = String(repeating: " ", count: 20)
        #expect(shown.contains("\n      | \(indent)^~~~~\n"), "\(shown)")
    }
}
