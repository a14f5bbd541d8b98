/// Names and texts that are not what they look like.
extension PolicyExample {
    static let wordExamples: [DiagnosticID: PolicyExample] = [
        .textReadAsBoolean: .added(
            wrong: "access:\n  - name: not in Norway\n    when: {storefront: [SE, NO]}\n"
                + "    then: withhold",
            right: "access:\n  - name: not in Norway\n"
                + "    when: {storefront: [SE, \"NO\"]}\n    then: withhold"),
        .textReadAsNumber: .added(
            wrong: "entitlements:\n  1e3: {title: A thousand songs}",
            right: "entitlements:\n  \"1e3\": {title: A thousand songs}"),
        .textReadAsDate: .added(
            wrong: "entitlements:\n  2025-12-24: {title: The Christmas issue}",
            right: "entitlements:\n  \"2025-12-24\": {title: The Christmas issue}"),
        .textReadAsNothing: .added(
            wrong: "entitlements:\n  hd: {title: null}",
            right: "entitlements:\n  hd: {title: \"null\"}"),
        .mixedScripts: .added(
            wrong: "entitlements:\n  premium-plus: {title: Prеmium plus}",
            right: "entitlements:\n  premium-plus: {title: Premium plus}"),
        .notASCIIName: .added(
            wrong: "entitlements:\n  高清: {title: High definition}",
            right: "entitlements:\n  hd: {title: High definition, title_zh: 高清}"),
        .badName: .added(
            wrong: "entitlements:\n  high definition: {title: High definition}",
            right: "entitlements:\n  high-definition: {title: High definition}"),
        .badText: .added(
            wrong: "entitlements:\n  hd: {title: \"\"}",
            right: "entitlements:\n  hd: {title: High definition}"),
        .starInAccount: .added(
            wrong: "access:\n  - name: testers\n    when: {account: \"qa-*-cn\"}\n"
                + "    then: grant",
            right: "access:\n  - name: testers\n    when: {account: \"qa-cn-*\"}\n"
                + "    then: grant"),
        .unknownStorefront: .added(
            wrong: "access:\n  - name: not in Britain\n    when: {storefront: UK}\n"
                + "    then: withhold",
            right: "access:\n  - name: not in Britain\n    when: {storefront: GB}\n"
                + "    then: withhold"),
        .unknownCurrency: .added(
            wrong: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: silver\n    period: 1mo\n"
                + "    price: {RMB: 30}\n    grants: [premium]",
            right: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: silver\n    period: 1mo\n"
                + "    price: {CNY: 30}\n    grants: [premium]"),
    ]
}
