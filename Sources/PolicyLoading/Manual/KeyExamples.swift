/// Sections and keys.
extension PolicyExample {
    static let keyExamples: [DiagnosticID: PolicyExample] = [
        .notSections: .added(
            wrong: "- name: testers\n  then: grant",
            right: "access:\n  - name: testers\n    then: grant"),
        .missingVersion: .changed(line: "usher: 1", wrong: "", right: "usher: 1"),
        .unknownVersion: .changed(line: "usher: 1", wrong: "usher: 2", right: "usher: 1"),
        .unknownSection: .added(
            wrong: "order:\n  pay_within: 30m", right: "orders:\n  pay_within: 30m"),
        .unknownKey: .added(
            wrong: "orders:\n  pay_witin: 30m", right: "orders:\n  pay_within: 30m"),
        .fieldNotHere: .added(
            wrong: "access:\n  - name: restored\n    when: {moment: restore}\n"
                + "    then: grant",
            right: "account_switch:\n  - name: restored\n    when: {moment: restore}\n"
                + "    then: transfer"),
        .secretInPolicy: .changed(
            line: "  bundle_id: com.example.reader",
            wrong: "  bundle_id: com.example.reader\n  shared_secret: 0123456789",
            right: "  bundle_id: com.example.reader"),
        .missingSection: .folder(
            wrong: [PolicyText(path: "app.yaml", text: "usher: 1\nleeway: 1h\n")],
            right: [PolicyExample.base], about: "```yaml\nusher: 1\nleeway: 1h\n```"),
        .missingKey: .changed(
            line: "  bundle_id: com.example.reader", wrong: "",
            right: "  bundle_id: com.example.reader"),
        .missingChoice: .added(
            wrong: "products:\n  coins.100:\n    kind: consumable\n"
                + "    grants: [{units: 100}]",
            right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 100}]"),
        .duplicateName: .added(
            wrong: "entitlements:\n  premium: {title: Premium reading}",
            right: "entitlements:\n  premium-plus: {title: Premium plus}"),
        .splitSection: .added(
            wrong: "environments:\n  xcode: refused",
            right: "orders:\n  pay_within: 30m"),
        .wrongList: .added(
            wrong: "access:\n  - name: a new device\n    when: {moment: restore}\n"
                + "    then: transfer\n    limits: {cooldown: 7d}",
            right: "account_switch:\n  - name: a new device\n    when: {moment: restore}\n"
                + "    then: transfer\n    limits: {cooldown: 7d}"),
        .splitList: .folder(
            wrong: [
                PolicyExample.base,
                PolicyText(
                    path: "rules.yaml",
                    text: "access:\n  - name: everybody\n    then: grant\n"),
                PolicyText(
                    path: "special.yaml",
                    text: "access:\n  - name: testers\n    when: {account: qa}\n"
                        + "    then: grant\n"),
            ],
            right: [
                PolicyExample.base,
                PolicyText(
                    path: "rules.yaml",
                    text: "access:\n  - name: testers\n    when: {account: qa}\n"
                        + "    then: grant\n  - name: everybody\n    then: grant\n"),
            ], about: "a list `access` in `rules.yaml`, and another in `special.yaml`"),
    ]
}
