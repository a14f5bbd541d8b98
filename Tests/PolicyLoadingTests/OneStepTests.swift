internal import EntitlementModel
internal import PolicyAnalysis
internal import Testing

@testable internal import PolicyLoading

/// Whoever sees only the message can write the repair (spec 2.2).
@Suite(.timeLimit(.minutes(20)))
struct OneStepTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let policy: MarkedPolicy
        let id: DiagnosticID
        let advice: String
        let testDescription: String

        init(_ name: String, _ marked: String, _ id: DiagnosticID, _ advice: String) {
            testDescription = name
            policy = MarkedPolicy(marked)
            (self.id, self.advice) = (id, advice)
        }

        func check() throws {
            let found = policy.diagnose().filter { $0.severity != .note }
            let shown = render(found, sources: [policy.text])
            let first = try #require(found.first { $0.id == id } ?? found.first, "\(shown)")
            #expect(first.id == id, "\(shown)")
            #expect(first.advice(in: .english) == advice, "\(shown)")
            #expect(first.advice(in: .chinese) != advice)
            #expect(!first.advice(in: .chinese).contains("{0}"))
            if let place = policy.place { #expect(first.place == place, "\(shown)") }
        }
    }

    private static func when(_ condition: String) -> String {
        "access:\n  - name: a\n    when: {\(condition)}\n    then: withhold"
    }

    private static func claim(_ condition: String) -> String {
        "account_switch:\n  - name: a\n    when: {\(condition)}\n    then: keep"
    }

    private static func product(_ rest: String) -> String {
        "products:\n  p:\n    kind: non-consumable\n    grants: [premium]\n    \(rest)"
    }

    @Test(arguments: [
        Case(
            "the level of another group",
            "groups: {audio: {levels: [basic, full]}}\n" + when("group: audio, level: ⟦silver⟧"),
            .levelNotInGroup,
            "one of: 'basic', 'full'"),
        Case(
            "a pattern without quotes", when("product: ⟦*⟧.monthly"), .alias,
            "write the value out; a product pattern that begins with '*' needs quotes"),
        Case(
            "a mark to refer to", "orders:\n  pay_within: ⟦&half 30m⟧", .anchor,
            "remove it; if the text begins with '&', put it in quotes"),
        Case(
            "off as a boolean", when("auto_renew: ⟦no⟧"), .unknownWord,
            "write \"off\""),
        Case(
            "on as a boolean", when("auto_renew: ⟦true⟧"), .unknownWord,
            "write \"on\""),
        Case(
            "an end before the beginning", when("at: ⟦from 2026-12-07 until 2026-12-05⟧"),
            .emptyInterval,
            "write the earlier end first"),
        Case(
            "a limit without its section",
            "account_switch:\n  - name: a\n    then: transfer\n    ⟦cooldown⟧: 7d", .unknownKey,
            "write it like this: limits: {cooldown: …}"),
        Case(
            "words in the place of a list", "duplicate_subscriptions:\n  scope: ⟦[a, b]⟧",
            .wrongType, "write one of: 'scope: group', 'scope: entitlement'"),
        Case(
            "a list of one word", "duplicate_subscriptions:\n  scope: ⟦[group]⟧",
            .wrongType,
            "write group"),
        Case(
            "names without brackets",
            "groups:\n  g: {levels: ⟦[x, y]⟧}\n".replacing(
                "⟦[x, y]⟧", with: "⟦x⟧"), .wrongType,
            "write [x]"),
        Case(
            "conditions as a list",
            "access:\n  - name: a\n    when:\n      ⟦- kind: free⟧\n      - state: active\n"
                + "    then: withhold", .wrongType,
            "write it like this: when: {kind: auto-renewable}"),
        Case(
            "a list of rules without dashes",
            "access:\n  ⟦name: a⟧\n  then: withhold", .wrongType,
            "write it like this: - name: …"),
        Case(
            "a condition of another list",
            "refund_answers:\n  - name: a\n    when: {⟦entitlement⟧: premium}\n    then: grant",
            .fieldNotHere,
            "it belongs to: 'access.when', 'products.grants'"),
    ])
    func valuesAreWrittenOut(_ mistake: Case) throws { try mistake.check() }

    @Test(arguments: [
        Case(
            "a text over two lines",
            "entitlements:\n  hd:\n    title: ⟦\"High⟧\n      definition\"",
            .textOverLines,
            "write it like this: \"High definition\""),
        Case(
            "two keys on one line",
            "products:\n  p:\n    kind: non-consumable title⟦:⟧ P\n    grants: [premium]",
            .colonInText,
            "put the text in quotes"),
        Case(
            "a rule below a section that is no list",
            "orders:\n  pay_within: 30m\n  ⟦-⟧ name: a\n    then: prorate", .badIndentation,
            "keys of one section begin in the same column; a list item begins with '- '"),
        Case(
            "spaces without break", "orders:\n⟦\u{A0}⟧\u{A0}pay_within: 30m", .invisibleCharacter,
            "remove each of them, or write an ordinary space in its place, in an indentation, too"),
        Case(
            "a product without its period",
            "products:\n  ⟦p⟧: {kind: auto-renewable, group: membership, level: gold, "
                + "grants: [premium]}", .missingForKind,
            "write one of: 'period: 1w', 'period: 1mo', 'period: 2mo', 'period: 3mo', "
                + "'period: 6mo', 'period: 1y'"),
    ])
    func placesAreNamed(_ mistake: Case) throws { try mistake.check() }

    @Test(arguments: [
        Case(
            "rules about refunds",
            "⟦access⟧:\n  - {name: a, then: decline}\n  - {name: b, then: nothing}", .wrongList,
            "write 'refund_answers' in place of 'access'"),
        Case(
            "rules about claims, of which one is misspelt",
            "⟦access⟧:\n  - {name: a, then: transfer}\n  - {name: b, then: kepe}", .wrongList,
            "write 'account_switch' in place of 'access'"),
        Case(
            "all rights in a list",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "[premium, ⟦all⟧]"), .allWithOthers,
            "write 'grants: all', 'grants: {all_except: [ads]}', or a list of names"),
        Case(
            "exceptions in a list",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "[⟦{all_except: [premium]}⟧]"), .allWithOthers,
            "write 'grants: all', 'grants: {all_except: [ads]}', or a list of names"),
        Case(
            "a credit next to all rights",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "{all_except: [premium], ⟦credit⟧: coins}"), .allWithOthers,
            "write 'grants: all', 'grants: {all_except: [ads]}', or a list of names"),
        Case(
            "all in capitals",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "⟦ALL⟧"), .unknownWord, "write all"),
        Case(
            "exceptions with a slip",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "{⟦all-except⟧: [premium]}"), .unknownKey,
            "did you mean 'all_except'?"),
        Case(
            "an exception that nothing defines",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "{all_except: [⟦premiun⟧]}"), .unknownEntitlement,
            "did you mean 'premium'?"),
        Case(
            "no exception",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "{all_except: ⟦[]⟧}"), .emptyList,
            "write it like this: grants: all"),
        Case(
            "all rights of a consumable",
            product("retired: 2030-01-01").replacing(
                "[premium]", with: "⟦all⟧"
            ).replacing("non-consumable", with: "consumable"),
            .lastingRight, "write it like this: grants: [{entitlement: premium, for: 30d}]"),
        Case(
            "a bare yes", claim("paid: ⟦yes⟧"), .textReadAsBoolean, "write \"yes\""),
        Case(
            "a boolean for no", claim("paid: ⟦false⟧"), .unknownWord, "write \"no\""),
        Case(
            "seats in words", claim("quantity: ⟦several⟧"), .badCount,
            "write 'under 5', 'at least 5' or '5', with a number from 1 to 10,000,000"),
        Case(
            "no seats at all", claim("quantity: ⟦0⟧"), .badCount,
            "write 'under 5', 'at least 5' or '5', with a number from 1 to 10,000,000"),
        Case(
            "a slip in a condition", when("⟦memberfor⟧: at least 365d"), .unknownKey,
            "did you mean 'member_for'?"),
        Case(
            "a number as level", when("level: ⟦1⟧"), .textReadAsNumber,
            "write \"1\""),
    ])
    func placesOfRules(_ mistake: Case) throws { try mistake.check() }

    @Test func invisibleCharactersAreCountedAndNamed() {
        let policy = MarkedPolicy("orders:\n\u{A0}\u{A0}pay_within: 30m\n\u{A0}match_window: 1h")
        let found = policy.diagnose()
        #expect(found.count == 1)
        #expect(
            found.first?.message(in: .english)
                == "the text contains the invisible character U+00A0 (no-break space): 3 in all, "
                + "in the lines 2, 3")
    }

    @Test func repairedLinesAreShown() {
        let text = MarkedPolicy("entitlements:\n  hd:\n    title: Video: high").text
        let texts = [PolicyExample.base, text]
        let report = loadPolicy(texts)
        let found = withRepairedLines(report, in: texts, language: .english) { loadPolicy($0) }
        let said = "line 3 repaired, as --fix --write does it:     title: \"Video: high\""
        #expect(found.first?.notes == [said])
        #expect(render(found, sources: texts).contains("  = note: \(said)\n"))
    }

    /// What `--fix` would not make, the check does not show as made.
    @Test func onlyRepairsThatMendAreShown() {
        let text = MarkedPolicy("entitlements:\n  hd:\n    title: Video: high").text
        let texts = [PolicyExample.base, text]
        let report = loadPolicy(texts)
        let found = withRepairedLines(report, in: texts, language: .english) { _ in report }
        #expect(found.count == report.diagnostics.count)
        #expect(found.allSatisfy { $0.notes.isEmpty })
    }

    @Test func warningsSayOnceHowTheyAreWaived() {
        let place = TextLocation(file: "")
        let found = [1, 2].map {
            Diagnostic(id: .givenByNothing, place: place, facts: [.number($0)])
        }
        let waiver = "expect-warning: {id: given-by-nothing, because: …}"
        let shown = render(found, sources: [])
        #expect(shown.split(separator: "\n").filter { $0.contains(waiver) }.count == 1)
    }
}
