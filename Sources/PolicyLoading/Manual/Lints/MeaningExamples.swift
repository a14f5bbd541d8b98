/// Names, titles and ids that say something else than the rest of the folder.
extension PolicyExample {
    private static func access(_ name: String, _ when: String, then: String) -> String {
        "access:\n  - name: \(name)\n    when: {\(when)}\n    then: \(then)"
    }

    private static func open(_ window: String) -> String {
        "time_zone: UTC\nopen:\n  - name: Christmas 2026\n    entitlements: [premium]\n"
            + "    at: \(window)"
    }

    private static func unlock(_ title: String) -> String {
        "products:\n  unlock:\n    kind: non-consumable\n    title: \(title)\n"
            + "    grants: [premium]"
    }

    private static func two(_ titles: String...) -> String {
        "products:\n"
            + zip(["pass.month", "pass.quarter"], ["1mo", "3mo"]).enumerated().map { index, pass in
                "  \(pass.0):\n    kind: non-renewing\n    duration: \(pass.1)\n"
                    + "    title: \(titles[index])\n    grants: [premium]"
            }.joined(separator: "\n")
    }

    private static func rights(_ title: String) -> String {
        "entitlements:\n  audio: {title: Audiobooks}\n  offline: {title: \(title)}\nproducts:\n"
            + "  unlock:\n    kind: non-consumable\n    grants: [audio, offline]"
    }

    private static func reader(_ id: String) -> String {
        "products:\n"
            + ["com.example.reader.unlock", id].map {
                "  \($0):\n    kind: non-consumable\n    grants: [premium]"
            }.joined(separator: "\n")
    }

    private static func levels(_ price: String) -> String {
        "entitlements:\n  hd: {title: High definition}\n"
            + "groups:\n  video: {levels: [big, small]}\nproducts:\n"
            + "  video.big:\n    kind: auto-renewable\n    group: video\n    level: big\n"
            + "    period: 1mo\n    price: {USD: \(price)}\n    grants: [premium, hd]\n"
            + "  video.small:\n    kind: auto-renewable\n    group: video\n    level: small\n"
            + "    period: 1mo\n    price: {USD: 9.99}\n    grants: [premium]"
    }

    private static func priced(_ price: String) -> String {
        "products:\n  unlock:\n    kind: non-consumable\n    price: {\(price)}\n"
            + "    grants: [premium]"
    }

    private static func coins(_ units: Int) -> String {
        "credits:\n  coins: {title: Coins}\nproducts:\n  coins.small:\n    kind: consumable\n"
            + "    title: 100 coins\n    grants: [{credit: coins, units: \(units)}]"
    }

    private static func free(_ grants: String) -> String {
        "entitlements:\n  weekly: {title: The weekly edition}\nproducts:\n  weekly:\n"
            + "    kind: free\n    grants: [\(grants)]\n"
            + "  unlock:\n    kind: non-consumable\n    grants: [weekly, premium]"
    }

    private static func moves(_ limits: String, then: String = "transfer") -> String {
        "account_switch:\n  - name: members take their purchases along\n    then: \(then)\n"
            + "    \(limits)"
    }

    private static func gala(_ from: String, _ until: String) -> String {
        "open:\n  - name: gala from 20:00 to 22:00, Beijing time\n    entitlements: [premium]\n"
            + "    at: from 2026-12-31T\(from) until 2026-12-31T\(until)"
    }

    private static func courtesies(_ name: String, trial: String) -> String {
        let rest =
            "  - name: \(name)\n    when: {state: billing-retry, state_age: under 7d}\n"
            + "    then: grant\n"
        let exception =
            "  - name: a free trial has none\n"
            + "    when: {state: billing-retry, offer: free-trial}\n    then: withhold\n"
        return "access:\n" + (trial == "first" ? exception + rest : rest + exception)
    }

