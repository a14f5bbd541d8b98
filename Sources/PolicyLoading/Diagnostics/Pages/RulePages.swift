/// The two lists of rules.
extension DiagnosticID {
    static let rulePages: [DiagnosticID: ManualPage] = [
        .duplicateRuleName: ManualPage(
            "two rules of {1} are called {0}", "{1} 中有两条规则都叫 {0}",
            help: Words("give each rule a name of its own", "请给每条规则起不同的名字"),
            meaning: Words(
                "The name stands in every answer and explanation, and must tell which rule"
                    + " it was.",
                "名称会出现在每个答复和解释中，必须能说明是哪条规则。"),
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
            meaning: Words(
                "The two mean the same; with both it is not clear which counts.",
                "两者意思相同；同时写上就不清楚以哪个为准。"),
            .added(
                wrong: "access:\n  - name: kept\n    when: {state: grace, entitlement: premium}\n"
                    + "    then: grant\n    only: [premium]",
                right: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant\n"
                    + "    only: [premium]")),
        .emptyUnless: ManualPage(
            "an empty 'unless' excludes everything", "空的 unless 会排除一切",
            help: Words("write what is excluded, or remove it", "请写上要排除的情况，或删去"),
            meaning: Words(
                "An empty condition always holds, so the rule would never apply.",
                "空条件总是成立，因此这条规则永远不会生效。"),
            .added(
                wrong: "access:\n  - name: kept\n    unless: {}\n    then: grant",
                right: "access:\n  - name: kept\n    unless: {state: revoked}\n    then: grant")),
        .grantsAlways: ManualPage(
            .warning, "the rule {0} has no 'when', so it grants everything for ever",
            "规则 {0} 没有 when，因此会永远授予一切",
            help: Words(
                "say when it applies, as in: when: {state: grace}",
                "请写明何时适用，例如 when: {state: grace}"),
            meaning: Words(
                "Without a condition it holds after refunds and expiry too, for every product"
                    + " and every account.",
                "没有条件时，它在退款和到期之后也成立，对所有产品和所有账号都成立。"),
            .added(
                wrong: "access:\n  - name: kept\n    then: grant",
                right: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant")),
        .withholdsEverything: ManualPage(
            "by the rule {0} no product gives anybody anything", "按规则 {0}，任何产品都不给任何人任何权益",
            help: Words(
                "say what it withholds, as in: when: {state: billing-retry}",
                "请写明它不给予什么，例如 when: {state: billing-retry}"),
            meaning: Words(
                "It withholds also what is paid for, and no rule before it grants a thing.",
                "它连已付费的也不给予，而且前面没有任何规则给予权益。"),
            .added(
                wrong: "access:\n  - name: not while Apple retries\n    then: withhold",
                right: "access:\n  - name: not while Apple retries\n"
                    + "    when: {state: billing-retry}\n    then: withhold")),
        .ruleNeverApplies: ManualPage(
            .warning, "the rule {0} never applies: {1} before it decides all its cases",
            "规则 {0} 永远不会生效：它前面的 {1} 已决定了所有这些情况",
            help: Words(
                "move {1} behind the rules that are narrower, or narrow its 'when'",
                "请把 {1} 移到范围更窄的规则之后，或缩小它的 when"),
            meaning: Words(
                "The first rule that matches decides. A rule without 'when' matches everything,"
                    + " so it belongs at the end.",
                "第一条匹配的规则起决定作用。没有 when 的规则匹配一切，所以应放在最后。"),
            .added(
                wrong: "access:\n  - name: grace\n    when: {state: grace}\n    then: grant\n"
                    + "  - name: no long grace\n    then: withhold\n"
                    + "    when: {state: grace, state_age: at least 7d}",
                right: "access:\n  - name: no long grace\n    then: withhold\n"
                    + "    when: {state: grace, state_age: at least 7d}\n"
                    + "  - name: grace\n    when: {state: grace}\n    then: grant")),
        .environmentRefused: ManualPage(
            .warning, "the rule names {0}, whose evidence is refused",
            "规则提到 {0}，但该环境的凭证被拒绝",
            help: Words(
                "trust it in 'environments', or remove it here",
                "请在 environments 中信任它，或在此删去"),
            meaning: Words(
                "No purchase of that environment is ever recorded, so the rule never"
                    + " matches one.",
                "那个环境的购买从不记录，因此这条规则永远不会匹配。"),
            .added(
                wrong: "access:\n  - name: developers\n    when: {environment: xcode}\n"
                    + "    then: grant",
                right: "access:\n  - name: reviewers\n    when: {environment: sandbox}\n"
                    + "    then: grant")),
        .notClaimable: ManualPage(
            "{0} stays with the account that bought it, so no account_switch rule can be about"
                + " it",
            "{0} 始终属于购买它的账号，account_switch 规则不能涉及它",
            help: Words(
                "name what can move (auto-renewable, non-consumable, free) or remove the whole"
                    + " rule: without this condition it would be about every purchase",
                "请写可以转移的类型（auto-renewable、non-consumable、free），或删去整条规则："
                    + "只删条件的话，它会适用于所有购买"),
            meaning: Words(
                "Consumables are delivered once, to one account; non-renewing purchases are"
                    + " not restored by Apple.",
                "消耗型只向一个账号发放一次；非续期购买 Apple 不提供恢复。"),
            .added(
                wrong: "account_switch:\n  - name: coins move\n    when: {kind: consumable}\n"
                    + "    then: transfer",
                right: "account_switch:\n  - name: subscriptions move\n"
                    + "    when: {kind: auto-renewable}\n    then: transfer")),
        .shareWithoutMax: ManualPage(
            "'share' needs 'max'", "share 需要写 max",
            help: Words("write how many accounts may share it: max: 2", "请写最多几个账号共享：max: 2"),
            meaning: Words(
                "Without a limit one payment could serve everybody.",
                "没有上限，一次付款就可能供所有人使用。"),
            .added(
                wrong: "account_switch:\n  - name: shared\n    then: share",
                right: "account_switch:\n  - name: shared\n    then: share\n    max: 2")),
        .maxWithoutShare: ManualPage(
            "'max' does not go with {0}", "max 不适用于 {0}",
            help: Words("remove it, or write 'then: share'", "请删去，或写“then: share”"),
            meaning: Words(
                "Only sharing has several holders.",
                "只有共享才会有多个持有者。"),
            .added(
                wrong: "account_switch:\n  - name: moved\n    then: transfer\n    max: 2",
                right: "account_switch:\n  - name: moved\n    then: transfer")),
        .limitsWithoutMove: ManualPage(
            "'limits' do not go with {0}", "limits 不适用于 {0}",
            help: Words(
                "remove them, or write 'then: transfer'", "请删去，或写“then: transfer”"),
            meaning: Words(
                "Limits say how often a purchase may move; keep, share and deny move"
                    + " nothing.",
                "限制说明一笔购买可以转移多少次；keep、share 和 deny 不转移任何东西。"),
            .added(
                wrong: "account_switch:\n  - name: stays\n    then: keep\n"
                    + "    limits: {cooldown: 7d}",
                right: "account_switch:\n  - name: moves\n    then: transfer\n"
                    + "    limits: {cooldown: 7d}")),
    ]
}
