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

    static let nameLintExamples: [DiagnosticID: PolicyExample] = [
        .levelsAgainstPrices: .added(wrong: levels("small, big"), right: levels("big, small")),
        .sameLevelGivesLess: .added(
            wrong: "entitlements:\n  hd: {title: High definition}\nproducts:\n"
                + plan("gold.weekly", period: "1w", price: "2.99", grants: "premium, hd"),
            right: "products:\n" + plan("gold.weekly", period: "1w", price: "2.99")),
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
    ]
}
