internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Warnings about money and meaning: where they are, and what they say nothing of. An example of
/// each is in `LintExamples`.
@Suite(.timeLimit(.minutes(20)))
struct LintTests {
    private static func plan(_ name: String, _ rest: String) -> String {
        "products:\n  \(name): {kind: non-renewing, grants: [premium], \(rest)}"
    }

    static let mistakes = [
        Mistake(
            "a title in Chinese", plan("p", "duration: ⟦1mo⟧, title: Plan, title_zh: 会员年卡"),
            .periodAgainstName, "'p' is called '年卡', but lasts '1mo'"),
        Mistake(
            "a word of the id", plan("p.week", "duration: ⟦1mo⟧"), .periodAgainstName,
            "'p.week' is called 'week', but lasts '1mo'"),
        Mistake(
            "a number in a rule's name",
            "access:\n  - name: ⟦rule⟧ #1\n    when: {state: grace}\n    then: grant", .lostHash,
            "'#1' after 'rule' is a comment"),
        Mistake(
            "a number in the middle, before a comment",
            plan("p", "duration: 1y") + "\n  q:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium]\n    title: ⟦Gold, the⟧ #1 choice  # soon",
            .lostHash, "'#1 choice' after 'Gold, the' is a comment"),
        Mistake(
            "a title that ends with a comma, before a comment",
            plan("p", "duration: 1y") + "\n  q:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium]\n    title: ⟦Gold,⟧ # monthly",
            .lostHash, "'# monthly' after 'Gold,' is a comment"),
        Mistake(
            "a rule's name that ends with a word to which another belongs",
            "access:\n  - name: ⟦in grace and⟧  # retries\n    when: {state: grace}\n"
                + "    then: grant",
            .lostHash, "'# retries' after 'in grace and' is a comment"),
        Mistake(
            "three minutes between moves",
            "account_switch:\n  - name: a\n    then: transfer\n"
                + "    limits: {cooldown: ⟦3m⟧, moves: 2 per 365d}",
            .minutesForMonths, "'3m' is 3 minutes"),
        Mistake(
            "three minutes of a right",
            "products:\n  p:\n    kind: consumable\n    grants:\n"
                + "      - {entitlement: premium, for: ⟦1m⟧}", .minutesForMonths,
            "'1m' is 1 minutes"),
        Mistake(
            "a currency with three decimals", plan("p", "duration: 1y, price: {EUR: ⟦1.234⟧}"),
            .priceDecimals, "a price in 'EUR' has 2 decimals at most, not 1.234"),
        Mistake(
            "levels that are one", "groups: {h: {levels: [gold, ⟦Gold⟧]}}", .nearDuplicateName,
            "'Gold' and 'gold' are two names"),
        Mistake(
            "moves that take longer than the window",
            "account_switch:\n  - name: a\n    then: transfer\n"
                + "    limits: {cooldown: 90d, moves: ⟦4 per 360d⟧}", .limitNeverReached,
            "with '90d' between two moves there are at most 4 within '360d', so a limit of 4 has no "
                + "effect"),
    ]

    @Test(arguments: mistakes)
    func isSaid(_ mistake: Mistake) throws {
        let found = mistake.policy.diagnose().filter { $0.id == mistake.id }
        let shown = render(mistake.policy.diagnose(), sources: [mistake.policy.text])
        let first = try #require(found.first, "\(shown)")
        #expect(first.place == mistake.policy.place, "\(shown)")
        if let message = mistake.message { #expect(first.message(in: .english) == message) }
    }

    @Test(
        "what is most likely meant is not complained about",
        arguments: [
            plan("p.2025", "duration: 1mo, title: Best of the year"),
            plan("p.6.month", "duration: 6mo"), plan("p.yearly", "duration: 12mo"),
            plan("p.weekly", "duration: 7d"), plan("p.monthly.or.yearly", "duration: 1y"),
            plan("p", "duration: 45m"),
            "access:\n  - name: a rule   # why\n    when: {state: grace}   #because\n    then: grant",
            "access:\n  - name: \"rule\" #1\n    when: {state: grace}\n    then: grant",
            "access:\n  - name: what is paid for  # why\n    when: {state: grace}\n    then: grant",
            "entitlements: {a1: {title: A+}, # sold\n  a2: {title: B,   # since 2024\n"
                + "  title_zh: 乙}}",
            plan("p", "duration: 1y, title: the “big” plan"),
            plan("p", "duration: 1y, price: {JPY: 300, KWD: 1.234, USD: 1.99}"),
            "account_switch:\n  - name: a\n    then: transfer\n"
                + "    limits: {cooldown: 89d, moves: 4 per 360d}",
            "leeway: 67h", "entitlements: {a1: {title: A}, a2: {title: B}}",
        ])
    func isNoMistake(policy: String) {
        let lints: Set<DiagnosticID> = [
            .periodAgainstName, .lostHash, .curlyQuotes, .minutesForMonths, .priceDecimals,
            .limitNeverReached, .leewayBeyondBound, .nearDuplicateName,
        ]
        let found = MarkedPolicy(policy).diagnose().filter { lints.contains($0.id) }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }
}
