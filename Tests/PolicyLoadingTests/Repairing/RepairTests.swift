internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Mistakes with exactly one possible repair, and others that only their author can repair.
@Suite(.timeLimit(.minutes(20)))
struct RepairTests {
    /// A text that replaces another in the example policy, and what becomes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let right: String
        let wrong: String
        /// What is written in its place; nil for the original.
        let repaired: String?

        init(_ right: String, _ wrong: String, repaired: String? = nil) {
            (self.right, self.wrong, self.repaired) = (right, wrong, repaired)
        }

        var testDescription: String { wrong }
    }

    private static func plan(_ texts: [PolicyText]) -> RepairPlan {
        planRepairs(texts) { checkPolicy($0) }
    }

    private static func example() throws -> [PolicyText] {
        try readPolicyFolder(Repository.path("policies"))
    }

    /// The example policy with the first occurrence of a text exchanged.
    private static func example(_ right: String, _ wrong: String) throws -> [PolicyText] {
        var texts = try example()
        let index = try #require(texts.firstIndex { $0.text.contains(right) })
        texts[index].bytes = Array(texts[index].text.replacingFirst(right, wrong).utf8)
        return texts
    }

    @Test(arguments: [
        Case("bundle_id:", "bundleId:"), Case("    then: share", "    then：share"),
        Case("    then: share", "    then:share"), Case("    then: share", "    then share"),
        Case("    then: share", "    then = share"),
        Case("    then: share", "   then: share"), Case("    then: share", "     then: share"),
        Case("    then: share", "  \u{A0} then: share"),
        Case("    then: share", "    th\u{200B}en: share"),
        Case("    then: share", "    then: Share"), Case("    max: 6", "    max: ６"),
        Case("    max: 6", "    max: \"6\""), Case("    max: 6", "    max: （6）"),
        Case("account_switch:\n", "account_switch\n"), Case("usher: 1", "\u{FEFF}usher: 1"),
        Case("usher: 1\n", ""), Case("{kind: free}", "{kind:free}"),
        Case("[weekly]", "weekly"), Case("[weekly]", "【weekly】"),
        Case("auto-renewable, moment", "auto_renewable, moment"),
        Case("auto-renewable, moment", "аuto-renewable, moment"),
        Case("[premium, offline, no-ads]", "[premium，offline，no-ads]"),
        Case("[premium, offline, no-ads]", "premium, offline, no-ads"),
        Case("\"qa-*\"", "“qa-*”"), Case("cooldown: 7d", "cooldown: 7 days"),
        Case("USD: 99.99, CNY", "USD: 99,99, CNY"), Case("USD: 99.99, CNY", "USD: $99.99, CNY"),
        Case("USD: 99.99, CNY", "usd: 99.99, CNY"), Case("newsstand: true", "newsstand: yes"),
        Case("refund_answers:\n", "---\nrefund_answers:\n"),
        Case("    kind: free\n", "    kind: free\n    kind: free\n"),
        Case("title: Gold, monthly", "title: @Gold", repaired: "title: \"@Gold\""),
        Case("title: Gold, monthly", "title: Gold: monthly", repaired: "title: \"Gold: monthly\""),
        Case("title: Gold, monthly", "title: “Gold”", repaired: "title: \"Gold\""),
    ])
    func oneRepair(_ mistake: Case) throws {
        let plan = Self.plan(try Self.example(mistake.right, mistake.wrong))
        let expected = try Self.example(mistake.right, mistake.repaired ?? mistake.right)
        let shown = render(plan, isWritten: false, as: RenderOptions())
        #expect(plan.after == expected, "\(shown)")
        #expect(plan.left.isEmpty, "\(shown)")
        #expect(plan.changedFiles.count == 1)
        #expect(Self.plan(plan.after).repairs.isEmpty)
    }

    /// Byte for byte the same where only the author can tell; the choices are shown.
    @Test(arguments: [
        Case("cooldown: 7d", "cooldown: 7", repaired: "7m|7h|7d"),
        Case("USD: 99.99, CNY", "USD: 1,999, CNY", repaired: "1999|1.999"),
    ])
    func severalRepairs(_ mistake: Case) throws {
        let texts = try Self.example(mistake.right, mistake.wrong)
        let plan = Self.plan(texts)
        #expect(plan.after == texts)
        #expect(plan.repairs.isEmpty && plan.changedFiles.isEmpty)
        let choices = plan.left.first?.choices ?? []
        let expected = (mistake.repaired ?? "").split(separator: "|")
        #expect(choices.count == expected.count, "\(choices)")
        for (choice, part) in zip(choices, expected) { #expect(choice.contains(part)) }
        let shown = render(plan, isWritten: false, as: RenderOptions())
        #expect(shown.contains("a possible repair: \(choices.last ?? "none")"), "\(shown)")
    }

    /// Of every example of a mistake: what its help says, applied, gives the policy that is right.
    @Test(arguments: DiagnosticID.ofTexts)
    func helpIsRight(_ id: DiagnosticID) throws {
        let example = try PolicyExample(of: id)
        let report = checkPolicy(example.wrong, id.exampleOptions, isCertificate: { _ in false })
        let found = try #require(report.diagnostics.first { $0.id == id })
        let repairs = repairs(for: found, in: example.wrong)
        guard !repairs.isEmpty else { return }
        let meant = try #require(checkPolicy(example.right, id.exampleOptions).policy)
        let mended = repairs.compactMap { repair -> Policy? in
            var policy = checkPolicy(repair.applied(to: example.wrong), id.exampleOptions).policy
            policy?.digest = meant.digest
            return policy
        }
        #expect(mended.contains(meant), "\(repairs.map(\.line))")
        if repairs.count == 1 { #expect(mended == [meant]) }
    }

    /// What is a mistake, and not one of spelling.
    @Test(
        arguments: [
            Case("archive-2025]", "archive-2026]"),
            Case("    then: share", "    action: share"), Case("2026-01-01", "2206-01-01"),
            Case("duplicate_subscriptions:", "<<<<<<< HEAD\nduplicate_subscriptions:"),
            Case("title: Weekly", "title: Weekly"),
            Case("levels: [gold, silver]", "levels: [silver, gold]"),
            Case("    then: share\n", ""), Case("    period: 1y", "    duration: 1y"),
            Case("sandbox: trusted", "sandbox: untrusted"),
            Case("state: billing-retry", "state: inactive"),
        ].filter { $0.right != $0.wrong })
    func noRepair(_ mistake: Case) throws {
        let texts = try Self.example(mistake.right, mistake.wrong)
        let plan = Self.plan(texts)
        #expect(plan.after == texts && plan.repairs.isEmpty)
        #expect(!plan.left.isEmpty)
    }

    /// A byte order mark hides what else is wrong; line ends become LF at the end.
    @Test func repairsUntilNothingIsLeft() throws {
        let right = try Self.example()
        var wrong = right.map { text in
            PolicyText(path: text.path, text: text.text.replacing("\n", with: "\r\n"))
        }
        wrong[2].bytes = Array(
            ("\u{FEFF}" + wrong[2].text).replacing("then: share", with: "then： shrae")
                .replacing("kind: free", with: "knid: free").utf8)
        let plan = Self.plan(wrong)
        let shown = render(plan, isWritten: false, as: RenderOptions())
        #expect(plan.after == right, "\(shown)")
        #expect(plan.repairs.map(\.diagnostic.id.rawValue).first == "byte-order-mark")
        #expect(plan.repairs.count == 4, "\(shown)")
        #expect(plan.lineEnds.map(\.file) == right.filter(\.isPolicy).map(\.path))
    }

    /// Windows writes CRLF, and pasting makes mixed ends of them: both are read without a word, and
    /// become LF where somebody asks for repairs. What a diff shows is the line ends.
    @Test(arguments: [false, true])
    func lineEndsBecomeLineFeeds(_ isMixed: Bool) throws {
        let right = try Self.example()
        let lines = right[1].text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        let ends = lines.indices.map { isMixed && $0 % 3 > 0 ? "\n" : "\r\n" }
        var wrong = right
        wrong[1].bytes = Array(zip(lines, ends).map { $0 + $1 }.joined().utf8)
        let report = checkPolicy(wrong)
        #expect(report.diagnostics.isEmpty && report.policy != nil)
        let plan = Self.plan(wrong)
        #expect(plan.after == right && plan.repairs.isEmpty && plan.changedFiles == [right[1].path])
        let changed = Int64(ends.count { $0 == "\r\n" })
        #expect(plan.lineEnds.map(\.file) == [right[1].path])
        #expect(plan.lineEnds.first?.changed == changed)
        #expect(plan.lineEnds.first?.all == Int64(lines.count))
        let shown = render(plan, isWritten: false, as: RenderOptions())
        #expect(shown.contains("<U+000D>\n+"), "\(shown)")
        #expect(
            shown.contains(
                "CRLF or CR instead of LF: \(changed) of \(lines.count)\n1 repair; add --write"),
            "\(shown)")
        #expect(Self.plan(plan.after).lineEnds.isEmpty)
    }

    /// A return that ends no line is an error, wherever it stands: no reader takes what is behind it
    /// for a part of the line, and none passes over it.
    @Test(arguments: ["x: 1h\ry: 1\n", "x: 1h\r\r\n", "# a\rb\n"])
    func returnAlone(_ end: String) throws {
        var texts = try Self.example()
        texts[0].bytes += Array(end.utf8)
        let said = checkPolicy(texts).diagnostics.map(\.id)
        #expect(said.contains(.controlCharacter), "\(said)")
    }

    /// At the end of a file it ends the last line, as everywhere in files of old Macs.
    @Test func returnAtTheEnd() throws {
        let right = try Self.example()
        var wrong = right
        wrong[0].bytes[wrong[0].bytes.count - 1] = UInt8(ascii: "\r")
        #expect(checkPolicy(wrong).policy?.leeway == checkPolicy(right).policy?.leeway)
        let plan = Self.plan(wrong)
        #expect(plan.after == right && plan.lineEnds.map(\.changed) == [1])
    }
}

extension PolicyText {
    fileprivate var isPolicy: Bool { path.hasSuffix(".yaml") }
}
