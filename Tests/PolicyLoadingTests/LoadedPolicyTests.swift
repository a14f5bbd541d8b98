internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// What a policy without mistakes becomes.
@Suite(.timeLimit(.minutes(20)))
struct LoadedPolicyTests {
    private let policy: Policy

    init() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        policy = try #require(loadPolicy(texts).policy)
    }

    private func product(_ name: String) throws -> Product {
        try #require(policy.products[ProductID(unchecked: "com.example.reader." + name)])
    }

    @Test func settings() throws {
        #expect(policy.app.bundleID.text == "com.example.reader")
        #expect(policy.app.appleID == 1_234_567_890)
        #expect(policy.app.isNewsstand)
        #expect(policy.app.accountToken == .fromOrder)
        #expect(policy.environments[.sandbox] == .trusted)
        #expect(policy.environments[.xcode] == .refused)
        #expect(policy.leeway == Period(1, .hours))
        #expect(policy.trust.jws.count == 1)
        #expect(policy.trust.maximumSignedAge == nil)
        #expect(policy.orders.payWithin == Period(30, .minutes))
        #expect(policy.duplicates.beforePurchase == .block)
    }

    @Test func subscription() throws {
        let gold = try product("gold.monthly")
        #expect(gold.kind == .autoRenewable)
        #expect(gold.group?.text == "membership")
        #expect(gold.level?.text == "gold")
        #expect(gold.period == Period(1, .months))
        #expect(gold.title == Title(english: "Gold, monthly", chinese: "黄金会员（月付）"))
        #expect(gold.prices == ["USD": 9_990, "CNY": 68_000])
        #expect(
            gold.grants
                == ["premium", "offline", "no-ads"].map {
                    .entitlement(EntitlementName(unchecked: $0), lasting: nil)
                })
    }

    @Test func otherKinds() throws {
        let archive = try product("archive.2025")
        #expect(archive.duration == Period(1, .years))
        #expect(archive.stacking == .extend)
        let speed = try product("speed.week")
        #expect(
            speed.grants == [
                .entitlement(
                    EntitlementName(unchecked: "speed-reader"), lasting: Period(1, .weeks)),
                .credit(CreditName(unchecked: "coins"), units: 20),
            ])
        #expect(try product("silver.old").retiredAt == Instant(rfc3339: "2026-01-01"))
    }

    @Test(arguments: [
        ("all", ["ads", "offline", "premium"], []),
        ("{all_except: [ads]}", ["offline", "premium"], ["ads"]),
        ("{all_except: ads}", ["offline", "premium"], ["ads"]),
    ])
    func allEntitlements(_ written: String, _ given: [String], _ excepted: [String]) throws {
        let base = PolicyExample.base.text.replacing("gold.monthly", with: "lifetime")
        let text =
            base.replacing(
                "  premium: {title: Premium}",
                with: "  premium: {title: P}\n  ads: {title: A}\n  offline: {title: O}"
            ).split(separator: "    kind:")[0]
            + "    kind: non-consumable\n    grants: \(written)\n"
        let policy = try #require(
            loadPolicy([PolicyText(path: "app.yaml", text: String(text))]).policy)
        let product = try #require(policy.products[ProductID(unchecked: "lifetime")])
        #expect(product.entitlements.map(\.text) == given)
        #expect(product.allExcept?.map(\.text) == excepted)
    }

    @Test func accessRules() throws {
        let week = policy.accessRules[0]
        #expect(
            week.reference
                == RuleReference(
                    name: "a courtesy week while Apple retries the card", file: "rules.yaml",
                    line: 5))
        #expect(week.when.kinds == [.autoRenewable])
        #expect(week.when.states == [.billingRetry])
        #expect(week.when.stateAges == [.under(Period(7, .days))])
        #expect(week.only == [EntitlementName(unchecked: "premium")])
        let reviewers = policy.accessRules[2]
        #expect(reviewers.when.accounts?.map(\.text) == ["apple-review", "qa-*"])
        #expect(reviewers.only == nil)
    }

    /// Where a check that judges whole rules points.
    @Test func placeOfARule() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        let rule = policy.accessRules[0].reference
        #expect(
            place(of: rule, in: texts)
                == TextLocation(file: "rules.yaml", line: 5, column: 5, length: 50))
        #expect(place(of: .builtIn("x"), in: texts) == TextLocation(file: ""))
    }

    @Test func claimRules() throws {
        let moves = policy.claimRules[0]
        #expect(moves.verb == .transfer)
        #expect(moves.unless?.ownerships == [.familyShared])
        #expect(moves.limits.cooldown == Period(7, .days))
        #expect(moves.limits.moves == ClaimLimits.Moves(count: 3, window: Period(365, .days)))
        #expect(policy.claimRules[2].verb == .share(maximum: 6))
    }

    @Test func refundRules() throws {
        let rule = policy.refundRules[2]
        #expect(rule.answer == .prorate)
        #expect(rule.when.kinds == [.autoRenewable])
        #expect(rule.when.groups == [GroupName(unchecked: "membership")])
        #expect(rule.reference.file == "rules.yaml")
        let text = """
            refund_answers:
              - name: launch
                when: {purchased: before 2026-02-01, storefront: [JP], ownership: purchased,
                  account: "qa-*", product: "*", at: from 2026-01-01}
                unless: {environment: sandbox}
                then: decline
            """
        let more = PolicyText(path: "more.yaml", text: text)
        let loaded = try #require(loadPolicy([PolicyExample.base, more]).policy).refundRules[0]
        #expect(loaded.when.storefronts == ["JPN"])
        #expect(loaded.unless?.environments == [.sandbox])
    }

    /// A field of states or of claims has no place in `refund_answers`.
    @Test(arguments: [
        "state: active", "state_age: under 7d", "offer: none", "moment: restore", "token: none",
        "entitlement: premium", "first_purchased: before 2026-02-01", "auto_renew: \"on\"",
        "revocation: full", "expiry_reason: other",
    ])
    func fieldsOfRefundRules(_ field: String) {
        let text = "refund_answers: [{name: a, when: {\(field)}, then: grant}]"
        let more = PolicyText(path: "more.yaml", text: text)
        let found = loadPolicy([PolicyExample.base, more]).diagnostics.map(\.id)
        #expect(found == [.fieldNotHere])
    }

    @Test func claimsByState() throws {
        let text = """
            account_switch:
              - name: a
                when: {state: [active, grace], paid: "yes", quantity: [1, at least 5, under 3]}
                then: keep
            """
        let more = PolicyText(path: "more.yaml", text: text)
        let when = try #require(loadPolicy([PolicyExample.base, more]).policy).claimRules[0].when
        #expect(when.states == [.active, .grace])
        #expect(when.paid == [.yes])
        #expect(when.quantities == [.exactly(1), .atLeast(5), .under(3)])
        #expect(
            when.described == [
                "state: active | grace", "paid: yes", "quantity: 1 | at least 5 | under 3",
            ])
    }

    @Test func keysOfRefundRules() {
        for more in ["only: [premium]", "max: 2", "limits: {cooldown: 7d}"] {
            let text = "refund_answers: [{name: a, then: grant, \(more)}]"
            let found = loadPolicy([PolicyExample.base, PolicyText(path: "m.yaml", text: text)])
                .diagnostics.map(\.id)
            #expect(found == [.fieldNotHere])
        }
        let text = "refund_answers: [{name: a, then: withhold}]"
        let report = loadPolicy([PolicyExample.base, PolicyText(path: "m.yaml", text: text)])
        #expect(report.policy == nil)
    }

    /// The digest names paths and bytes, whatever the order in which the files come.
    @Test func digestNamesTheText() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        #expect(loadPolicy(texts.reversed()).policy == policy)
        #expect(policy.digest == policyDigest(texts))
        var moved = texts
        moved[0].path = "b.yaml"
        #expect(policyDigest(moved) != policy.digest)
        var shifted = texts
        shifted[1].bytes.insert(shifted[0].bytes.removeLast(), at: 0)
        #expect(policyDigest(shifted) != policy.digest)
    }

    /// Every field of a condition arrives; alpha-2 countries become alpha-3.
    @Test func everyConditionField() throws {
        let marked = MarkedPolicy(
            """
            access:
              - name: everything
                when:
                  kind: auto-renewable
                  state: [expired, revoked]
                  environment: sandbox
                  ownership: not-stated
                  offer: win-back
                  expiry_reason: billing-error
                  auto_renew: "off"
                  revocation: prorated
                  product: "gold.*"
                  account: "qa-*"
                  group: membership
                  entitlement: premium
                  level: gold
                  storefront: [US, CHN]
                  state_age: [under 1h, at least 2w]
                  unpaid_for: from 3d to 14d
                  member_for: at least 365d
                  purchased: before 2026-01-01T08:00:00+08:00
                  first_purchased: from 2020-02-29
                  at: [from 2027-01-01, before 2026-01-01]
                then: withhold
            """)
        let report = loadPolicy([PolicyExample.base, marked.text])
        let when = try #require(report.policy?.accessRules.first?.when)
        var expected = Condition()
        expected.kinds = [.autoRenewable]
        expected.states = [.expired, .revoked]
        expected.environments = [.sandbox]
        expected.ownerships = [.notStated]
        expected.offers = [.winBack]
        expected.expiryReasons = [.billingError]
        expected.autoRenews = [.off]
        expected.revocations = [.prorated]
        expected.products = [NamePattern("gold.*")]
        expected.accounts = [NamePattern("qa-*")]
        expected.groups = [GroupName(unchecked: "membership")]
        expected.entitlements = [EntitlementName(unchecked: "premium")]
        expected.levels = [LevelName(unchecked: "gold")]
        expected.storefronts = ["USA", "CHN"]
        expected.stateAges = [.under(Period(1, .hours)), .atLeast(Period(2, .weeks))]
        expected.unpaidFor = [.between(Period(3, .days), Period(14, .days))]
        expected.memberFor = [.atLeast(Period(365, .days))]
        expected.purchased = [.before(try #require(Instant(rfc3339: "2026-01-01")))]
        expected.firstPurchased = [.from(try #require(Instant(rfc3339: "2020-02-29")))]
        expected.at = [
            .from(try #require(Instant(rfc3339: "2027-01-01"))),
            .before(try #require(Instant(rfc3339: "2026-01-01"))),
        ]
        #expect(when == expected)
    }
}
