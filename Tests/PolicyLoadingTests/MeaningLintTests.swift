internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// Names of rules against what the rules do, and against their conditions and dates.
@Suite(.timeLimit(.minutes(20)))
struct MeaningLintTests {
    private static func access(_ name: String, _ when: String, _ rest: String) -> String {
        "access:\n  - name: \(name)\n    when: {\(when)}\n    \(rest)"
    }

    private static func claim(_ name: String, _ when: String, _ rest: String) -> String {
        "account_switch:\n  - name: \(name)\n    when: {\(when)}\n    \(rest)"
    }

    private static func refund(_ name: String, _ when: String, _ rest: String) -> String {
        "refund_answers:\n  - name: \(name)\n    when: {\(when)}\n    \(rest)"
    }

    private static func open(_ name: String, _ window: String) -> String {
        "time_zone: Asia/Shanghai\nopen:\n  - name: \(name)\n    entitlements: [premium]\n"
            + "    at: \(window)"
    }

    private static let retry = "state: billing-retry, state_age: under 7d"

    static let effects = [
        Mistake(
            "what is denied is granted",
            access("no access for refunded purchases", "state: revoked", "then: ⟦grant⟧"),
            .effectAgainstName,
            "the rule 'no access for refunded purchases' says 'no access' in its name, but 'then' "
                + "is 'grant'"),
        Mistake(
            "a right that is denied by its name",
            access("no premium in billing retry", retry, "then: ⟦grant⟧"), .effectAgainstName),
        Mistake(
            "never, and granted", access("never in the sandbox", retry, "then: ⟦grant⟧"),
            .effectAgainstName),
        Mistake("denied in Chinese", access("退款后不得使用", retry, "then: ⟦grant⟧"), .effectAgainstName),
        Mistake(
            "what is kept is withheld",
            access("members keep premium in grace", "state: grace", "then: ⟦withhold⟧"),
            .effectAgainstName),
        Mistake(
            "kept in Chinese", access("扣款重试期间保留三天", "state: billing-retry", "then: ⟦withhold⟧"),
            .effectAgainstName),
        Mistake(
            "what may move is kept",
            claim("members may move their subscription", "moment: restore", "then: ⟦keep⟧"),
            .effectAgainstName),
        Mistake(
            "what never moves is moved",
            claim(
                "buying never takes it", "moment: purchase",
                "then: ⟦transfer⟧\n    limits: {cooldown: 7d}"), .effectAgainstName),
        Mistake(
            "support is not asked",
            claim(
                "moves when support agrees", "moment: restore",
                "then: ⟦transfer⟧\n    limits: {cooldown: 7d}"), .effectAgainstName),
        Mistake(
            "support is not asked beyond a limit",
            claim(
                "moves once a month, and beyond that support decides", "moment: restore",
                "then: transfer\n    limits: {cooldown: 30d, else: ⟦keep⟧}"),
            .conditionAgainstName),
        Mistake(
            "what is active moves, too",
            claim(
                "a lapsed subscription moves to who buys it", "moment: purchase",
                "then: ⟦transfer⟧\n    limits: {cooldown: 7d}"), .effectAgainstName),
        Mistake(
            "a family that does not share",
            claim("the weekly is for the whole family", "moment: restore", "then: ⟦keep⟧"),
            .effectAgainstName),
        Mistake(
            "a refund that is not answered",
            refund("test purchases are not answered", "environment: sandbox", "then: ⟦grant⟧"),
            .effectAgainstName),
        Mistake(
            "a refund for the rest in full",
            refund("refunded for the days that are left", "kind: auto-renewable", "then: ⟦grant⟧"),
            .effectAgainstName),
        Mistake(
            "a refund that is never given",
            refund("never refunded", "kind: consumable", "then: ⟦grant⟧"), .effectAgainstName),
        Mistake(
            "a full refund in part",
            refund("always refunded in full", "kind: consumable", "then: ⟦prorate⟧"),
            .effectAgainstName),
    ]

