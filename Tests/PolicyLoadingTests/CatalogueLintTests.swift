internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Titles, ids, prices and grants of the catalogue against one another, and sizes of settings.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueLintTests {
    private static func item(_ name: String, _ keys: String) -> String {
        "  \(name): {kind: non-consumable, \(keys)}\n"
    }

    private static func plan(
        _ name: String, _ level: String, _ price: String, _ grants: String = "[premium]"
    ) -> String {
        "  \(name): {kind: auto-renewable, group: membership, level: \(level), period: 6mo, "
            + "price: {\(price)}, grants: \(grants)}\n"
    }

    private static func pack(_ title: String, _ units: String) -> String {
        "credits: {coins: {title: Coins, title_zh: 金币}}\nproducts:\n  pack: {kind: consumable, "
            + "title: \(title), grants: [{credit: coins, units: \(units)}]}"
    }

    private static let hd = "entitlements: {hd: {title: High definition}}\nproducts:\n"

    private static func limits(_ limits: String) -> String {
        "account_switch:\n  - name: moves\n    then: transfer\n    limits: {\(limits)}"
    }

    static let titles = [
        Mistake(
            "Chinese alone among English",
            "products:\n" + item("a", "title: ⟦高级阅读⟧, grants: [premium]"), .titleLanguage,
            "'title' is in the wrong language: '高级阅读'"),
        Mistake(
            "no Chinese in a Chinese title",
            "products:\n"
                + item("a", "title: Reading, title_zh: ⟦Reading⟧, grants: [premium]"),
            .titleLanguage),
        Mistake(
            "two that are swapped",
            "products:\n" + item("a", "title: ⟦高级阅读⟧, title_zh: Reading, grants: [premium]"),
            .titleLanguage),
        Mistake(
            "two products with one title",
            "entitlements: {hd: {title: High definition}}\nproducts:\n"
                + item("a", "title: Extra, grants: [premium]")
                + item("b", "title: ⟦Extra⟧, grants: [hd]"), .duplicateTitle,
            "'b' has the same title as 'a': 'Extra'"),
        Mistake(
            "two rights with one title",
            "entitlements:\n  hd: {title: Video}\n  sd: {title: ⟦Video⟧}\nproducts:\n"
                + item("a", "grants: [hd, sd]"), .duplicateTitle),
        Mistake(
            "the title of another right",
            "entitlements:\n  audio: {title: Audiobooks}\n  offline: {title: ⟦Audio⟧}\n"
                + "products:\n" + item("a", "grants: [audio, offline]"), .titleAgainstID),
        Mistake(
            "another year than in the id",
            "products:\n" + item("archive.2025", "title: ⟦The 2026 archive⟧, grants: [premium]"),
            .titleAgainstID),
        Mistake(
            "another number than in the id",
            "products:\n" + item("season.7", "title: ⟦Season 8⟧, grants: [premium]"),
            .titleAgainstID),
        Mistake(
            "a slip in the beginning of an id",
            "products:\n" + item("com.example.reader.a", "grants: [premium]")
                + item("⟦com.exmaple.reader.b⟧", "grants: [premium]"), .misspeltID,
            "'com.exmaple.reader' in 'com.exmaple.reader.b' looks like a misspelling of "
                + "'com.example.reader'"),
        Mistake(
            "a slip in a level", "products:\n" + plan("⟦glod.half⟧", "gold", "USD: 9.99"),
            .misspeltID),
        Mistake(
            "a slip in a title",
            "products:\n" + item("archive", "title: ⟦The achive⟧, grants: [premium]"),
            .misspeltID),
    ]

    static let money = [
        Mistake(
            "levels at one price",
            hd + plan("gold.a", "gold", "USD: ⟦9.99⟧", "[premium, hd]")
                + plan("silver.a", "silver", "USD: 9.99"), .levelsCostTheSame,
            "'gold.a' has a better level than 'silver.a' and gives 'hd' on top, for the same price: "
                + "9.99 USD"),
        Mistake(
            "an amount of another currency",
            "products:\n" + item("a", "price: {USD: 9.99, CNY: ⟦9.99⟧}, grants: [premium]"),
            .pricesFarApart),
        Mistake(
            "a digit too many",
            "products:\n" + item("a", "price: {USD: 9.99, EUR: ⟦99.9⟧}, grants: [premium]"),
            .pricesFarApart),
        Mistake(
            "no decimal point",
            "products:\n" + item("a", "price: {USD: ⟦999⟧}, grants: [premium]"), .pointForgotten),
        Mistake(
            "nothing to pay",
            "products:\n" + item("a", "price: {USD: ⟦0⟧}, grants: [premium]"), .priceZero),
        Mistake("other units", pack("100 coins", "⟦1000⟧"), .grantsAgainstTitle),
        Mistake(
            "other units in Chinese", pack("Pack, title_zh: 100 金币", "⟦10⟧"), .grantsAgainstTitle),
        Mistake("a number in words", pack("Five coins", "⟦50⟧"), .grantsAgainstTitle),
        Mistake(
            "a right in the title that is not given",
            "entitlements: {offline: {title: Reading offline}}\nproducts:\n"
                + item("a", "grants: [offline]")
                + item("b", "title: Premium and offline, grants: ⟦[premium]⟧"),
            .grantsAgainstTitle,
            "'Premium and offline' says 'offline', but the product gives 'premium'"),
        Mistake(
            "no ads, which are not given",
            "entitlements: {no-ads: {title: No advertisements}}\nproducts:\n"
                + item("a", "grants: [no-ads]")
                + item("b", "title: Ad-free reading, grants: ⟦[premium]⟧"), .grantsAgainstTitle),
        Mistake("a cool-down of seconds", limits("cooldown: ⟦7s⟧"), .veryShort),
        Mistake("an order of seconds", "orders: {pay_within: ⟦30s⟧}", .veryShort),
        Mistake("a match of minutes", "orders: {match_window: ⟦24m⟧, pay_within: 20m}", .veryShort),
        Mistake(
            "a leeway of a second", "leeway: ⟦1s⟧", .veryShort,
            "'leeway' is '1s', which is very short"),
        Mistake(
            "an age of minutes",
            "access:\n  - name: a\n    when: {state: billing-retry, state_age: ⟦under 7m⟧}\n"
                + "    then: grant", .veryShort),
        Mistake(
            "a family of hundreds",
            "account_switch:\n  - name: a\n    then: share\n    max: ⟦600⟧", .largeMax),
        Mistake("moves without end", limits("moves: ⟦300 per 365d⟧"), .largeMax),
        Mistake(
            "an account without its star",
            "access:\n  - name: a\n    when: {account: ⟦qa-⟧, state: billing-retry, "
                + "state_age: under 7d}\n    then: grant", .accountWithoutStar),
    ]

    @Test(arguments: titles + money)
    func isSaid(_ mistake: Mistake) throws {
        let found = mistake.policy.diagnose().filter { $0.id == mistake.id }
        let shown = render(mistake.policy.diagnose(), sources: [mistake.policy.text])
        let first = try #require(found.first, "\(shown)")
        #expect(first.place == mistake.policy.place, "\(shown)")
        if let message = mistake.message { #expect(first.message(in: .english) == message) }
    }

    static let meant = [
        "products:\n" + item("a", "title: VIP 3, title_zh: VIP 3, grants: [premium]"),
        "products:\n" + item("a", "title: Extra, grants: [premium]")
            + item("b", "title: Extra, grants: [premium]"),
        "products:\n" + item("a", "title: Old, grants: [premium]")
            + "  b: {kind: non-renewing, duration: 1y, title: Old, retired: 2026-01-01, "
            + "grants: [premium]}",
        "entitlements: {color: {title: Colour}}\nproducts:\n" + item("a", "grants: [color]"),
        "products:\n" + item("com.example.reader.coin", "grants: [premium]")
            + item("com.other.reader.b", "grants: [premium]"),
        "products:\n" + item("golf", "title: Golf, grants: [premium]"),
        pack("\"1,200 coins\"", "1200"), pack("100 + 20 coins", "120"), pack("Pack", "7"),
        pack("A week with 20 coins", "20"),
        "entitlements: {offline: {title: Reading offline}}\nproducts:\n"
            + item("a", "grants: [offline]")
            + item("b", "title: Premium without offline, grants: [premium]"),
        hd + plan("gold.a", "gold", "USD: 9.99, CNY: 68", "[premium, hd]")
            + plan("silver.a", "silver", "USD: 4.99, CNY: 30"),
        "products:\n"
            + item("a", "price: {USD: 9.99, EUR: 9.99, INR: 299, JPY: 1500}, grants: [premium]"),
        "products:\n" + item("a", "price: {USD: 199}, grants: [premium]"),
        limits("cooldown: 24h"), limits("moves: 12 per 365d"), "leeway: 1h",
        "orders: {pay_within: 10m, match_window: 1h}",
        "access:\n  - name: a\n    when: {environment: sandbox, state: billing-retry, "
            + "account: qa, state_age: under 5m}\n    then: grant",
    ]

    @Test("what a careful reader finds right is not complained about", arguments: meant)
    func isNoMistake(policy: String) {
        let lints: Set<DiagnosticID> = [
            .titleLanguage, .duplicateTitle, .titleAgainstID, .misspeltID, .levelsCostTheSame,
            .pricesFarApart, .pointForgotten, .priceZero, .grantsAgainstTitle, .freeGivesSold,
            .veryShort, .largeMax, .accountWithoutStar,
        ]
        let found = MarkedPolicy(policy).diagnose().filter { lints.contains($0.id) }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }
}
