/// The two lists of rules.
extension PolicyExample {
    static let ruleExamples: [DiagnosticID: PolicyExample] = [
        .duplicateRuleName: .added(
            wrong: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant\n"
                + "  - name: kept\n    when: {state: renewing}\n    then: grant",
            right: "access:\n  - name: kept in grace\n    when: {state: grace}\n"
                + "    then: grant\n  - name: kept while renewing\n"
                + "    when: {state: renewing}\n    then: grant"),
        .onlyTwice: .added(
            wrong: "access:\n  - name: kept\n    when: {state: grace, entitlement: premium}\n"
                + "    then: grant\n    only: [premium]",
            right: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant\n"
                + "    only: [premium]"),
        .emptyUnless: .added(
            wrong: "access:\n  - name: kept\n    unless: {}\n    then: grant",
            right: "access:\n  - name: kept\n    unless: {state: revoked}\n    then: grant"),
        .grantsAlways: .added(
            wrong: "access:\n  - name: kept\n    then: grant",
            right: "access:\n  - name: kept\n    when: {state: grace}\n    then: grant"),
        .withholdsEverything: .added(
            wrong: "access:\n  - name: not while Apple retries\n    then: withhold",
            right: "access:\n  - name: not while Apple retries\n"
                + "    when: {state: billing-retry}\n    then: withhold"),
        .environmentRefused: .added(
            wrong: "access:\n  - name: developers\n"
                + "    when: {environment: xcode, state: active}\n"
                + "    then: grant",
            right: "access:\n  - name: reviewers\n"
                + "    when: {environment: sandbox, state: active}\n"
                + "    then: grant"),
        .notClaimable: .added(
            wrong: "account_switch:\n  - name: coins move\n    when: {kind: consumable}\n"
                + "    then: transfer",
            right: "account_switch:\n  - name: subscriptions move\n"
                + "    when: {kind: auto-renewable}\n    then: transfer"),
        .shareWithoutMax: .added(
            wrong: "account_switch:\n  - name: shared\n    then: share",
            right: "account_switch:\n  - name: shared\n    then: share\n    max: 2"),
        .maxWithoutShare: .added(
            wrong: "account_switch:\n  - name: moved\n    then: transfer\n    max: 2",
            right: "account_switch:\n  - name: moved\n    then: transfer"),
        .limitsWithoutMove: .added(
            wrong: "account_switch:\n  - name: stays\n    then: keep\n"
                + "    limits: {cooldown: 7d}",
            right: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {cooldown: 7d}"),
        .elseWithoutLimit: .added(
            wrong: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {else: ask}",
            right: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {cooldown: 7d, else: ask}"),
        .inheritToken: .added(
            wrong: "account_switch:\n  - name: stays in the household\n"
                + "    when: {token: other}\n    then: inherit",
            right: "account_switch:\n  - name: stays in the household\n"
                + "    when: {token: none}\n    then: inherit"),
    ]
}
