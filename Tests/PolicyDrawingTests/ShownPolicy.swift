internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// Policies that are shown in tests.
enum ShownPolicy {
    /// What every policy needs.
    static let base = """
        usher: 1
        app: {bundle_id: com.example.reader, apple_id: 1234567890}
        trust: {roots: {jws: [apple-root-ca-g3]}}
        environments: {production: trusted, sandbox: trusted}

        """

    /// One of everything, and no more.
    static let small =
        base + """
            entitlements:
              premium: {title: Premium reading, title_zh: 高级阅读}
            credits:
              coins: {title: Coins, title_zh: 金币}
            groups:
              membership: {title: Membership, title_zh: 会员, levels: [gold, silver]}
            products:
              com.example.reader.gold:
                {kind: auto-renewable, group: membership, level: gold, period: 1mo,
                 title: "Gold, monthly", title_zh: 黄金会员, price: {USD: 9.9, JPY: 1200, CNY: 68},
                 grants: [premium]}
              com.example.reader.silver:
                {kind: auto-renewable, group: membership, level: silver, period: 1y,
                 title: Silver, retired: 2026-03-01, grants: [premium]}
              com.example.reader.coins:
                {kind: consumable, title: 100 coins, price: {USD: 0.99},
                 grants: [{credit: coins, units: 100}]}
            access:
              - name: a week while Apple retries the card
                when: {state: billing-retry, state_age: under 7d}
                unless: {ownership: family-shared}
                then: grant
              - name: early readers keep it
                when: {state: expired, first_purchased: before 2025-01-01, at: before 2027-01-01}
                then: grant
            open:
              - name: anniversary
                entitlements: [premium]
                at: from 2026-12-05 until 2026-12-07
            account_switch:
              - name: a subscription moves, not too often
                when: {kind: auto-renewable, moment: restore}
                then: transfer
                limits: {cooldown: 7d, moves: 3 per 365d, else: ask}

            """

    static func load(_ text: String) throws -> Policy {
        let file = PolicyText(path: "policy.yaml", bytes: Array(text.utf8))
        let report = loadPolicy([file])
        var policy = try #require(report.policy, "\(report.diagnostics)")
        policy.digest = try #require(Digest256([UInt8](repeating: 0xAB, count: 32)))
        return policy
    }

    static func example() throws -> Policy {
        let report = loadPolicy(try readPolicyFolder(Repository.path("policies")))
        return try #require(report.policy)
    }

    static func showing(_ language: Language = .english, width: Int = 80) throws -> PolicyShowing {
        let now = try #require(Instant(rfc3339: "2026-06-01"))
        return PolicyShowing(language: language, now: now, width: width)
    }
}
