/// What is allowed and most likely not meant.
extension PolicyExample {
    private static func silver(
        _ period: String = "1mo", price: String = "4.99", grants: String = "premium",
        gold: String = "9.99"
    ) -> String {
        """
        products:
          gold.yearly:
            kind: auto-renewable
            group: membership
            level: gold
            period: 1y
            price: {USD: \(gold)}
            grants: [premium]
          silver.plan:
            kind: auto-renewable
            group: membership
            level: silver
            period: \(period)
            price: {USD: \(price)}
            grants: [\(grants)]
        """
    }

    private static func prices(_ last: String) -> String {
        let products = [("a", "0.99", "6"), ("b", "4.99", "30"), ("c", "9.99", "68")].map {
            "  \($0.0): {kind: non-consumable, grants: [premium], "
                + "price: {USD: \($0.1), CNY: \($0.2)}}\n"
        }
        return "products:\n" + products.joined()
            + "  d: {kind: non-consumable, grants: [premium], "
            + "price: {USD: 19.99, CNY: \(last)}}"
    }

    private static func unlock(_ rest: String) -> String {
        "products:\n  unlock:\n    kind: non-consumable\n    grants: [premium]\n    \(rest)"
    }

    static let lintExamples: [DiagnosticID: PolicyExample] = [
        .levelAgainstPrice: .added(
            wrong: silver("1y", price: "19.99, CNY: 30", gold: "9.99, CNY: 68"),
            right: silver("1y", price: "4.99, CNY: 30", gold: "9.99, CNY: 68")),
        .levelGivesLess: .added(
            wrong: "entitlements:\n  hd: {title: High definition}\n"
                + silver(grants: "premium, hd"),
            right: "entitlements:\n  hd: {title: High definition}\n"
                + silver(grants: "premium").replacingFirst("[premium]", "[premium, hd]")),
        .lostHash: .added(
            wrong: unlock("title: Episode #1"), right: unlock("title: \"Episode #1\"")),
        .curlyQuotes: .added(
            wrong: unlock("title: “Premium”"), right: unlock("title: \"Premium\"")),
        .minutesForMonths: .added(
            wrong: "products:\n  pass:\n    kind: non-renewing\n    duration: 3m\n"
                + "    grants: [premium]",
            right: "products:\n  pass:\n    kind: non-renewing\n    duration: 3mo\n"
                + "    grants: [premium]"),
        .priceDecimals: .added(
            wrong: unlock("price: {USD: 1.99, JPY: 300.50}"),
            right: unlock("price: {USD: 1.99, JPY: 300}")),
        .priceFarOff: .added(wrong: prices("1280"), right: prices("128")),
        .bundleIDUnused: .added(
            wrong: "products:\n  com.example.raeder.unlock:\n    kind: non-consumable\n"
                + "    grants: [premium]",
            right: "products:\n  com.example.reader.unlock:\n    kind: non-consumable\n"
                + "    grants: [premium]"),
        .leewayBeyondBound: .added(wrong: "leeway: 7d", right: "leeway: 1h"),
        .limitNeverReached: .added(
            wrong: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {cooldown: 30d, moves: 3 per 60d}",
            right: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {cooldown: 7d, moves: 3 per 365d}"),
        .matchWindowTooShort: .added(
            wrong: "orders:\n  pay_within: 48h",
            right: "orders:\n  pay_within: 48h\n  match_window: 48h"),
        .openForLong: .added(
            wrong: "time_zone: UTC\nopen:\n  - name: Christmas\n    entitlements: [premium]\n"
                + "    at: from 2026-12-24 until 2027-12-27",
            right: "time_zone: UTC\nopen:\n  - name: Christmas\n    entitlements: [premium]\n"
                + "    at: from 2026-12-24 until 2026-12-27"),
        .openInUTC: .added(
            wrong: "open:\n  - name: Christmas\n    entitlements: [premium]\n"
                + "    at: from 2026-12-24 until 2026-12-27",
            right: "time_zone: Asia/Shanghai\nopen:\n  - name: Christmas\n"
                + "    entitlements: [premium]\n"
                + "    at: from 2026-12-24 until 2026-12-27"),
        .nearDuplicateName: .added(
            wrong: "entitlements:\n  no-ads: {title: No ads}\n  noads: {title: No ads}\n"
                + unlock("").replacingFirst("[premium]", "[no-ads, noads]"),
            right: "entitlements:\n  no-ads: {title: No ads}\n"
                + unlock("").replacingFirst("[premium]", "[no-ads]")),
    ]
}
