internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Names against what is written below them, windows against the days that they are called after,
/// and prices against one another.
@Suite(.timeLimit(.minutes(20)))
struct NameLintTests {
    private static func open(_ name: String, _ window: String) -> String {
        "time_zone: Asia/Shanghai\nopen:\n  - name: \(name)\n    entitlements: [premium]\n"
            + "    at: \(window)"
    }

    private static func access(_ name: String, _ when: String, _ rest: String = "") -> String {
        "access:\n  - name: \(name)\n    when: {\(when)}\n    then: grant\n    \(rest)"
    }

    private static func plan(
        _ name: String, _ level: String, _ period: String, _ price: String,
        _ grants: String = "[premium]"
    ) -> String {
        "  \(name): {kind: auto-renewable, group: membership, level: \(level), "
            + "period: \(period), price: {\(price)}, grants: \(grants)}\n"
    }

    private static func pack(_ name: String, _ units: String, _ price: String) -> String {
        "  \(name): {kind: consumable, grants: [{credit: coins, units: \(units)}], "
            + "price: {USD: \(price)}}\n"
    }

    private static let coins = "credits: {coins: {title: Coins}}\nproducts:\n"

    static let mistakes = [
        Mistake(
            "a weekend without its Sunday",
            open("anniversary weekend", "⟦from 2026-12-05 until 2026-12-06⟧"), .lastDayLeftOut,
            "'anniversary weekend' leaves out the day 2026-12-06: the last day inside is "
                + "2026-12-05"),
        Mistake(
            "numbered days", open("Christmas, 24 to 26", "⟦from 2026-12-24 until 2026-12-26⟧"),
            .lastDayLeftOut),
        Mistake(
            "one day of a month", open("on December 6th", "⟦from 2026-12-05 until 2026-12-06⟧"),
            .lastDayLeftOut),
        Mistake(
            "days of the week",
            open("Black Friday to Cyber Monday", "⟦from 2026-11-27 until 2026-11-30⟧"),
            .lastDayLeftOut),
        Mistake(
            "a feast in Chinese", open("双十一", "⟦from 2026-11-09 until 2026-11-11⟧"),
            .lastDayLeftOut),
        Mistake(
            "a window of a rule",
            access(
                "a patient weekend",
                "state: billing-retry, at: ⟦from 2026-12-05 until 2026-12-06⟧"), .lastDayLeftOut),
        Mistake(
            "levels by all prices in another order",
            "groups: {g: {levels: ⟦[low, high]⟧}}\nproducts:\n"
                + plan("a", "low", "1mo", "USD: 1").replacingFirst("membership", "g")
                + plan("b", "high", "1mo", "USD: 2").replacingFirst("membership", "g"),
            .levelsAgainstPrices,
            "level 'low' is before 'high', but 'a' costs 1 USD and 'b' costs 2 USD"),
        Mistake(
            "one price of two that is wrong",
            "products:\n" + plan("gold.a", "gold", "1mo", "USD: ⟦1⟧, CNY: 68")
                + plan("silver.a", "silver", "1mo", "USD: 5, CNY: 30"), .levelAgainstPrice),
        Mistake(
            "a title that was copied",
            "products:\n  silver.half:\n    kind: auto-renewable\n    group: membership\n"
                + "    level: silver\n    period: 6mo\n    title: ⟦Gold for half a year⟧\n"
                + "    grants: [premium]", .levelAgainstName,
            "'Gold for half a year' says 'gold', but the level is 'silver'"),
        Mistake(
            "for ever, and sold again and again",
            "products:\n"
                + plan("gold.lifetime", "gold", "1y", "USD: 99")
                .replacingFirst("auto-renewable", "⟦auto-renewable⟧"), .kindAgainstName),
        Mistake(
            "another number of days",
            access("14 days of courtesy", "state: billing-retry, state_age: ⟦under 7d⟧"),
            .lengthAgainstName,
            "the rule '14 days of courtesy' says '14d' in its name, but '7d' here"),
        Mistake(
            "a week of hours", access("a kind week", "state: billing-retry, state_age: ⟦under 7h⟧"),
            .lengthAgainstName),
        Mistake(
            "a number in Chinese", access("宽限十二天", "state: grace, state_age: ⟦under 2d⟧"),
            .lengthAgainstName),
        Mistake(
            "a forgotten offer", access("⟦trial users wait⟧", "state: billing-retry"),
            .conditionForgotten,
            "the rule 'trial users wait' says 'trial' in its name, but has no "
                + "'offer'"),
        Mistake(
            "a forgotten only",
            access("⟦no premium after cancelling⟧", "auto_renew: \"off\"")
                .replacingFirst("then: grant", "then: withhold"), .conditionForgotten),
        Mistake(
            "amounts of two currencies",
            "products:\n"
                + plan("gold.a", "gold", "1mo", "USD: 68, CNY: ⟦9.99⟧"), .pricesSwapped,
            "'gold.a' costs 68 USD and 9.99 CNY: the two amounts look swapped"),
        Mistake(
            "a year dearer than twelve months",
            "products:\n"
                + plan("silver.a", "silver", "1mo", "USD: 5")
                + plan("silver.b", "silver", "1y", "USD: ⟦99⟧"), .priceAgainstPeriod,
            "'silver.b' costs 99 USD for 1y, and 'silver.a' costs 5 USD for 1mo"),
        Mistake(
            "more units for less",
            coins + pack("coins.a", "100", "1.99")
                + pack("coins.b", "500", "⟦0.99⟧"), .priceAgainstUnits),
        Mistake(
            "units of the pack that was copied",
            coins + pack("coins.100", "100", "0.99")
                + pack("coins.500", "⟦100⟧", "4.99"), .unitsAgainstName,
            "'coins.500' gives 100 units, not 500 as its id says"),
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
            open("anniversary weekend", "from 2026-12-05 until 2026-12-07"),
            open("open until Sunday 6 December", "from 2026-12-05 until 2026-12-06"),
            open("12 days, from the 5th", "from 2026-12-05 until 2026-12-17"),
            open("the sixth issue", "from 2026-12-05 until 2026-12-06"),
            access("a courtesy week", "state: billing-retry, state_age: under 7d"),
            access("a month", "state: billing-retry, state_age: under 30d"),
            access("two days, then five days", "state: grace, state_age: under 7d"),
            access("free trials wait", "state: billing-retry, offer: free-trial"),
            access("gold and silver alike", "state: billing-retry"),
            access("gold waits", "level: gold, state: billing-retry"),
            "products:\n" + plan("gold.week", "gold", "1w", "USD: 4.99")
                + plan("gold.month", "gold", "1mo", "USD: 9.99"),
            "products:\n" + plan("silver.a", "silver", "1mo", "USD: 9.99, JPY: 1500")
                + plan("silver.b", "silver", "1y", "USD: 119.99, JPY: 15000"),
            "products:\n" + plan("silver.to.gold", "gold", "1mo", "USD: 9.99"),
            coins + pack("coins.a", "100", "0.99") + pack("coins.2026", "500", "4.99"),
        ])
    func isNoMistake(policy: String) {
        let found = MarkedPolicy(policy).diagnose().filter {
            $0.severity == .warning && $0.id != .grantsAfterEnd
        }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }

    @Test(
        "lengths in names are read in English and in Chinese",
        arguments: [
            ("a courtesy of two weeks", ["2w"]), ("10 days", ["10d"]), ("first-year members", []),
            ("24 hours or 3 days", ["24h", "3d"]), ("a courtesy week", ["1w"]),
            ("宽限 7 天", ["7d"]), ("三个月", ["3mo"]), ("12月促销", []), ("二十一天", ["21d"]),
        ])
    func lengthsInNames(_ name: String, _ expected: [String]) {
        #expect(NamedLengths.all(in: name).map(\.text) == expected)
    }

    @Test func whereTwoRepairsArePossibleBothAreNamed() throws {
        let policy = MarkedPolicy(
            "account_switch:\n  - name: a\n    then: transfer\n"
                + "    limits: {cooldown: 7d, moves: 3 per 7d}")
        let found = try #require(policy.diagnose().first { $0.id == .limitNeverReached })
        #expect(
            found.advice(in: .english)
                == "write cooldown: 2d or less, or moves: 3 per 22d or longer, or only one of the "
                + "two limits")
    }

    @Test func aNearPatternIsProposed() throws {
        let policy = MarkedPolicy(Self.access("a", "product: \"glod.*\", state: billing-retry"))
        let found = try #require(policy.diagnose().first { $0.id == .patternMatchesNothing })
        #expect(found.advice(in: .english) == "write product: \"gold.*\"")
    }
}
