internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyAnalysis
internal import TestSupport
internal import Testing

@testable internal import PolicyLoading

/// What `policy explain` says of ids and names.
@Suite(.timeLimit(.minutes(20)))
struct ExplanationTests {
    private static func explained(_ name: String) throws -> [PolicyExplanation] {
        let texts = try readPolicyFolder(Repository.path("policies"))
        let policy = try #require(loadPolicy(texts).policy)
        return explain(
            name, in: policy, cells: decidedCells, language: .english)
    }

    /// - Parameter subject: where several things have the name.
    private static func lines(
        _ label: PolicyExplanation.Label, of name: String,
        _ subject: PolicyExplanation.Subject? = nil
    ) throws -> [String] {
        let found = try explained(name).filter { subject == nil || $0.subject == subject }
        #expect(found.count == 1)
        return found.first?.parts.first { $0.label == label }?.lines ?? []
    }

    /// Every page of the manual, in both languages.
    @Test(arguments: DiagnosticID.allCases, Language.allCases)
    func everyDiagnosticIsExplained(_ id: DiagnosticID, _ language: Language) {
        let page = explain(id, in: language)
        let text = page.text(in: language)
        #expect(text.contains(id.rawValue))
        #expect(text.contains(id.meaning.text(language)))
        let lines = page.parts.flatMap(\.lines)
        #expect(!lines.contains { $0.contains("\n") || $0.contains("```") }, "\(text)")
    }

    @Test(arguments: Language.allCases)
    func everyFindingAndKeyIsExplained(_ language: Language) {
        for kind in Finding.Kind.allCases {
            let found = explain(word: kind.rawValue, in: language)
            #expect(found.first?.subject == .finding)
            #expect(found.first?.parts.first?.lines == [kind.text(language)])
        }
        for key in PolicyGrammar.keys {
            #expect(!explain(word: key, in: language).isEmpty, "\(key)")
        }
        #expect(explain(word: "no such word", in: language).isEmpty)
        // Once for each meaning.
        #expect(explain(word: "environments", in: language).count == 2)
        for id in DiagnosticID.retired {
            let found = explain(word: id, in: language)
            #expect(found.map(\.subject) == [.diagnostic])
            #expect(
                found.first?.parts.first?.lines == [ExplainPolicyPhrase.retired.text(language)])
            #expect(DiagnosticID(rawValue: id) == nil)
        }
    }

    @Test func keySaysEveryFormOfItsValue() {
        for (key, words) in [("expires", ["period", "never", "90d"]), ("else", ["keep", "ask"])] {
            let found = explain(word: key, in: .english)
            #expect(found.map { $0.parts.first { $0.label == .words }?.lines } == [words])
        }
    }

    @Test func limitsSayWhatIsBeyondThem() throws {
        let text =
            "account_switch:\n"
            + "  - {name: a, then: transfer, limits: {moves: 1 per 90d, else: ask}}"
            + "\n  - {name: b, when: {kind: free}, then: share, max: 6}"
        let texts = [PolicyExample.base, PolicyText(path: "b.yaml", text: text)]
        let policy = try #require(loadPolicy(texts).policy)
        let found = explain("a", in: policy, cells: decidedCells, language: .english)
        #expect(
            found.first?.parts.first { $0.label == .then }?.lines == [
                "transfer", "moves: 1 per 90d", "else: ask",
            ])
        let shared = explain("b", in: policy, cells: decidedCells, language: .english)
        #expect(shared.first?.parts.first { $0.label == .then }?.lines == ["share", "max: 6"])
    }

    @Test func ruleSaysWhatItDecidesAndWhatComesBefore() throws {
        let name = "first-year members keep premium while Apple retries"
        #expect(
            try Self.lines(.decides, of: name) == [
                "auto-renewable, billing-retry, after "
                    + "'a courtesy week while Apple retries the card'"
            ])
        #expect(
            try Self.lines(.before, of: name) == [
                "a courtesy week while Apple retries the card (rules.yaml:5)"
            ])
        #expect(try Self.lines(.then, of: name) == ["grant"])
        #expect(
            try Self.lines(.when, of: name) == [
                "state: billing-retry", "product: com.example.reader.silver.old",
                "first_purchased: before 2025-01-01",
            ])
    }

    @Test func productSaysWhatItGivesInEachState() throws {
        let states = try Self.lines(.states, of: "com.example.reader.silver.monthly")
        #expect(states.count == EntitlementState.allCases.count)
        let retry = try #require(states.first { $0.hasPrefix("billing-retry: grant") })
        #expect(retry.contains("a courtesy week while Apple retries the card"))
        // A rule for another product is not among them.
        #expect(!retry.contains("first-year members"))
        #expect(
            try Self.lines(.gives, of: "com.example.reader.speed.week") == [
                "speed-reader, for: 1w", "20 coins",
            ])
    }

    @Test func entitlementSaysWhoGivesIt() throws {
        #expect(
            try Self.lines(.givenBy, of: "audio", .entitlement) == [
                "com.example.reader.audio.basic (auto-renewable)",
                "com.example.reader.audio.unlimited (auto-renewable)",
            ])
        #expect(
            try Self.lines(.rules, of: "premium") == [
                "grant: a courtesy week while Apple retries the card"
            ])
        #expect(try Self.lines(.givenBy, of: "gifts") == ["com.example.reader.gift: 1"])
        #expect(try Self.explained("premiun").isEmpty)
    }

    @Test func groupSaysItsLevelsAndRules() throws {
        #expect(
            try Self.lines(.levels, of: "audio", .group) == [
                "unlimited: com.example.reader.audio.unlimited (auto-renewable)",
                "basic: com.example.reader.audio.basic (auto-renewable)",
            ])
        #expect(try Self.lines(.title, of: "membership") == ["Membership"])
        #expect(
            try Self.lines(.rules, of: "membership") == [
                "refund_answers, prorate: subscriptions are refunded for the days that are left "
                    + "(rules.yaml:51)"
            ])
    }

    @Test func levelSaysItsGroupAndProducts() throws {
        #expect(try Self.lines(.ofGroup, of: "basic") == ["audio"])
        #expect(
            try Self.lines(.products, of: "basic") == [
                "com.example.reader.audio.basic (auto-renewable)"
            ])
        #expect(try Self.explained("bronze").isEmpty)
    }

    /// A rule of one level is one of its group, and not of another group's level of that name.
    @Test func rulesOfLevelsAreThoseOfTheirGroups() throws {
        let text = """
            groups:
              other: {levels: [gold, basic]}
            access:
              - {name: gold, when: {state: grace, level: gold}, then: grant}
              - {name: other, when: {state: grace, group: other, level: gold}, then: withhold}
              - {name: rest, when: {state: grace}, unless: {group: other}, then: grant}
            """
        let texts = [PolicyExample.base, PolicyText(path: "b.yaml", text: text)]
        let policy = try #require(loadPolicy(texts).policy)
        func rules(_ name: String) -> [[String]] {
            explain(name, in: policy, cells: decidedCells, language: .english).map { found in
                found.parts.first { $0.label == .rules }?.lines ?? []
            }
        }
        let gold = "access, grant: gold (b.yaml:4)"
        let other = "access, withhold: other (b.yaml:5)"
        let rest = "access, grant: rest (b.yaml:6)"
        #expect(rules("membership") == [[gold]])
        #expect(rules("other").last == [gold, other, rest])
        #expect(rules("basic") == [[]])
        #expect(Set(rules("gold").suffix(2)) == [[gold], [gold, other]])
        #expect(explainableNames(of: policy).contains("membership"))
    }
}
