internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// What products and rules must not say, and references that lead nowhere.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueTests {
    private static func product(_ lines: String...) -> String {
        "products:\n  p:\n" + lines.map { "    \($0)" }.joined(separator: "\n")
    }

    private static func rule(_ lines: String...) -> String {
        "account_switch:\n  - name: a\n" + lines.map { "    \($0)" }.joined(separator: "\n")
    }

    static let products: [Mistake] = [
        Mistake(
            "unknown entitlement",
            product("kind: free", "grants: [⟦premum⟧]")
                .replacing("free", with: "non-consumable"), .unknownEntitlement,
            "unknown entitlement 'premum'"),
        Mistake(
            "unknown group",
            product(
                "kind: auto-renewable", "group: ⟦members⟧", "level: gold", "period: 1mo",
                "grants: [premium]"), .unknownGroup),
        Mistake(
            "level of no group",
            product(
                "kind: auto-renewable", "group: membership", "level: ⟦bronze⟧", "period: 1mo",
                "grants: [premium]"), .levelNotInGroup),
        Mistake(
            "subscription without period",
            "products:\n  ⟦p⟧:\n    kind: auto-renewable\n    group: membership\n"
                + "    level: gold\n    grants: [premium]", .missingForKind,
            "a product of the kind 'auto-renewable' needs 'period'"),
        Mistake(
            "period of a non-consumable",
            product("kind: non-consumable", "⟦period⟧: 1mo", "grants: [premium]"), .notForKind),
        Mistake(
            "group of a non-renewing",
            product(
                "kind: non-renewing", "⟦group⟧: membership", "duration: 1y", "grants: [premium]"),
            .notForKind),
        Mistake(
            "stack of a consumable",
            product(
                "kind: consumable", "⟦stack⟧: a", "grants: [{entitlement: premium, for: 1d}]"),
            .notForKind),
        Mistake(
            "consumable for ever", product("kind: consumable", "grants: [⟦premium⟧]"),
            .lastingRight),
        Mistake(
            "consumable for ever, long form",
            product("kind: consumable", "grants: [{entitlement: ⟦premium⟧}]"), .lastingRight),
        Mistake(
            "hundred years",
            product("kind: non-renewing", "duration: ⟦100y⟧", "grants: [premium]"),
            .lengthTooLong),
        Mistake(
            "free without Newsstand", product("kind: ⟦free⟧", "grants: [premium]"),
            .freeWithoutNewsstand),
        Mistake(
            "twice in two forms",
            product(
                "kind: consumable",
                "grants: [{entitlement: premium, for: 1d}, ⟦{entitlement: premium, for: 2d}⟧]"),
            .grantedTwice),
        Mistake(
            "four months",
            product(
                "kind: auto-renewable", "group: membership", "level: gold", "period: ⟦4mo⟧",
                "grants: [premium]"), .unusualPeriod),
    ]

    static let rules: [Mistake] = [
        Mistake(
            "coins move", rule("when: {kind: [auto-renewable, ⟦consumable⟧]}", "then: transfer"),
            .notClaimable),
        Mistake(
            "coins by pattern",
            "credits:\n  c: {title: C}\nproducts:\n  c.1:\n    kind: consumable\n"
                + "    grants: [{credit: c, units: 1}]\n"
                + rule("when: {product: ⟦\"c.*\"⟧}", "then: transfer"), .notClaimable),
        Mistake(
            "a group that is not there", rule("when: {group: ⟦x⟧}", "then: keep"), .unknownGroup),
        Mistake(
            "a level of another group",
            "groups:\n  video: {levels: [hd]}\n"
                + rule("when: {group: membership, level: ⟦hd⟧}", "then: keep"), .levelNotInGroup),
        Mistake("share without max", rule("then: ⟦share⟧"), .shareWithoutMax),
        Mistake(
            "deny with limits", rule("then: deny", "⟦limits⟧: {cooldown: 1d}"), .limitsWithoutMove),
        Mistake(
            "inherit with limits", rule("then: inherit", "⟦limits⟧: {cooldown: 1d}"),
            .limitsWithoutMove),
        Mistake(
            "an excess without a limit", rule("then: transfer", "limits: {⟦else⟧: ask}"),
            .elseWithoutLimit),
        Mistake(
            "an excess that is none", rule("then: ask", "limits: {cooldown: 1d, else: ⟦deny⟧}"),
            .unknownWord),
        Mistake(
            "inherit for a token", rule("when: {token: ⟦[matches, other]⟧}", "then: inherit"),
            .inheritToken),
        Mistake("ask with max", rule("then: ask", "⟦max⟧: 2"), .maxWithoutShare),
        Mistake("unknown verb", rule("then: ⟦move⟧"), .unknownWord),
        Mistake("nothing but names", rule("then: keep", "⟦unless⟧: {}"), .emptyUnless),
        Mistake(
            "only what nobody defines",
            "access:\n  - name: a\n    then: grant\n    only: [premium, ⟦premuim⟧]",
            .unknownEntitlement),
        Mistake(
            "unknown name in unless",
            "access:\n  - name: a\n    unless: {product: ⟦gold.monthy⟧}\n    then: grant",
            .unknownProduct),
        Mistake(
            "a refused environment",
            "access:\n  - name: a\n    when: {environment: ⟦xcode⟧}\n    then: grant",
            .environmentRefused),
    ]

    @Test(arguments: products) func product(_ mistake: Mistake) { mistake.check() }

    @Test(arguments: rules) func rule(_ mistake: Mistake) { mistake.check() }

    /// What was probably meant, and nothing where nothing is near.
    @Test(arguments: [
        ("premum", "did you mean 'premium'?"), ("Premium", "did you mean 'premium'?"),
        ("permium", "did you mean 'premium'?"), ("vip", "one of: 'premium'"),
    ])
    func suggestion(_ written: String, _ advice: String) {
        let policy = MarkedPolicy(
            "products:\n  p:\n    kind: non-consumable\n    grants: [\(written)]")
        #expect(policy.diagnose().first?.advice(in: .english) == advice)
    }
}
