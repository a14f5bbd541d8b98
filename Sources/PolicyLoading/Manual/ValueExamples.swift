/// Values of every type.
extension PolicyExample {
    static let valueExamples: [DiagnosticID: PolicyExample] = [
        .wrongType: .added(
            wrong: "groups:\n  video: {levels: best}",
            right: "groups:\n  video: {levels: [best]}"),
        .notIndented: .added(
            wrong: "products:\n  unlock:\n  kind: non-consumable\n  grants: [premium]",
            right: "products:\n  unlock:\n    kind: non-consumable\n    grants: [premium]"),
        .emptyValue: .added(wrong: "orders:\n  pay_within:", right: "orders:\n  pay_within: 30m"),
        .emptyList: .added(
            wrong: "access:\n  - name: nobody\n    when: {state: []}\n    then: grant",
            right: "access:\n  - name: in grace\n    when: {state: [grace]}\n"
                + "    then: grant"),
        .repeatedValue: .added(
            wrong: "access:\n  - name: kept\n    when: {state: [grace, grace]}\n"
                + "    then: grant",
            right: "access:\n  - name: kept\n    when: {state: [grace, renewing]}\n"
                + "    then: grant"),
        .unknownWord: .added(
            wrong: "orders:\n  late_payment: delivr",
            right: "orders:\n  late_payment: deliver"),
        .notTrueOrFalse: .changed(
            line: "  apple_id: 1234567890", wrong: "  apple_id: 1234567890\n  newsstand: yes",
            right: "  apple_id: 1234567890\n  newsstand: true"),
        .notWholeNumber: .changed(
            line: "  apple_id: 1234567890", wrong: "  apple_id: \"1234567890\"",
            right: "  apple_id: 1234567890"),
        .numberNotation: .changed(
            line: "  apple_id: 1234567890", wrong: "  apple_id: 1_234_567_890",
            right: "  apple_id: 1234567890"),
        .numberOutOfRange: .added(
            wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 0}]",
            right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                + "    kind: consumable\n    grants: [{credit: coins, units: 100}]"),
        .badAmount: .changed(
            line: "    grants: [premium]",
            wrong: "    grants: [premium]\n    price: {USD: \"$9.99\"}",
            right: "    grants: [premium]\n    price: {USD: 9.99}"),
        .decimalComma: .changed(
            line: "    grants: [premium]",
            wrong: "    grants: [premium]\n    price: {USD: 9,99}",
            right: "    grants: [premium]\n    price: {USD: 9.99}"),
        .badLength: .added(
            wrong: "orders:\n  pay_within: 30 minutes",
            right: "orders:\n  pay_within: 30m"),
        .calendarUnit: .added(wrong: "leeway: 1mo", right: "leeway: 1d"),
        .zeroLength: .added(wrong: "leeway: 0h", right: "leeway: 1h"),
        .lengthTooLong: .added(
            wrong: "products:\n  archive:\n    kind: non-renewing\n    duration: 100y\n"
                + "    grants: [premium]",
            right: "products:\n  archive:\n    kind: non-renewing\n    duration: 10y\n"
                + "    grants: [premium]"),
        .badDate: .changed(
            line: "    grants: [premium]",
            wrong: "    grants: [premium]\n    retired: 2026-02-30",
            right: "    grants: [premium]\n    retired: 2026-02-28"),
        .dateOutOfRange: .changed(
            line: "    grants: [premium]",
            wrong: "    grants: [premium]\n    retired: 2206-01-01",
            right: "    grants: [premium]\n    retired: 2026-01-01"),
        .badAge: .added(
            wrong: "access:\n  - name: a courtesy week\n"
                + "    when: {state: billing-retry, state_age: 7d}\n    then: grant",
            right: "access:\n  - name: a courtesy week\n"
                + "    when: {state: billing-retry, state_age: under 7d}\n    then: grant"),
        .badDateBound: .added(
            wrong: "access:\n  - name: the old ones\n    when: {purchased: 2025-01-01}\n"
                + "    then: grant",
            right: "access:\n  - name: the old ones\n"
                + "    when: {purchased: before 2025-01-01}\n    then: grant"),
        .openWithoutEnd: .added(
            wrong: "open:\n  - name: anniversary\n    entitlements: [premium]\n"
                + "    at: from 2026-12-05",
            right: "open:\n  - name: anniversary\n    entitlements: [premium]\n"
                + "    at: from 2026-12-05 until 2026-12-07"),
        .unknownTimeZone: .added(
            wrong: "time_zone: CST\nopen:\n  - name: anniversary\n    entitlements: [premium]\n"
                + "    at: from 2026-12-05 until 2026-12-07",
            right: "time_zone: Asia/Shanghai\nopen:\n  - name: anniversary\n"
                + "    entitlements: [premium]\n    at: from 2026-12-05 until 2026-12-07"),
        .unusedTimeZone: .added(
            wrong: "time_zone: Asia/Shanghai",
            right: "time_zone: Asia/Shanghai\nopen:\n  - name: anniversary\n"
                + "    entitlements: [premium]\n    at: from 2026-12-05 until 2026-12-07"),
        .emptyInterval: .added(
            wrong: "access:\n  - name: spring\n"
                + "    when: {purchased: from 2026-06-01 until 2026-03-01}\n    then: grant",
            right: "access:\n  - name: spring\n"
                + "    when: {purchased: from 2026-03-01 until 2026-06-01}\n"
                + "    then: grant"),
        .oppositeBounds: .added(
            wrong: "access:\n  - name: spring\n"
                + "    when: {purchased: [from 2026-03-01, before 2026-06-01]}\n"
                + "    then: grant",
            right: "access:\n  - name: spring\n"
                + "    when: {purchased: from 2026-03-01 until 2026-06-01}\n"
                + "    then: grant"),
        .badMoves: .added(
            wrong: "account_switch:\n  - name: now and then\n    then: transfer\n"
                + "    limits: {moves: 3/year}",
            right: "account_switch:\n  - name: now and then\n    then: transfer\n"
                + "    limits: {moves: 3 per 365d}"),
    ]
}
