/// Names, titles and ids that say something else than the rest of the folder.
extension PolicyExample {
    private static func access(_ name: String, _ when: String, then: String) -> String {
        "access:\n  - name: \(name)\n    when: {\(when)}\n    then: \(then)"
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

    /// - Parameter grants: what is sold.
    private static func free(_ grants: String) -> String {
        "entitlements:\n  weekly: {title: The weekly edition}\nproducts:\n  weekly:\n"
            + "    kind: free\n    grants: [weekly]\n"
            + "  unlock:\n    kind: non-consumable\n    grants: [\(grants)]"
    }

    private static func moves(_ limits: String, then: String = "transfer") -> String {
        "account_switch:\n  - name: members take their purchases along\n    then: \(then)\n"
            + "    \(limits)"
    }

    static let meaningExamples: [DiagnosticID: PolicyExample] = [
        .levelsCostTheSame: .added(wrong: levels("9.99"), right: levels("19.99")),
        .priceZero: .added(wrong: priced("USD: 0"), right: priced("USD: 9.99")),
        .ageBeginsAgain: .added(
            wrong: access(
                "patience in grace and retry",
                "state: [grace, billing-retry], state_age: under 14d", then: "grant"),
            right: access(
                "patience in grace and retry",
                "state: [grace, billing-retry], unpaid_for: under 14d", then: "grant")),
        .veryShort: .added(
            wrong: moves("limits: {cooldown: 7s}"), right: moves("limits: {cooldown: 7d}")),
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
                    text: free("premium") + "\n"),
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
