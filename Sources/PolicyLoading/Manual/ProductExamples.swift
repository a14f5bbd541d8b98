/// What goes with a product's kind.
extension PolicyExample {
    static let productExamples: [DiagnosticID: PolicyExample] = [
        .notForKind: .added(
            wrong: "products:\n  hd.pass:\n    kind: non-consumable\n    duration: 1y\n"
                + "    grants: [premium]",
            right: "products:\n  hd.pass:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium]"),
        .missingForKind: .added(
            wrong: "products:\n  year.pass:\n    kind: non-renewing\n    grants: [premium]",
            right: "products:\n  year.pass:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium]"),
        .unusualPeriod: .changed(
            line: "    period: 1mo", wrong: "    period: 4mo", right: "    period: 3mo"),
        .subscriptionWithoutGroup: .added(
            wrong: "products:\n  video.hd:\n    kind: auto-renewable\n    period: 1mo\n"
                + "    grants: [premium]",
            right: "products:\n  video.hd:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: gold\n    period: 1mo\n"
                + "    grants: [premium]"),
        .levelMissing: .changed(line: "    level: gold", wrong: "", right: "    level: gold"),
        .levelWithoutGroup: .changed(
            line: "    group: membership", wrong: "", right: "    group: membership"),
        .stackingDiffers: .added(
            wrong: "products:\n  pass.30:\n    kind: non-renewing\n    duration: 30d\n"
                + "    stack: pass\n    grants: [premium]\n  pass.90:\n"
                + "    kind: non-renewing\n    duration: 90d\n    stack: pass\n"
                + "    stacking: overlap\n    grants: [premium]",
            right: "products:\n  pass.30:\n    kind: non-renewing\n    duration: 30d\n"
                + "    stack: pass\n    grants: [premium]\n  pass.90:\n"
                + "    kind: non-renewing\n    duration: 90d\n    stack: pass\n"
                + "    grants: [premium]"),
        .freeWithoutNewsstand: .added(
            wrong: "products:\n  weekly:\n    kind: free\n    grants: [premium]",
            right: "products:\n  weekly:\n    kind: non-consumable\n    grants: [premium]"),
        .priceOfFree: .folder(
            wrong: weekly(price: "    price: {USD: 0.99}\n"), right: weekly(price: ""),
            about: "a product with `kind: free` and `price: {USD: 0.99}`"),
        .lastingRight: .added(
            wrong: "products:\n  day.pass:\n    kind: consumable\n    grants: [premium]",
            right: "products:\n  day.pass:\n    kind: consumable\n"
                + "    grants: [{entitlement: premium, for: 1d}]"),
        .forOnOtherKind: .changed(
            line: "    grants: [premium]",
            wrong: "    grants: [{entitlement: premium, for: 7d}]",
            right: "    grants: [premium]"),
        .creditExpires: .added(
            wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n"
                + "    grants: [{credit: coins, units: 100, for: 30d}]",
            right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 100}]"),
        .creditFromOtherKind: .added(
            wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: non-consumable\n    grants: [{credit: coins, units: 100}]",
            right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 100}]"),
        .grantedTwice: .changed(
            line: "    grants: [premium]", wrong: "    grants: [premium, premium]",
            right: "    grants: [premium]"),
    ]

    private static func weekly(price: String) -> [PolicyText] {
        let app = PolicyExample.base.text.replacingFirst(
            "apple_id: 1234567890", "apple_id: 1234567890\n  newsstand: true")
        let product = "products:\n  weekly:\n    kind: free\n\(price)    grants: [premium]\n"
        return [
            PolicyText(path: "app.yaml", text: app),
            PolicyText(path: "catalog.yaml", text: product),
        ]
    }
}
