/// The two lists of rules.
extension DiagnosticID {
    static let rulePages: [DiagnosticID: ManualPage] = [
        .duplicateRuleName: ManualPage(
            "two rules of {1} are called {0}", "{1} 中有两条规则都叫 {0}",
            help: Words("give each rule a name of its own", "请给每条规则起不同的名字"),
            meaning: "The name stands in every answer and explanation, and must tell which rule"
                + " it was.",
            .added(
                wrong: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant\n"
                    + "  - name: kept\n    when: {state: renewing}\n    then: grant",
                right: "access:\n  - name: kept in grace\n    when: {state: grace}\n"
                    + "    then: grant\n  - name: kept while renewing\n"
                    + "    when: {state: renewing}\n    then: grant")),
        .onlyTwice: ManualPage(
            "entitlements are named twice, in 'only' and in 'when'",
            "权益写了两处：only 和 when 中",
            help: Words("keep 'only'", "请保留 only"),
            meaning: "The two mean the same; with both it is not clear which counts.",
            .added(
                wrong: "access:\n  - name: kept\n    when: {entitlement: premium}\n"
                    + "    then: grant\n    only: [premium]",
                right: "access:\n  - name: kept\n    then: grant\n    only: [premium]")),
        .emptyUnless: ManualPage(
            "an empty 'unless' excludes everything", "空的 unless 会排除一切",
            help: Words("write what is excluded, or remove it", "请写上要排除的情况，或删去"),
            meaning: "An empty condition always holds, so the rule would never apply.",
            .added(
                wrong: "access:\n  - name: kept\n    unless: {}\n    then: grant",
                right: "access:\n  - name: kept\n    unless: {state: revoked}\n    then: grant")),
        .environmentRefused: ManualPage(
            .warning, "the rule names {0}, whose evidence is refused",
            "规则提到 {0}，但该环境的凭证被拒绝",
            help: Words(
                "trust it in 'environments', or remove it here",
                "请在 environments 中信任它，或在此删去"),
            meaning: "No purchase of that environment is ever recorded, so the rule never"
                + " matches one.",
            .added(
                wrong: "access:\n  - name: developers\n    when: {environment: xcode}\n"
                    + "    then: grant",
                right: "access:\n  - name: reviewers\n    when: {environment: sandbox}\n"
                    + "    then: grant")),
        .notClaimable: ManualPage(
            "{0} stays with the account that bought it, so no account_switch rule can be about"
                + " it",
            "{0} 始终属于购买它的账号，account_switch 规则不能涉及它",
            help: Words("remove it from the rule", "请从规则中删去"),
            meaning: "Consumables are delivered once, to one account; non-renewing purchases are"
                + " not restored by Apple.",
            .added(
                wrong: "account_switch:\n  - name: coins move\n    when: {kind: consumable}\n"
                    + "    then: transfer",
                right: "account_switch:\n  - name: subscriptions move\n"
                    + "    when: {kind: auto-renewable}\n    then: transfer")),
        .shareWithoutMax: ManualPage(
            "'share' needs 'max'", "share 需要写 max",
            help: Words("write how many accounts may share it: max: 2", "请写最多几个账号共享：max: 2"),
            meaning: "Without a limit one payment could serve everybody.",
            .added(
                wrong: "account_switch:\n  - name: shared\n    then: share",
                right: "account_switch:\n  - name: shared\n    then: share\n    max: 2")),
        .maxWithoutShare: ManualPage(
            "'max' does not go with {0}", "max 不适用于 {0}",
            help: Words("remove it, or write 'then: share'", "请删去，或写“then: share”"),
            meaning: "Only sharing has several holders.",
            .added(
                wrong: "account_switch:\n  - name: moved\n    then: transfer\n    max: 2",
                right: "account_switch:\n  - name: moved\n    then: transfer")),
        .limitsWithoutMove: ManualPage(
            "'limits' do not go with {0}", "limits 不适用于 {0}",
            help: Words(
                "remove them, or write 'then: transfer'", "请删去，或写“then: transfer”"),
            meaning: "Limits say how often a purchase may move; keep, share and deny move"
                + " nothing.",
            .added(
                wrong: "account_switch:\n  - name: stays\n    then: keep\n"
                    + "    limits: {cooldown: 7d}",
                right: "account_switch:\n  - name: moves\n    then: transfer\n"
                    + "    limits: {cooldown: 7d}")),
    ]
}