    static let meaningExamples: [DiagnosticID: PolicyExample] = [
        .effectAgainstName: .added(
            wrong: access(
                "no access in billing retry", "state: billing-retry, state_age: under 7d",
                then: "grant"),
            right: access("no access in billing retry", "state: billing-retry", then: "withhold")),
        .conditionAgainstName: .added(
            wrong: access("no reading in China", "storefront: JP", then: "withhold"),
            right: access("no reading in China", "storefront: CN", then: "withhold")),
        .datesAgainstName: .added(
            wrong: open("from 2027-12-24 until 2027-12-27"),
            right: open("from 2026-12-24 until 2026-12-27")),
        .titleLanguage: .added(
            wrong: unlock("高级阅读"), right: unlock("Premium\n    title_zh: 高级阅读")),
        .duplicateTitle: .added(
            wrong: two("Premium pass", "Premium pass"),
            right: two("Premium pass, one month", "Premium pass, three months")),
        .titleAgainstID: .added(
            wrong: rights("Audio"), right: rights("Reading offline")),
        .misspeltID: .added(
            wrong: reader("com.exmaple.reader.lifetime"),
            right: reader("com.example.reader.lifetime")),
        .levelsCostTheSame: .added(wrong: levels("9.99"), right: levels("19.99")),
        .pricesFarApart: .added(
            wrong: priced("USD: 9.99, CNY: 9.99"), right: priced("USD: 9.99, CNY: 68")),
        .pointForgotten: .added(wrong: priced("USD: 999"), right: priced("USD: 9.99")),
        .priceZero: .added(wrong: priced("USD: 0"), right: priced("USD: 9.99")),
        .restBeforeOthers: .added(
            wrong: courtesies("everybody else has a courtesy week", trial: "last"),
            right: courtesies("everybody else has a courtesy week", trial: "first")),
        .ageBeginsAgain: .added(
            wrong: access(
                "patience in grace and retry",
                "state: [grace, billing-retry], state_age: under 14d", then: "grant"),
            right: access(
                "patience in grace and retry",
                "state: [grace, billing-retry], unpaid_for: under 14d", then: "grant")),
        .purchasedMovesOn: .added(
            wrong: access(
                "members who joined early keep it in retry",
                "state: billing-retry, purchased: before 2024-01-01", then: "grant"),
            right: access(
                "members who joined early keep it in retry",
                "state: billing-retry, first_purchased: before 2024-01-01", then: "grant")),
        .renewalsCounted: .added(
            wrong: access(
                "nothing for who bought the offer that leaked",
                "kind: auto-renewable, purchased: from 2026-03-03 until 2026-03-05",
                then: "withhold"),
            right: access(
                "nothing for who bought the offer that leaked",
                "kind: auto-renewable, purchased: from 2026-03-03 until 2026-03-05, "
                    + "first_purchased: from 2026-03-03",
                then: "withhold")),
        .instantInUTC: .added(
            wrong: gala("20:00:00Z", "22:00:00Z"),
            right: gala("20:00:00+08:00", "22:00:00+08:00")),
        .retiredForgotten: .added(
            wrong: unlock("Premium (no longer sold)"),
            right: unlock("Premium (no longer sold)\n    retired: 2026-01-01")),
        .grantsAgainstTitle: .added(wrong: coins(1000), right: coins(100)),
        .veryShort: .added(
            wrong: moves("limits: {cooldown: 7s}"), right: moves("limits: {cooldown: 7d}")),
        .largeMax: .added(
            wrong: moves("max: 600", then: "share"), right: moves("max: 6", then: "share")),
        .productionRefused: .changed(
            line: "  production: trusted", wrong: "  production: refused",
            right: "  production: trusted"),
        .accountWithoutStar: .added(
            wrong: access(
                "patience for the press",
                "account: \"press-\", state: billing-retry, state_age: under 7d", then: "grant"),
            right: access(
                "patience for the press",
                "account: \"press-*\", state: billing-retry, state_age: under 7d", then: "grant")),
        .freeGivesSold: .folder(
            wrong: [base.newsstand, PolicyText(path: "catalog.yaml", text: free("weekly") + "\n")],
            right: [
                base.newsstand,
                PolicyText(
                    path: "catalog.yaml",
                    text: free("weekly").replacingFirst("[weekly, premium]", "[premium]") + "\n"),
            ], about: "a free subscription that gives what another product sells"),
    ]
}

extension PolicyText {
    /// With a Newsstand free subscription.
    fileprivate var newsstand: PolicyText {
        PolicyText(
            path: path,
            text: text.replacingFirst(
                "apple_id: 1234567890", "apple_id: 1234567890\n  newsstand: true"))
    }
}
