internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Warnings that compare values: where they are, and what they say nothing of.
@Suite(.timeLimit(.minutes(20)))
struct LintTests {
    private static func plan(_ name: String, _ rest: String) -> String {
        "products:\n  \(name): {kind: non-renewing, grants: [premium], \(rest)}"
    }

    private static func item(_ name: String, _ keys: String) -> String {
        "  \(name): {kind: non-consumable, \(keys)}\n"
    }

    private static func leveled(
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

    private static func limits(_ limits: String) -> String {
        "account_switch:\n  - name: moves\n    then: transfer\n    limits: {\(limits)}"
    }

    private static func access(_ when: String) -> String {
        "access:\n  - name: a\n    when: {\(when)}\n    then: grant"
    }

    private static let hd = "entitlements: {hd: {title: High definition}}\nproducts:\n"
    private static let coins = "credits: {coins: {title: Coins}}\nproducts:\n"

    static let mistakes = [
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

    static let prices = [
        Mistake(
            "levels by all prices in another order",
            "groups: {g: {levels: ⟦[low, high]⟧}}\nproducts:\n"
                + leveled("a", "low", "1mo", "USD: 1").replacingFirst("membership", "g")
                + leveled("b", "high", "1mo", "USD: 2").replacingFirst("membership", "g"),
            .levelsAgainstPrices,
            "level 'low' is before 'high', but 'a' costs 1 USD and 'b' costs 2 USD"),
        Mistake(
            "one price of two that is wrong",
            "products:\n" + leveled("gold.a", "gold", "1mo", "USD: ⟦1⟧, CNY: 68")
                + leveled("silver.a", "silver", "1mo", "USD: 5, CNY: 30"), .levelAgainstPrice),
        Mistake(
            "levels at one price",
            hd + leveled("gold.a", "gold", "6mo", "USD: ⟦9.99⟧", "[premium, hd]")
                + leveled("silver.a", "silver", "6mo", "USD: 9.99"), .levelsCostTheSame,
            "'gold.a' has a better level than 'silver.a' and gives 'hd' on top, for the same price: "
                + "9.99 USD"),
        Mistake(
            "less for a year than for a month",
            hd + leveled("gold.a", "gold", "1mo", "USD: 9.99", "[premium, hd]")
                + leveled("gold.b", "gold", "1y", "USD: 99", "⟦[premium]⟧"), .sameLevelGivesLess),
        Mistake(
            "a year dearer than twelve months",
            "products:\n" + leveled("silver.a", "silver", "1mo", "USD: 5")
                + leveled("silver.b", "silver", "1y", "USD: ⟦99⟧"), .priceAgainstPeriod,
            "'silver.b' costs 99 USD for 1y, and 'silver.a' costs 5 USD for 1mo"),
        Mistake(
            "more units for less",
            coins + pack("coins.a", "100", "1.99") + pack("coins.b", "500", "⟦0.99⟧"),
            .priceAgainstUnits),
        Mistake(
            "nothing to pay",
            "products:\n" + item("a", "price: {USD: ⟦0⟧}, grants: [premium]"), .priceZero),
    ]

    static let sizes = [
        Mistake(
            "an account without its star",
            access("account: ⟦qa-⟧, state: billing-retry, state_age: under 7d"),
            .accountWithoutStar),
        Mistake(
            "an age over two states",
            access("state: [grace, billing-retry], state_age: ⟦under 14d⟧"), .ageBeginsAgain,
            "the age in 'a' begins again when grace turns into billing-retry"),
    ]

    @Test(arguments: mistakes + prices + sizes)
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
            hd + leveled("gold.a", "gold", "6mo", "USD: 9.99, CNY: 68", "[premium, hd]")
                + leveled("silver.a", "silver", "6mo", "USD: 4.99, CNY: 30"),
            hd + leveled("gold.a", "gold", "1mo", "USD: 9.99", "[premium]")
                + leveled("gold.b", "gold", "1y", "USD: 99", "[premium, hd]"),
            hd + leveled("gold.a", "gold", "1mo", "USD: 9.99", "[premium]")
                + leveled("gold.b", "gold", "1mo", "USD: 9.99", "[hd]"),
            "products:\n" + leveled("gold.week", "gold", "1w", "USD: 4.99")
                + leveled("gold.month", "gold", "1mo", "USD: 9.99"),
            "products:\n" + leveled("silver.a", "silver", "1mo", "USD: 9.99, JPY: 1500")
                + leveled("silver.b", "silver", "1y", "USD: 119.99, JPY: 15000"),
            "products:\n"
                + item("a", "price: {USD: 9.99, EUR: 9.99, INR: 99, JPY: 1500}, grants: [premium]"),
            "products:\n" + item("a", "price: {USD: 999}, grants: [premium]"),
            "products:\n" + item("a.1.12", "grants: [premium]")
                + item("a.11.2", "grants: [premium]"),
            coins + pack("coins.a", "100", "0.99") + pack("coins.2026", "500", "4.99"),
            limits("cooldown: 24h"), limits("moves: 300 per 365d"),
            "orders: {pay_within: 10m, match_window: 1h}",
            access(
                "environment: sandbox, state: billing-retry, account: qa, state_age: under 5m"),
            access("state: [grace, billing-retry], unpaid_for: under 14d"),
        ])
    func isNoMistake(policy: String) {
        let found = MarkedPolicy(policy).diagnose().filter {
            $0.severity == .warning && ![.grantsAfterEnd, .givenByNothing].contains($0.id)
        }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }

    @Test func whereTwoRepairsArePossibleBothAreNamed() throws {
        let policy = MarkedPolicy(Self.limits("cooldown: 7d, moves: 3 per 7d"))
        let found = try #require(policy.diagnose().first { $0.id == .limitNeverReached })
        #expect(
            found.advice(in: .english)
                == "write one of: 'cooldown: 2d', 'moves: 3 per 22d'")
    }
}
