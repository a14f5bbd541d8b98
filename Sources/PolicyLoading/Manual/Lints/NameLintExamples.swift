/// Names, levels and prices that do not agree.
extension PolicyExample {
    private static func product(_ name: String, _ keys: String...) -> String {
        "  \(name):\n" + keys.map { "    \($0)\n" }.joined()
    }

    private static func plan(
        _ name: String, level: String = "gold", period: String = "1mo", price: String = "9.99",
        grants: String = "premium"
    ) -> String {
        product(
            name, "kind: auto-renewable", "group: membership", "level: \(level)",
            "period: \(period)", "price: {USD: \(price)}", "grants: [\(grants)]")
    }

    private static func pack(_ number: Int, units: Int, price: String) -> String {
        product(
            "coins.\(number)", "kind: consumable", "price: {USD: \(price)}",
            "grants: [{credit: coins, units: \(units)}]")
    }

    private static let coins = "credits:\n  coins: {title: Coins}\n"

    private static func levels(_ order: String) -> String {
        "groups:\n  audio: {title: Audio, levels: [\(order)]}\nproducts:\n"
            + plan("audio.small", level: "small", price: "3.99")
            .replacingFirst("membership", "audio")
            + plan("audio.big", level: "big", price: "7.99").replacingFirst("membership", "audio")
    }

    private static func groups(_ group: String) -> String {
        "groups:\n  audio: {title: Audio, levels: [big, small]}\nproducts:\n"
            + plan("audio.plan", level: "big").replacingFirst("membership", group)
            + plan("small.plan", level: "small", price: "2.99")
            .replacingFirst("membership", "audio")
    }

    private static func courtesy(_ age: String) -> String {
        "access:\n  - name: a courtesy of 7 days\n    then: grant\n"
            + "    when: {state: billing-retry, state_age: under \(age)}"
    }

    private static func patience(_ conditions: String) -> String {
        "products:\n" + plan("silver.monthly", level: "silver", price: "4.99")
            + "access:\n  - name: patience for gold members\n    then: grant\n"
            + "    when: {\(conditions)state: billing-retry, state_age: under 7d}"
    }

    private static func weekend(_ end: String) -> String {
        "time_zone: UTC\nopen:\n  - name: anniversary weekend\n    entitlements: [premium]\n"
            + "    at: from 2026-12-05 until \(end)"
    }

    static let nameLintExamples: [DiagnosticID: PolicyExample] = [
        .levelsAgainstPrices: .added(wrong: levels("small, big"), right: levels("big, small")),
        .levelAgainstName: .added(
            wrong: "products:\n" + plan("silver.yearly", period: "1y"),
            right: "products:\n" + plan("silver.yearly", level: "silver", period: "1y")),
        .groupAgainstName: .added(
            wrong: groups("membership").replacingFirst("level: big", "level: silver"),
            right: groups("audio")),
        .conditionForgotten: .added(
            wrong: "access:\n  - name: more patience in a trial\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: under 7d}",
            right: "access:\n  - name: more patience in a trial\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: under 7d, offer: free-trial}"),
        .sameLevelGivesLess: .added(
            wrong: "entitlements:\n  hd: {title: High definition}\nproducts:\n"
                + plan("silver.monthly", level: "silver", price: "4.99", grants: "premium")
                + plan(
                    "gold.half", period: "6mo", price: "49.99", grants: "premium, hd"),
            right: "products:\n"
                + plan("silver.monthly", level: "silver", price: "4.99")
                + plan("gold.half", period: "6mo", price: "49.99")),
        .kindAgainstName: .added(
            wrong: "products:\n"
                + product(
                    "premium.lifetime", "kind: non-renewing", "duration: 1y",
                    "grants: [premium]"),
            right: "products:\n"
                + product("premium.lifetime", "kind: non-consumable", "grants: [premium]")),
        .lengthAgainstName: .added(wrong: courtesy("14d"), right: courtesy("7d")),
        .ruleAgainstName: .added(wrong: patience(""), right: patience("level: gold, ")),
        .lastDayLeftOut: .added(wrong: weekend("2026-12-06"), right: weekend("2026-12-07")),
        .pricesSwapped: .added(
            wrong: "products:\n"
                + product(
                    "unlock", "kind: non-consumable", "price: {USD: 30, CNY: 4.99}",
                    "grants: [premium]"),
            right: "products:\n"
                + product(
                    "unlock", "kind: non-consumable", "price: {USD: 4.99, CNY: 30}",
                    "grants: [premium]")),
        .priceAgainstPeriod: .added(
            wrong: "products:\n"
                + plan("silver.monthly", level: "silver", price: "4.99")
                + plan("silver.yearly", level: "silver", period: "1y", price: "4.99"),
            right: "products:\n"
                + plan("silver.monthly", level: "silver", price: "4.99")
                + plan("silver.yearly", level: "silver", period: "1y", price: "49.99")),
        .priceAgainstUnits: .added(
            wrong: coins + "products:\n" + pack(100, units: 100, price: "0.99")
                + pack(1200, units: 1200, price: "0.99"),
            right: coins + "products:\n" + pack(100, units: 100, price: "0.99")
                + pack(1200, units: 1200, price: "9.99")),
        .unitsAgainstName: .added(
            wrong: coins + "products:\n" + pack(100, units: 100, price: "0.99")
                + pack(1200, units: 120, price: "9.99"),
            right: coins + "products:\n" + pack(100, units: 100, price: "0.99")
                + pack(1200, units: 1200, price: "9.99")),
    ]
}
