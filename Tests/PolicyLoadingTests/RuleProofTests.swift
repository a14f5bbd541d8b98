internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import Testing

/// What is said of rules, whole. That nothing is missed, and nothing is said in vain, is compared
/// with brute force in PolicyAnalysisTests.
@Suite(.timeLimit(.minutes(20)))
struct RuleProofTests {
    private static let products = """
        products:
          gold.yearly:
            kind: auto-renewable
            group: membership
            level: gold
            period: 1y
            grants: [premium]
          unlock: {kind: non-consumable, grants: [premium]}

        """

    private func said(_ rules: String, _ options: PolicyCheckOptions = .init()) -> [String] {
        let texts = [
            PolicyExample.base, PolicyText(path: "r.yaml", text: Self.products + rules),
        ]
        return checkPolicy(texts, options).diagnostics.map { diagnostic in
            let example = diagnostic.example.isEmpty ? "" : " " + diagnostic.exampleText
            return "\(diagnostic.id.rawValue): \(diagnostic.message(in: .english))\(example)"
        }
    }

    /// No one of them covers it alone.
    @Test func severalRulesCoverOneTogether() {
        let found = said(
            """
            access:
              - {name: young, when: {state: grace, state_age: under 3d}, then: grant}
              - {name: old, when: {state: grace, state_age: at least 3d}, then: grant}
              - {name: other, when: {state: renewing}, then: grant}
              - {name: all of grace, when: {state: grace}, then: grant}
            """)
        #expect(
            found == [
                "unreachable-rule: the rule 'all of grace' never applies: all its cases are "
                    + "decided before it, by 'young', 'old' {product: gold.monthly, "
                    + "entitlement: premium, state: grace, state_age: under 3d}"
            ])
    }

    @Test func theCaseOfAContradictionIsShown() {
        let found = said(
            """
            access:
              - {name: all, when: {state: billing-retry}, unless: {account: bob}, then: withhold}
              - {name: bob, when: {state: billing-retry, account: bob}, then: grant}
              - {name: week, when: {state: billing-retry, state_age: under 7d, account: b*}, then: grant}
            """)
        #expect(
            found == [
                "contradicting-rule: the rule 'week' can never win: 'all' before it decides "
                    + "otherwise in the same cases {product: gold.monthly, entitlement: premium, "
                    + "state: billing-retry, account: b1, state_age: under 7d}"
            ])
    }

    /// In production, only the second is asked about a purchase of the sandbox (spec 1.5).
    @Test func aRuleForAnotherEnvironmentIsReached() {
        let found = said(
            """
            access:
              - {name: paid, when: {state: [active, grace, renewing]}, then: grant}
              - {name: reviewers, when: {state: active, environment: sandbox, account: qa}, then: grant}
            """)
        #expect(found == [])
    }

    @Test func keysThatExcludeOneAnotherAreNamed() {
        let found = said(
            """
            access:
              - name: new and old
                when: {product: unlock, state_age: at least 30d, at: before 2026-02-01, purchased: from 2026-01-15}
                then: withhold
              - {name: reasons, when: {state: grace, expiry_reason: upgraded, account: bob}, then: grant}
              - {name: sons, when: {kind: auto-renewable}, unless: {group: membership}, then: withhold}
            """)
        #expect(
            found == [
                "never-matches: the rule 'new and old' never matches: there is no purchase with "
                    + "'at: before 2026-02-01', 'product: unlock', 'purchased: from 2026-01-15', "
                    + "'state_age: at least 30d'",
                "never-matches: the rule 'reasons' never matches: there is no purchase with "
                    + "'expiry_reason: upgraded', 'state: grace'",
                "never-matches: the rule 'sons' never matches: there is no purchase with "
                    + "'kind: auto-renewable', 'unless: {group: membership}'",
            ])
    }

    /// A subscription's `active` is older than its period.
    @Test func activeOfASubscriptionCanBeOlderThanItsPeriod() {
        let rule = { (name: String) in
            "access:\n  - {name: a renewal, when: {product: \(name), state: active, "
                + "state_age: at least 30d, at: before 2026-02-01, purchased: from 2026-01-15}, "
                + "then: withhold}"
        }
        #expect(said(rule("gold.monthly")) == [])
        #expect(said(rule("unlock")).count == 1)
    }

    @Test func verbsAreAskedAboutDifferentUnits() {
        let found = said(
            """
            account_switch:
              - {name: stays, then: keep}
              - {name: nobody's, when: {token: none}, then: inherit}
              - {name: never, when: {token: other}, then: deny}
              - {name: late, when: {moment: restore}, then: ask}
            """)
        #expect(
            found == [
                "contradicting-rule: the rule 'late' can never win: 'stays' before it decides "
                    + "otherwise in the same cases {product: gold.monthly, kind: auto-renewable, "
                    + "moment: restore}"
            ])
    }

    @Test func refundRulesAreProvedToo() {
        let found = said(
            """
            refund_answers:
              - {name: tests, when: {environment: sandbox}, then: nothing}
              - {name: sales, when: {ownership: [purchased, family-shared, assigned, unknown]}, then: prorate}
              - {name: rest, then: prorate}
            """)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("contradicting-rule: the rule 'rest' can never win") == true)
    }

    @Test func endsAreSeenBehindOtherRules() {
        let ended =
            "  - {name: gift, when: {state: expired, expiry_reason: cancelled}, then: grant}"
        #expect(said("access:\n" + ended).count == 1)
        let bounded = [
            "  - {name: a, when: {state: expired, state_age: at least 7d}, then: withhold}\n",
            "  - {name: a, when: {state: expired, at: from 2027-01-01}, then: withhold}\n",
        ]
        for rule in bounded { #expect(said("access:\n" + rule + ended) == [], "\(rule)") }
    }

    @Test func windowsArePastWhenAllAre() {
        var options = PolicyCheckOptions()
        options.now = Instant(rfc3339: "2026-06-01")
        func rule(_ at: String) -> String {
            "access:\n  - {name: a, when: {state: grace, at: \(at)}, then: grant}"
        }
        #expect(
            said(rule("before 2026-06-01"), options) == [
                "window-past: the rule 'a' has not been in force since 2026-06-01"
            ])
        #expect(said(rule("before 2026-06-02"), options) == [])
        #expect(said(rule("[before 2026-01-01, from 2026-12-01]"), options) == [])
        #expect(said(rule("before 2026-01-01")) == [])
    }

    /// Nobody buys what was `retired` before now, and a rule that is past takes nothing away.
    @Test func nothingIsSoldForNothingInThePast() {
        var options = PolicyCheckOptions()
        options.now = Instant(rfc3339: "2026-06-01")
        func ids(retired: String, at: String) -> [String] {
            let pass = "  pass: {kind: non-renewing, duration: 1y, retired: \(retired), "
            let rule = "  - {name: a, when: {state: active, at: \(at)}, then: withhold}"
            return said("\(pass)grants: [premium]}\naccess:\n\(rule)", options).map {
                String($0.prefix { $0 != ":" })
            }
        }
        #expect(ids(retired: "2026-01-15", at: "before 2026-02-01") == ["window-past"])
        #expect(ids(retired: "2026-06-15", at: "before 2026-06-01") == ["window-past"])
        #expect(ids(retired: "2026-01-15", at: "from 2025-10-01 until 2027-01-01") == [])
        #expect(
            ids(retired: "2026-12-15", at: "from 2026-03-01 until 2027-01-01") == [
                "sold-for-nothing"
            ])
    }

    @Test func defaultsAreExplainedOnDemand() {
        var options = PolicyCheckOptions()
        options.explainsDefaults = true
        let found = said(
            "access:\n  - {name: paid, when: {state: [active, grace]}, then: grant}", options)
        #expect(
            found.contains(
                "uncovered: no rule of 'access' decides this; the built-in rule 'active, grace "
                    + "and renewing give' does {product: gold.monthly, entitlement: premium, "
                    + "state: renewing, ownership: purchased}"))
        #expect(!found.contains { $0.contains("state: grace") })
        #expect(!said("leeway: 1h").contains { $0.hasPrefix("uncovered") })
    }

    /// What a built-in rule looks at is told, also where no rule of the policy does.
    @Test func defaultsOfClaimsAreExplained() {
        var options = PolicyCheckOptions()
        options.explainsDefaults = true
        let found = said(
            "account_switch:\n  - {name: a, when: {environment: sandbox}, then: keep}", options)
        let told = found.first { $0.contains("'account_switch'") } ?? ""
        #expect(told.contains("'a lapsed subscription bought by its new account moves'"))
        #expect(told.contains("token: matches, moment: purchase"), "\(found)")
    }

    @Test func productsThatTheCatalogueLacksAreNamed() {
        var options = PolicyCheckOptions()
        options.seen = ["unlock", "gone.2", "gone.1"].compactMap { ProductID($0) }
        #expect(
            said("leeway: 1h", options) == [
                "unmapped-product: there are purchases of 'gone.1', which the catalogue lacks",
                "unmapped-product: there are purchases of 'gone.2', which the catalogue lacks",
            ])
    }
}
