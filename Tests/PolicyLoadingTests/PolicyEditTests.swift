internal import EntitlementModel
internal import TestSupport
internal import Testing

@testable internal import PolicyLoading

/// What two policies write differently (spec 2.4): each key of the example policy is changed in
/// turn.
@Suite(.timeLimit(.minutes(20)))
struct PolicyEditTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// What the example policy says, and what the other one says in its place.
        let old: String
        let new: String
        let edits: [String]
        var testDescription: String { edits.first ?? "nothing" }

        init(_ old: String, _ new: String, _ edits: String...) {
            (self.old, self.new, self.edits) = (old, new, edits)
        }
    }

    static let settings = [
        Case("# Who may use", "# Whoever may use"),
        Case("apple_id: 1234567890", "apple_id: 1234567891", "app changed - [apple_id]"),
        Case("from-order ", "is-account-id ", "app changed - [account_token]"),
        Case("jws: [apple-root-ca-g3]", "jws: [apple-inc-root]", "trust changed - [roots]"),
        Case("sandbox: trusted", "sandbox: refused", "environments changed - [sandbox]"),
        Case("leeway: 1h", "leeway: 2h", "leeway changed - [leeway]"),
        Case("pay_within: 30m", "pay_within: 31m", "orders changed - [pay_within]"),
        Case("match_window: 24h", "match_window: 23h", "orders changed - [match_window]"),
        Case("payment: deliver", "payment: review", "orders changed - [late_payment]"),
        Case("scope: group", "scope: entitlement", "duplicate_subscriptions changed - [scope]"),
        Case(
            "before_purchase: block", "before_purchase: warn",
            "duplicate_subscriptions changed - [before_purchase]"),
        Case("keep: longest-paid", "keep: newest", "duplicate_subscriptions changed - [keep]"),
    ]

    static let definitions = [
        Case("title: Coins,", "title: Coin,", "credits changed coins [title]"),
        Case("title_zh: 金币", "title_zh: 硬币", "credits changed coins [title_zh]"),
        Case("on_refund: debt", "on_refund: floor", "credits changed coins [on_refund]"),
        Case("title: Premium reading", "title: Premium", "entitlements changed premium [title]"),
        Case(
            "levels: [gold, silver]", "levels: [silver, gold]", "groups changed membership [levels]"
        ),
        Case("USD: 99.99", "USD: 89.99", "products changed \(gold).yearly [price]"),
        Case("period: 1y", "period: 6mo", "products changed \(gold).yearly [period]"),
        Case("duration: 1y", "duration: 2y", "products changed \(archive) [duration]"),
        Case("stacking: extend", "stacking: overlap", "products changed \(archive) [stacking]"),
        Case(
            "retired: 2026-01-01", "retired: 2026-01-02",
            "products changed com.example.reader.silver.old [retired]"),
        Case(
            "units: 1200", "units: 1300",
            "products changed com.example.reader.coins.1200 [grants]"),
        Case(
            "grants: [premium, offline, no-ads]", "grants: all",
            "products changed \(gold).monthly [grants]"),
        Case(
            "com.example.reader.gift:", "com.example.reader.present:",
            "products removed com.example.reader.gift []",
            "products added com.example.reader.present []"),
    ]

    static let rules = [
        Case("under 7d", "under 8d", "access changed \(courtesy) [when]"),
        Case("only: [premium]", "only: [offline]", "access changed \(courtesy) [only]"),
        Case(
            courtesy, "a week of courtesy", "access removed \(courtesy) []",
            "access added a week of courtesy []"),
        Case("cooldown: 7d", "cooldown: 8d", "account_switch changed \(members) [limits]"),
        Case(
            "unless: {ownership: family-shared}", "unless: {ownership: assigned}",
            "account_switch changed \(members) [unless]"),
        Case(
            "max: 6", "max: 5",
            "account_switch changed the free weekly edition is for the whole family [then]"),
        Case(
            "then: nothing", "then: decline",
            "refund_answers changed test purchases are not answered [then]"),
    ]

    private static let gold = "com.example.reader.gold"
    private static let archive = "com.example.reader.archive.2025"
    private static let courtesy = "a courtesy week while Apple retries the card"
    private static let members = "members may move their subscription, not too often"

    @Test(
        "every key that differs is named, and nothing else",
        arguments: settings + definitions + rules)
    func key(_ example: Case) throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        let old = try #require(loadPolicy(texts).policy)
        var isChanged = false
        let changed = texts.map { text in
            let written = String(decoding: text.bytes, as: UTF8.self)
            guard let place = written.firstRange(of: example.old), !isChanged else {
                return text
            }
            isChanged = true
            let new = written.replacingCharacters(of: place, with: example.new)
            return PolicyText(path: text.path, text: new)
        }
        #expect(isChanged)
        let report = loadPolicy(changed)
        let new = try #require(report.policy, "\(render(report.diagnostics, sources: changed))")
        let edits = policyEdits(from: old, to: new).map {
            "\($0.section) \($0.change) \($0.name ?? "-") [\($0.keys.joined(separator: " "))]"
        }
        #expect(edits == example.edits)
    }

    @Test("the credits of a product are said with what they were")
    func credits() throws {
        func policy(_ grants: String) throws -> Policy {
            let text = "credits: {coins: {title: Coins}}\nproducts:\n  p: {\(grants)}"
            let texts = [PolicyExample.base, PolicyText(path: "more.yaml", text: text)]
            return try #require(loadPolicy(texts).policy)
        }
        func club(_ terms: String) throws -> Policy {
            try policy(
                "kind: auto-renewable, group: membership, level: gold, period: 1y, "
                    + "grants: [premium]\(terms)")
        }
        func said(_ old: Policy, _ new: Policy) -> [String] {
            policyEdits(from: old, to: new).map {
                "\($0.keys.joined(separator: " ")): \($0.before ?? "nil") → \($0.after ?? "nil")"
            }
        }
        let none = try club("")
        let some = try club(", credits: [{credit: coins, units: 50, every: 1mo}]")
        let other = try club(
            ", credits: [{credit: coins, units: 40, expires: period, under_offer: {win-back: 1}}]")
        #expect(said(none, some) == ["credits: – → 50 coins, every: 1mo"])
        #expect(
            said(some, other) == [
                "credits: 50 coins, every: 1mo → "
                    + "40 coins, under_offer: {win-back: 1}, expires: period"
            ])
        func bag(_ units: Int) throws -> Policy {
            try policy("kind: consumable, grants: [{credit: coins, units: \(units)}]")
        }
        let (five, six) = (try bag(5), try bag(6))
        #expect(said(five, six) == ["grants: 5 coins → 6 coins"])
        let titled = try club(", title: Club")
        #expect(said(none, titled) == ["title: nil → nil"])
    }

    @Test("the order of rules counts, that of files and names does not")
    func order() throws {
        let rules = ["then: grant, when: {state: grace}", "then: withhold, when: {state: grace}"]
        let list = { (order: [Int]) in
            "access:\n" + order.map { "  - {name: r\($0), \(rules[$0])}\n" }.joined()
        }
        let policy = { (more: String) in
            loadPolicy([PolicyExample.base, PolicyText(path: "more.yaml", text: more)]).policy
        }
        let old = try #require(policy(list([0, 1])))
        let new = try #require(policy(list([1, 0])))
        #expect(policyEdits(from: old, to: new) == [PolicyEdit("access", .reordered)])
        #expect(policyEdits(from: old, to: old).isEmpty)
    }
}

extension String {
    fileprivate func replacingCharacters(of range: Range<String.Index>, with text: String) -> String
    {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
