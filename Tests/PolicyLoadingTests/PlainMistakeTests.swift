internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Mistakes that people make in the example policy: one message each, with what to write.
@Suite(.timeLimit(.minutes(20)))
struct PlainMistakeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let right: String
        let wrong: String
        let id: DiagnosticID
        /// A part of the advice.
        let advice: String

        init(_ right: String, _ wrong: String, _ id: DiagnosticID, _ advice: String) {
            (self.right, self.wrong, self.id, self.advice) = (right, wrong, id, advice)
        }

        var testDescription: String { wrong }
    }

    private static let weekend = "duplicate_subscriptions:"

    @Test(
        arguments: [
            Case("entitlements:\n", "entitlement:\n", .unknownSection, "'entitlements'"),
            Case("    grants: [weekly]", "    grant: [weekly]", .unknownKey, "'grants'"),
            Case("apple_id: ", "apple_id: id", .notWholeNumber, "write 1"),
            Case(
                "{kind: auto-renewable, state", "{auto_renew: false, state", .unknownWord,
                "write \"off\", with the quotes"),
            Case("{USD: 9.99", "{USD:9.99", .emptyValue, "after the colon: USD: 9.99"),
            Case(
                "  - name: reviewers may use sandbox purchases",
                "  - name: 'the reviewers' sandbox purchases'", .badIndentation,
                "- name: \"the reviewers' sandbox purchases\""),
            Case(
                "  com.example.reader.gold.yearly:", "    com.example.reader.gold.yearly:",
                .badIndentation, "begin this line in column 3"),
            Case("\"qa-*\"", "\"*-qa\"", .starInAccount, "write 'qa-*'"),
            Case("\"qa-*\"", "\"qa*-2\"", .starInAccount, "write 'qa*'"),
            Case("leeway: 1h", "leeway: 0", .zeroLength, "write a longer time"),
            Case(
                "    when: {kind: non-consumable, moment: restore}",
                "    kind: non-consumable\n    moment: restore", .unknownKey,
                "when: {kind: non-consumable, moment: restore}"),
            Case("    then: grant\n    only", "    then: allow\n    only", .unknownWord, "'grant'"),
            Case("  sandbox: trusted", "  sandbox: true", .unknownWord, "'trusted'"),
            Case("token: matches", "token: match", .unknownWord, "'matches'"),
            Case("{kind: free}", "{kind: subscription}", .unknownWord, "'auto-renewable'"),
            Case("{kind: free}", "{kind: 免费}", .unknownWord, "'free'"),
            Case("grace, renewing]", "grace, refunded]", .unknownWord, "'revoked'"),
            Case("ownership: family-shared", "ownership: family", .unknownWord, "'family-shared'"),
            Case(
                "access:\n",
                "access:\n  - name: move\n    when: {moment: restore}\n    then: transfer\n",
                .unknownWord, "rules of 'account_switch' have it"),
            Case(
                "account_switch:\n",
                "account_switch:\n  - name: g\n    when: {state: grace}\n    then: grant\n",
                .unknownWord, "rules of 'access' have it"),
            Case(
                "account_switch:\n", "access:\n", .wrongList,
                "write account_switch: in place of access:"),
            Case(
                "access:\n", "account_switch:\n", .wrongList,
                "write access: in place of account_switch:"),
            Case(
                "    then: share", "  - then: share", .missingKey,
                "two spaces in place of the '- ' before 'then'"),
            Case(
                "    when: {kind: auto-renewable, state", "  - when: {kind: auto-renewable, state",
                .missingKey, "two spaces in place of the '- ' before 'when'"),
            Case("    max: 6", "  - max: 6", .missingKey, "place of the '- ' before 'max'"),
            Case("    max: 6", "    limits: {max: 4}", .unknownKey, "write 'max: 4' on a line"),
            Case(
                "{cooldown: 7d, moves: 3 per 365d}", "{max: 4}", .unknownKey,
                "write moves: 4 per 365d in place of max: 4"),
            Case(
                "group: audio\n    level: unlimited", "group: 2\n    level: unlimited",
                .textReadAsNumber, "one of: 'audio', 'membership'"),
            Case(
                "access:\n", "=======\naccess:\n", .mergeConflict,
                "left over from merging two versions: remove line 4,"),
            Case(
                "access:\n", "<<<<<<< HEAD\naccess:\n", .mergeConflict,
                "left over from merging two versions: remove line 4,"),
            Case(
                "access:\n", "# These rules say who\nmay use what and when\naccess:\n", .yamlSyntax,
                "at the beginning of this line: # may use what and when"),
            Case(
                "    then: share", "    then: share   # the family\n    shares what one bought",
                .yamlSyntax, "at the beginning of this line: # shares what one bought"),
            Case(
                "    then: share", "    # the family\n    shares it: all of it\n    then: share",
                .unknownKey, "if a comment goes on here, write '# '"),
            Case(
                "levels: [gold, silver]", "levels: gold", .wrongType,
                "write it like this: levels: [gold]"),
            Case("{kind: free}", "{kind: RecurringSubscription}", .unknownWord, "'auto-renewable'"),
            Case(
                "{kind: free}", "{kind: AUTO_RENEWABLE_SUBSCRIPTION}", .unknownWord,
                "'auto-renewable'"),
            Case("{kind: free}", "{kind: NonRenewable}", .unknownWord, "'non-renewing'"),
            Case("{kind: free}", "{kind: FREE_SUBSCRIPTION}", .unknownWord, "'free'"),
            Case(
                "{kind: free}", "{kind: InAppPurchaseConsumable}", .unknownWord, "'consumable'"),
            Case("    then: grant\n    only", "    then: GRANT\n    only", .unknownWord, "'grant'"),
            Case(
                "    then: grant\n    only", "    then: Withhold\n    only", .unknownWord,
                "'withhold'"),
            Case(
                "  late_payment: deliver", "late_payment: deliver", .notIndented, "two more spaces"),
            Case(
                weekend
                    + "\n  scope: group                            # two subscriptions of one group "
                    + "count as duplicates\n  before_purchase: block\n  keep: longest-paid",
                weekend + "\nscope: group\nbefore_purchase: block\nkeep: longest-paid",
                .notIndented,
                "two more spaces"),
            Case(
                "    group: audio\n    level: basic", "    group: basic", .unknownGroup,
                "write 'group: audio', and as its level 'basic'"),
            Case(
                "levels: [unlimited, basic]", "levels: [unlimited]", .levelNotInGroup,
                "best first: levels: [unlimited, basic]"),
            Case(
                "grants: [audio, offline]", "grants: [audio; offline]", .badName,
                "write audio, offline"),
            Case(
                "  com.example.reader.gold.yearly:", "  - id: com.example.reader.gold.yearly",
                .badIndentation, "com.example.reader.gold.yearly:"),
            Case(
                "  com.example.reader.gold.yearly:", "  - com.example.reader.gold.yearly:",
                .badIndentation, "com.example.reader.gold.yearly:"),
            Case(
                "apple_id: 1234567890", "apple_id: 1.23457E+09", .numberNotation, "digits are lost"),
            Case(
                "  - name: reviewers may use sandbox purchases\n", "", .duplicateKey,
                "write '- name: …' above it"),
            Case("level: basic", "level: 2", .textReadAsNumber, "write the name that is meant"),
            Case(
                "[{credit: gifts, units: 1}]", "[credit: gifts, units: 1]", .missingChoice,
                "grants: [{credit: gifts, units: 1}]"),
            Case(
                "    retired: 2026-01-01", "+   retired: 2026-01-01", .badIndentation,
                "left over from a comparison"),
            Case(
                "price: {USD: 0.99, CNY: 6}", "price: {USD: 0.99, CNY: #N/A}", .unclosedBracket,
                "#N/A begins a comment"),
            Case(
                "    grants: [{credit: coins, units: 100}]\n  com.example.reader.coins.1200:\n",
                "    grants: [{credit: coins, units: 100}]\n    com.example.reader.x:\n"
                    + "      kind: consumable\n      grants: [{credit: coins, units: 1}]\n"
                    + "  com.example.reader.coins.1200:\n", .unknownKey, "in column 3"),
            Case("[{credit: coins, units: 100}]", "[coins]", .unknownEntitlement, "{credit: coins"),
            Case(
                "[{credit: coins, units: 100}]", "{coins: 100}", .wrongType,
                "grants: [{credit: coins, units: 100}]"),
            Case(
                "product: com.example.reader.silver.old", "product: silver.old", .unknownProduct,
                "'com.example.reader.silver.old'"),
            Case(
                "[premium, offline, no-ads]", "[premium offline, no-ads]", .badName,
                "'premium, offline'"),
            Case(
                "  - name: what was", "    name: what was", .duplicateKey,
                "write '- ' before 'name'"),
            Case(
                "  com.example.reader.weekly:", "com.example.reader.weekly:", .notIndented,
                "'products'"),
            Case(
                "  membership: {title: Membership, title_zh: 会员, levels: [gold, silver]}",
                "  levels: [gold, silver]", .wrongType, "levels: {levels: [gold, silver]}"),
            Case("price: {USD: 99.99, CNY: 648}", "price: 99.99", .wrongType, "price: {USD: 9.99}"),
            Case("cooldown: 7d", "cooldown: 1 month", .calendarUnit, "30d"),
            Case("# Who may use what", "Who may use what", .yamlSyntax, "'# '"),
            Case("    then: share", "    then share", .missingColon, "write then: share"),
            Case(
                "    when: {kind: auto-renewable, moment: restore}",
                "    when: {kind: auto-renewable, moment: restore, max: 3}", .unknownKey,
                "next to 'when'"),
        ].filter { $0.right != $0.wrong })
    func oneMessageSaysWhatToWrite(_ mistake: Case) throws {
        var texts = try readPolicyFolder(Repository.path("policies"))
        let index = try #require(texts.firstIndex { $0.text.contains(mistake.right) })
        texts[index].bytes = Array(
            texts[index].text.replacingFirst(mistake.right, mistake.wrong).utf8)
        let found = checkPolicy(texts).diagnostics
        let shown = render(found, sources: texts)
        #expect(found.map(\.id) == [mistake.id], "\(shown)")
        let advice = found.first?.advice(in: .english) ?? ""
        #expect(advice.contains(mistake.advice), "\(shown)")
        #expect(found.first?.advice(in: .chinese).isEmpty == false)
    }

    /// What stops a file from being read comes first, wherever it is; warnings come last.
    @Test func causesComeFirst() {
        let texts = [
            PolicyExample.base,
            PolicyText(path: "a.yaml", text: "orders:\n  pay_witin: 30m\nleeway: 0h\n"),
            PolicyText(path: "z.yaml", text: "credits:\n\tcoins: {title: Coins}\n"),
        ]
        let ids = loadPolicy(texts).diagnostics.map(\.id)
        #expect(ids == [.tab, .unknownKey, .zeroLength])
    }

    /// The same mistake again and again: the first ones, and how many more.
    @Test func repetitionsAreCounted() {
        let rules = (1...30).map {
            "  - name: r\($0)\n    when: {product: p\($0)}\n    then: grant\n"
        }
        let text = PolicyText(path: "rules.yaml", text: "access:\n" + rules.joined())
        let texts = [PolicyExample.base, text]
        let found = loadPolicy(texts).diagnostics.filter { $0.severity == .error }
        #expect(found.count == 10)
        #expect(found.last?.repetitions == 20)
        let shown = render(found, sources: texts)
        #expect(shown.contains("and 20 more like it") && shown.contains("30 errors"), "\(shown)")
    }
}
