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
            Case(
                "{kind: auto-renewable, state", "{auto_renew: false, state", .unknownWord,
                "write \"off\""),
            Case("{USD: 9.99", "{USD:9.99", .emptyValue, "write USD: 9.99"),
            Case("\"qa-*\"", "\"*-qa\"", .starInAccount, "write 'qa-*'"),
            Case("\"qa-*\"", "\"qa*-2\"", .starInAccount, "write 'qa*'"),
            Case("leeway: 1h", "leeway: 0", .zeroLength, "write a longer time"),
            Case("    then: grant\n    only", "    then: allow\n    only", .unknownWord, "'grant'"),
            Case("  sandbox: trusted", "  sandbox: true", .unknownWord, "'trusted'"),
            Case("token: matches", "token: match", .unknownWord, "'matches'"),
            Case("{kind: free}", "{kind: subscription}", .unknownWord, "'auto-renewable'"),
            Case("{kind: free}", "{kind: 免费}", .unknownWord, "'free'"),
            Case("grace, renewing]", "grace, refunded]", .unknownWord, "'revoked'"),
            Case("ownership: family-shared", "ownership: family", .unknownWord, "'family-shared'"),
            Case(
                "group: audio\n    level: unlimited", "group: 2\n    level: unlimited",
                .textReadAsNumber, "write \"2\""),
            Case(
                "access:\n", "=======\naccess:\n", .mergeConflict,
                "remove the lines with"),
            Case(
                "access:\n", "<<<<<<< HEAD\naccess:\n", .mergeConflict,
                "remove the lines with"),
            Case(
                "    then: share", "    # the family\n    shares it: all of it\n    then: share",
                .unknownKey, "one of: 'unless'"),
            Case(
                "levels: [gold, silver]", "levels: gold", .wrongType,
                "write [gold]"),
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
                "'audio', 'membership'"),
            Case(
                "levels: [unlimited, basic]", "levels: [unlimited]", .levelNotInGroup,
                "one of: 'unlimited'"),
            Case("level: basic", "level: 2", .textReadAsNumber, "write \"2\""),
            Case("[{credit: coins, units: 100}]", "[coins]", .unknownEntitlement, "{credit: coins"),
            Case(
                "product: com.example.reader.silver.old", "product: silver.old", .unknownProduct,
                "'com.example.reader.silver.old'"),
            Case(
                "[premium, offline, no-ads]", "[premium offline, no-ads]", .badName,
                "without spaces"),
            Case(
                "  - name: what was", "    name: what was", .duplicateKey,
                "keep one of them"),
            Case(
                "  com.example.reader.weekly:", "com.example.reader.weekly:", .notIndented,
                "'products'"),
            Case(
                "  membership: {title: Membership, title_zh: 会员, levels: [gold, silver]}",
                "  levels: [gold, silver]", .wrongType, "levels: {levels: [gold, silver]}"),
            Case("price: {USD: 99.99, CNY: 648}", "price: 99.99", .wrongType, "price: {USD: 9.99}"),
            Case("cooldown: 7d", "cooldown: 1 month", .calendarUnit, "in days (d)"),
            Case("# Who may use what", "Who may use what", .missingColon, "'# '"),
            Case("    then: share", "    then share", .missingColon, "write then: share"),
            Case(
                "    when: {kind: auto-renewable, moment: restore}",
                "    when: {kind: auto-renewable, moment: restore, max: 3}", .unknownKey,
                "it belongs to: 'account_switch'"),
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
