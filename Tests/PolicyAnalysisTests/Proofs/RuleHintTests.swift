internal import PolicyAnalysis
internal import PolicyLoading
internal import Testing

/// What is read from single rules (spec 2.2).
@Suite(.timeLimit(.minutes(20)))
struct RuleHintTests {
    private static let base = """
        usher: 1
        app: {bundle_id: com.example.reader, apple_id: 1234567890}
        trust: {roots: {jws: [apple-root-ca-g3], receipt: [apple-inc-root]}}
        environments: {production: trusted, sandbox: trusted}
        entitlements: {premium: {title: Premium}}
        groups: {membership: {levels: [gold, silver]}}
        products:
          gold: {kind: auto-renewable, group: membership, level: gold, period: 1mo, grants: [premium]}
          silver: {kind: auto-renewable, group: membership, level: silver, period: 1mo, grants: [premium]}
        access:

        """

    private static func ids(_ rules: [String]) -> [DiagnosticID] {
        let list = rules.enumerated().map { "  - {name: rule \($0), \($1)}\n" }.joined()
        return checkPolicy([PolicyText(path: "policy.yaml", text: base + list)]).diagnostics
            .map(\.id).filter { [.testPurchasesForAll, .beginsLate].contains($0) }
    }

    private static let late = "when: {state: billing-retry, state_age: at least 14d}, then: grant"

    @Test(arguments: [
        ([late], [DiagnosticID.beginsLate]),
        (["when: {state: billing-retry, unpaid_for: from 7d to 14d}, then: grant"], [.beginsLate]),
        (["when: {state: billing-retry, state_age: under 14d}, then: grant"], []),
        // What is paid for is granted already.
        (["when: {state: active, state_age: at least 14d}, then: grant"], []),
        (["when: {state: billing-retry, state_age: at least 14d}, then: withhold"], []),
        // The first days are granted by another rule, be it of everything or of as much.
        (["when: {state: billing-retry, state_age: under 14d}, then: grant", late], []),
        // Between the two ages nothing is granted.
        (["when: {state: billing-retry, state_age: under 7d}, then: grant", late], [.beginsLate]),
        // Only those of one product are.
        (
            [
                "when: {state: billing-retry, product: gold, state_age: under 7d}, then: grant",
                late,
            ],
            [.beginsLate]
        ),
        (["when: {environment: sandbox, state: active}, then: grant"], [.testPurchasesForAll]),
        (["when: {environment: [sandbox, production]}, then: grant"], [.testPurchasesForAll]),
        (["when: {environment: sandbox, account: \"qa-*\"}, then: grant"], []),
        (["when: {environment: sandbox}, then: withhold"], []),
        (["when: {environment: production, state: active}, then: grant"], []),
    ])
    func hints(_ rules: [String], _ expected: [DiagnosticID]) {
        #expect(Self.ids(rules) == expected)
    }
}
