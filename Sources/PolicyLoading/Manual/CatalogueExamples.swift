/// Entitlements, credits and groups, and names that refer to them.
extension PolicyExample {
    static let catalogueExamples: [DiagnosticID: PolicyExample] = [
        .unknownEntitlement: .changed(
            line: "    grants: [premium]", wrong: "    grants: [premum]",
            right: "    grants: [premium]"),
        .unknownCredit: .added(
            wrong: "products:\n  coins.100:\n    kind: consumable\n"
                + "    grants: [{credit: coins, units: 100}]",
            right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 100}]"),
        .unknownGroup: .changed(
            line: "    group: membership", wrong: "    group: membershp",
            right: "    group: membership"),
        .unknownLevel: .added(
            wrong: "access:\n  - name: the best\n    when: {level: platinum}\n"
                + "    then: grant",
            right: "access:\n  - name: the best\n    when: {level: gold}\n    then: grant"),
        .unknownProduct: .added(
            wrong: "access:\n  - name: monthly\n    when: {product: gold.montly}\n"
                + "    then: grant",
            right: "access:\n  - name: monthly\n    when: {product: gold.monthly}\n"
                + "    then: grant"),
        .patternMatchesNothing: .added(
            wrong: "access:\n  - name: weekly plans\n    when: {product: \"*.weekly\"}\n"
                + "    then: grant",
            right: "access:\n  - name: monthly plans\n    when: {product: \"*.monthly\"}\n"
                + "    then: grant"),
        .levelNotInGroup: .changed(
            line: "    level: gold", wrong: "    level: golden", right: "    level: gold"),
        .groupWithoutLevels: .added(
            wrong: "groups:\n  video: {levels: []}", right: "groups:\n  video: {levels: [hd]}"),
        .duplicateLevel: .added(
            wrong: "groups:\n  video: {levels: [hd, sd, hd]}",
            right: "groups:\n  video: {levels: [hd, sd]}"),
        .chineseTitleAlone: .added(
            wrong: "groups:\n  video: {title_zh: 视频, levels: [hd]}",
            right: "groups:\n  video: {title: Video, title_zh: 视频, levels: [hd]}"),
        .grantsNothing: .added(
            wrong: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: silver\n    period: 1mo",
            right: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: silver\n    period: 1mo\n"
                + "    grants: [premium]"),
        .givenByNothing: .added(
            wrong: "entitlements:\n  hd: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition}\nproducts:\n  hd.pass:\n"
                + "    kind: non-consumable\n    grants: [hd]"),
        .unusedGroup: .added(
            wrong: "groups:\n  video: {levels: [hd]}",
            right: "groups:\n  video: {levels: [hd]}\nproducts:\n  video.hd:\n"
                + "    kind: auto-renewable\n    group: video\n    level: hd\n"
                + "    period: 1y\n    grants: [premium]"),
    ]
}
