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

    private static func product(_ rest: String) -> String {
        "products:\n  p:\n    kind: non-consumable\n    grants: [premium]\n    \(rest)"
    }

    @Test(arguments: [
        Case(
            "the level of another group",
            "groups: {audio: {levels: [basic, full]}}\n" + when("group: audio, level: ⟦silver⟧"),
            .levelNotInGroup,
            "it is a level of 'membership': write 'group: membership', or write a level of the "
                + "group here: 'basic', 'full'"),
        Case(
            "a pattern without quotes", when("product: ⟦*⟧.monthly"), .alias,
            "put it in quotes: \"*.monthly\""),
        Case(
            "a reference to a value",
            "groups:\n  a: {levels: &lv [x, y]}\n  b: {levels: ⟦*lvs⟧}", .alias,
            "a policy has no references: in the place of '*lvs', write [x, y]"),
        Case(
            "a mark to refer to", "orders:\n  pay_within: ⟦&half 30m⟧", .anchor,
            "a policy has no references: remove '&half', and keep the value after it; a text that "
                + "begins with '&' needs quotes"),
        Case(
            "off as a boolean", when("auto_renew: ⟦no⟧"), .unknownWord,
            "write \"off\", with the quotes: without them some tools read it as true or false"),
        Case(
            "on as a boolean", when("auto_renew: ⟦true⟧"), .unknownWord,
            "write \"on\", with the quotes: without them some tools read it as true or false"),
        Case(
            "an end before the beginning", when("at: ⟦from 2026-12-07 until 2026-12-05⟧"),
            .emptyInterval, "write from 2026-12-05 until 2026-12-07"),
        Case(
            "a limit without its section",
            "account_switch:\n  - name: a\n    then: transfer\n    ⟦cooldown⟧: 7d", .unknownKey,
            "write it like this: limits: {cooldown: 7d}"),
        Case(
            "words in the place of a list", "duplicate_subscriptions:\n  scope: ⟦[a, b]⟧",
            .wrongType, "write one of: 'scope: group', 'scope: entitlement'"),
        Case(
            "a list of one word", "duplicate_subscriptions:\n  scope: ⟦[group]⟧",
            .wrongType, "write scope: group"),
        Case(
            "names without brackets",
            "groups:\n  g: {levels: ⟦[x, y]⟧}\n".replacing(
                "⟦[x, y]⟧", with: "⟦x⟧"), .wrongType, "write it like this: levels: [x]"),
        Case(
            "conditions as a list",
            "access:\n  - name: a\n    when:\n      ⟦- kind: free⟧\n      - state: active\n"
                + "    then: withhold", .wrongType, "write when: {kind: free, state: active}"),
        Case(
            "a list of rules without dashes",
            "access:\n  ⟦name: a⟧\n  then: withhold", .wrongType,
            "each rule of 'access' begins with '- ' before its first key ('- name: …'); its other "
                + "keys begin in the column of 'name'"),
        Case(
            "a condition of another list",
            "refund_answers:\n  - name: a\n    when: {⟦entitlement⟧: premium}\n    then: grant",
            .fieldNotHere,
            "conditions in this list: 'kind', 'product', 'group', 'level', 'account', "
                + "'environment', 'ownership', 'storefront', 'purchased', 'at'; what gives an "
                + "entitlement is named by 'product' or 'group'"),
    ])
    func valuesAreWrittenOut(_ mistake: Case) throws { try mistake.check() }

    @Test(arguments: [
        Case(
            "a name that goes on",
            "access:\n  - name: reviewers may use\n    ⟦sandbox purchases while they test⟧\n"
                + "    then: withhold", .missingColon,
            "if it belongs to the line above, write both on one line: - name: reviewers may use "
                + "sandbox purchases while they test; if it is a key, write 'key: value'"),
        Case(
            "a text over two lines",
            "entitlements:\n  hd:\n    title: ⟦\"High⟧\n      definition\"",
            .textOverLines, "write \"High definition\""),
        Case(
            "a text that is partly in quotes",
            "entitlements:\n  hd:\n    ⟦title: \"High\" definition⟧", .badIndentation,
            "write it like this: title: \"\\\"High\\\" definition\""),
        Case(
            "an apostrophe in quotes", "entitlements:\n  hd:\n    ⟦title: 'Gold's best'⟧",
            .unclosedQuote, "write it like this: title: \"Gold's best\""),
        Case(
            "a semicolon", "orders: {pay_within: 30m}\n⟦leeway: [1h];⟧", .badIndentation,
            "write it like this: leeway: [1h]"),
        Case(
            "two keys on one line",
            "products:\n  p:\n    ⟦kind: non-consumable title: P⟧\n    grants: [premium]",
            .colonInText,
            "each key has its own line, in the same column: 'kind: non-consumable', 'title: P'"),
        Case(
            "a rule below a section that is no list",
            "orders:\n  pay_within: 30m\n  ⟦- name: a⟧\n    then: prorate", .badIndentation,
            "a list item cannot be in 'orders': move it with its lines to the end of the list "
                + "that it is for: 'refund_answers'"),
        Case(
            "a list that is there twice",
            "access:\n  - {name: a, then: withhold}\n⟦access⟧:\n  - {name: b, then: withhold}",
            .duplicateKey,
            "remove this line, and move what is below it to the end of 'access' in line 1"),
        Case(
            "a copied product",
            "products:\n  p: {kind: non-consumable, grants: [premium]}\n"
                + "  ⟦p⟧: {kind: free, grants: [premium]}", .duplicateKey,
            "if this is another one, give it a name of its own in the place of 'p'; else keep one "
                + "of the two"),
        Case(
            "a conflict",
            "orders:\n⟦<<<<<<< HEAD⟧\n  pay_within: 30m\n=======\n  pay_within: 1h\n>>>>>>> b",
            .mergeConflict,
            "keep either line 3 or line 5, and remove the other and the lines 2, 4, 6"),
        Case(
            "a verb of another list",
            "access:\n  - name: a\n    then: ⟦ask⟧\naccount_switch:\n"
                + "  - {name: first, then: keep}", .unknownWord,
            "rules of 'account_switch' have it: move the rule there, before 'first' (the first "
                + "rule that matches decides), or write one of: 'grant', 'withhold'"),
        Case(
            "spaces without break", "orders:\n⟦\u{A0}⟧\u{A0}pay_within: 30m", .invisibleCharacter,
            "replace each by an ordinary space; in an indentation, too"),
        Case(
            "a sum of thousands",
            "credits: {c: {title: C}}\nproducts:\n"
                + "  p: {kind: consumable, grants: [{credit: c, units: ⟦5.000⟧}]}",
            .notWholeNumber, "write 5000 for thousands, or 5 for a fraction"),
        Case(
            "a calculation", product("price: {USD: ⟦14.99 - 20%⟧}"), .badAmount,
            "nothing is calculated here: write the result, such as 9.99"),
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
            "rules of a list that is there, too",
            "account_switch:\n  - {name: a, then: keep}\n⟦access⟧:\n"
                + "  - {name: b, when: {moment: restore}, then: ask}", .wrongList,
            "remove this line, and move what is below it to the end of 'account_switch' in line 1"),
        Case(
            "rules about refunds",
            "⟦access⟧:\n  - {name: a, then: decline}\n  - {name: b, then: nothing}", .wrongList,
            "write refund_answers: in place of access:"),
        Case(
            "rules about claims, of which one is misspelt",
            "⟦access⟧:\n  - {name: a, then: transfer}\n  - {name: b, then: kepe}", .wrongList,
            "write account_switch: in place of access:"),
        Case(
            "a rule in three items",
            "access:\n  - name: a\n  - ⟦when⟧: {state: grace}\n  - then: withhold", .missingKey,
            "it belongs to the rule 'a' above it: write two spaces in place of the '- ' before "
                + "'when'; only a rule of its own needs the dash and a 'name'"),
        Case(
            "a number as level", when("level: ⟦1⟧"), .textReadAsNumber,
            "write the name that is meant, one of: 'gold', 'silver'; one that is written so needs "
                + "quotes: \"1\""),
        Case(
            "a comment of three lines",
            "orders:\n  # an unpaid order\n  ⟦is given up after⟧\n  this much time\n"
                + "  pay_within: 30m", .yamlSyntax,
            "the comment above goes on here: write '# ' at the beginning of each of the lines 3-4: "
                + "# is given up after"),
        Case(
            "a conflict with one side",
            "orders:\n⟦<<<<<<< HEAD⟧\n=======\n  pay_within: 1h\n>>>>>>> b", .mergeConflict,
            "remove the lines 2, 3, 5; the lines between them (4) are in one of two versions only: "
                + "keep them if they are meant, else remove them too"),
    ])
    func placesOfRules(_ mistake: Case) throws { try mistake.check() }

    @Test func environmentsNeedWordsAndRoots() throws {
        let base = PolicyExample.base.text
        let words = try advice(base.replacing("production: trusted", with: "production: yes"))
        #expect(
            words == "write 'trusted' (its purchases are recorded) or 'refused' (they are not)")
        let root = try advice(
            base.replacing("production: trusted", with: "production: trusted\n  xcode: yes"))
        #expect(
            root == "write 'refused'; or write 'trusted', put the certificate that signs for "
                + "'xcode' into the policy folder, and add it in 'trust', 'roots': "
                + "jws: [apple-root-ca-g3, {file: xcode.pem, environments: xcode}]")
    }

    private func advice(_ text: String) throws -> String {
        let report = loadPolicy([PolicyText(path: "app.yaml", text: text)])
        return try #require(report.diagnostics.first).advice(in: .english)
    }

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
        let found = withRepairedLines(report.diagnostics, in: texts, language: .english)
        let said = "line 3 repaired, as --fix --write does it:     title: \"Video: high\""
        #expect(found.first?.notes == [said])
        #expect(render(found, sources: texts).contains("  = note: \(said)\n"))
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