    static let conditions = [
        Mistake(
            "another state", access("two days of grace", "state: ⟦billing-retry⟧", "then: grant"),
            .conditionAgainstName,
            "'two days of grace' says 'grace' in its name, but here it is state: "
                + "billing-retry"),
        Mistake(
            "another ownership",
            access("no premium for the family", "ownership: ⟦purchased⟧", "then: withhold"),
            .conditionAgainstName),
        Mistake(
            "another moment",
            claim(
                "moves when it is restored", "moment: ⟦purchase⟧",
                "then: transfer\n    limits: {cooldown: 7d}"), .conditionAgainstName),
        Mistake(
            "another country", access("no reading in China", "storefront: ⟦JP⟧", "then: withhold"),
            .conditionAgainstName),
        Mistake(
            "another offer",
            access("trial users wait", "offer: ⟦promotional⟧, \(retry)", "then: grant"),
            .conditionAgainstName),
        Mistake(
            "another reason",
            access(
                "who cancelled keeps premium a week",
                "state: expired, expiry_reason: ⟦billing-error⟧, state_age: under 7d",
                "then: grant"), .conditionAgainstName),
        Mistake(
            "another kind",
            refund("consumables are refunded in part", "kind: ⟦non-consumable⟧", "then: prorate"),
            .conditionAgainstName),
        Mistake(
            "unless, where when is meant",
            "access:\n  - name: patience in billing retry\n    when: {state_age: under 7d}\n"
                + "    unless: {state: ⟦billing-retry⟧}\n    then: grant", .conditionAgainstName),
        Mistake(
            "the other side of an age",
            access(
                "the first week", "state: billing-retry, state_age: ⟦at least 7d⟧",
                "then: grant"), .conditionAgainstName),
        Mistake(
            "another number of accounts",
            "account_switch:\n  - name: up to six accounts\n    then: share\n    max: ⟦3⟧",
            .conditionAgainstName),
        Mistake(
            "another number of moves",
            claim(
                "twice a year", "moment: restore",
                "then: transfer\n    limits: {moves: ⟦12 per 365d⟧}"), .conditionAgainstName),
        Mistake(
            "another right",
            "entitlements: {offline: {title: Reading offline}}\nproducts:\n"
                + "  a: {kind: non-consumable, grants: [offline]}\n"
                + access(
                    "no offline reading in retry", "state: billing-retry",
                    "then: withhold\n    only: ⟦[premium]⟧"), .conditionAgainstName),
        Mistake(
            "coins that are no consumable",
            "credits: {coins: {title: Coins}}\nproducts:\n  pack: {kind: consumable, "
                + "grants: [{credit: coins, units: 1}]}\n"
                + refund("coins are refunded", "kind: ⟦auto-renewable⟧", "then: grant"),
            .conditionAgainstName),
        Mistake(
            "another product",
            "products:\n  press.year: {kind: non-renewing, duration: 1y, grants: [premium]}\n"
                + access(
                    "patience for the press", "product: ⟦gold.monthly⟧, \(retry)",
                    "then: grant"), .conditionAgainstName),
        Mistake(
            "withheld from those who alone are meant",
            access(
                "sandbox for testers only", "environment: sandbox, account: ⟦\"qa-*\"⟧",
                "then: withhold"), .conditionAgainstName),
    ]

    static let dates = [
        Mistake(
            "another year", open("Christmas 2026", "⟦from 2027-12-24 until 2027-12-27⟧"),
            .datesAgainstName,
            "'Christmas 2026' says '2026' in its name, but here it is at: from 2027-12-24 until "
                + "2027-12-27"),
        Mistake(
            "another month", open("a present in December", "⟦from 2026-11-05 until 2026-11-07⟧"),
            .datesAgainstName),
        Mistake(
            "another month in Chinese", open("12月会员日", "⟦from 2026-11-12 until 2026-11-14⟧"),
            .datesAgainstName),
        Mistake(
            "another feast", open("国庆节", "⟦from 2027-01-01 until 2027-01-08⟧"), .datesAgainstName),
        Mistake(
            "a weekend of Monday and Tuesday",
            open("reading weekend", "⟦from 2026-12-07 until 2026-12-09⟧"), .datesAgainstName),
        Mistake(
            "a weekend of a fortnight",
            open("reading weekend", "⟦from 2026-12-05 until 2026-12-19⟧"), .datesAgainstName),
        Mistake(
            "the other side of a year",
            access(
                "who joined before 2025 waits", "first_purchased: ⟦from 2025-01-01⟧, \(retry)",
                "then: grant"), .datesAgainstName),
        Mistake(
            "the other side of what is withheld",
            access(
                "premium is for who joined before 2025",
                "first_purchased: ⟦before 2025-01-01⟧", "then: withhold"), .datesAgainstName),
        Mistake(
            "retired before its own year",
            "products:\n  archive.2027:\n    kind: non-consumable\n    grants: [premium]\n"
                + "    retired: ⟦2025-01-01⟧", .datesAgainstName),
    ]

