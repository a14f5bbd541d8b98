/// What is proved about rules over all cases.
extension PolicyExample {
    static let proofExamples: [DiagnosticID: PolicyExample] = [
        .unreachableRule: .added(
            wrong: "access:\n  - name: grace\n    when: {state: grace}\n    then: grant\n"
                + "  - name: long grace\n    then: grant\n"
                + "    when: {state: grace, state_age: at least 7d}",
            right: "access:\n  - name: grace\n    when: {state: grace}\n    then: grant"),
        .contradictingRule: .added(
            wrong: "access:\n  - name: grace\n    when: {state: grace}\n    then: grant\n"
                + "  - name: no long grace\n    then: withhold\n"
                + "    when: {state: grace, state_age: at least 7d}",
            right: "access:\n  - name: no long grace\n    then: withhold\n"
                + "    when: {state: grace, state_age: at least 7d}\n"
                + "  - name: grace\n    when: {state: grace}\n    then: grant"),
        .exceptionBehindRule: .added(
            wrong: "access:\n  - name: a week of courtesy\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: under 7d}\n"
                + "  - name: no courtesy for a trial\n    then: withhold\n"
                + "    when: {state: billing-retry, offer: free-trial}",
            right: "access:\n  - name: no courtesy for a trial\n    then: withhold\n"
                + "    when: {state: billing-retry, offer: free-trial}\n"
                + "  - name: a week of courtesy\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: under 7d}"),
        .neverMatches: .added(
            wrong: "products:\n  unlock:\n    kind: non-consumable\n    grants: [premium]\n"
                + "access:\n  - name: patience\n    then: grant\n"
                + "    when: {kind: non-consumable, state: grace}",
            right: "products:\n  unlock:\n    kind: non-consumable\n    grants: [premium]\n"
                + "access:\n  - name: patience\n    then: grant\n"
                + "    when: {kind: auto-renewable, state: grace}"),
        .grantsAfterEnd: .added(
            wrong: "access:\n  - name: a farewell gift\n    then: grant\n"
                + "    when: {state: expired, expiry_reason: cancelled}",
            right: "access:\n  - name: a farewell gift\n    then: grant\n    when:\n"
                + "      state: expired\n      expiry_reason: cancelled\n"
                + "      state_age: under 7d"),
        .soldForNothing: .added(
            wrong: "entitlements:\n  extras: {title: Extras}\n"
                + "products:\n  pass:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium, extras]\n"
                + "access:\n  - name: more for early buyers\n    then: withhold\n"
                + "    when: {kind: non-renewing, purchased: from 2026-06-01}",
            right: "entitlements:\n  extras: {title: Extras}\n"
                + "products:\n  pass:\n    kind: non-renewing\n    duration: 1y\n"
                + "    grants: [premium, extras]\n"
                + "access:\n  - name: more for early buyers\n    then: withhold\n"
                + "    when: {kind: non-renewing, purchased: from 2026-06-01}\n"
                + "    only: [extras]"),
        .testPurchasesForAll: .added(
            wrong: "access:\n  - name: testers\n    then: grant\n"
                + "    when: {environment: sandbox, state: [active, grace]}",
            right: "access:\n  - name: testers\n    then: grant\n"
                + "    when: {environment: sandbox, state: [active, grace], account: \"qa-*\"}"),
        .beginsLate: .added(
            wrong: "access:\n  - name: two weeks of courtesy\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: at least 14d}",
            right: "access:\n  - name: two weeks of courtesy\n    then: grant\n"
                + "    when: {state: billing-retry, state_age: under 14d}"),
        .transferWithoutLimits: .added(
            wrong: "account_switch:\n  - name: moves\n    then: transfer",
            right: "account_switch:\n  - name: moves\n    then: transfer\n"
                + "    limits: {cooldown: 7d, moves: 3 per 365d}"),
        .refundsEverything: .added(
            wrong: "refund_answers:\n  - name: goodwill\n    then: grant",
            right: "refund_answers:\n  - name: goodwill\n    then: grant\n"
                + "    when: {environment: sandbox}"),
        .dateFarOff: .added(
            wrong: "access:\n  - name: a mild spring\n    then: grant\n"
                + "    when: {state: billing-retry, at: from 2062-03-01 until 2062-05-01}",
            right: "access:\n  - name: a mild spring\n    then: grant\n"
                + "    when: {state: billing-retry, at: from 2026-06-01 until 2026-08-01}"),
        .windowPast: .added(
            wrong: "access:\n  - name: a mild spring\n    then: grant\n"
                + "    when: {state: billing-retry, at: from 2026-03-01 until 2026-05-01}",
            right: "access:\n  - name: a mild year\n    then: grant\n"
                + "    when: {state: billing-retry, at: from 2026-03-01 until 2027-03-01}"),
        .uncovered: .added(
            wrong: "access:\n  - name: paid\n    then: grant\n"
                + "    when: {state: [active, grace, renewing]}",
            right: "access:\n  - name: paid\n    then: grant\n"
                + "    when: {state: [active, grace, renewing]}\n"
                + "  - name: everything else\n    then: withhold\n"
                + "account_switch:\n  - name: everything stays\n    then: keep\n"
                + "refund_answers:\n  - name: Apple decides alone\n    then: nothing"),
        .unmappedProduct: .added(
            wrong: "leeway: 1h",
            right: "products:\n  gold.yearly:\n    kind: auto-renewable\n"
                + "    group: membership\n    level: gold\n    period: 1y\n"
                + "    grants: [premium]"),
        .fileNotRead: .fileSystem(about: "a file called `rules.yaml.bak`"),
        .waiverNotNeeded: .added(
            wrong: "access:\n  - name: grace\n    when: {state: grace}\n    then: grant\n"
                + "    expect-warning: {id: grants-after-end, because: it is a gift}",
            right: "access:\n  - name: farewell\n    when: {state: expired}\n    then: grant\n"
                + "    expect-warning: {id: grants-after-end, because: it is a gift}"),
    ]
}