    @Test(arguments: effects + conditions + dates)
    func isSaid(_ mistake: Mistake) throws {
        let found = mistake.policy.diagnose().filter { $0.id == mistake.id }
        let shown = render(mistake.policy.diagnose(), sources: [mistake.policy.text])
        let first = try #require(found.first, "\(shown)")
        #expect(first.place == mistake.policy.place, "\(shown)")
        if let message = mistake.message { #expect(first.message(in: .english) == message) }
    }

    static let meant = [
        access(
            "nobody loses premium in the first three days",
            "state: expired, state_age: under 3d", "then: grant"),
        access("no gap when Apple renews late", "state: renewing", "then: grant"),
        "groups: {sky: {levels: [astronomer, amateur]}}\nproducts:\n"
            + "  a: {kind: auto-renewable, group: sky, level: astronomer, period: 1mo, "
            + "grants: [premium]}\n"
            + access(
                "astronomers have a week", "level: astronomer, state: billing-retry", "then: grant"),
        access("grace is not for trials", "state: grace, offer: free-trial", "then: withhold"),
        access(
            "a grace of ten days while Apple retries",
            "state: billing-retry, state_age: under 10d", "then: grant"),
        access("except in China, reading stops", "storefront: [US, GB]", "then: withhold"),
        access(
            "readers keep premium, but not in the sandbox", "environment: sandbox",
            "then: withhold"),
        access(
            "premium is for members from before 2026", "first_purchased: from 2026-01-01",
            "then: withhold"),
        access(
            "after seven days only premium is left",
            "state: billing-retry, state_age: at least 7d", "then: withhold"),
        access(
            "premium closes at the end of March 2027", "at: from 2027-04-01",
            "then: withhold"),
        access("it may be March before Apple gives up", retry, "then: grant"),
        access("仅测试账号可以使用沙盒购买", "environment: sandbox", "then: withhold"),
        access(
            "三月底前购买的用户保留一个月",
            "purchased: before 2026-04-01, state: expired, state_age: under 30d", "then: grant"),
        claim("subscriptions stay with the organiser", "ownership: family-shared", "then: keep"),
        claim(
            "never twice in a week", "moment: restore",
            "then: transfer\n    limits: {cooldown: 7d}"),
        claim(
            "转移后三十天内不得再次转移", "moment: restore",
            "then: transfer\n    limits: {cooldown: 30d}"),
        claim("buying on a shared iPad takes nothing", "moment: purchase", "then: keep"),
        claim(
            "expired subscriptions are for who claims them", "moment: restore",
            "then: transfer-if-inactive"),
        "account_switch:\n  - name: up to 20 seats for schools\n    then: share\n    max: 20",
        refund("coins that were spent are not refunded", "kind: consumable", "then: prorate"),
        refund("not our fault, so no refund", "kind: non-consumable", "then: decline"),
        refund("sandbox has no answer", "environment: sandbox", "then: nothing"),
        open("New Year 2027", "from 2026-12-31 until 2027-01-02"),
        open("Black Friday weekend", "from 2026-11-27 until 2026-11-30"),
        open("from 24 to 26 December", "from 2026-12-24 until 2026-12-27"),
        open("summer of reading", "from 2027-06-01 until 2027-08-31"),
        open("May the fourth", "from 2027-05-04 until 2027-05-05"),
        open("春节", "from 2027-02-05 until 2027-02-13"),
    ]

    @Test("what a careful reader finds right is not complained about", arguments: meant)
    func isNoMistake(policy: String) {
        let lints: Set<DiagnosticID> = [
            .effectAgainstName, .conditionAgainstName, .datesAgainstName,
        ]
        let found = MarkedPolicy(policy).diagnose().filter { lints.contains($0.id) }
        #expect(found.isEmpty, "\(render(found, sources: []))")
    }
}
